import { crc32, inflateRawSync } from 'node:zlib';
import { Temporal } from 'temporal-polyfill';
import { offsetMs } from '../steward/local-time.ts';
import { NOT_VOUCHED, type StreamEvent } from '../steward/ports.ts';
import { sha256 } from '../vault/hash.ts';
import { utc } from '../vault/time.ts';
import { type Author, NOBODY_NAMED, namedAuthor } from './chats/author.ts';
import { fileTitle } from './chats-file-title.ts';
import {
  type ByteSource,
  FileRefusal,
  type Identity,
  type Item,
  type ItemContent,
  type ItemDoor,
  nothing,
  refused,
} from './items.ts';
import { type JsonValues, jsonMembers, memberText } from './json.ts';
import { cutAt, oneLine, plainText } from './mail/plain-text.ts';
import { ownWords } from './mail-own-words.ts';

/** A time as a clock on the wall shows it. `month` and `day` count from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Returns when a clock in a time zone shows this (epoch ms); null where no clock ever does: 31 February, 25 o'clock. */
export function wallTimeIn(zone: string, time: WallTime): number | null {
  try {
    return Temporal.PlainDateTime.from(time, { overflow: 'reject' }).toZonedDateTime(zone).epochMilliseconds;
  } catch {
    return null;
  }
}

