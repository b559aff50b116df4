import { isCoreWord } from '../scalar.ts';

/** No more different names are kept than people and programs use again and again. */
const MOST_NAMES = 500;

/**
 * The names of fields that were read before. An object takes a name that it has seen in half the time of the same name cut
 * out of another note.
 */
export class Names {
  readonly #known = new Map<string, string>();

  /** Returns a field's name; null where it is no text. */
  of(written: string): string | null {
    const known = this.#known.get(written);
    if (known !== undefined) return known;
    if (isCoreWord(written)) return null;
    if (this.#known.size >= MOST_NAMES) return written;
    const own = String(JSON.parse(JSON.stringify(written))); // what was cut out of a note keeps the whole of it in memory
    this.#known.set(own, own);
    return own;
  }
}
