import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { appendBehind } from './entry-log.ts';
import { isRefusal, systemCode } from './errors.ts';
import {
  type FileBytes,
  type FileStat,
  fileError,
  isElsewhere,
  readBytes,
  readInside,
  sameStat,
  slim,
  statInside,
} from './files.ts';
import { type CachedRecord, Catalogue, copyRecord, findOriginal, parentFolder, type SavedRecords } from './index.ts';
import { readOwnJson } from './json.ts';
import { type FolderKind, type Layout, MAX_NOTE_BYTES, type PathKind, possibleOriginals, stem } from './layout.ts';
import { type BadRecord, type FieldMapping, readRecord, type VaultRecord } from './record.ts';
import type { Seal } from './seal.ts';
import { Turns } from './time.ts';
import { type FolderContents, listContents, type VaultWalk, type WalkVisitor } from './watcher.ts';

// The known files of a vault: the records of the last run, for a fast start, and the files that a walk meets or misses.

const { O_NOFOLLOW } = fs.constants;
const NAME = /^records-(\d{8})\.cache$/;
/** A larger part isn't ours. */
const MAX_PART_BYTES = 64 * 1024 * 1024;
/** Nor are all parts together larger. */
const MAX_BYTES = 4 * 1024 ** 3;
/** Numbers from here on aren't ours: no number would be left behind the last one. */
const FIRST_FOREIGN_NUMBER = 90_000_000;
/** A part that has grown to this size is complete, so that dropping one costs little. */
const PART_BYTES = 4 * 1024 * 1024;
const BLOCK_CHARS = 128 * 1024;
/** This many lines may be out of date, and a quarter as many as there are records. */
const SPARE_LINES = 1000;
/** A block's first line is never longer. */
const MAX_HEAD_BYTES = 200;

/** The folder of the parts. `key`: the format, and the settings by which notes are read. */
interface CachePlace {
  readonly folder: string;
  readonly key: string;
  readonly seal: Seal;
}

/** A file of the cache that blocks are added to. */
interface Part {
  readonly number: number;
  lines: number;
  bytes: number;
  /** The mark of its last block, which the next one includes. */
  mark: string;
}

/** A line of the cache: a record, or only the path of one that is gone. */
type Line = CachedRecord | Pick<CachedRecord, 'path'>;

interface Block {
  readonly lines: readonly Line[];
  readonly mark: string;
  /** The byte at which the next block begins. */
  readonly end: number;
}

interface FoundParts {
  /** Oldest first. */
  readonly parts: readonly Part[];
  /** Whether the last one ends with a whole block, and may be added to. */
  readonly isWhole: boolean;
  /** The names of those that this program didn't make, or made under other settings. */
  readonly foreign: readonly string[];
}

/**
 * The records as last read, so that a start reads only the notes that changed since.
 *
 * They are in parts that are only added to, block by block; of several lines about a path the last one counts. The mark of
 * each block covers that block and those before it. A block that this program didn't write, in the same format and under the
 * same settings, is ignored with all that follows in its part.
 */
export class RecordCache {
  /** The saved records that haven't been taken over yet, by path. */
  readonly left: ReadonlyMap<string, CachedRecord>;
  /** Whether no records were saved. */
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

  /** Reads the cache in a folder. Yields to other work. */
  static async read(place: CachePlace): Promise<RecordCache> {
    const { numbers, foreign } = partsIn(place.folder);
    const records = new Map<string, CachedRecord>();
    const parts: Part[] = [];
    const turns = new Turns();
    let isWhole = false;
    for (const number of numbers) {
      const bytes = bytesOfPart(place, number);
      const part = { number, lines: 0, bytes: 0, mark: firstMark(place, number) };
      for (const { lines, end, mark } of blocksIn(bytes, part.mark, place.seal)) {
        for (const line of lines) {
          if ('json' in line) records.set(line.path, line);
          else records.delete(line.path);
        }
        Object.assign(part, { lines: part.lines + lines.length, bytes: end, mark });
        await turns.giveWay();
      }
      isWhole = part.lines > 0 && part.bytes === bytes.length;
      if (part.lines === 0) foreign.push(partName(number));
      else parts.push(part);
    }
    return new RecordCache(place, records, { parts, isWhole, foreign });
  }