/** Returns what a clock in a time zone shows at a moment (epoch ms): `YYYY-MM-DDTHH:mm`; null where there is no such zone. */
function clockIn(zone: string, at: number): string | null {
  try {
    return new Temporal.ZonedDateTime(BigInt(Math.trunc(at)) * 1_000_000n, zone)
      .toPlainDateTime()
      .toString()
      .slice(0, 16);
  } catch {
    return null;
  }
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d))?(?:[.,]\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/i;

/** Returns the moment that an ISO time names (epoch ms), in a time zone where it names none itself; null where it is none. */
export function isoTimeIn(zone: string, written: string): number | null {
  const found = ISO.exec(written.trim());
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const wall = { year, month, day, hour, minute, second };
  const offset = found[7];
  const local = wallTimeIn(offset === undefined ? zone : 'UTC', wall);
  return local === null || offset === undefined ? local : local - offsetMs(offset);
}

/** A message in two parts: what its author says, and what it only carries along. */
interface SaidWords {
  readonly text: string;
  readonly quoted: string;
}

const MAX_TEXT = 16_000;
const FENCE = '```';
/** What its author has struck out: `~I have paid~`. */
const STRUCK = /(?<![\p{L}\p{N}~])~~?(?=[^\s~])[^~\n]{1,500}~~?(?![\p{L}\p{N}~])/gu;

/**
 * Returns a message's own words. Quoted lines, pasted mails, blocks of code and what is struck out are `quoted`; `more` is
 * what else it carries: the message that it answers, or one that it passes on.
 */
export function saidWords(written: string, more: readonly string[] = []): SaidWords {
  const { outside, inside } = withoutFences(cutAt(plainText(written), 2 * MAX_TEXT));
  const struck = outside.match(STRUCK) ?? [];
  const { text, quoted } = ownWords(outside.replace(STRUCK, ' '));
  const carried = [...more.map(plainText), quoted, ...inside, ...struck].filter((part) => part.trim() !== '');
  return { text: cutAt(text, MAX_TEXT), quoted: cutAt(carried.join('\n\n'), MAX_TEXT) };
}

function withoutFences(text: string): { outside: string; inside: readonly string[] } {
  const parts = text.split(FENCE);
  // A fence that nobody closed hides nothing.
  const closed = parts.length % 2 === 1 ? parts.length : parts.length - 1;
  const inside = parts.filter((_, nth) => nth % 2 === 1 && nth < closed);
  return { outside: parts.filter((_, nth) => nth % 2 === 0 || nth >= closed).join('\n'), inside };
}

/** Something that somebody said in a chat or a meeting, as its file has it. */
interface Said {
  readonly author: Author;
  /** Epoch milliseconds; null where the file does not say. */
  readonly at: number | null;
  /** The room, channel or meeting; null between two people. */
  readonly room: string | null;
  readonly isPersonal: boolean;
  readonly text: string;
  /** What it carries along that others wrote. */
  readonly carried: readonly string[];
  /** Why it counts as sent by a machine; null where a person said it. */
  readonly machine: string | null;
}

const MAX_SUBJECT = 80;
const MAX_ROOM = 60;
/** The latest time that a date can hold, in ms. */
const LATEST = 8_640_000_000_000_000;

/** Returns what was said as an event with its identity, or nothing where no words are in it. */
export function saidItem(said: Said, identity: Identity, door: ItemDoor): ItemContent {
  const { text, quoted } = saidWords(said.text, said.carried);
  if (text.trim() === '' && quoted.trim() === '') return nothing('no words');
  return { what: 'event', event: { ...saidEvent(said, door), subject: subjectOf(said, text), text, quoted }, identity };
}

/** Returns a short hash of a text, for the identity of what has no id: marks and blanks that nobody sees do not count. */
export function textHash(text: string): string {
  const plain = plainText(text).replace(/\s+/g, ' ').trim();
  return sha256(plain).slice(0, 16);
}

function saidEvent({ author, at, room, isPersonal, machine }: Said, door: ItemDoor): Omit<StreamEvent, 'subject'> {
  return {
    ...{ path: door.file, sourceType: door.sourceType, ...timeOf(at, door.zone) },
    ...{ from: author.id, fromName: author.name, to: [], text: '', quoted: '' },
    ...{ bulk: machine !== null, bulkReason: machine, ownNote: false },
    ...{ authentication: NOT_VOUCHED, warnings: [], shown: null, doubts: [] },
    spoken: { room: room === null ? null : oneLine(room, MAX_ROOM), isPersonal },
  };
}

/** Whoever writes "tomorrow" at half past midnight means the day that the clock beside them shows. */
function timeOf(at: number | null, zone: string): Pick<StreamEvent, 'originAt' | 'writtenAt'> {
  if (at === null || Math.abs(at) > LATEST) return { originAt: null };
  const writtenAt = clockIn(zone, at);
  return { originAt: utc(at), ...(writtenAt === null ? {} : { writtenAt }) };
}

function subjectOf({ room, author }: Said, text: string): string {
  const where = oneLine(room ?? author.name ?? '', MAX_ROOM);
  return oneLine(where === '' ? text : `${where}: ${text}`, MAX_SUBJECT);
}

/** The text of a message, and what stands before its list in the objects around it, the nearest first. */
type MessageRead = (text: string, around: readonly JsonValues[]) => ItemContent;

const MOST_MESSAGE = 1024 * 1024;

/** Yields the messages of a JSON file, those of every list that is asked for, without reading it into memory. */
export function* messageItems(
  source: ByteSource,
  from: number,
  isList: (path: readonly string[]) => boolean,
  read: MessageRead,
): Generator<Item> {
  let nth = 0;
  for (const member of jsonMembers(source, isList)) {
    nth += 1;
    const { at, end, around } = member;
    if (at < from) continue;
    yield {
      ...{ at, next: end, place: `message ${nth}` },
      read: () => (end - at > MOST_MESSAGE ? TOO_LONG : read(memberText(source, member), around)),
    };
  }
}

const TOO_LONG = refused('It is longer than any message.');

/**
 * Counts how often the same was said at the same time: what is said twice in one minute is two events, and the second of
 * a longer export is the second of a shorter one. Keeps the lines of one moment only.
 */
export class Occurrences {
  #moment = '';
  readonly #counts = new Map<string, number>();

  /** Returns which one this is: 1 for the first. */
  next(moment: string, said: string): number {
    if (moment !== this.#moment) this.#counts.clear();
    this.#moment = moment;
    const nth = (this.#counts.get(said) ?? 0) + 1;
    this.#counts.set(said, nth);
    return nth;
  }
}

/** What somebody said in a meeting, until another spoke. */
export interface Turn {
  readonly speaker: string | null;
  /** Seconds from the beginning of the meeting; null where the transcript does not say. */
  readonly second: number | null;
  readonly text: string;
  /** Its place among the turns with the same speaker, time and first words, from 1 on. */
  readonly nth: number;
}

/** A meeting, as its file has it. */
export interface Meeting {
  readonly title: string | null;
  /** When it began (epoch ms); null where nothing says so. */
  readonly began: number | null;
  /** The beginning of its day (epoch ms), for times of a clock; null where nothing names the day. */
  readonly midnight: number | null;
  /** Its day and title, by which its turns are told from those of other meetings. */
  readonly key: string;
}

/** "Yes." and "Okay, thanks" say nothing that could be about a note. */
const FEWEST_WORDS = 3;
const START = 40;
const WORDS = /[\p{L}\p{N}]+/gu;
/** `GMT20350302-080000_Recording`, `2035-03-02 09.00 Planning`, `2035-03-02T09:00:00Z`. */
const STAMPED =
  /(?<!\d)(20\d\d)-?([01]\d)-?([0-3]\d)(?:(?:T|[-_ ]|, | at )([0-2]\d)[-:.h]?([0-5]\d)(?:[-:.]?([0-5]\d))?(?!\d))?/;

/** Returns what is known of a meeting. `heading`: lines of the file that may name its day. */
export function meetingOf(file: string, heading: string, { zone }: Pick<ItemDoor, 'zone'>): Meeting {
  const title = fileTitle(file);
  const found = STAMPED.exec(title) ?? STAMPED.exec(heading);
  const [, year, month, day] = found ?? [];
  const plain = title
    .replace(RECORDED, '')
    .replace(STAMPED, ' ')
    .replace(/[_\s]+/g, ' ')
    .replace(/^[-., ]+/, '')
    .trim();
  return {
    title: plain === '' ? null : plain,
    began: found === null ? null : beginning(found, title, zone),
    midnight: found === null ? null : isoTimeIn(zone, `${year}-${month}-${day}T00:00:00`),
    key: `${found?.[0].slice(0, 10) ?? ''} ${plain.toLowerCase()}`,
  };
}

const RECORDED = /^GMT(?=20)|_Recording.*$/g;

/** Zoom says `GMT` where it means it; all others write the time of the place. Without a time, the day's noon stands for it. */
function beginning(
  [, year, month, day, hour, minute, second]: RegExpExecArray,
  title: string,
  zone: string,
): number | null {
  const time = hour === undefined ? '12:00:00' : `${hour}:${minute ?? '00'}:${second ?? '00'}`;
  return isoTimeIn(/^GMT20/.test(title) ? 'UTC' : zone, `${year}-${month}-${day}T${time}`);
}

/** Returns the words by which a turn is told from others at the same time. */
export function turnStart(text: string): string {
  return text.slice(0, START);
}

/** Returns what a turn holds. */
export function turnContent({ speaker, second, text, nth }: Turn, meeting: Meeting, door: ItemDoor): ItemContent {
  if ((text.match(WORDS) ?? []).length < FEWEST_WORDS) return nothing('too few words');
  const author = speaker === null ? NOBODY_NAMED : namedAuthor(speaker);
  const at = meeting.began === null ? null : meeting.began + (second ?? 0) * 1000;
  const said = { author, at, room: meeting.title, isPersonal: false, text, carried: [], machine: null };
  const key = `transcript ${meeting.key} ${second ?? ''} ${author.id ?? ''} ${textHash(turnStart(text))} ${nth}`;
  // The last turn of a transcript that is still being written grows: the longer one is the newer.
  return saidItem(said, { key, version: String(text.length).padStart(6, '0'), otherwise: 'newer' }, door);
}

/** A file in a zip. */
export interface ZipEntry {
  /** What it is called. Never used as a path on disk. */
  readonly name: string;
  /** Where it stands in the listing. */
  readonly nth: number;
  readonly size: number;
  readonly packed: number;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc: number;
  readonly offset: number;
}

const END_BYTES = 22;
const MOST_COMMENT = 65_535;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const MOST_LISTING = 16 * 1024 * 1024;
/** Text is packed to a tenth; what is packed to less than this is made to do harm. */
const MOST_RATIO = 250;
const MOST_TOTAL = 4 * 1024 * 1024 * 1024;
const SMALL = 64 * 1024;
const [STORED, DEFLATED] = [0, 8];
const NOT_WHOLE = 'The zip is damaged or not complete.';
const EXPORT_AGAIN = 'Export it again, and copy it whole.';

/** A zip that is opened entry by entry. Nothing of it is written to disk, and no zip within it is opened. */
export class ZipFile {
  readonly entries: readonly ZipEntry[];
  readonly #source: ByteSource;
  #unpacked = 0;

  /** Throws `FileRefusal` where it is no whole zip. */
  constructor(source: ByteSource) {
    this.#source = source;
    this.entries = listed(source);
  }

  /** Returns the bytes of an entry. Throws where it is made to do harm, damaged, or holds more than `most`. */
  read({ name, offset, packed, size, method, isEncrypted, crc }: ZipEntry, most: number): Uint8Array {
    if (isEncrypted) throw new Error('It is encrypted.');
    if (method !== STORED && method !== DEFLATED) throw new Error('It is packed in a way that is not read.');
    if (size > most) throw new Error(`It holds ${mib(size)} MiB; at most ${mib(most)} MiB are read.`);
    if (size > SMALL && size > packed * MOST_RATIO) throw new Error('It unpacks to far more than text does.');
    if (offset + packed > this.#source.size) throw new Error(NOT_WHOLE);
    this.#unpacked += size;
    if (this.#unpacked > MOST_TOTAL) throw new Error('The zip unpacks to more than is read.');
    const start = offset + LOCAL_BYTES + this.#behindLocal(offset);
    const bytes = Buffer.from(this.#source.read(start, packed));
    const whole = method === STORED ? bytes : unpacked(bytes, size);
    if (whole.length !== size || crc32(whole) !== crc) throw new Error(`${name} is damaged.`);
    return whole;
  }

  #behindLocal(offset: number): number {
    const local = Buffer.from(this.#source.read(offset, LOCAL_BYTES));
    if (local.length < LOCAL_BYTES || local.readUInt32LE(0) !== 0x04034b50)
      throw new Error('It is not where it should be.');
    return local.readUInt16LE(26) + local.readUInt16LE(28);
  }
}

/** More than the listing says is no longer what was looked at before. */
function unpacked(bytes: Buffer, size: number): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    const isMore = error instanceof RangeError;
    throw new Error(isMore ? 'It unpacks to more than it says.' : 'It is damaged.');
  }
}

function listed(source: ByteSource): ZipEntry[] {
  const tailAt = Math.max(0, source.size - END_BYTES - MOST_COMMENT);
  const tail = Buffer.from(source.read(tailAt, source.size - tailAt));
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0 || end + END_BYTES > tail.length) throw new FileRefusal(NOT_WHOLE, EXPORT_AGAIN);
  const [count, length, offset] = [
    tail.readUInt16LE(end + 10),
    tail.readUInt32LE(end + 12),
    tail.readUInt32LE(end + 16),
  ];
  if (count === 0xffff || offset === 0xffffffff || length > MOST_LISTING)
    throw new FileRefusal('The zip holds more than is read.', 'Export a shorter time.');
  return entriesIn(Buffer.from(source.read(offset, length)), count);
}

function entriesIn(listing: Buffer, count: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + ENTRY_BYTES > listing.length || listing.readUInt32LE(at) !== 0x02014b50)
      throw new FileRefusal(NOT_WHOLE, EXPORT_AGAIN);
    const name = listing.readUInt16LE(at + 28);
    entries.push({
      name: listing.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + name),
      nth: entries.length,
      ...{ packed: listing.readUInt32LE(at + 20), size: listing.readUInt32LE(at + 24) },
      ...{ method: listing.readUInt16LE(at + 10), isEncrypted: (listing.readUInt16LE(at + 8) & 1) === 1 },
      ...{ crc: listing.readUInt32LE(at + 16), offset: listing.readUInt32LE(at + 42) },
    });
    at += ENTRY_BYTES + name + listing.readUInt16LE(at + 30) + listing.readUInt16LE(at + 32);
  }
  return entries;
}

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}
