import { isMail, NOT_VOUCHED, type StreamEvent } from '../steward/types.ts';
import { AGENT, parseIban, NOBODY as UNVERIFIED_NOBODY, unverified } from '../vault/source-names.ts';
import { utc } from '../vault/time.ts';

/** The identity of an event, in whichever file it comes. */
export interface Identity {
  /** Its id, as its kind writes it: `mail <id@host>`, `bank DE02… 2035-03-02 -12.00 rent 1`. Compared by its hash. */
  readonly key: string;
  /**
   * The difference between the forms of the same name: a hash of a mail's sender and body, the number of an
   * appointment's revision. Empty if it has only one form.
   */
  readonly version: string;
  /**
   * The relation of another version. `other`: another event that has taken this one's name, and is reported as such.
   * `newer`: the same event as it is now, if the version comes later in text order; else it is out of date.
   */
  readonly otherwise: 'other' | 'newer';
  /** For an appointment that a mail brought: its key in a calendar. Absent for everything else. */
  readonly inCalendar?: string;
}

/** An event with what makes it one and the same. */
export interface IdentifiedEvent {
  readonly event: StreamEvent;
  readonly identity: Identity;
}

export type ItemContent =
  | { readonly what: 'event'; readonly event: StreamEvent; readonly identity: Identity }
  /** It should contain an event and cannot be read; `reason` is one sentence without the place. */
  | ItemWithout<'refused'>
  /** It contains no event: a balance, a line of the program that wrote the file. */
  | ItemWithout<'nothing'>;

interface ItemWithout<What extends string> {
  readonly what: What;
  readonly reason: string;
}

/** Returns that an item should contain an event and cannot be read. */
export function refused(reason: string): ItemWithout<'refused'> {
  return { what: 'refused', reason };
}

/** Returns that an item contains no event. */
export function nothing(reason: string): ItemWithout<'nothing'> {
  return { what: 'nothing', reason };
}

/** One of the events of a file, before it is read. */
export interface Item {
  /**
   * Its beginning: a byte offset or its number, from 0 on, as its kind counts. From there the same item is found again.
   */
  readonly at: number;
  readonly next: number;
  /** How a person finds it in the file: `line 4812`, `entry 12`. */
  readonly place: string;
  /** Reads it. May throw, and may take too long: then this one item counts as refused. */
  readonly read: () => ItemContent | Promise<ItemContent>;
}

/** The bytes of an open file. */
export interface ByteSource {
  readonly size: number;
  /** Returns `length` bytes from `at` on, fewer at the end of the file. */
  read(at: number, length: number): Uint8Array;
}

/** The context that a kind needs besides the bytes. */
export interface ReadContext {
  /** The file's vault-relative path: the `path` of the events. */
  readonly file: string;
  /** The source of the events: that of the file's folder, else the kind's own. */
  readonly sourceType: string;
  /** The servers that are trusted to say who sent a mail. */
  readonly trustedServers: readonly string[];
  /** The IANA name of the person's time zone, in which a time without one is meant. */
  readonly zone: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** How the files of banks are to be read that do not say it themselves: lines of the setting `bank_formats`. */
  readonly bankFormats?: readonly string[] | undefined;
}

/** The values of most events: sent to no person in particular, not sent in bulk, and not authenticated. */
export const PLAIN_EVENT = {
  to: [],
  quoted: '',
  bulk: false,
  bulkReason: null,
  ownNote: false,
  authentication: NOT_VOUCHED,
  warnings: [],
  shown: null,
  doubts: [],
} as const satisfies Partial<StreamEvent>;

/**
 * Reads the items of a file in order, from the item at `from` on. Throws `FileRefusal` if the file cannot be read any
 * further.
 */
export type ItemReader = (source: ByteSource, from: number, door: ReadContext) => Iterable<Item> | AsyncIterable<Item>;

