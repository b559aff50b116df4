import { Temporal } from 'temporal-polyfill';
import type { z } from 'zod';
import { separateOwnWords } from '../reading/own-words.ts';
import type { StreamEvent } from '../steward/types.ts';
import { isObject, readForeignJson } from '../vault/json.ts';
import { cutAt, oneLine, plainText, sha256 } from '../vault/note-text.ts';
import { offsetMs, utc, type WallTime } from '../vault/time.ts';
import { type Author, fileTitle, NOBODY_NAMED, namedAuthor } from './chat-lines.ts';
import { decode } from './mail-parts.ts';
import {
  type ByteSource,
  FileRefusal,
  type Identity,
  type Item,
  type ItemContent,
  nothing,
  PLAIN_EVENT,
  type ReadContext,
  refused,
  wholeFile,
} from './stream.ts';

const LOOKED_AT = 4096;

/** Returns a file as text, each of its lines ended by LF. Throws `FileRefusal` if it is too long, or not a text. */
export function wholeText(source: ByteSource, most: number): string {
  return plainLines(decode(wholeFile(source, most)));
}

/** Returns a text, each of its lines ended by LF. Throws `FileRefusal` if it is not a text. */
export function plainLines(text: string): string {
  // A NUL that somebody sends is no reason to refuse what the others say; text in UTF-32 is full of them.
  if (isMostlyNul(text)) throw new FileRefusal('It is not text in UTF-8 or UTF-16.', 'Save it again as UTF-8.');
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

function isMostlyNul(text: string): boolean {
  const head = text.slice(0, LOOKED_AT);
  return head.split('\0').length > head.length / 8 + 1;
}

const WINDOW = 256 * 1024;

/** The bytes of a file one by one, of which only a window is in memory. */
class ByteWindow {
  readonly #source: ByteSource;
  #start = 0;
  #bytes: Uint8Array = new Uint8Array();

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Returns the byte at an offset; -1 behind the end of the file. */
  at(offset: number): number {
    const within = offset - this.#start;
    if (within >= 0 && within < this.#bytes.length) return this.#bytes[within] ?? -1;
    if (offset >= this.#source.size) return -1;
    this.#start = offset;
    this.#bytes = this.#source.read(offset, WINDOW);
    return this.#bytes[0] ?? -1;
  }

  /** Returns the text from one offset up to another. */
  text(from: number, until: number): string {
    return Buffer.from(this.#source.read(from, until - from)).toString('utf8');
  }
}

/** The short values of an object, by their names; those of an object in it as `name/name`. */
export type JsonValues = ReadonlyMap<string, unknown>;

/** A member of a list in a large JSON file: from `at` up to `end`. */
interface JsonMember {
  readonly at: number;
  readonly end: number;
  /** The values before the list in the objects around it, the nearest first. */
  readonly around: readonly JsonValues[];
}

const MOST_DEPTH = 64;
/** A longer value isn't one of those that say what the file is about. */
const MOST_VALUE = 2000;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const END = -1;

/** How many values of an object are kept. */
const MOST_VALUES = 200;

/**
 * Yields the members of lists in a JSON file, without reading it into memory. `isList`: whether the members of the list
 * at a path are wanted; `*` in a path represents the members of a list. Throws `FileRefusal` if the file is not JSON
 * from some point on.
 */
function* jsonMembers(source: ByteSource, isList: (path: readonly string[]) => boolean): Generator<JsonMember> {
  yield* new Reader(source, isList).members([]);
}

class Reader {
  readonly #bytes: ByteWindow;
  readonly #isList: (path: readonly string[]) => boolean;
  /** The values of the objects that are open, the innermost first. */
  #around: readonly Map<string, unknown>[] = [];
  #at: number;

  constructor(source: ByteSource, isList: (path: readonly string[]) => boolean) {
    this.#bytes = new ByteWindow(source);
    this.#isList = isList;
    this.#at = this.#bytes.at(0) === 0xef ? 3 : 0;
  }

  /** Yields the wanted members of the next value. */
  *members(path: readonly string[]): Generator<JsonMember> {
    if (path.length > MOST_DEPTH) throw this.#refusal('is nested too deeply');
    const first = this.#next();
    if (first === OPEN_OBJECT) yield* this.#object(path);
    else if (first === OPEN_LIST) yield* this.#list(path);
    else this.#value(path.at(-1) ?? '');
  }

  *#object(path: readonly string[]): Generator<JsonMember> {
    const outer = this.#around;
    const own = new Map<string, unknown>();
    this.#around = [own, ...outer];
    this.#at += 1;
    while (this.#next() !== CLOSE_OBJECT) {
      const key = this.#key();
      if (this.#next() !== COLON) throw this.#refusal('is damaged');
      this.#at += 1;
      yield* this.members([...path, key]);
      this.#passComma(CLOSE_OBJECT);
    }
    this.#at += 1;
    this.#around = outer;
    for (const [name, value] of own) this.#keep(`${path.at(-1) ?? ''}/${name}`, value);
  }

  *#list(path: readonly string[]): Generator<JsonMember> {
    const isAskedFor = this.#isList(path);
    this.#at += 1;
    while (this.#next() !== CLOSE_LIST) {
      const at = this.#at;
      if (isAskedFor) {
        this.#pass();
        yield { at, end: this.#at, around: this.#around };
      } else yield* this.members([...path, '*']);
      this.#passComma(CLOSE_LIST);
    }
    this.#at += 1;
  }

  #value(name: string): void {
    const from = this.#at;
    this.#pass();
    if (this.#at - from <= MOST_VALUE) this.#keep(name, this.#parsed(from));
  }

  /** Keeps a value in the object that is open. Of two of one name the first counts. */
  #keep(name: string, value: unknown): void {
    const [own] = this.#around;
    if (own !== undefined && own.size < MOST_VALUES && !own.has(name)) own.set(name, value);
  }

  #key(): string {
    if (this.#bytes.at(this.#at) !== QUOTE) throw this.#refusal('is damaged');
    const from = this.#at;
    this.#passText();
    return this.#at - from > MOST_VALUE ? '' : String(this.#parsed(from));
  }

  #parsed(from: number): unknown {
    try {
      return JSON.parse(this.#bytes.text(from, this.#at));
    } catch {
      throw this.#refusal('is damaged');
    }
  }

  /** Skips one value of any kind. */
  #pass(): void {
    let depth = 0;
    do {
      const byte = this.#next();
      if (byte === END) throw this.#refusal('ends in the middle');
      if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
      if (isClose(byte)) depth -= 1;
      if (byte === QUOTE) this.#passText();
      else if (isInWord(byte)) this.#passWord();
      else if (depth < 0 || (depth === 0 && !isClose(byte))) throw this.#refusal('is damaged');
      else this.#at += 1;
    } while (depth > 0);
  }

  #passWord(): void {
    while (isInWord(this.#bytes.at(this.#at))) this.#at += 1;
  }

  #passText(): void {
    this.#at += 1;
    for (let byte = this.#bytes.at(this.#at); byte !== QUOTE; byte = this.#bytes.at(this.#at)) {
      if (byte === END) throw this.#refusal('ends in the middle');
      this.#at += byte === BACKSLASH ? 2 : 1;
    }
    this.#at += 1;
  }

  #passComma(close: number): void {
    const byte = this.#next();
    if (byte === COMMA) this.#at += 1;
    else if (byte !== close) throw this.#refusal(byte === END ? 'ends in the middle' : 'is damaged');
  }

  /** Passes blanks, and returns the byte behind them. */
  #next(): number {
    let byte = this.#bytes.at(this.#at);
    while (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) {
      this.#at += 1;
      byte = this.#bytes.at(this.#at);
    }
    return byte;
  }

  #refusal(how: string): FileRefusal {
    return new FileRefusal(`The file ${how} at byte ${this.#at}.`, 'Export it again, and copy it whole.');
  }
}

