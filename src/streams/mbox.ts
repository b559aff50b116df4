import { parseMail } from './mail.ts';
import {
  type ByteSource,
  type Item,
  type ItemContent,
  isPostmark,
  isTightPostmark,
  LOOKED_AT,
  MAX_MAIL_BYTES,
  nothing,
  type ReadContext,
  refused,
} from './stream.ts';

/** A mail with longer headers is not counted. */
const MOST_HEADERS = 16 * 1024;
const COUNT = /\ncontent-length:[ \t]{0,8}(\d{1,12})[ \t]{0,8}\r?\n/i;

/**
 * Whether the program that wrote a mailbox counts the bytes of its mails: the first has a `Content-Length` that leads to the
 * second, and so has the second. A sender may write such a header, too, but not into the mails before and after its own.
 */
function isCounted(source: ByteSource): boolean {
  const second = countedEnd(source, 0);
  return second !== null && (second >= source.size || countedEnd(source, second) !== null);
}

/**
 * Returns the beginning of the next mail by the byte count in the one at `at`; null if it has no count, or a wrong one.
 */
function countedEnd(source: ByteSource, at: number): number | null {
  const head = textAt(source, at, MOST_HEADERS);
  const [blank] = /\r?\n\r?\n/.exec(head) ?? [];
  if (blank === undefined) return null;
  const body = head.indexOf(blank) + blank.length;
  const count = COUNT.exec(head.slice(0, body))?.[1];
  return count === undefined ? null : beginningAt(source, at + body + Number(count));
}

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

interface Stretch {
  readonly at: number;
  readonly next: number;
}

/** How much of a mailbox is searched at once; so much of it, and a little more, is in memory. */
const CHUNK = 1024 * 1024;
/** How many bytes are looked at above a postmark: `\n` of the line before, and `\r\n` or `\n`. */
const ABOVE = 3;
const MARK = Buffer.from('\nFrom ');

/**
 * Returns the places of the mails of a mailbox, from the place `from` on. A mail begins at a dated postmark below a
 * blank line and above a header, or above two usual ones if the blank line was left out. In a mailbox whose program
 * counts the bytes of each mail, the bytes within the count are not searched.
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

  /** Returns the first one behind a place; the size of the file after the last one. */
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

const QUOTED = Buffer.from('>From ');
const MORE = 0x3e;

/**
 * Returns the bytes of a mail as they were before they were put into a mailbox: of each line of its body that begins
 * with `>From `, `>>From ` and so on, the first `>` is taken away. `body`: the beginning of the body.
 */
export function unquoted(mail: Buffer, body: number): Buffer {
  const first = mail.indexOf(QUOTED, body);
  if (first < 0) return mail;
  const out = Buffer.allocUnsafe(mail.length);
  let [kept, length] = [0, 0];
  for (let at = first; at >= 0; at = mail.indexOf(QUOTED, at + 1)) {
    const line = lineStart(mail, at);
    if (line < body || (line > 0 && mail[line - 1] !== LF)) continue;
    length += mail.copy(out, length, kept, line);
    kept = line + 1;
  }
  length += mail.copy(out, length, kept);
  return out.subarray(0, length);
}

function lineStart(mail: Buffer, at: number): number {
  let start = at;
  while (mail[start - 1] === MORE) start -= 1;
  return start;
}

/**
 * A mailbox is one text: if its program does not quote, a sender can write a whole mail into the body of another, with
 * the words of any server. So no server authenticates a mail of a mailbox.
 */
const NONE: readonly string[] = [];

/** Reads the mails of a mailbox, one after the other. Of each, only what `read` is asked for is in memory. */
export function* readMailbox(source: ByteSource, from: number, context: ReadContext): Generator<Item> {
  let number = 0;
  for (const stretch of stretches(source, from)) {
    number += 1;
    // A reading from the middle does not know how many mails came before.
    const place = from === 0 ? `message ${number}, at byte ${stretch.at}` : `message at byte ${stretch.at}`;
    yield { ...stretch, place, read: () => contentOf(source, stretch, context) };
  }
}

