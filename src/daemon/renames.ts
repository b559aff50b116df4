import type { MatterRecord } from '../vault/record.ts';
import type { Change } from '../vault/vault.ts';

const REMEMBERED = 200;

/**
 * Tells a renamed matter from one deleted and another made: the same file (inode, size, time) under another name.
 * The two halves of a rename may be seen in either order.
 */
export class Renames {
  readonly #gone = new Map<string, MatterRecord>();
  readonly #made = new Map<string, MatterRecord>();

  /** The renames that a change completes: the matter as it was, and as it is. */
  follow({ before, after }: Change): [MatterRecord, MatterRecord][] {
    if (before?.kind === 'matter' && after === null) return this.#match(before, this.#gone, this.#made, true);
    if (before === null && after?.kind === 'matter') return this.#match(after, this.#made, this.#gone, false);
    return [];
  }

  #match(
    matter: MatterRecord,
    own: Map<string, MatterRecord>,
    others: Map<string, MatterRecord>,
    isOld: boolean,
  ): [MatterRecord, MatterRecord][] {
    const key = `${matter.stat.ino} ${matter.stat.size} ${matter.stat.mtimeMs}`;
    const other = others.get(key);
    if (other !== undefined) {
      others.delete(key);
      return [isOld ? [matter, other] : [other, matter]];
    }
    own.set(key, matter);
    const oldest = own.keys().next();
    if (own.size > REMEMBERED && !oldest.done) own.delete(oldest.value);
    return [];
  }
}