function isClose(byte: number): boolean {
  return byte === CLOSE_OBJECT || byte === CLOSE_LIST;
}

/** Whether a byte is one of those of numbers, `true`, `false` and `null`. */
function isInWord(byte: number): boolean {
  return isLetter(byte) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e;
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

const MOST_LINE = 1024 * 1024;
const LINE_END = 0x0a;

/** Yields the lines of a file, each a JSON value, from the one that begins at `from` on, without reading it into memory. */
export function* jsonLines(source: ByteSource, from: number, read: (text: string) => ItemContent): Generator<Item> {
  const bytes = new ByteWindow(source);
  let nth = 0;
  for (let at = 0; at < source.size; ) {
    const end = lineEnd(bytes, at, source.size);
    const [start, next] = [at, Math.min(end + 1, source.size)];
    nth += 1;
    at = next;
    if (start < from || isBlank(bytes, start, end)) continue;
    yield {
      at: start,
      next,
      place: `line ${nth}`,
      read: () => (end - start > MOST_LINE ? TOO_LONG : read(bytes.text(start, end))),
    };
  }
}

const TOO_LONG = refused('It is longer than any message.');

function lineEnd(bytes: ByteWindow, from: number, size: number): number {
  let at = from;
  while (at < size && bytes.at(at) !== LINE_END) at += 1;
  return at;
}

function isBlank(bytes: ByteWindow, start: number, end: number): boolean {
  let at = start;
  while (at < end && bytes.at(at) <= 0x20) at += 1;
  return at === end;
}

/** Returns a JSON text as a schema has it; null if it is no JSON, or not of the schema. */
export function parsedJson<Value>(schema: z.ZodType<Value>, text: string): Value | null {
  return schema.safeParse(readForeignJson(text)).data ?? null;
}

/** Returns when a clock in a time zone shows this (epoch ms); null if no clock ever does: 31 February, 25 o'clock. */
export function zonedWallTime(zone: string, time: WallTime): number | null {
  try {
    return Temporal.PlainDateTime.from(time, { overflow: 'reject' }).toZonedDateTime(zone).epochMilliseconds;
  } catch {
    return null;
  }
}

/**
 * Returns what a clock in a time zone shows at a moment (epoch ms): `YYYY-MM-DDTHH:mm`; null if there is no such zone.
 */
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

/**
 * Returns the moment that an ISO time names (epoch ms), in a time zone unless it names one itself; null if it isn't an
 * ISO time.
 */
export function zonedIsoTime(zone: string, written: string): number | null {
  const found = ISO.exec(written.trim());
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const wall = { year, month, day, hour, minute, second };
  const offset = found[7];
  const local = zonedWallTime(offset === undefined ? zone : 'UTC', wall);
  return local === null || offset === undefined ? local : local - offsetMs(offset);
}

/** A message in two parts: what its author says, and what it only carries along. */
interface MessageWords {
  readonly text: string;
  readonly quoted: string;
}

const MAX_TEXT = 16_000;
const FENCE = '```';
/** Text that its author has struck out: `~I have paid~`. */
const STRUCK = /(?<![\p{L}\p{N}~])~~?(?=[^\s~])[^~\n]{1,500}~~?(?![\p{L}\p{N}~])/gu;

/**
 * Returns a message's own words. Quoted lines, pasted mails, blocks of code and struck-out text are `quoted`; `more` is
 * the message that it answers or forwards.
 */
export function messageWords(written: string, more: readonly string[] = []): MessageWords {
  const { outside, inside } = withoutFences(cutAt(plainText(written), 2 * MAX_TEXT));
  const struck = outside.match(STRUCK) ?? [];
  const { text, quoted } = separateOwnWords(outside.replace(STRUCK, ' '));
  const carried = [...more.map(plainText), quoted, ...inside, ...struck].filter((part) => part.trim() !== '');
  return { text: cutAt(text, MAX_TEXT), quoted: cutAt(carried.join('\n\n'), MAX_TEXT) };
}

function withoutFences(text: string): { outside: string; inside: readonly string[] } {
  const parts = text.split(FENCE);
  // An unclosed fence hides no text.
  const closed = parts.length % 2 === 1 ? parts.length : parts.length - 1;
  const inside = parts.filter((_, nth) => nth % 2 === 1 && nth < closed);
  return { outside: parts.filter((_, nth) => nth % 2 === 0 || nth >= closed).join('\n'), inside };
}

/** Something that somebody said in a chat or a meeting, as its file has it. */
interface ChatMessage {
  readonly author: Author;
  /** Epoch milliseconds; null if the file does not say. */
  readonly at: number | null;
  /** The room, channel or meeting; null between two people. */
  readonly room: string | null;
  readonly isPersonal: boolean;
  readonly text: string;
  readonly carried: readonly string[];
  /** Why it counts as sent by a machine; null if a person sent it. */
  readonly machine: string | null;
  /** Why some of it could not be read, in a few words; absent if all was. */
  readonly unread?: string | undefined;
}

const MAX_SUBJECT = 80;
const MAX_ROOM = 60;
/** The latest time that a date can have, in ms. */
const LATEST = 8_640_000_000_000_000;

/** Returns a message as an event with its identity; empty if it has no words, and all of it was read. */
export function chatItem(said: ChatMessage, identity: Identity, context: ReadContext): ItemContent {
  const { text, quoted } = messageWords(said.text, said.carried);
  if (text.trim() === '' && quoted.trim() === '' && said.unread === undefined) return nothing('no words');
  const unread = said.unread === undefined ? {} : { unread: { reason: said.unread, isWhole: text.trim() === '' } };
  return {
    what: 'event',
    event: { ...chatEvent(said, context), subject: subjectOf(said, text), text, quoted, ...unread },
    identity,
  };
}

/**
 * Returns a short hash of a text, for the identity of a message without an id: invisible marks and blanks do not count.
 */
export function textHash(text: string): string {
  const plain = plainText(text).replace(/\s+/g, ' ').trim();
  return sha256(plain).slice(0, 16);
}

function chatEvent(
  { author, at, room, isPersonal, machine }: ChatMessage,
  context: ReadContext,
): Omit<StreamEvent, 'subject'> {
  return {
    ...PLAIN_EVENT,
    path: context.file,
    sourceType: context.sourceType,
    ...timeOf(at, context.zone),
    from: author.id,
    fromName: author.name,
    text: '',
    bulk: machine !== null,
    bulkReason: machine,
    spoken: { room: room === null ? null : oneLine(room, MAX_ROOM), isPersonal },
  };
}

/** A person who writes "tomorrow" at half past midnight means the day that the clock next to them shows. */
function timeOf(at: number | null, zone: string): Pick<StreamEvent, 'originAt' | 'writtenAt'> {
  if (at === null || Math.abs(at) > LATEST) return { originAt: null };
  const writtenAt = clockIn(zone, at);
  return { originAt: utc(at), ...(writtenAt === null ? {} : { writtenAt }) };
}

function subjectOf({ room, author }: ChatMessage, text: string): string {
  const where = oneLine(room ?? author.name ?? '', MAX_ROOM);
  return oneLine(where === '' ? text : `${where}: ${text}`, MAX_SUBJECT);
}

/** Reads the text of a message. `around`: the values before its list in the objects around it, the nearest first. */
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
      at,
      next: end,
      place: `message ${nth}`,
      read: () =>
        end - at > MOST_MESSAGE
          ? TOO_LONG
          : read(Buffer.from(source.read(member.at, member.end - member.at)).toString('utf8'), around),
    };
  }
}

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

