import type { z } from 'zod';
import { type ByteSource, FileRefusal, type Item, type ItemContent, refused } from './items.ts';

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
  /** What stands before the list in the objects around it, the nearest first. */
  readonly around: readonly JsonValues[];
}

const MOST_DEPTH = 64;
/** A value that is longer is none of those that say what the file is about. */
const MOST_VALUE = 2000;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const END = -1;

/** So many values of an object are kept. */
const MOST_VALUES = 200;

/**
 * Yields the members of lists in a JSON file, without reading it into memory. `isList`: whether those of the list at a path
 * are asked for; `*` in a path stands for the members of a list. Throws `FileRefusal` where the file is no JSON any further.
 */
export function* jsonMembers(source: ByteSource, isList: (path: readonly string[]) => boolean): Generator<JsonMember> {
  yield* new Reader(source, isList).members([]);
}

/** Returns the text of a member. */
export function memberText(source: ByteSource, { at, end }: JsonMember): string {
  return Buffer.from(source.read(at, end - at)).toString('utf8');
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

  /** Yields those of the value that stands next. */
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

  /** Passes one value, whatever it holds. */
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
      ...{ at: start, next, place: `line ${nth}` },
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

/** Returns a JSON text as a schema has it; null where it is no JSON, or not of the schema. */
export function parsedJson<Value>(schema: z.ZodType<Value>, text: string): Value | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
