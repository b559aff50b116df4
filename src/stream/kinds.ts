import { BANK_CSV } from './bank-csv/kind.ts';
import type { ItemKind } from './items/item.ts';

/** The kinds of file that hold many events. Where several take a file, the first that recognises it reads it. */
export const ITEM_KINDS: readonly ItemKind[] = [BANK_CSV];