/** A kind of file that contains many events. To add one: a file in this folder, and an entry in `kinds.ts`. */
export interface StreamKind {
  readonly name: string;
  /** Grows with what it understands, from 1 on: a file that an earlier version refused as a whole is read again. */
  readonly version?: number;
  /** The usual name of such a file: `a mailbox (mbox)`. */
  readonly title: string;
  /** The source of its events if the file's folder doesn't name one. */
  readonly sourceType: string;
  /** Whether files of this name may be of this kind. Several kinds may share an ending. */
  readonly takes: (file: string) => boolean;
  /** Whether a file that begins with these bytes, at most 64 KiB, is of this kind. Quick, and never throws. */
  readonly recognises: (head: Uint8Array) => boolean;
  /** Whether such a file grows at its end, so that reading continues from a byte offset; else it is read again. */
  readonly isAppended?: boolean;
  /** Loads the reader: only the process that reads the file pays for its libraries. */
  readonly load: () => Promise<ItemReader>;
}

/** Why a file cannot be read (any further): one sentence, and what to do about it. */
export class FileRefusal extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** Returns all bytes of a file. Throws `FileRefusal` if there are more than `most`. */
export function wholeFile(source: ByteSource, most: number): Uint8Array {
  if (source.size > most) {
    const size = (source.size / 1024 / 1024).toFixed(0);
    throw new FileRefusal(
      `The file has ${size} MiB; of its kind at most ${most / 1024 / 1024} MiB are read.`,
      'Export a shorter time, or split it.',
    );
  }
  return source.read(0, source.size);
}

/**
 * Returns the text that can be read before its charset is known: ASCII as it is, everything else as some character.
 * UTF-16 is read without its zeros. Only good for recognising a file by its head.
 */
export function decodeAscii(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').replaceAll('\0', '');
}

interface Revision {
  /** SEQUENCE: how often its organiser has moved it. */
  readonly sequence: number;
  /** When it was last changed (epoch ms); null if the calendar does not say. */
  readonly changed: number | null;
  readonly status: 'confirmed' | 'tentative' | 'cancelled';
  /** As the appointment says it; of a series, that of the first. */
  readonly start: string;
}

const MAX_SEQUENCE = 9_999_999_999;
const ORDER = { tentative: 0, confirmed: 1, cancelled: 2 } as const;

/** Returns a revision as a text. A later one comes later in text order, and it ends with the appointment's start. */
export function formatVersion({ sequence, changed, status, start }: Revision): string {
  const number = Math.min(MAX_SEQUENCE, Math.max(0, Math.trunc(sequence) || 0));
  const time = changed === null ? '-' : utc(changed);
  return `${String(number).padStart(10, '0')} ${time} ${ORDER[status]} ${start}`;
}

/** Returns the start of an appointment in a version that `formatVersion` made; null for any other text. */
export function parseVersionStart(version: string): string | null {
  return / (\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?)$/.exec(version)?.[1] ?? null;
}

/** A larger file is refused unread. */
export const MAX_MAIL_BYTES = 10 * 1024 * 1024;

/** The sources with their own prior (contract, section 7) that a file may speak for: for `vault_edit` only the program itself does. */
const SOURCE_TYPES = [
  'gmail',
  'gmail_unknown',
  'mail',
  'slack',
  'slack_channel',
  'gcal',
  'calendar',
  'sure',
  'bank',
  'plane',
  'vexa',
  'transcript',
  'other',
] as const;

const BY_EXTENSION: ReadonlyMap<string, string> = new Map([['ics', 'calendar']]);

/** The folders of a Maildir for delivered mails. A mail in `tmp` is incomplete. */
const DELIVERED = /(?:^|\/)(?:cur|new)\/([^/]+)$/;
/** The flags at the end of a name; a colon is not possible everywhere. */
const FLAGS = /[:;!_-]2,[A-Za-z]*$/;
/** A name as it is given at the delivery: it begins with the second, then come the process and the host. */
const DELIVERY = /^\d{9,11}[._]/;
/** The ending of another kind of file. */
const ENDING = /\.[A-Za-z][A-Za-z\d]{1,7}$/;

/** Whether a file of this name contains one mail: an `.eml`, or a mail in the `cur` or `new` of a Maildir. */
export function isMailFile(path: string): boolean {
  return /\.eml$/i.test(path) || isInMaildir(path);
}

/**
 * Whether a file is a mail in a Maildir: its name changes with its flags. A folder may be called `new` for other
 * reasons: a file with an extension there is not a mail.
 */
export function isInMaildir(path: string): boolean {
  const name = DELIVERED.exec(path)?.[1] ?? '';
  return FLAGS.test(name) || DELIVERY.test(name) || (name !== '' && !ENDING.test(name));
}