  /** Takes over the record of a file that hasn't changed since it was saved; returns null if it has. */
  take(file: string, stat: FileStat): CachedRecord | null {
    const record = this.#records.get(file);
    if (record === undefined || !sameStat(record.stat, stat)) return null;
    this.#records.delete(file);
    return record;
  }
}

/** How records are saved. */
export interface Saving {
  /** Whether the line about a path is still needed as it is. */
  readonly isHeld: (path: string) => boolean;
  /** Throws if the folder is no longer this process's to write to. */
  readonly demand: () => void;
  /** Whether there is time for more: the rest is saved the next time, or read again by the next start. */
  readonly hasTime: () => boolean;
}

interface Draft {
  readonly lines: Line[];
  chars: number;
}

/**
 * Writes the cache that `RecordCache` reads: saving costs what has changed. It doesn't wait for the disk, since notes that a
 * power cut takes out of the cache are read again. If many lines are out of date, it drops the oldest part and adds the lines
 * of it that still count behind the newest.
 */
export class RecordLog {
  #place: CachePlace;
  readonly #records: SavedRecords;
  /** Oldest first. */
  #parts: Part[];
  /** Whether the last part may be added to: it may end with half a block. */
  #isOpen: boolean;
  #foreign: readonly string[];
  readonly #turns = new Turns();

  private constructor(place: CachePlace, records: SavedRecords, { parts, isWhole, foreign }: FoundParts) {
    this.#place = place;
    this.#records = records;
    this.#parts = [...parts];
    this.#isOpen = isWhole;
    this.#foreign = foreign;
  }

  /** Goes on behind a cache that was read. Cached records that are gone by now are marked as unsaved. */
  static async behind(cache: RecordCache, records: SavedRecords): Promise<RecordLog> {
    const turns = new Turns();
    for (const file of cache.left.keys()) {
      if (!records.has(file)) records.unsaved.add(file);
      if (turns.isLate) await turns.giveWay();
    }
    return new RecordLog(cache.place, records, cache.found);
  }

  /**
   * Saves what changed since the last time. Yields to other work, so it must not run twice at a time. `key`: how
   * records are read by now. Throws the disk's refusal: then the same is saved the next time.
   */
  async save(key: string, saving: Saving): Promise<void> {
    if (key !== this.#place.key) this.#beginAgain(key);
    const { unsaved } = this.#records;
    const paths = [...unsaved];
    unsaved.clear();
    let done = 0;
    try {
      while (done < paths.length && saving.hasTime()) done = await this.#saveSome(paths, done, saving);
    } finally {
      for (const file of paths.slice(done)) unsaved.add(file);
    }
    this.#removeForeign(saving);
    while (this.#hasManyOldLines && saving.hasTime()) await this.#dropOldest(saving);
  }

  // Under other settings all notes have been read again.
  #beginAgain(key: string): void {
    this.#foreign = [...this.#foreign, ...this.#parts.map(({ number }) => partName(number))];
    this.#parts = [];
    this.#place = { ...this.#place, key };
  }

  get #hasManyOldLines(): boolean {
    const lines = this.#parts.reduce((sum, part) => sum + part.lines, 0);
    return lines > 1.25 * this.#records.size + SPARE_LINES;
  }

  /** Saves a block of paths, and returns how many are done by now. */
  async #saveSome(paths: readonly string[], from: number, { isHeld, demand }: Saving): Promise<number> {
    const { unsaved } = this.#records;
    const draft: Draft = { lines: [], chars: 0 };
    let next = from;
    for (; next < paths.length && draft.chars < BLOCK_CHARS && !this.#turns.isLate; next += 1) {
      const file = paths[next] ?? '';
      // A record that has changed again is saved the next time: its consequences may not be on disk yet.
      if (isHeld(file)) unsaved.add(file);
      else if (!unsaved.has(file)) addLine(draft, this.#records.cached(file) ?? { path: file });
    }
    this.#write(draft, demand);
    await this.#turns.giveWay();
    return next;
  }

