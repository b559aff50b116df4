import type { FileStat } from '../files.ts';
import { PackedRows } from './packed-rows.ts';
import { isPackedKind, Packing, Room } from './packing.ts';
import type { VaultRecord } from './record.ts';
import { CachedRecord } from './record-cache.ts';

/** How many packed records are kept parsed: those that were asked for last. */
const KEPT_PARSED = 256;

/**
 * The records by path. What grows with the years, events, their reversals and signals, lies packed outside the heap and
 * is parsed when it is asked for. Matters, tasks and the rest stay as they are.
 */
export class RecordStore {
  /** A number is the row of a packed record. */
  readonly #records = new Map<string, VaultRecord | CachedRecord | number>();
  readonly #rows = new PackedRows();
  readonly #parsed = new Map<string, VaultRecord>();
  readonly #packing = new Packing();
  readonly #room = new Room();
  /** The paths whose records have changed, come or gone since they were saved. */
  readonly unsaved = new Set<string>();

  /** Adds a record as just read, or as cached, in the place of any of the same path. */
  put(record: VaultRecord | CachedRecord): void {
    this.delete(record.path);
    if (record instanceof CachedRecord) this.unsaved.delete(record.path);
    else this.unsaved.add(record.path);
    this.#records.set(record.path, this.#stored(record));
  }

  delete(path: string): void {
    const known = this.#records.get(path);
    if (known === undefined) return;
    if (typeof known === 'number') this.#rows.free(known);
    this.unsaved.add(path);
    this.#records.delete(path);
    this.#parsed.delete(path);
  }

  has(path: string): boolean {
    return this.#records.has(path);
  }

  /** Returns the record of a path, or undefined where there is none. */
  get(path: string): VaultRecord | undefined {
    const known = this.#records.get(path);
    if (typeof known === 'number') return this.#parsed.get(path) ?? this.#remembered(this.#unpacked(path, known));
    if (!(known instanceof CachedRecord)) return known;
    const record = known.record();
    this.#records.set(path, record);
    return record;
  }

  get size(): number {
    return this.#records.size;
  }

  paths(): IterableIterator<string> {
    return this.#records.keys();
  }

  /** Returns the record of a path for the moment: nothing parsed is kept. */
  peek(path: string): VaultRecord | undefined {
    const known = this.#records.get(path);
    if (typeof known === 'number') return this.#unpacked(path, known);
    return known instanceof CachedRecord ? known.record() : known;
  }

  /** Returns the stat of a file as last read, without parsing its record, or undefined where there is none. */
  statOf(path: string): FileStat | undefined {
    const known = this.#records.get(path);
    return typeof known === 'number' ? this.#rows.stat(known) : known?.stat;
  }

  /** All records. What lies packed is parsed for the moment. */
  *entries(): IterableIterator<VaultRecord> {
    for (const [path, known] of this.#records) {
      const record = typeof known === 'number' ? this.#unpacked(path, known) : this.get(path);
      if (record !== undefined) yield record;
    }
  }

  #unpacked(path: string, row: number): VaultRecord {
    const { kind, stat, content } = this.#rows.at(row);
    return this.#packing.unpack({ kind, path, stat }, content);
  }

  #stored(record: VaultRecord | CachedRecord): VaultRecord | CachedRecord | number {
    const { kind, stat } = record;
    if (!isPackedKind(kind)) return record instanceof CachedRecord ? record : standing(record);
    if (record instanceof CachedRecord) return this.#rows.add({ kind, stat, content: record.piece });
    const packed = this.#packing.pack(record);
    return packed === null ? record : this.#rows.add({ kind, stat, content: this.#room.take(packed) });
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
