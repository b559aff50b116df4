import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { appendBehind } from './disk/append.ts';
import { systemCode } from './errors.ts';
import { type FileStat, fileError, readBytes, sameStat } from './files.ts';
import { emptyFields, type PackedKind, type VaultRecord } from './index/record.ts';
import { type Index, indexKeys } from './index-keys.ts';
import { stem } from './note-names.ts';
import type { Seal } from './seal.ts';
import { Turns } from './slices.ts';

/** Large enough that the system gives it a mapping of its own, which holds nothing else in place. */
const CHUNK = 1024 * 1024;
/** The first piece: enough for a small vault, of which a process may keep a thousand. */
const FIRST_CHUNK = 128 * 1024;

/** Bytes that lie in a larger piece of memory, beside others. */
export interface Piece {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

/** The identity of a packed record. */
type Head = Pick<VaultRecord, 'path' | 'stat'> & { readonly kind: PackedKind };

/** The kinds of records that a vault has many of: tasks, and what grows in number with the years. They are kept packed. */
const PACKED_KINDS = ['event', 'reversal', 'signal', 'task'] as const satisfies readonly PackedKind[];

/** Whether records of a kind are kept packed. */
export function isPackedKind(kind: VaultRecord['kind']): kind is PackedKind {
  return PACKED_KINDS.some((one) => one === kind);
}

interface Kind {
  readonly empty: Readonly<Record<string, unknown>>;
  readonly names: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
}

/**
 * Packs the fields of records as JSON, each as its number and its value, without what says nothing: most fields of most
 * events are empty.
 */
export class Packing {
  readonly #kinds = new Map<PackedKind, Kind>();

  /** The names of all fields by kind: what is packed under others cannot be unpacked. */
  get format(): readonly (readonly string[])[] {
    return PACKED_KINDS.map((kind) => this.#kind(kind).names);
  }

  /** Returns the fields of a record as JSON; null for one of a kind that is not packed. */
  pack(record: VaultRecord): string | null {
    if (record.kind === 'bad' || !isPackedKind(record.kind)) return null;
    const { empty, numbers } = this.#kind(record.kind);
    const fields: Readonly<Record<string, unknown>> = record.fields;
    const packed: unknown[] = [];
    for (const name in fields) {
      const value = fields[name];
      // A field that a note without it does not even have stands under its name.
      if (!saysNothing(value, empty[name])) packed.push(numbers.get(name) ?? name, value);
    }
    return JSON.stringify(packed);
  }

  /** Returns the record of what `pack` made. */
  unpack({ kind, path, stat }: Head, { bytes, from, to }: Piece): VaultRecord {
    const { empty, names } = this.#kind(kind);
    const packed: unknown[] = JSON.parse(bytes.toString('utf8', from, to));
    const fields: Record<string, unknown> = { ...empty };
    for (let nth = 0; nth < packed.length; nth += 2) fields[nameOf(packed[nth], names)] = packed[nth + 1];
    return { kind, path, name: stem(path), stat, fields } as VaultRecord; // packed from a record of this very kind
  }

  #kind(kind: PackedKind): Kind {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    const empty = emptyFields(kind);
    const names = Object.keys(empty);
    const made = { empty, names, numbers: new Map(names.map((name, nth) => [name, nth])) };
    this.#kinds.set(kind, made);
    return made;
  }
}

/** Memory outside the heap that small texts share, so that none of them costs an object of its own. */
export class Room {
  #chunk = Buffer.alloc(0);
  #used = 0;

