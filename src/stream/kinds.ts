import { CAMT } from './camt/kind.ts';
import type { ItemKind } from './items/item.ts';
import { MT940 } from './mt940/kind.ts';
import { OFX } from './ofx/kind.ts';

/** The kinds of file that hold many events. Where several take a file, the first that recognises it reads it. */
export const ITEM_KINDS: readonly ItemKind[] = [OFX, CAMT, MT940];