async function contentOf(source: ByteSource, { at, next }: Stretch, context: ReadContext): Promise<ItemContent> {
  if (next - at > MAX_MAIL_BYTES) return refused(tooLarge(next - at));
  const bytes = source.read(at, next - at);
  if (!isPostmark(bytes.subarray(0, LOOKED_AT), bytes.length <= LOOKED_AT)) {
    return refused('No message begins here.');
  }
  const mail = mailIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const reason = whyNothing(mail);
  if (reason !== null) return nothing(reason);
  const parsed = await parseMail(context.file, unquoted(mail, bodyStart(mail)), { ...context, trustedServers: NONE });
  if (!parsed.ok) return refused(parsed.trouble.message);
  const doubts = holdsAnother(mail) ? [...parsed.event.doubts, ANOTHER] : parsed.event.doubts;
  return { what: 'event', event: { ...parsed.event, doubts }, identity: parsed.identity };
}

const ANOTHER = 'Another mail seems to begin inside of it, without a blank line above.';

/** Whether it contains something like the beginning of another mail: then it isn't sure whose words are read. */
function holdsAnother(mail: Buffer): boolean {
  for (let at = mail.indexOf('\nFrom '); at >= 0; at = mail.indexOf('\nFrom ', at + 1))
    if (isPostmark(mail.subarray(at + 1, at + 1 + LOOKED_AT), at + 1 + LOOKED_AT >= mail.length)) return true;
  return false;
}

/**
 * The mail below its postmark, and below the postmarks of earlier hosts that some programs keep, without the blank line
 * before the next mail.
 */
function mailIn(bytes: Buffer): Buffer {
  let at = afterLine(bytes, 0);
  while (bytes.subarray(at, at + 6).toString('latin1') === '>From ') at = afterLine(bytes, at);
  const [blank = ''] = /(?<=\n)\r?\n$/.exec(bytes.subarray(-3).toString('latin1')) ?? [];
  return bytes.subarray(at, Math.max(at, bytes.length - blank.length));
}

function afterLine(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(0x0a, at);
  return end < 0 ? bytes.length : end + 1;
}

function bodyStart(mail: Buffer): number {
  const [lf, crlf] = [mail.indexOf('\n\n'), mail.indexOf('\n\r\n')];
  const ends = [lf < 0 ? mail.length : lf + 2, crlf < 0 ? mail.length : crlf + 3];
  return Math.min(...ends);
}

/** Lines that Thunderbird writes above a mail; the fourth bit: it was deleted, or moved to another folder. */
const STATUS = /^(?:X-(?:Account-Key|UIDL): [^\r\n]{0,200}\r?\n){0,2}X-Mozilla-Status: [\dA-F]{3}([\dA-F])\r?\n/;
const IS_GONE = 0x8;
/** A message that some servers keep at the beginning of a mailbox for themselves. */
const INTERNAL = /^Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\r?$/m;
const KEPT_BY_SERVER = /^X-IMAP(?:base)?:/m;

/** Returns why this is no real mail; null if it is one. */
function whyNothing(mail: Buffer): string | null {
  const head = mail.subarray(0, LOOKED_AT).toString('latin1');
  if (head.trim() === '' && mail.length <= LOOKED_AT) return 'The message is empty.';
  const status = STATUS.exec(head)?.[1];
  if (status !== undefined && (Number.parseInt(status, 16) & IS_GONE) !== 0)
    return 'It was deleted or moved in the mail program.';
  return INTERNAL.test(head) && KEPT_BY_SERVER.test(head) ? 'It is a note of the mail server to itself.' : null;
}

function tooLarge(size: number): string {
  const mib = (size / 1024 / 1024).toFixed(1);
  return `The mail has ${mib} MiB; at most ${MAX_MAIL_BYTES / 1024 / 1024} MiB are read.`;
}