  /** Puts a text where there is room for it. */
  take(text: string): Piece {
    const left = this.#chunk.length - this.#used;
    // No character takes more than three bytes: only near the end of a piece they are counted.
    if (left < text.length * 3 && left < Buffer.byteLength(text)) {
      const usual = this.#chunk.length === 0 ? FIRST_CHUNK : CHUNK;
      this.#chunk = Buffer.allocUnsafeSlow(Math.max(usual, text.length * 3));
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += this.#chunk.write(text, from);
    return { bytes: this.#chunk, from, to: this.#used };
  }
}

function nameOf(packed: unknown, names: readonly string[]): string {
  return typeof packed === 'number' ? (names[packed] ?? '') : String(packed);
}

function saysNothing(value: unknown, empty: unknown): boolean {
  if (value === undefined || value === empty) return true;
  if (typeof value !== 'object' || typeof empty !== 'object' || value === null || empty === null) return false;
  return isBare(value) && isBare(empty) && Array.isArray(value) === Array.isArray(empty);
}

function isBare(value: object): boolean {
  for (const _ in value) return false;
  return true;
}

/** Numbers in a row: mtime, ctime, size, inode, where the content begins and ends, and which kind it is. */
const WIDTH = 7;
/** How many rows a table begins with: a small vault has no more. */
const FIRST_ROWS = 64;
/** How many rows the table grows by at most, or by an eighth: twice as many would lie empty, in a large vault, most of the time. */
const MORE_ROWS = 4096;

/** What is kept of a packed record, but for its path. */
interface PackedRow {
  readonly kind: PackedKind;
  readonly stat: FileStat;
  readonly content: Piece;
}

/** A table of packed records: numbers side by side, where objects would take ten times the memory. */
export class PackedRows {
  #numbers = new Float64Array(0);
  readonly #bytes: (Buffer | null)[] = [];

  /** Puts a record into a row. */
  set(row: number, { kind, stat, content }: PackedRow): void {
    if ((row + 1) * WIDTH > this.#numbers.length) this.#grow(row);
    const { mtimeMs, ctimeMs, size, ino } = stat;
    const cells = [mtimeMs, ctimeMs, size, ino, content.from, content.to, PACKED_KINDS.indexOf(kind)];
    for (let nth = 0; nth < WIDTH; nth += 1) this.#numbers[row * WIDTH + nth] = cells[nth] ?? 0;
    this.#bytes[row] = content.bytes;
  }

  /** Empties a row. */
  clear(row: number): void {
    this.#bytes[row] = null;
  }

  /** Returns the stat of the file in a row, as it was last read. */
  stat(row: number): FileStat {
    return {
      mtimeMs: this.#number(row, 0),
      ctimeMs: this.#number(row, 1),
      size: this.#number(row, 2),
      ino: this.#number(row, 3),
    };
  }

  /** Returns the record in a row, still packed. */
  at(row: number): PackedRow {
    const content = {
      bytes: this.#bytes[row] ?? Buffer.alloc(0),
      from: this.#number(row, 4),
      to: this.#number(row, 5),
    };
    return { kind: PACKED_KINDS[this.#number(row, 6)] ?? 'event', stat: this.stat(row), content };
  }

  #number(row: number, nth: number): number {
    return this.#numbers[row * WIDTH + nth] ?? 0;
  }

  #grow(row: number): void {
    const more = new Float64Array((row + Math.max(Math.min(MORE_ROWS, row + FIRST_ROWS), row >> 3)) * WIDTH);
    more.set(this.#numbers);
    this.#numbers = more;
  }
}

/** What is told of a record: kind, path, stat (mtime, ctime, size, inode), bytes of its fields, and index and key in turn. */
type RecordLine = readonly [VaultRecord['kind'], string, number, number, number, number, number, ...string[]];
/** That there is no record of a path any more. */
type GoneLine = readonly [path: string];
type CacheLine = RecordLine | GoneLine;

/** Some lines, and the fields of the records in them, one behind the other. */
interface Block {
  readonly lines: readonly CacheLine[];
  /** The part of the file's bytes in which the fields lie. */
  readonly contents: Buffer;
  readonly mark: string;
  /** Where the next block begins. */
  readonly end: number;
}

/** What makes the marks of a part: by another key, or in another place, its blocks are not believed. */
interface Marks {
  readonly seal: Seal;
  /** The mark of the block before; of the first one, what all of the part was made under. */
  readonly before: string;
}

const LINE_END = 0x0a;
/** A first line is never longer. */
const MOST_HEAD = 200;
const head = z.object({ seal: z.string(), lines: z.int().min(2), contents: z.int().min(0) });

/** Whether a line tells of a record. */
function isRecordLine(line: CacheLine): line is RecordLine {
  return line.length > 1;
}

/** Returns a block as it lies on disk, in slices, and its mark. */
function blockOf(
  lines: readonly CacheLine[],
  contents: readonly (string | Buffer)[],
  { seal, before }: Marks,
): { readonly slices: readonly Buffer[]; readonly mark: string } {
  const body = [Buffer.from(JSON.stringify(lines)), Buffer.concat(contents.map(bytesOf))] as const;
  const sizes = { lines: body[0].length, contents: body[1].length };
  const mark = seal.ofAll([placed(before, sizes), ...body]);
  const first = Buffer.from(`${JSON.stringify({ seal: mark, ...sizes })}\n`);
  return { slices: [first, ...body], mark };
}

/** Yields the blocks that lie in a part's bytes, up to the first that this program did not put there. */
function* blocksIn(bytes: Buffer, { seal, before }: Marks): Generator<Block> {
  let chain = before;
  for (let at = 0; at < bytes.length; ) {
    const block = blockAt(bytes, at, { seal, before: chain });
    if (block === null) return;
    yield block;
    chain = block.mark;
    at = block.end;
  }
}

function blockAt(bytes: Buffer, at: number, { seal, before }: Marks): Block | null {
  const cut = bytes.subarray(at, at + MOST_HEAD).indexOf(LINE_END);
  const sizes = cut < 0 ? null : headIn(bytes.toString('utf8', at, at + cut));
  if (sizes === null) return null;
  const from = at + cut + 1;
  const middle = from + sizes.lines;
  const end = middle + sizes.contents;
  if (end > bytes.length) return null;
  if (!seal.holdsAll([placed(before, sizes), bytes.subarray(from, end)], sizes.seal)) return null;
  const lines = JSON.parse(bytes.toString('utf8', from, middle)) as CacheLine[]; // under the mark: `blockOf` wrote it
  return { lines, contents: bytes.subarray(middle, end), mark: sizes.seal, end };
}

// With its place and its sizes: blocks can be neither exchanged nor cut elsewhere.
function placed(before: string, sizes: { readonly lines: number; readonly contents: number }): string {
  return `${before} ${sizes.lines} ${sizes.contents}\n`;
}

function headIn(text: string): z.infer<typeof head> | null {
  try {
    return head.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function bytesOf(content: string | Buffer): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : content;
}

const { O_NOFOLLOW } = fs.constants;
const NAME = /^records-(\d{8})\.cache$/;
/** A part of the program's own is never larger. */
const MOST_PART_BYTES = 64 * 1024 * 1024;
/** Nor are all of them together. */
const MOST_BYTES = 4 * 1024 ** 3;
/** Numbers from here on are not the program's: behind the last one there would be none left. */
const FIRST_STRANGE = 90_000_000;

/** A file of the cache that blocks are added to. */
interface CachePart {
  readonly number: number;
  /** How many lines it has. */
  lines: number;
  bytes: number;
  /** The mark that the next block follows on. */
  mark: string;
}

/** Where the parts lie, and under what they are made: the format and the settings by which notes are read. */
interface CachePlace {
  readonly folder: string;
  readonly key: string;
  readonly seal: Seal;
}

/** Returns the numbers of the parts in a folder, oldest first, and the names of what cannot be one. */
function partsIn(folder: string): { readonly numbers: readonly number[]; readonly strange: readonly string[] } {
  let room = MOST_BYTES;
  const [numbers, strange]: [number[], string[]] = [[], []];
  for (const name of namesIn(folder)) {
    const number = Number(NAME.exec(name)?.[1]);
    room -= fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    if (number >= FIRST_STRANGE || room < 0) strange.push(name);
    else numbers.push(number);
  }
  return { numbers: numbers.reverse(), strange };
}

/** Returns the name of a part. */
function partName(number: number): string {
  return `records-${String(number).padStart(8, '0')}.cache`;
}

/** Returns the bytes of a part. Throws where it cannot be read. */
function partBytes({ folder }: CachePlace, number: number): Buffer {
  return readBytes(path.join(folder, partName(number)), MOST_PART_BYTES, O_NOFOLLOW).bytes;
}

/** Yields the blocks of a part. */
function blocksOf(place: CachePlace, number: number, bytes: Buffer): Generator<Block> {
  return blocksIn(bytes, firstMarks(place, number));
}

/** Returns what the first block of a part follows on: its own number, so that no part takes the place of another. */
function firstMarks({ key, seal }: CachePlace, number: number): Marks {
  return { seal, before: `${number} ${key}` };
}

// The newest first: where there is too much, they count.
function namesIn(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => NAME.test(name))
      .sort()
      .reverse();
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return []; // there is none yet
  }
}

/** Is told of an index, and of a key in it. */
type KeyTold = (index: Index, key: string) => void;

/** Where in a line the indexes and keys begin. */
const FIRST_KEY = 7;

/** The files of the cache as they were found. */
interface FoundParts {
  /** Oldest first. */
  readonly parts: readonly CachePart[];
  /** Whether the last one ends with a whole block, and may be added to. */
  readonly isWhole: boolean;
  /** The names of those that this program did not make, or made under other settings. */
  readonly foreign: readonly string[];
}

/**
 * The records as last read, so that a start needs to read only what changed since.
 *
 * They lie in parts that are only added to, block by block; of several lines about a path the last one counts. Each block
 * carries the program's mark on itself and on those before it: what is not exactly what this program wrote, in the same
 * format and under the same settings, is ignored with all that follows in its part, whoever put it there. The fields of a
 * record are parsed only when somebody first asks for them, since a start needs few.
 */
export class RecordCache {
  /** The records at the time of saving that nobody has taken over, by path. */
  readonly left: ReadonlyMap<string, CachedRecord>;
  /** Whether nothing was saved. */
  readonly isEmpty: boolean;
  readonly found: FoundParts;
  readonly place: CachePlace;
  readonly #records: Map<string, CachedRecord>;

  private constructor(place: CachePlace, records: Map<string, CachedRecord>, found: FoundParts) {
    this.place = place;
    this.#records = records;
    this.left = records;
    this.isEmpty = records.size === 0;
    this.found = found;
  }

  /** Reads what there is of a place. Others have their turn meanwhile. */
  static async read(place: CachePlace): Promise<RecordCache> {
    const { numbers, strange } = partsIn(place.folder);
    const reading = new Reading(place);
    for (const number of numbers) await reading.part(number);
    const { records, parts, isWhole, foreign } = reading;
    return new RecordCache(place, records, { parts, isWhole, foreign: [...foreign, ...strange] });
  }

  /**
   * Takes over the record of a file that has not changed since it was cached; returns null where it has. What is left in the
   * end are the few that changed or went: a start asks about these alone, and nothing else is kept twice.
   */
  take(file: string, stat: FileStat): CachedRecord | null {
    const record = this.#records.get(file);
    if (record === undefined || !record.isOf(stat)) return null;
    this.#records.delete(file);
    return record;
  }
}

/** Reads part after part. */
class Reading {
  readonly records = new Map<string, CachedRecord>();
  readonly parts: CachePart[] = [];
  readonly foreign: string[] = [];
  isWhole = false;
  readonly #place: CachePlace;
  readonly #turns = new Turns();

  constructor(place: CachePlace) {
    this.#place = place;
  }

  async part(number: number): Promise<void> {
    const bytes = this.#bytes(number);
    if (bytes === null) return;
    const part = { number, lines: 0, bytes: 0, mark: firstMarks(this.#place, number).before };
    const blocks: Block[] = [];
    for (const block of blocksOf(this.#place, number, bytes)) {
      blocks.push(block);
      Object.assign(part, { lines: part.lines + block.lines.length, bytes: block.end, mark: block.mark });
      await this.#turns.giveWay();
    }
    this.isWhole = blocks.length > 0 && part.bytes === bytes.length;
    if (blocks.length === 0) this.foreign.push(partName(number));
    else this.parts.push(part);
    await this.#take(blocks);
  }

  // Gone meanwhile, or nothing that can be read: its notes are read again.
  #bytes(number: number): Buffer | null {
    try {
      return partBytes(this.#place, number);
    } catch {
      this.foreign.push(partName(number));
      return null;
    }
  }

  // The fields of a whole part side by side, and nothing else of it: so the rest can be freed.
  async #take(blocks: readonly Block[]): Promise<void> {
    const contents = Buffer.concat(blocks.map((block) => block.contents));
    let from = 0;
    for (const { lines } of blocks) {
      for (const line of lines) {
        if (isRecordLine(line)) this.records.set(line[1], new CachedRecord(line, contents, from));
        else this.records.delete(line[0]);
        from += isRecordLine(line) ? line[6] : 0;
      }
      await this.#turns.giveWay();
    }
  }
}

/** A record in the cache: its path and index keys are available, its fields are not parsed yet. */
export class CachedRecord {
  readonly #line: RecordLine;
  readonly #body: Buffer;
  readonly #from: number;

  constructor(line: RecordLine, body: Buffer, from: number) {
    this.#line = line;
    this.#body = body;
    this.#from = from;
  }

  get kind(): VaultRecord['kind'] {
    return this.#line[0];
  }

  get path(): string {
    return this.#line[1];
  }

  get stat(): FileStat {
    const [, , mtimeMs, ctimeMs, size, ino] = this.#line;
    return { mtimeMs, ctimeMs, size, ino };
  }

  /** Tells the keys that it is indexed under, one by one: lists of them would be made for each record of a start. */
  eachKey(told: KeyTold): void {
    const line = this.#line;
    for (let at = FIRST_KEY; at < line.length; at += 2) told(line[at] as Index, String(line[at + 1])); // under the mark
  }

  /** Where its fields lie. */
  get piece(): Piece {
    return { bytes: this.#body, from: this.#from, to: this.#from + this.#line[6] };
  }

  /** Whether the file is still the one that was read. */
  isOf(stat: FileStat): boolean {
    const [, , mtimeMs, ctimeMs, size, ino] = this.#line;
    return mtimeMs === stat.mtimeMs && size === stat.size && ino === stat.ino && ctimeMs === stat.ctimeMs;
  }

  /** Returns the record itself, parsed. */
  record(): VaultRecord {
    const { kind, path, stat } = this;
    if (isPackedKind(kind)) return new Packing().unpack({ kind, path, stat }, this.piece);
    const content = JSON.parse(this.#body.toString('utf8', this.#from, this.#from + this.#line[6]));
    // The mark and the key make this the very text that `lineOf` made of a record.
    return { kind, path, name: stem(path), stat, ...content } as VaultRecord;
  }
}

/** Tells the keys that a record is indexed under, as just read or as cached. */
export function eachKey(record: VaultRecord | CachedRecord, told: KeyTold): void {
  if (record instanceof CachedRecord) record.eachKey(told);
  else for (const [index, key] of indexKeys(record)) told(index, key);
}

/** Returns what the cache keeps of a record: a line of contents, and its fields. */
function cachedAs(record: VaultRecord, packing: Packing): { readonly line: RecordLine; readonly fields: string } {
  const { kind, path, name: _, stat, ...content } = record;
  const fields = packing.pack(record) ?? JSON.stringify(content);
  const { mtimeMs, ctimeMs, size, ino } = stat;
  const keys = indexKeys(record).flat();
  return { line: [kind, path, mtimeMs, ctimeMs, size, ino, Buffer.byteLength(fields), ...keys], fields };
}

/** A result derived from something that seldom changes: computed again only when its revision has changed. */
export class Memo<Result> {
  #revision: number | null = null;
  #result: Result | null = null;

  /** Returns the result for `revision`, from memory or by `work`. */
  at(revision: number, work: () => Result): Result {
    return this.known(revision) ?? this.keep(revision, work());
  }

  /** Returns the result for `revision` from memory; null where it is not there. */
  known(revision: number): Result | null {
    return this.#revision === revision ? this.#result : null;
  }

  /** Remembers a result, and returns it. */
  keep(revision: number, result: Result): Result {
    this.#result = result;
    this.#revision = revision;
    return result;
  }
}

/** A part that has grown to it is added to no longer, so that letting go of one costs little. */
const PART_BYTES = 4 * 1024 * 1024;
/** So much is written at a time. */
const BLOCK_CHARS = 128 * 1024;
/** So many lines may be out of date, and a quarter of those that count. */
const SPARE_LINES = 1000;
/** All records, in the versions before this one. */
const FORMER = 'records.json';

/** The records in memory, and which of them are to be saved. */
export interface SavedRecords {
  readonly size: number;
  /** The paths whose records have changed, come or gone since they were saved. */
  readonly unsaved: Set<string>;
  /** Returns the record of a path for the moment, and keeps nothing parsed. */
  peek(path: string): VaultRecord | undefined;
  has(path: string): boolean;
  /** Returns the stat of a file as last read, or undefined where there is no record of it. */
  statOf(path: string): FileStat | undefined;
}

/** How records are saved. */
export interface Saving {
  /** Whether what the cache says of a path is still needed as it is. */
  readonly isHeld: (path: string) => boolean;
  /** Throws where the folder is no longer this process's to write to. */
  readonly demand: () => void;
  /** Whether there is time for more: what is left is saved the next time, or read again by the next start. */
  readonly hasTime: () => boolean;
}

/** A block in the making. */
interface Draft {
  readonly lines: CacheLine[];
  readonly contents: (string | Buffer)[];
  chars: number;
}

/**
 * Writes the cache that `RecordCache` reads: to save costs what has changed. It is written without waiting for the disk:
 * what a power cut takes away of it is read from the notes again. When much of what lies there is out of date, the oldest
 * part is let go of, and what of it still counts is added behind the newest.
 */
export class RecordLog {
  #place: CachePlace;
  readonly #records: SavedRecords;
  readonly #packing = new Packing();
  /** Oldest first. */
  #parts: CachePart[];
  /** Whether the last part may be added to: half a block may stand at the end of one. */
  #isOpen: boolean;
  #foreign: readonly string[];
  readonly #turns = new Turns();

  private constructor(place: CachePlace, records: SavedRecords, { parts, isWhole, foreign }: FoundParts) {
    this.#place = place;
    this.#records = records;
    this.#parts = [...parts];
    this.#isOpen = isWhole;
    this.#foreign = [...foreign, FORMER];
  }

  /** Goes on behind a cache that was read; what of it is gone from the records is to be saved too. */
  static async behind(cache: RecordCache, records: SavedRecords): Promise<RecordLog> {
    const turns = new Turns();
    for (const file of cache.left.keys()) {
      if (!records.has(file)) records.unsaved.add(file);
      if (turns.isLate) await turns.giveWay();
    }
    return new RecordLog(cache.place, records, cache.found);
  }

  /**
   * Saves what changed since the last time, and lets go of what is out of date. Others have their turn meanwhile; it must
   * not run twice at a time. `key`: how records are read by now. Throws what the disk refuses: then the same is saved the
   * next time.
   */
  async save(key: string, saving: Saving): Promise<void> {
    if (key !== this.#place.key) this.#beginAnew(key);
    const { unsaved } = this.#records;
    const paths = [...unsaved];
    unsaved.clear();
    let done = 0;
    try {
      while (done < paths.length && saving.hasTime()) done = await this.#saveSome(paths, done, saving);
    } finally {
      for (const file of paths.slice(done)) unsaved.add(file);
    }
    this.#dropForeign(saving);
    while (this.#isLittered && saving.hasTime()) await this.#leaveOldest(saving);
  }

  // Whoever reads notes in another way has read all of them again.
  #beginAnew(key: string): void {
    this.#foreign = [...this.#foreign, ...this.#parts.map(({ number }) => partName(number))];
    this.#parts = [];
    this.#place = { ...this.#place, key };
  }

  get #isLittered(): boolean {
    const lines = this.#parts.reduce((sum, part) => sum + part.lines, 0);
    return lines > 1.25 * this.#records.size + SPARE_LINES;
  }

  /** Saves a block of paths, and returns how many are done by now. */
  async #saveSome(paths: readonly string[], from: number, { isHeld, demand }: Saving): Promise<number> {
    const { unsaved } = this.#records;
    const draft: Draft = { lines: [], contents: [], chars: 0 };
    let next = from;
    for (; next < paths.length && draft.chars < BLOCK_CHARS && !this.#turns.isLate; next += 1) {
      const file = paths[next] ?? '';
      // What has changed once more meanwhile is saved the next time: what follows from it may not be on disk yet.
      if (isHeld(file)) unsaved.add(file);
      else if (!unsaved.has(file)) this.#draft(draft, file);
    }
    this.#write(draft, demand);
    await this.#turns.giveWay();
    return next;
  }

  #draft(draft: Draft, file: string): void {
    const record = this.#records.peek(file);
    const { line, fields } = record === undefined ? goneAt(file) : cachedAs(record, this.#packing);
    add(draft, line, fields);
  }

  // A part that lies there is this program's own, but anybody may have touched it since.
  async #leaveOldest({ isHeld, demand, hasTime }: Saving): Promise<void> {
    const [part] = this.#parts;
    if (part === undefined) return;
    if (this.#parts.length === 1) this.#isOpen = false;
    let draft: Draft = { lines: [], contents: [], chars: 0 };
    for (const { lines, contents } of this.#blocks(part)) {
      let from = 0;
      for (const line of lines) {
        if (!isRecordLine(line)) continue;
        if (this.#counts(line) || isHeld(line[1])) add(draft, line, contents.subarray(from, from + line[6]));
        from += line[6];
      }
      if (draft.chars >= BLOCK_CHARS) {
        this.#write(draft, demand);
        draft = { lines: [], contents: [], chars: 0 };
      }
      await this.#turns.giveWay();
      if (!hasTime()) return; // what was added lies there twice until the next time
    }
    this.#write(draft, demand);
    demand();
    fs.rmSync(this.#file(part.number), { force: true });
    this.#parts = this.#parts.filter((one) => one !== part);
  }

  #blocks({ number }: CachePart): ReturnType<typeof blocksOf> | readonly never[] {
    try {
      return blocksOf(this.#place, number, partBytes(this.#place, number));
    } catch {
      return []; // gone: its notes are read again
    }
  }

  #counts([, file, mtimeMs, ctimeMs, size, ino]: RecordLine): boolean {
    const stat = this.#records.statOf(file);
    return stat !== undefined && sameStat(stat, { mtimeMs, ctimeMs, size, ino });
  }

  #write({ lines, contents }: Draft, demand: () => void): void {
    if (lines.length === 0) return;
    demand();
    try {
      this.#append(lines, contents);
    } catch (error) {
      this.#isOpen = false;
      for (const line of lines) this.#records.unsaved.add(isRecordLine(line) ? line[1] : line[0]);
      throw fileError(error, '.steward/cache');
    }
  }

  #append(lines: readonly CacheLine[], contents: readonly (string | Buffer)[]): void {
    const last = this.#last;
    const isAdded = last !== null && this.#put(last, lines, contents);
    if (isAdded) return;
    const { numbers } = partsIn(this.#place.folder);
    const number = Math.max(0, ...numbers.slice(-1), ...this.#parts.slice(-1).map((part) => part.number)) + 1;
    const part = { number, lines: 0, bytes: 0, mark: firstMarks(this.#place, number).before };
    this.#put(part, lines, contents);
    this.#parts.push(part);
    this.#isOpen = true;
  }

  /** Whether the lines were added: not where the part is none of ours any more. */
  #put(part: CachePart, lines: readonly CacheLine[], contents: readonly (string | Buffer)[]): boolean {
    const { slices, mark } = blockOf(lines, contents, { seal: this.#place.seal, before: part.mark });
    const text = Buffer.concat(slices);
    if (!appendBehind(this.#file(part.number), text, part.bytes)) return false;
    Object.assign(part, { lines: part.lines + lines.length, bytes: part.bytes + text.length, mark });
    return true;
  }

  get #last(): CachePart | null {
    const last = this.#parts.at(-1);
    return last !== undefined && this.#isOpen && last.bytes < PART_BYTES ? last : null;
  }

  #dropForeign({ demand }: Saving): void {
    if (this.#foreign.length > 0) demand();
    for (const name of this.#foreign) fs.rmSync(path.join(this.#place.folder, name), { force: true, recursive: true });
    this.#foreign = [];
  }

  #file(number: number): string {
    return path.join(this.#place.folder, partName(number));
  }
}

function goneAt(file: string): { readonly line: CacheLine; readonly fields: string } {
  return { line: [file], fields: '' };
}

function add(draft: Draft, line: CacheLine, fields: string | Buffer): void {
  draft.lines.push(line);
  draft.contents.push(fields);
  draft.chars += fields.length + (line[0]?.length ?? 0) + (line[1]?.toString().length ?? 0);
}
