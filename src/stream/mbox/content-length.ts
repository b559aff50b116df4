import type { ByteSource } from '../items/item.ts';
import { isPostmark, LOOKED_AT } from './postmark.ts';

/** A mail with longer headers is not counted. */
const MOST_HEADERS = 16 * 1024;
const COUNT = /\ncontent-length:[ \t]{0,8}(\d{1,12})[ \t]{0,8}\r?\n/i;

/**
 * Whether the program that wrote a mailbox counts the bytes of its mails: the first has a `Content-Length` that leads to the
 * second, and so has the second. A sender may write such a header, too, but not into the mails before and after its own.
 */
export function isCounted(source: ByteSource): boolean {
  const second = countedEnd(source, 0);
  return second !== null && (second >= source.size || countedEnd(source, second) !== null);
}

/** Returns where the next mail begins by the count in the one at `at`; null where it has none, or none that leads to one. */
export function countedEnd(source: ByteSource, at: number): number | null {
  const head = textAt(source, at, MOST_HEADERS);
  const [blank] = /\r?\n\r?\n/.exec(head) ?? [];
  if (blank === undefined) return null;
  const body = head.indexOf(blank) + blank.length;
  const count = COUNT.exec(head.slice(0, body))?.[1];
  return count === undefined ? null : beginningAt(source, at + body + Number(count));
}

/** Returns where a mail begins at `at`, or below one blank line there; the end of the file counts. */
function beginningAt(source: ByteSource, at: number): number | null {
  if (at > source.size) return null;
  const [blanks = ''] = /^(?:\r?\n){0,2}/.exec(textAt(source, at, 4)) ?? [];
  const next = at + blanks.length;
  if (next >= source.size) return source.size;
  return isPostmark(source.read(next, LOOKED_AT), next + LOOKED_AT >= source.size) ? next : null;
}

function textAt(source: ByteSource, at: number, length: number): string {
  const bytes = source.read(at, length);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
