import type { FileStat } from '../files.ts';
import { PACKED_KINDS, type Piece } from './packing.ts';
import type { PackedKind } from './record.ts';

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