/**
 * Returns the source of a file under the stream folder: the folder directly below it if that names a known source, else
 * what the file's extension says. Gmail from an unknown sender is `gmail_unknown`, which is trusted less at first.
 */
export function findSourceType(path: string, fromIsKnown: boolean, streamFolder = 'stream'): string {
  const source = namedSource(path, streamFolder) ?? namedByFile(path);
  return sourceFrom(source, fromIsKnown);
}

/** Returns the source of an event, by whether its sender is known: Gmail from strangers is trusted less. */
export function sourceFrom(source: string, fromIsKnown: boolean): string {
  return source === 'gmail' && !fromIsKnown ? 'gmail_unknown' : source;
}

/** Returns the source that the folder of a stream file names, or null. */
export function namedSource(path: string, streamFolder: string): string | null {
  const prefix = `${streamFolder}/`.toLowerCase();
  const folded = path.normalize('NFC').toLowerCase();
  if (!folded.startsWith(prefix)) return null;
  const [folder, ...rest] = folded.slice(prefix.length).split('/');
  return rest.length === 0 ? null : (SOURCE_TYPES.find((source) => source === folder) ?? null);
}

function namedByFile(path: string): string {
  return isMailFile(path) ? 'mail' : (BY_EXTENSION.get(extensionOf(path)) ?? 'other');
}

function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** How many bytes from a postmark on are looked at to know it for one. */
export const LOOKED_AT = 4096;

/**
 * `From anna@home.example Thu Nov 22 12:34:56 2035`, in the forms that programs write: without seconds, with a zone
 * before or after the year, with the day before the month, and `remote from host` at the end.
 */
const POSTMARK =
  /^From (?:.{0,400}[ \t])?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?[ \t]{1,4}(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ \t]{1,4}\d{1,2}|\d{1,2}[ \t-](?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:[ \t-]\d{2,4})?),?[ \t]{1,4}\d{1,2}:\d\d(?::\d\d)?(?:[ \t]{1,4}(?:[+-]\d{4}|\(?[A-Z][A-Za-z]{0,7}\)?|\d{4}|\d\d)){0,4}(?:[ \t]{1,4}remote from [^\s]{1,255})?[ \t]{0,4}$/;
const YEAR = /(?:[ \t-]\d{4}|\d\d[ \t]\d\d)(?:[ \t]|$)/;
/** The postmarks of Thunderbird and Google Takeout without a date. */
const UNDATED = /^From (?:-|\d{8,20}@xxx)[ \t]{0,4}$/;
/** The line that git writes above a patch, which may be in a mail as it is. */
const PATCH = /^From [\da-f]{40,64} Mon Sep 17 00:00:00 2001$/;
/** The name of a header and its colon; at the end of a file that is still being written, the name may be cut off. */
const HEADER = /^[!-9;-~]{1,128}[ \t]{0,4}:/;
const CUT_HEADER = /^[!-9;-~]{0,128}$/;
/** Lines that old programs put below the postmark: the postmarks of earlier hosts. */
const QUOTED = /^>From /;
const CONTINUED = /^[ \t]/;
const LF = 0x0a;

/**
 * Whether a mail begins with these bytes: with a postmark, and below it the line of a header. A mail without any
 * content: the file ends below it, or the next postmark follows. `isWhole`: the file ends with these bytes.
 */
export function isPostmark(bytes: Uint8Array, isWhole: boolean): boolean {
  const ends = isWhole && bytes.length <= LOOKED_AT;
  const mark = lineAt(bytes, 0);
  if (!isMark(mark.text)) return false;
  const lines = linesFrom(bytes, mark.next);
  for (const { text, isCut } of lines) {
    if (QUOTED.test(text)) continue;
    if (HEADER.test(text)) return true;
    return ends && isCut ? CUT_HEADER.test(text) : text === '' && isEmptyMail(lines, ends);
  }
  return ends;
}

/** Usual headers at the top of a mail. */
const USUAL =
  /^(?:return-path|received|delivered-to|envelope-to|x-[\w-]{1,80}|from|to|cc|date|sender|reply-to|message-id|in-reply-to|references|subject|mime-version|content-[\w-]{1,80}|status|list-[\w-]{1,80}|mailing-list|precedence|authentication-results|dkim-signature|arc-[\w-]{1,80})[ \t]{0,4}:/i;

