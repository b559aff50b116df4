import type { ByteSource } from '../items/item.ts';
import { countedEnd, isCounted } from './content-length.ts';
import { isPostmark, isTightPostmark, LOOKED_AT } from './postmark.ts';

/** Where a mail lies in a mailbox, its postmark included. */
export interface Stretch {
  readonly at: number;
  readonly next: number;
}

/** How much of a mailbox is in memory at once. */
const CHUNK = 1024 * 1024;
/** A blank line before a postmark: `\n` of the line above, and `\r\n` or `\n`. */
const ABOVE = 3;
const MARK = Buffer.from('\nFrom ');

/**
 * Returns where the mails of a mailbox lie, from the place `from` on. A mail begins at a dated postmark below a blank line
 * and above a header, or above two usual ones where the blank line was left out. In a mailbox whose program counts the bytes of each mail, what lies within the count is not looked at.
 */
export function* stretches(source: ByteSource, from: number): Generator<Stretch> {
  const counts = isCounted(source);
  let at = afterBlanks(source, from);
  while (at < source.size) {
    const next = nextPostmark(source, (counts ? countedEnd(source, at) : null) ?? at + 1);
    yield { at, next };
    at = next;
  }
}

/** Returns where the next mail begins, at `from` or after it; the size of the file where none does. */
function nextPostmark(source: ByteSource, from: number): number {
  for (let start = from; start < source.size; start += CHUNK) {
    const above = Math.max(0, start - ABOVE);
    const bytes = bufferOf(source.read(above, start - above + CHUNK + LOOKED_AT));
    const end = start - above + CHUNK;
    const isWhole = above + bytes.length >= source.size;
    for (let at = bytes.indexOf(MARK); at >= 0 && at + 1 < end; at = bytes.indexOf(MARK, at + 1)) {
      if (at + 1 >= start - above && isBeginning(bytes, at, isWhole)) return above + at + 1;
    }
  }
  return source.size;
}

function isBeginning(bytes: Buffer, lineEnd: number, isWhole: boolean): boolean {
  const below = bytes.subarray(lineEnd + 1, lineEnd + 1 + LOOKED_AT);
  const isLast = isWhole && lineEnd + 1 + below.length === bytes.length;
  return isBlankAbove(bytes, lineEnd) ? isPostmark(below, isLast) : isTightPostmark(below);
}

/** Whether the line that ends at `at` is blank. */
function isBlankAbove(bytes: Buffer, at: number): boolean {
  const before = bytes[at - 1] === CR ? at - 2 : at - 1;
  return before < 0 || bytes[before] === LF;
}

/** Returns the first place from `from` on that is neither a blank line nor the mark of UTF-8. */
export function afterBlanks(source: ByteSource, from: number): number {
  let at = from;
  for (;;) {
    const bytes = source.read(at, LOOKED_AT);
    const found = bytes.findIndex((byte, nth) => byte !== LF && byte !== CR && !(at === 0 && byte === BOM[nth]));
    if (found >= 0) return at + found;
    if (bytes.length === 0) return source.size;
    at += bytes.length;
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const LF = 0x0a;
const CR = 0x0d;
const BOM = [0xef, 0xbb, 0xbf];
