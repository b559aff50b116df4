import type { FileStat } from '../files.ts';
import { PACKED_KINDS, type Piece } from './packing.ts';
import type { PackedKind } from './record.ts';

/** Numbers in a row: mtime, ctime, size, inode, where the content begins and ends, and which kind it is. */
const WIDTH = 7;
/** How many rows the table grows by: twice as many as it has would lie empty, in a large vault, for most of the time. */
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
  readonly #free: number[] = [];

  /** Adds a record, and returns the number of its row. */
  add({ kind, stat, content }: PackedRow): number {
    const row = this.#free.pop() ?? this.#bytes.length;
    if ((row + 1) * WIDTH > this.#numbers.length) this.#grow();
    const { mtimeMs, ctimeMs, size, ino } = stat;
    this.#numbers.set([mtimeMs, ctimeMs, size, ino, content.from, content.to, PACKED_KINDS.indexOf(kind)], row * WIDTH);
    this.#bytes[row] = content.bytes;
    return row;
  }

  /** Gives a row free for another record. */
  free(row: number): void {
    this.#bytes[row] = null;
    this.#free.push(row);
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

  #grow(): void {
    const more = new Float64Array(this.#numbers.length + MORE_ROWS * WIDTH);
    more.set(this.#numbers);
    this.#numbers = more;
  }
}