/**
 * Whether a mail begins with these bytes although the line above is not blank: some programs leave that out. It takes
 * two usual headers.
 */
export function isTightPostmark(bytes: Uint8Array): boolean {
  const mark = lineAt(bytes, 0);
  if (!isMark(mark.text)) return false;
  let headers = 0;
  for (const { text } of linesFrom(bytes, mark.next)) {
    if (QUOTED.test(text) || (headers > 0 && CONTINUED.test(text))) continue;
    if (!USUAL.test(text)) return false;
    headers += 1;
    if (headers === 2) return true;
  }
  return false;
}

interface Line {
  readonly text: string;
  readonly next: number;
  /** Whether the bytes end before the line does. */
  readonly isCut: boolean;
}

// Line by line: a mailbox may be made of what looks like a postmark, and only its first line is looked at then.
function* linesFrom(bytes: Uint8Array, from: number): Generator<Line, undefined> {
  for (let at = from; at < Math.min(bytes.length, LOOKED_AT); ) {
    const line = lineAt(bytes, at);
    yield line;
    at = line.next;
  }
}

function lineAt(bytes: Uint8Array, at: number): Line {
  const looked = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LOOKED_AT));
  const end = looked.indexOf(LF, at);
  const line = looked.toString('latin1', at, end < 0 ? looked.length : end);
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return { text, next: end < 0 ? looked.length : end + 1, isCut: end < 0 };
}

function isEmptyMail(lines: Iterable<Line>, isWhole: boolean): boolean {
  for (const { text } of lines) if (text !== '') return isMark(text);
  return isWhole;
}

function isMark(line: string): boolean {
  return UNDATED.test(line) || (POSTMARK.test(line) && YEAR.test(line) && !PATCH.test(line));
}

/** Whether a mail may carry an appointment, by its bytes alone. */
export function mayCarryCalendar(bytes: Buffer): boolean {
  return /text\/calendar|application\/ics|\.ics\b/i.test(bytes.toString('latin1'));
}

/**
 * A mail up to this size is parsed in the daemon's own thread. Each line takes time: with more lines 64 KiB may take
 * 700 ms.
 */
const SMALL_BYTES = 64 * 1024;
/** With HTML, which can be made to be slow, a mail is small up to this size. */
const SMALL_HTML_BYTES = 16 * 1024;
const FEW_LINES = 1500;

/** Whether a mail of any content is parsed in well under 100 ms. */
export function isSmall(bytes: Buffer): boolean {
  if (bytes.length > SMALL_BYTES || (bytes.length > SMALL_HTML_BYTES && bytes.includes('text/html'))) return false;
  let lines = 0;
  for (let at = bytes.indexOf(LINE_END); at >= 0 && lines <= FEW_LINES; at = bytes.indexOf(LINE_END, at + 1))
    lines += 1;
  return lines <= FEW_LINES;
}

const LINE_END = 0x0a;

/** The ending of files that contain one event in the form in which programs hand it in. */
export const EVENT_ENDING = '.event.json';

/** Whether a file of this name contains one event in the form in which programs hand it in. */
export function isGenericFile(file: string): boolean {
  return file.toLowerCase().endsWith(EVENT_ENDING);
}

/** In the place of a reader, if no reader takes files of that kind. */
export const NOBODY = 'nobody';

/**
 * Returns who speaks in the channel. The outcome of a signal whose sender isn't authenticated must not affect the true
 * sender, whatever servers the settings trust.
 */
export function senderPattern(event: StreamEvent): string {
  const {
    from,
    authentication: { result },
  } = event;
  if (from === null) return UNVERIFIED_NOBODY;
  // An agent has no address that another could write under.
  if (result === 'pass' || event.sourceType === AGENT) return from;
  return isMail(event) || isBorrowed(event, from) ? unverified(from) : from;
}

/**
 * The sender of money chooses the name that goes with it: it may be somebody's address, or another's IBAN. The author
 * of an invitation chooses its organiser.
 */
function isBorrowed({ payment, appointment }: StreamEvent, from: string): boolean {
  if (appointment !== undefined) return from.includes('@');
  if (payment === undefined) return false;
  const iban = parseIban(from);
  return iban === null ? from.includes('@') : iban !== parseIban(payment.iban ?? '');
}
