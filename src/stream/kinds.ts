import type { ItemKind } from './items/item.ts';
import { MBOX } from './mbox/kind.ts';

/** The kinds of file that hold many events. Where several take a file, the first that recognises it reads it. */
export const ITEM_KINDS: readonly ItemKind[] = [MBOX];
