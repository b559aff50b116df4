import type { FileStat } from '../files.ts';
import { PackedRows } from './packed-rows.ts';
import { isPackedKind, Packing, type Piece, Room } from './packing.ts';
import { PathNumbers } from './postings/path-numbers.ts';
import type { VaultRecord } from './record.ts';
import { CachedRecord } from './record-cache.ts';

/** How many packed records are kept parsed: those that were asked for last. */
const KEPT_PARSED = 512;

/**
 * The records by path. What a vault has many of, tasks and what grows with the years, lies packed outside the heap and is
 * parsed when it is asked for. Matters and the rest stay as they are.
 */
export class RecordStore {
  /** Each record's number, by its path. */
  readonly numbers = new PathNumbers();
  /** Those that stay as they are, by number. */
  readonly #standing = new Map<number, VaultRecord | CachedRecord>();
  readonly #rows = new PackedRows();
  readonly #parsed = new Map<string, VaultRecord>();
  readonly #packing = new Packing();
  readonly #room = new Room();
  /** The paths whose records have changed, come or gone since they were saved. */
  readonly unsaved = new Set<string>();

  /** Adds a record as just read, or as cached, in the place of any of the same path; returns its number. */
  put(record: VaultRecord | CachedRecord): number {
    const number = this.numbers.give(record.path);
    this.#forget(record.path, number);
    if (record instanceof CachedRecord) this.unsaved.delete(record.path);
    else this.unsaved.add(record.path);
    const { kind, stat } = record;
    const content = isPackedKind(kind) ? this.#content(record) : null;
    if (isPackedKind(kind) && content !== null) this.#rows.set(number, { kind, stat, content });
    else this.#standing.set(number, record instanceof CachedRecord ? record : standing(record));
    return number;
  }

  delete(path: string): void {
    const number = this.numbers.of(path);
    if (number === undefined) return;
    this.#forget(path, number);
    this.unsaved.add(path);
    this.numbers.release(path);
  }

  #forget(path: string, number: number): void {
    if (!this.#standing.delete(number)) this.#rows.clear(number);
    this.#parsed.delete(path);
  }

  has(path: string): boolean {
    return this.numbers.of(path) !== undefined;
  }

  /** Returns the record of a path, or undefined where there is none. */
  get(path: string): VaultRecord | undefined {
    const number = this.numbers.of(path);
    if (number === undefined) return undefined;
    const known = this.#standing.get(number);
    if (known === undefined) return this.#parsed.get(path) ?? this.#remembered(this.#unpacked(path, number));
    if (!(known instanceof CachedRecord)) return known;
    const record = known.record();
    this.#standing.set(number, record);
    return record;
  }

  get size(): number {
    return this.numbers.size;
  }

  paths(): IterableIterator<string> {
    return this.numbers.paths();
  }

  /** Returns the record of a path for the moment: nothing parsed is kept. */
  peek(path: string): VaultRecord | undefined {
    const number = this.numbers.of(path);
    if (number === undefined) return undefined;
    const known = this.#standing.get(number);
    if (known === undefined) return this.#parsed.get(path) ?? this.#unpacked(path, number);
    return known instanceof CachedRecord ? known.record() : known;
  }

  /** Returns the stat of a file as last read, without parsing its record, or undefined where there is none. */
  statOf(path: string): FileStat | undefined {
    const number = this.numbers.of(path);
    if (number === undefined) return undefined;
    return this.#standing.get(number)?.stat ?? this.#rows.stat(number);
  }

  /** All records. What lies packed is parsed for the moment. */
  *entries(): IterableIterator<VaultRecord> {
    for (const path of this.numbers.paths()) {
      const record = this.at(path);
      if (record !== undefined) yield record;
    }
  }

  /** Returns the record of a path as `get` does, for somebody who goes over many: what is packed is not remembered. */
  at(path: string): VaultRecord | undefined {
    const number = this.numbers.of(path);
    if (number === undefined || this.#standing.has(number)) return this.get(path);
    return this.#parsed.get(path) ?? this.#unpacked(path, number);
  }

  #content(record: VaultRecord | CachedRecord): Piece | null {
    if (record instanceof CachedRecord) return record.piece;
    const packed = this.#packing.pack(record);
    return packed === null ? null : this.#room.take(packed);
  }

  #unpacked(path: string, number: number): VaultRecord {
    const { kind, stat, content } = this.#rows.at(number);
    return this.#packing.unpack({ kind, path, stat }, content);
  }

  #remembered(record: VaultRecord): VaultRecord {
    const [oldest] = this.#parsed.size < KEPT_PARSED ? [] : this.#parsed.keys();
    if (oldest !== undefined) this.#parsed.delete(oldest);
    this.#parsed.set(record.path, record);
    return record;
  }
}

// Its texts were cut out of the note, and would keep the whole of it in memory.
function standing(record: VaultRecord): VaultRecord {
  return JSON.parse(JSON.stringify(record)) as VaultRecord; // the same values, as a cache would give them back
}
