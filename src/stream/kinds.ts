import { clipping } from './clipping/kind.ts';
import type { ItemKind } from './items/item.ts';
import { matrix } from './matrix/kind.ts';
import { signalChat } from './signal-chat/kind.ts';
import { slack } from './slack/kind.ts';
import { subtitles } from './subtitles/kind.ts';
import { telegram } from './telegram/kind.ts';
import { transcript } from './transcript/kind.ts';
import { whatsApp } from './whatsapp/kind.ts';

/** The kinds of file that hold many events. Where several take a file, the first that recognises it reads it. */
export const ITEM_KINDS: readonly ItemKind[] = [
  whatsApp,
  slack,
  telegram,
  signalChat,
  matrix,
  subtitles,
  transcript,
  clipping,
];
