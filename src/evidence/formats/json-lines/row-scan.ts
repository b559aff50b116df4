import { shortNumber } from './short-number.ts';
import { endOfRow, type Member } from './value-end.ts';

/** A member that is asked for. */
interface Key {
  readonly name: string;
  readonly bytes: Buffer;
}

const LINE_END = 10;

/**
 * Reads lines of JSON, and of objects only the members that are asked for: rows have many, and a condition asks for one.
 * LAW: each line is what `JSON.parse` says of it, but for other members. What is unusual is left to it whole.
 */
export class RowScan {
  readonly #bytes: Buffer;
  readonly #keys: readonly Key[] | null;
  readonly #member: Member;
  #value: Record<string, unknown> = {};
  #next = 0;

  /** `keys`: the members that are asked for; null for all. */
  constructor(text: string, keys: readonly string[] | null) {
    const bytes = Buffer.from(text);
    this.#bytes = bytes;
    // That member would be none after it is assigned.
    this.#keys =
      keys === null || keys.includes('__proto__') ? null : keys.map((name) => ({ name, bytes: Buffer.from(name) }));
    this.#member = (key, keyEnd, from, to) => this.#take(key, keyEnd, from, to);
  }

  /** Whether there is another line. */
  get hasNext(): boolean {
    return this.#next < this.#bytes.length;
  }

  /** Steps over the next line. Returns the value in it, or its text where that is no value. */
  next(): { readonly value: unknown } | { readonly value: undefined; readonly text: string } {
    return this.#needed() ?? this.#whole();
  }

  // Nothing is made for a row but what is asked for: there may be a hundred thousand.
  #needed(): { readonly value: unknown } | null {
    if (this.#keys === null) return null;
    this.#value = {};
    const end = endOfRow(this.#bytes, this.#next, this.#member);
    if (end === null) return null;
    this.#next = end + 1;
    return { value: this.#value };
  }

  #take(key: number, keyEnd: number, from: number, to: number): void {
    for (const { name, bytes } of this.#keys ?? [])
      if (bytes.length === keyEnd - key && isAt(this.#bytes, key, bytes))
        this.#value[name] = shortNumber(this.#bytes, from, to) ?? JSON.parse(this.#bytes.toString('utf8', from, to));
  }

  #whole(): { readonly value: unknown } | { readonly value: undefined; readonly text: string } {
    const end = this.#bytes.indexOf(LINE_END, this.#next);
    const text = this.#bytes.toString('utf8', this.#next, end === -1 ? this.#bytes.length : end);
    this.#next = end === -1 ? this.#bytes.length : end + 1;
    try {
      return { value: JSON.parse(text) };
    } catch {
      return { value: undefined, text };
    }
  }
}

function isAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let nth = 0; nth < wanted.length; nth += 1) if (bytes[at + nth] !== wanted[nth]) return false;
  return true;
}
