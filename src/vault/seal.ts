import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

/** Half of a SHA-256 is more than enough against guessing, and stays readable in a note. */
const HEX_DIGITS = 32;

/**
 * The program's mark on notes that it wrote itself: an HMAC of what such a note says, by a key that lies outside the
 * vault. Whoever can write into the vault can copy a mark, but not make one for another note or another text.
 */
export class Seal {
  /** Made once: a key that is given as bytes is made into one for each mark, which takes five times as long as the mark. */
  readonly #key: KeyObject;
  readonly #judged = new WeakMap<object, boolean>();

  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
  }

  /** Returns the mark of a text, or of the bytes of one. */
  of(text: string | Uint8Array): string {
    return this.ofAll([text]);
  }

  /** Returns the mark of a text that is given in slices. */
  ofAll(slices: Iterable<string | Uint8Array>): string {
    const mark = createHmac('sha256', this.#key);
    for (const slice of slices) mark.update(slice);
    return mark.digest('hex').slice(0, HEX_DIGITS);
  }

  /** Returns what `judge` says of a record; it is asked once for each, since a record never changes. */
  judged(record: object, judge: () => boolean): boolean {
    const known = this.#judged.get(record) ?? judge();
    this.#judged.set(record, known);
    return known;
  }

  /** Whether a mark is that of a text; false for null, which is no mark. */
  holds(text: string | Uint8Array, mark: string | null): boolean {
    return this.holdsAll([text], mark);
  }

  /** The same of a text that is given in slices. */
  holdsAll(slices: Iterable<string | Uint8Array>, mark: string | null): boolean {
    const [own, given] = [Buffer.from(this.ofAll(slices)), Buffer.from(mark ?? '')];
    return own.length === given.length && timingSafeEqual(own, given);
  }
}
