import type { ByteSource } from '../items/item.ts';
import { countedEnd, isCounted } from './content-length.ts';
import { isPostmark, isTightPostmark, LOOKED_AT } from './postmark.ts';

/** Where a mail lies in a mailbox, its postmark included. */
export interface Stretch {
  readonly at: number;
  readonly next: number;
}

/** How much of a mailbox is searched at once; so much of it, and a little more, is in memory. */
const CHUNK = 1024 * 1024;
/** What is looked at above a postmark: `\n` of the line before, and `\r\n` or `\n`. */
const ABOVE = 3;
const MARK = Buffer.from('\nFrom ');

/**
 * Returns where the mails of a mailbox lie, from the place `from` on. A mail begins at a dated postmark below a blank line
 * and above a header, or above two usual ones where the blank line was left out. In a mailbox whose program counts the
 * bytes of each mail, what lies within the count is not looked at.
 */
export function* stretches(source: ByteSource, from: number): Generator<Stretch> {
  const counts = isCounted(source);
  const postmarks = new Postmarks(source);
  let at = afterBlanks(source, from);
  while (at < source.size) {
    const next = (counts ? countedEnd(source, at) : null) ?? postmarks.after(at);
    yield { at, next };
    at = next;
  }
}

/** Finds the postmarks of a mailbox in order, through a window that moves over the file. */
class Postmarks {
  readonly #source: ByteSource;
  #start = 0;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Returns the first one behind a place; the size of the file where there is none. */
  after(place: number): number {
    for (let from = place + 1; from < this.#source.size; from = this.#start + CHUNK) {
      this.#moveTo(from);
      const found = this.#find(from - this.#start);
      if (found !== null) return this.#start + found;
    }
    return this.#source.size;
  }

  #moveTo(place: number): void {
    const isInside = place >= this.#start + ABOVE && place < this.#start + CHUNK && this.#bytes.length > 0;
    if (isInside) return;
    this.#start = Math.max(0, place - ABOVE);
    this.#bytes = bufferOf(this.#source.read(this.#start, CHUNK + LOOKED_AT));
  }

  #find(from: number): number | null {
    for (
      let at = this.#bytes.indexOf(MARK, from - 1);
      at >= 0 && at + 1 < CHUNK;
      at = this.#bytes.indexOf(MARK, at + 1)
    )
      if (this.#isBeginning(at + 1)) return at + 1;
    return null;
  }

  #isBeginning(at: number): boolean {
    const below = this.#bytes.subarray(at, at + LOOKED_AT);
    const isLast = this.#start + at + below.length >= this.#source.size;
    return this.#isBlankAbove(at) ? isPostmark(below, isLast) : isTightPostmark(below);
  }

  #isBlankAbove(at: number): boolean {
    const before = this.#bytes[at - 2] === CR ? at - 3 : at - 2;
    return before < 0 || this.#bytes[before] === LF;
  }
}

/** Returns the first place from `from` on that is neither a blank line nor the mark of UTF-8. */
function afterBlanks(source: ByteSource, from: number): number {
  let at = from;
  for (;;) {
    const bytes = source.read(at, LOOKED_AT);
    const found = bytes.findIndex((byte, nth) => byte !== LF && byte !== CR && !(at === 0 && byte === BOM[nth]));
    if (found >= 0) return at + found;
    if (bytes.length === 0) return source.size;
    at += bytes.length;
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

const LF = 0x0a;
const CR = 0x0d;
const BOM = [0xef, 0xbb, 0xbf];
