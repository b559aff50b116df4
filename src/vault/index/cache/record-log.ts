import fs from 'node:fs';
import path from 'node:path';
import { appendBehind } from '../../disk/append.ts';
import { Turns } from '../../disk/slices.ts';
import { type FileStat, fileError, sameStat } from '../../files.ts';
import { Packing } from '../packing.ts';
import type { VaultRecord } from '../record.ts';
import { cachedAs, type FoundParts, type RecordCache } from '../record-cache.ts';
import { blockOf, type CacheLine, isRecordLine, type RecordLine } from './block.ts';
import { blocksOf, type CachePart, type CachePlace, firstMarks, partBytes, partName, partsIn } from './parts.ts';

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