/** The words of one person in a meeting, until another spoke. */
export interface Turn {
  readonly speaker: string | null;
  /** Seconds from the beginning of the meeting; null if the transcript does not say. */
  readonly second: number | null;
  readonly text: string;
  /** Its place among the turns with the same speaker, time and first words, from 1 on. */
  readonly nth: number;
}

/** A meeting, as its file has it. */
export interface RecordedMeeting {
  readonly title: string | null;
  /** When it began (epoch ms); null if unknown. */
  readonly began: number | null;
  /** The beginning of its day (epoch ms), for times of a clock; null if the day isn't known. */
  readonly midnight: number | null;
  /** Its day and title, which distinguish its turns from those of other meetings. */
  readonly key: string;
}

/** "Yes." and "Okay, thanks" have too few words to be about a note. */
const FEWEST_WORDS = 3;
const START = 40;
const WORDS = /[\p{L}\p{N}]+/gu;
/** `GMT20350302-080000_Recording`, `2035-03-02 09.00 Planning`, `2035-03-02T09:00:00Z`. */
const STAMPED =
  /(?<!\d)(20\d\d)-?([01]\d)-?([0-3]\d)(?:(?:T|[-_ ]|, | at )([0-2]\d)[-:.h]?([0-5]\d)(?:[-:.]?([0-5]\d))?(?!\d))?/;

