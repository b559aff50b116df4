import { Turns } from '../disk/slices.ts';
import type { FileStat } from '../files.ts';
import { stem } from '../note-names.ts';
import { type Block, isRecordLine, type RecordLine } from './cache/block.ts';
import { blocksOf, type CachePart, type CachePlace, firstMarks, partBytes, partName, partsIn } from './cache/parts.ts';
import { type Index, indexKeys } from './index-keys.ts';
import { isPackedKind, Packing, type Piece } from './packing.ts';
import type { VaultRecord } from './record.ts';

/** Is told of an index, and of a key in it. */
type KeyTold = (index: Index, key: string) => void;

/** Where in a line the indexes and keys begin. */
const FIRST_KEY = 7;

/** The files of the cache as they were found. */
export interface FoundParts {
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
export function cachedAs(
  record: VaultRecord,
  packing: Packing,
): { readonly line: RecordLine; readonly fields: string } {
  const { kind, path, name: _, stat, ...content } = record;
  const fields = packing.pack(record) ?? JSON.stringify(content);
  const { mtimeMs, ctimeMs, size, ino } = stat;
  const keys = indexKeys(record).flat();
  return { line: [kind, path, mtimeMs, ctimeMs, size, ino, Buffer.byteLength(fields), ...keys], fields };
}
