import { BANK_CSV } from './bank-csv/kind.ts';
import { CALENDAR } from './calendar/kind.ts';
import { CAMT } from './camt/kind.ts';
import { CLIPPING } from './clipping/kind.ts';
import type { ItemKind } from './items/item.ts';
import { MATRIX } from './matrix/kind.ts';
import { MBOX } from './mbox/kind.ts';
import { MT940 } from './mt940/kind.ts';
import { OFX } from './ofx/kind.ts';
import { SIGNAL_CHAT } from './signal-chat/kind.ts';
import { SLACK } from './slack/kind.ts';
import { SUBTITLES } from './subtitles/kind.ts';
import { TELEGRAM } from './telegram/kind.ts';
import { TRANSCRIPT } from './transcript/kind.ts';
import { WHATSAPP } from './whatsapp/kind.ts';

/** The kinds of file that hold many events. Where several take a file, the first that recognises it reads it. */
export const ITEM_KINDS: readonly ItemKind[] = [
  ...[CALENDAR, MBOX],
  ...[OFX, CAMT, MT940, BANK_CSV],
  ...[WHATSAPP, SLACK, TELEGRAM, SIGNAL_CHAT, MATRIX],
  ...[SUBTITLES, TRANSCRIPT, CLIPPING],
];