/** Returns what is known of a meeting. `heading`: lines of the file that may name its day. */
export function readMeeting(file: string, heading: string, { zone }: Pick<ReadContext, 'zone'>): RecordedMeeting {
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
    midnight: found === null ? null : zonedIsoTime(zone, `${year}-${month}-${day}T00:00:00`),
    key: `${found?.[0].slice(0, 10) ?? ''} ${plain.toLowerCase()}`,
  };
}

const RECORDED = /^GMT(?=20)|_Recording.*$/g;

/** Zoom says `GMT` if it means it; all others write the local time. Without a time, noon of the day is used. */
function beginning(
  [, year, month, day, hour, minute, second]: RegExpExecArray,
  title: string,
  zone: string,
): number | null {
  const time = hour === undefined ? '12:00:00' : `${hour}:${minute ?? '00'}:${second ?? '00'}`;
  return zonedIsoTime(/^GMT20/.test(title) ? 'UTC' : zone, `${year}-${month}-${day}T${time}`);
}

/** Returns the words that distinguish a turn from others at the same time. */
export function turnStart(text: string): string {
  return text.slice(0, START);
}

export function turnContent(
  { speaker, second, text, nth }: Turn,
  meeting: RecordedMeeting,
  context: ReadContext,
): ItemContent {
  if ((text.match(WORDS) ?? []).length < FEWEST_WORDS) return nothing('too few words');
  const author = speaker === null ? NOBODY_NAMED : namedAuthor(speaker);
  const at = meeting.began === null ? null : meeting.began + (second ?? 0) * 1000;
  const said = { author, at, room: meeting.title, isPersonal: false, text, carried: [], machine: null };
  const key = `transcript ${meeting.key} ${second ?? ''} ${author.id ?? ''} ${textHash(turnStart(text))} ${nth}`;
  // The last turn of a transcript that is still being written grows: the longer one is the newer.
  return chatItem(said, { key, version: String(text.length).padStart(6, '0'), otherwise: 'newer' }, context);
}