  async #dropOldest({ isHeld, demand, hasTime }: Saving): Promise<void> {
    const [part] = this.#parts;
    if (part === undefined) return;
    if (this.#parts.length === 1) this.#isOpen = false;
    let draft: Draft = { lines: [], chars: 0 };
    const { number } = part;
    // Anybody may have changed the part since: only its marks say what this program wrote.
    for (const { lines } of blocksIn(
      bytesOfPart(this.#place, number),
      firstMark(this.#place, number),
      this.#place.seal,
    )) {
      for (const line of lines)
        if ('json' in line && (this.#isCurrent(line) || isHeld(line.path))) addLine(draft, line);
      if (draft.chars >= BLOCK_CHARS) {
        this.#write(draft, demand);
        draft = { lines: [], chars: 0 };
      }
      await this.#turns.giveWay();
      if (!hasTime()) return; // the lines added so far exist twice until the next time
    }
    this.#write(draft, demand);
    demand();
    fs.rmSync(this.#file(number), { force: true });
    this.#parts = this.#parts.filter((one) => one !== part);
  }

  #isCurrent({ path: file, stat }: CachedRecord): boolean {
    const now = this.#records.statOf(file);
    return now !== undefined && sameStat(now, stat);
  }

  #write({ lines }: Draft, demand: () => void): void {
    if (lines.length === 0) return;
    demand();
    try {
      if (!this.#isAddedToLast(lines)) this.#addPart(lines);
    } catch (error) {
      this.#isOpen = false;
      for (const line of lines) this.#records.unsaved.add(line.path);
      throw fileError(error, '.steward/cache');
    }
  }

  #isAddedToLast(lines: readonly Line[]): boolean {
    const last = this.#parts.at(-1);
    return last !== undefined && this.#isOpen && last.bytes < PART_BYTES && this.#isAdded(last, lines);
  }

  #addPart(lines: readonly Line[]): void {
    const { numbers } = partsIn(this.#place.folder);
    const number = Math.max(0, ...numbers.slice(-1), ...this.#parts.slice(-1).map((part) => part.number)) + 1;
    const part = { number, lines: 0, bytes: 0, mark: firstMark(this.#place, number) };
    this.#isAdded(part, lines);
    this.#parts.push(part);
    this.#isOpen = true;
  }

  #isAdded(part: Part, lines: readonly Line[]): boolean {
    const body = Buffer.from(JSON.stringify(lines));
    const mark = this.#place.seal.ofAll([markedHead(part.mark, body.length), body]);
    const block = Buffer.concat([Buffer.from(`${JSON.stringify({ seal: mark, bytes: body.length })}\n`), body]);
    if (!appendBehind(this.#file(part.number), block, part.bytes)) return false;
    Object.assign(part, { lines: part.lines + lines.length, bytes: part.bytes + block.length, mark });
    return true;
  }

  #removeForeign({ demand }: Saving): void {
    if (this.#foreign.length > 0) demand();
    for (const name of this.#foreign) fs.rmSync(path.join(this.#place.folder, name), { force: true, recursive: true });
    this.#foreign = [];
  }

  #file(number: number): string {
    return path.join(this.#place.folder, partName(number));
  }
}

function addLine(draft: Draft, line: Line): void {
  draft.lines.push(line);
  draft.chars += line.path.length + ('json' in line ? line.json.length : 0);
}

/** Returns the numbers of the parts in a folder, oldest first, and the names of files that can't be parts. */
function partsIn(folder: string): { readonly numbers: readonly number[]; readonly foreign: string[] } {
  let room = MAX_BYTES;
  const [numbers, foreign]: [number[], string[]] = [[], []];
  // The newest first: if there is too much, they count.
  for (const name of namesIn(folder).sort().reverse()) {
    const number = Number(NAME.exec(name)?.[1]);
    room -= fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    if (number >= FIRST_FOREIGN_NUMBER || room < 0) foreign.push(name);
    else numbers.push(number);
  }
  return { numbers: numbers.reverse(), foreign };
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).filter((name) => NAME.test(name));
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return []; // no cache yet
  }
}

function partName(number: number): string {
  return `records-${String(number).padStart(8, '0')}.cache`;
}

/** No bytes if the part is gone or can't be read: its notes are read again. */
function bytesOfPart({ folder }: CachePlace, number: number): Buffer {
  try {
    return readBytes(path.join(folder, partName(number)), MAX_PART_BYTES, O_NOFOLLOW).bytes;
  } catch {
    return Buffer.alloc(0);
  }
}

/**
 * The mark that the first block of a part follows: it has the part's own number, so that no part can replace another.
 */
function firstMark({ key }: CachePlace, number: number): string {
  return `${number} ${key}`;
}

/** The mark covers the block before and the size: blocks can't be exchanged or cut elsewhere. */
function markedHead(before: string, bytes: number): string {
  return `${before} ${bytes}\n`;
}

const head = z.object({ seal: z.string(), bytes: z.int().min(2) });

/** Yields the blocks in a part's bytes, up to the first that this program didn't write there. */
function* blocksIn(bytes: Buffer, first: string, seal: Seal): Generator<Block> {
  let before = first;
  for (let at = 0; at < bytes.length; ) {
    const block = blockAt(bytes, at, before, seal);
    if (block === null) return;
    yield block;
    before = block.mark;
    at = block.end;
  }
}

function blockAt(bytes: Buffer, at: number, before: string, seal: Seal): Block | null {
  const cut = bytes.subarray(at, at + MAX_HEAD_BYTES).indexOf('\n');
  const found = cut < 0 ? null : readOwnJson(head, bytes.toString('utf8', at, at + cut));
  if (found === null) return null;
  const end = at + cut + 1 + found.bytes;
  const body = bytes.subarray(at + cut + 1, end);
  if (!seal.holdsAll([markedHead(before, body.length), body], found.seal)) return null;
  const lines = JSON.parse(body.toString('utf8')) as Line[]; // as marked: this program wrote it
  return { lines, mark: found.seal, end };
}

/** Returns the bytes of the note that a vault-relative path leads to, through links that stay in the vault. */
function resolvedBytes(root: string, file: string): FileBytes {
  return readInside(root, file, MAX_NOTE_BYTES);
}

/**
 * The same for a path that a listing has just found by walking real folders: only its last part can be a link, and
 * `open` itself detects that. Resolving every path took as long as reading the notes.
 */
function plainBytes(root: string, file: string): FileBytes {
  try {
    return readBytes(`${root}/${file}`, MAX_NOTE_BYTES, fs.constants.O_NOFOLLOW);
  } catch (error) {
    if (systemCode(error) !== 'ELOOP') throw error;
    return resolvedBytes(root, file);
  }
}

/** One thing that changed in the vault, as the catalogue saw it before and sees it now. */
export interface RecordChange {
  readonly path: string;
  readonly before: VaultRecord | null;
  readonly after: VaultRecord | null;
}

export interface ChangeBatch {
  readonly changes: RecordChange[];
  /** Files under `stream/` that are new or changed. */
  readonly streamed: string[];
}

interface OwnNoteListeners {
  readonly settings: () => void;
  readonly sources: () => void;
}

/**
 * The vault's files as last seen: the records in the catalogue, the stream files, the conflict copies, and the settings
 * note. It changes only by looking at single files, or by taking over a whole listing.
 */
export class KnownFiles {
  readonly root: string;
  readonly catalogue = new Catalogue();
  /** Stream files as last seen. */
  readonly streams = new Map<string, FileStat>();
  readonly conflictCopies = new Set<string>();
  /** Files of which only a placeholder is on this device. */
  readonly placeholders = new Set<string>();
  layout: Layout;
  mapping: FieldMapping;
  #settingsStat: FileStat | null = null;
  /** Source notes as last seen. */
  readonly #sources = new Map<string, FileStat>();
  readonly #heard: OwnNoteListeners;

  constructor(root: string, layout: Layout, mapping: FieldMapping, heard: OwnNoteListeners) {
    this.root = root;
    this.layout = layout;
    this.mapping = mapping;
    this.#heard = heard;
  }

  /** Reads a file that a walk has met for the first time, or takes it from the cache if it is unchanged. */
  readFirst(file: string, stat: FileStat, kind: PathKind, cache: RecordCache): void {
    const cached = cache.take(file, stat);
    if (cached !== null) this.catalogue.put(cached);
    else if (kind === 'stream') this.#remember(this.streams, file, stat);
    else if (kind === 'source') this.#remember(this.#sources, file, stat);
    else if (kind === 'settings') this.#settingsStat ??= stat;
    else this.catalogue.put(this.#read(file, stat, plainBytes));
  }

  /** Reads a note that a walk has just found as a plain file. Returns false, with nothing done, where it cannot be read. */
  readUnseen(file: string, kind: PathKind): boolean {
    try {
      this.catalogue.put(this.#recordIn(file, kind, plainBytes));
      return true;
    } catch {
      return false; // gone in the meantime, or no note: its stat shows which
    }
  }

  /** Looks at one path, and adds what changed to the batch. Ignores a path that is not read, or is gone. */
  look(file: string, batch: ChangeBatch): void {
    const kind = this.layout.kindOf(file);
    if (kind === 'conflict-copy') this.conflictCopies.add(file);
    if (!this.layout.isRead(kind)) return;
    const stat = statInside(this.root, file);
    if (stat === null) return;
    if (kind === 'settings') {
      if (this.#settingsStat === null || !sameStat(this.#settingsStat, stat)) this.#settingsChanged(stat);
    } else if (kind === 'stream') {
      const seen = this.streams.get(file);
      this.#remember(this.streams, file, stat);
      if (seen === undefined || !sameStat(seen, stat)) batch.streamed.push(file);
    } else if (kind === 'source') {
      const seen = this.#sources.get(file);
      this.#remember(this.#sources, file, stat);
      if (seen === undefined || !sameStat(seen, stat)) this.#heard.sources();
    } else {
      const before = this.catalogue.get(file) ?? null;
      if (before !== null && sameStat(before.stat, stat)) return;
      if (before === null) this.#forgetMoved(file, batch);
      const after = this.#unlessCopy(this.#read(file, stat, resolvedBytes));
      this.catalogue.put(after);
      if (!isStillRefused(before, after)) batch.changes.push({ path: file, before, after });
    }
  }

  /**
   * Looks for copies of notes among the records: by their names, in any order in which they were read. Pauses after
   * each. A copy stays one as long as its note is there, however both change.
   */
  *findCopies(): Generator<void> {
    for (const file of [...this.catalogue.paths()]) {
      yield;
      if (possibleOriginals(stem(file)).length === 0) continue;
      const record = this.catalogue.get(file);
      if (record !== undefined && record.kind !== 'bad') this.#putIfCopy(record);
    }
    const batch: ChangeBatch = { changes: [], streamed: [] };
    this.recheckCopies(batch);
  }

  #putIfCopy(record: VaultRecord): VaultRecord {
    const now = this.#unlessCopy(record);
    if (now !== record) this.catalogue.put(now);
    return now;
  }

  /** Looks again at files that have just been read: the note that one is a copy of may have come after it. */
  lookForCopies(files: Iterable<string>, batch: ChangeBatch): void {
    for (const path of files) {
      const before = possibleOriginals(stem(path)).length === 0 ? undefined : this.catalogue.get(path);
      if (before === undefined || before.kind === 'bad') continue;
      const after = this.#putIfCopy(before);
      if (after !== before) batch.changes.push({ path, before, after });
    }
  }

  /** Reads the copies again whose notes are gone, and adds what they are now to the batch. */
  recheckCopies(batch: ChangeBatch): void {
    for (const before of this.catalogue.bad()) {
      if (before.copyOf === undefined || this.#isThere(before.copyOf)) continue;
      const after = this.#unlessCopy(this.#read(before.path, before.stat, resolvedBytes));
      this.catalogue.put(after);
      batch.changes.push({ path: before.path, before: null, after });
    }
  }

  #isThere(file: string): boolean {
    const original = this.catalogue.get(file);
    return original !== undefined && (original.kind !== 'bad' || original.copyOf === undefined);
  }

  #unlessCopy(record: VaultRecord): VaultRecord {
    const original = findOriginal(record, (name) => this.catalogue.named(name));
    // A note that is just being renamed is still known under its former name.
    if (original === null || statInside(this.root, original.path) === null) return record;
    return copyRecord(record, original.path);
  }

  forget(file: string, batch: ChangeBatch): void {
    this.#drop(this.streams, file);
    if (this.#drop(this.#sources, file)) this.#heard.sources();
    if (this.layout.kindOf(file) === 'settings') this.#settingsChanged(null);
    const before = this.catalogue.get(file) ?? null;
    if (before === null) return;
    this.catalogue.remove(file);
    batch.changes.push({ path: file, before, after: null });
  }

  /** Forgets all stream files, without telling anybody. */
  forgetStreams(): void {
    for (const file of [...this.streams.keys()]) this.#drop(this.streams, file);
  }

  adopt(walk: VaultWalk): void {
    this.conflictCopies.clear();
    for (const file of walk.conflictCopies) this.conflictCopies.add(file);
    this.placeholders.clear();
    for (const file of walk.placeholders) this.placeholders.add(file);
  }

  /** Takes over what the cache knows of the files of which only a placeholder is here. */
  takeAbsent(placeholders: ReadonlySet<string>, cache: RecordCache): void {
    for (const file of placeholders) {
      const cached = cache.left.get(file);
      if (cached !== undefined && this.catalogue.get(file) === undefined) this.catalogue.put(cached);
    }
  }

  /** Takes over which other notes have come and gone. Pauses after each. */
  *takeNotes(appeared: readonly string[], gone: readonly string[]): Generator<void> {
    for (const note of appeared) {
      this.catalogue.addNote(note);
      yield;
    }
    for (const note of gone) {
      this.catalogue.dropNote(note);
      yield;
    }
  }

  /** Forgets the settings note if it was there before. */
  dropSettings(): void {
    if (this.#settingsStat !== null) this.#settingsChanged(null);
  }

  /** Whether a record, a stream file or the settings note is known at this path. */
  has(file: string): boolean {
    const isSettings = this.#settingsStat !== null && this.layout.kindOf(file) === 'settings';
    return isSettings || this.catalogue.get(file) !== undefined || this.streams.has(file) || this.#sources.has(file);
  }

  /** Returns the stat of a record, stream file or source note as last seen, or undefined if unknown. */
  statOf(file: string): FileStat | undefined {
    return this.catalogue.statOf(file) ?? this.streams.get(file) ?? this.#sources.get(file);
  }

  /** The paths of all records, stream files and source notes. */
  *paths(): Generator<string> {
    yield* this.catalogue.paths();
    yield* this.streams.keys();
    yield* this.#sources.keys();
  }

  // A note that appears when its namesake is gone was moved: the two never exist at once.
  #forgetMoved(file: string, batch: ChangeBatch): void {
    const folder = this.layout.folderKindOf(file);
    for (const { path: other } of this.catalogue.named(stem(file))) {
      const isGone = this.layout.folderKindOf(other) === folder && statInside(this.root, other) === null;
      if (isGone && !isElsewhere(this.root, other)) this.forget(other, batch);
    }
  }

  #settingsChanged(stat: FileStat | null): void {
    this.#settingsStat = stat;
    this.#heard.settings();
  }

  // Counted along with the records, for the next sweep.
  #remember(seen: Map<string, FileStat>, file: string, stat: FileStat): void {
    if (!seen.has(file)) this.catalogue.folders.add(file);
    seen.set(file, stat);
  }

  #drop(seen: Map<string, FileStat>, file: string): boolean {
    const isKnown = seen.delete(file);
    if (isKnown) this.catalogue.folders.remove(file);
    return isKnown;
  }

  #read(file: string, seen: FileStat, read: typeof resolvedBytes): VaultRecord {
    try {
      return this.#recordIn(file, this.layout.kindOf(file), read);
    } catch (error) {
      return unreadableRecord(file, seen, error);
    }
  }

  #recordIn(file: string, kind: PathKind, read: typeof resolvedBytes): VaultRecord {
    const { bytes, stat } = read(this.root, file);
    return readRecord(this.layout, this.mapping, file, slim(stat), bytes, this.catalogue.words, kind);
  }
}

const STAT_ONLY: ReadonlySet<PathKind> = new Set<PathKind>(['stream', 'source', 'settings']);

/** The first walk through a vault: everything that it meets is read at once. */
export class FirstReading implements WalkVisitor {
  readonly met = new Map<FolderKind, number>();
  readonly #files: KnownFiles;
  readonly #cache: RecordCache;

  constructor(files: KnownFiles, cache: RecordCache) {
    this.#files = files;
    this.#cache = cache;
  }

  enter = (): void => {};

  take = (file: string, kind: PathKind, folder: FolderKind | null): boolean => {
    if (STAT_ONLY.has(kind) || this.#cache.left.has(file) || !this.#files.readUnseen(file, kind)) return false;
    this.#count(folder);
    return true;
  };

  file = (file: string, stat: FileStat, kind: PathKind, folder: FolderKind | null): void => {
    this.#count(folder);
    this.#files.readFirst(file, stat, kind, this.#cache);
  };

  #count(folder: FolderKind | null): void {
    if (folder !== null) this.met.set(folder, (this.met.get(folder) ?? 0) + 1);
  }

  note = (file: string): void => this.#files.catalogue.addNote(file);

  leave = (): void => {};
}

/** How many files each record folder had at the last look, and has now. */
export interface FileCounts {
  readonly before: ReadonlyMap<FolderKind, number>;
  readonly now: ReadonlyMap<FolderKind, number>;
}

interface Missing {
  /** Whether no file is missing, not even in folders that cannot be read. */
  readonly isWhole: boolean;
  readonly files: readonly string[];
  readonly notes: readonly string[];
}

/**
 * A walk compared with what is known, folder by folder as it is listed. If the walk met as many known files in a folder
 * as are known of it, and no file came in the meantime, the folder is complete. Only for others are files looked up by
 * name, so a complete vault costs no memory that grows with it.
 */
export class Comparison implements WalkVisitor {
  /** Files that are new, or have changed since they were read. The settings note is always among them. */
  readonly changed: string[] = [];
  /** Other notes that were not known. */
  readonly appeared: string[] = [];
  isSettingsMet = false;
  readonly #known: KnownFiles;
  readonly #watch: (folder: string) => void;
  /** How many files were known of each folder when the walk began. */
  readonly #before: ReadonlyMap<string, number>;
  readonly #now = new Map<FolderKind, number>();
  readonly #entered = new Set<string>();
  readonly #lacking = new Set<string>();
  #met = 0;

  /** `watch`: has a folder watched that is about to be listed. */
  constructor(known: KnownFiles, watch: (folder: string) => void) {
    this.#known = known;
    this.#watch = watch;
    this.#before = known.catalogue.folders.taken();
  }

  enter = (folder: string): void => {
    this.#watch(folder);
    this.#entered.add(folder);
    this.#met = 0;
  };

  file = (file: string, stat: FileStat, kind: PathKind, folder: FolderKind | null): void => {
    if (folder !== null) this.#now.set(folder, (this.#now.get(folder) ?? 0) + 1);
    if (kind === 'settings') this.isSettingsMet = true;
    const known = this.#known.statOf(file);
    if (known !== undefined) this.#met += 1;
    if (known === undefined || !sameStat(known, stat)) this.changed.push(file);
  };

  note = (file: string): void => {
    if (this.#known.catalogue.notes().has(file)) this.#met += 1;
    else this.appeared.push(file);
  };

  leave = (folder: string): void => {
    const before = this.#before.get(folder) ?? 0;
    // A file that became known in the meantime may have been counted in place of one that is gone.
    if (this.#met !== before || this.#known.catalogue.folders.of(folder) !== before) this.#lacking.add(folder);
  };

  /** Returns how many files each record folder had when the walk began, and how many were met. */
  held(layout: Layout): FileCounts {
    const before = new Map<FolderKind, number>();
    for (const [folder, count] of this.#before) {
      const kind = layout.folderKindOf(`${folder}/`);
      if (kind !== null) before.set(kind, (before.get(kind) ?? 0) + count);
    }
    return { before, now: this.#now };
  }

  /** Returns the known files that are missing, except in folders that cannot be read. Pauses after each path. */
  *missing(unreadable: ReadonlyMap<string, string>): Generator<void, Missing> {
    const isUnread = (folder: string) => !this.#entered.has(folder) || unreadable.has(folder);
    const all = new Set([...this.#lacking, ...[...this.#before.keys()].filter(isUnread)]);
    const isKept = (folder: string) =>
      [...unreadable.keys()].some((one) => folder === one || folder.startsWith(`${one}/`));
    const lacking = new Set([...all].filter((folder) => !isKept(folder)));
    if (lacking.size === 0) return { isWhole: all.size === 0, files: [], notes: [] };
    const { root, layout, catalogue } = this.#known;
    const contents = new Map<string, FolderContents | null>();
    const here = function* (this: Comparison, file: string): Generator<void, FolderContents | null> {
      const folder = parentFolder(file);
      if (!lacking.has(folder)) return null;
      // A folder that the walk did not enter is not looked into either: it may be reached through a link out of the vault.
      if (!contents.has(folder))
        contents.set(folder, this.#entered.has(folder) ? yield* listContents(root, layout, folder) : EMPTY);
      return contents.get(folder) ?? null;
    }.bind(this);
    const files: string[] = [];
    for (const file of this.#known.paths()) {
      yield;
      if ((yield* here(file))?.files.has(file) === false) files.push(file);
    }
    const notes: string[] = [];
    for (const note of catalogue.notes()) {
      yield;
      if ((yield* here(note))?.notes.has(note) === false) notes.push(note);
    }
    return { isWhole: false, files, notes };
  }
}

const EMPTY: FolderContents = { files: new Set(), notes: new Set() };

/** An inode that no file has, so that every sweep sees the note as changed and reads it again. */
const NO_INODE = 0;

/**
 * Returns the record of a note that could not be read. An error of the disk, or of loading a part of the program, is no
 * fault of the note itself.
 */
export function unreadableRecord(file: string, seen: FileStat, error: unknown): BadRecord {
  const { trouble } = fileError(error, file);
  const stat = isRefusal(error) ? seen : { ...seen, ino: NO_INODE };
  return { kind: 'bad', path: file, name: stem(file), stat, trouble: { ...trouble, file } };
}

/** Whether a note is bad because the disk, or the system, does not give it now: its content is unknown. */
export function isUnread({ stat }: BadRecord): boolean {
  return stat.ino === NO_INODE;
}

/** Whether the disk refuses a note just as before: that is reported once, however often the note is read. */
function isStillRefused(before: VaultRecord | null, after: VaultRecord): boolean {
  if (before?.kind !== 'bad' || after.kind !== 'bad') return false;
  return isUnread(after) && before.trouble.message === after.trouble.message;
}
