import { BANK_CSV } from './bank-csv-kind.ts';
import { CALENDAR } from './calendar-kind.ts';
import { CAMT } from './camt.ts';
import { CLIPPING } from './clipping.ts';
import type { ItemKind } from './items.ts';
import { MATRIX } from './matrix.ts';
import { MBOX } from './mbox.ts';
import { MT940 } from './mt940.ts';
import { OFX } from './ofx.ts';
import { SIGNAL_CHAT } from './signal-chat.ts';
import { SLACK } from './slack.ts';
import { SUBTITLES } from './subtitles.ts';
import { TELEGRAM } from './telegram.ts';
import { TRANSCRIPT } from './transcript.ts';
import { WHATSAPP } from './whatsapp-kind.ts';

/** The kinds of file that hold many events. Where several take a file, the first that recognises it reads it. */
export const ITEM_KINDS: readonly ItemKind[] = [
  ...[CALENDAR, MBOX],
  ...[OFX, CAMT, MT940, BANK_CSV],
  ...[WHATSAPP, SLACK, TELEGRAM, SIGNAL_CHAT, MATRIX],
  ...[SUBTITLES, TRANSCRIPT, CLIPPING],
];