/** The words of a message that is made of nested blocks. */
interface BlockWords {
  readonly text: string;
  readonly carried: readonly string[];
  /** The kinds of blocks with content but without words that are read, each once. */
  readonly unread: readonly string[];
}

export interface BlockNames {
  /** Whether the words of a block aren't the author's own. */
  readonly isCarried: (type: string, block: Readonly<Record<string, unknown>>) => boolean;
  /** Blocks without words, which can be ignored. */
  readonly silent: ReadonlySet<string>;
  /** Blocks whose parts are in one line. Text in a list is, too. */
  readonly inline: ReadonlySet<string>;
  /** Returns the words of a block that isn't read by its texts, such as a mention; null for all others. */
  readonly words: (block: Readonly<Record<string, unknown>>) => string | null;
}

/** The fields in which blocks have their words, or other blocks. */
const FIELDS = [
  ...['pretext', 'header', 'title', 'question', 'text', 'label', 'description', 'caption', 'summary'],
  ...['blocks', 'elements', 'fields', 'items', 'answers', 'options', 'rows', 'cells', 'columns', 'children', 'content'],
] as const;
const MAX_DEPTH = 20;
const MAX_BLOCKS = 5000;
const MAX_UNREAD = 5;

/** Returns the words in nested blocks of JSON, in their order. Reads a bounded number of them; never throws. */
export function readBlocks(json: unknown, names: BlockNames): BlockWords {
  const reading = new BlockReading(names);
  const text = reading.textOf(json, 0, false);
  return { text: text.trim(), carried: reading.carried, unread: [...reading.unread].slice(0, MAX_UNREAD) };
}

class BlockReading {
  readonly #names: BlockNames;
  #blocks = 0;
  readonly carried: string[] = [];
  readonly unread = new Set<string>();

  constructor(names: BlockNames) {
    this.#names = names;
  }

  textOf(json: unknown, depth: number, isInline: boolean): string {
    if (typeof json === 'string') return json;
    if (depth > MAX_DEPTH || this.#blocks >= MAX_BLOCKS) {
      this.unread.add('nested-too-deeply');
      return '';
    }
    if (Array.isArray(json))
      return joined(
        json.map((one) => this.textOf(one, depth + 1, isInline)),
        isInline,
      );
    return isObject(json) ? this.#block(json, depth) : '';
  }

  #block(block: Readonly<Record<string, unknown>>, depth: number): string {
    this.#blocks += 1;
    const { type: kind } = block;
    const type = typeof kind === 'string' ? kind : '';
    const { isCarried, silent, inline, words } = this.#names;
    if (silent.has(type)) return '';
    const own = words(block);
    if (own !== null) return own;
    const before = this.carried.length + this.unread.size;
    const texts = FIELDS.filter((field) => Object.hasOwn(block, field)).map((field) =>
      this.textOf(block[field], depth + 1, field === 'text' || inline.has(type)),
    );
    const text = joined(texts, inline.has(type));
    if (text.trim() === '' && type !== '' && this.carried.length + this.unread.size === before) this.unread.add(type);
    if (!isCarried(type, block)) return text;
    if (text.trim() !== '') this.carried.push(text);
    return ' ';
  }
}

function joined(texts: readonly string[], isInline: boolean): string {
  return isInline ? texts.join('') : texts.filter((text) => text.trim() !== '').join('\n');
}

/** The name of a kind as it is put into a sentence: it comes from the author of the file. */
function plainName(type: string): string {
  return /^[\w-]{1,40}$/.test(type) ? type : 'unknown';
}

/** Returns why parts of a message weren't read, with their kinds: `in a form that isn't read: chart`. */
export function unreadBlocks(kinds: readonly string[]): string {
  return `in a form that isn't read: ${[...new Set(kinds.map(plainName))].slice(0, MAX_UNREAD).join(', ')}`;
}
