import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { ordersOf } from '../bank-csv-cells.ts';
import { FileRefusal } from '../items.ts';

/** A row of a table. `cells` is null where it cannot be read: its quotes do not close, or it is endless. */
export interface Row {
  /** The line on which it begins, from 1 on, and the one on which it ends. */
  readonly line: number;
  readonly last: number;
  readonly cells: readonly string[] | null;
}

/** How much is handed to the parser at once. */
const BLOCK = 256 * 1024;
const MOST_LINE = 64 * 1024;
/** How many rows may be unreadable: each of them costs a look at a whole block. */
const MOST_UNREADABLE = 500;
/** A cell of more lines was opened by mistake. */
const MOST_CELL_LINES = 100;

/** Returns the text with one form of line end and without the mark of its charset. */
export function plainLines(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/**
 * Returns the rows of a text in order, without the empty ones. A quoted cell may go over several lines; a quote that never
 * closes costs its own line alone. Lines that may be one cell, or rows of their own, are neither: whoever writes a purpose
 * could make bookings of it. Throws `FileRefusal` where too many rows cannot be read.
 */
export function* rowsOf(text: string, delimiter: string): Generator<Row> {
  let unreadable = 0;
  for (let at = 0, line = 1, width = 0; at < text.length; ) {
    const end = blockEnd(text, at);
    const records = end === null ? [] : recordsIn(text.slice(at, end), delimiter);
    const lost = records.findIndex(({ from, to }) => to - from >= MOST_CELL_LINES);
    const taken = lost === -1 ? records : records.slice(0, lost);
    for (const record of taken) {
      const { cells, from, to } = record;
      const place = { line: line + from - 1, last: line + to - 1 };
      if (isDoubtful(record, width, delimiter)) yield { ...place, cells: null };
      else if (!isBlank(cells)) yield { ...place, cells };
      if (from === to) width = cells.length;
    }
    if (taken.length === 0) {
      unreadable += 1;
      if (unreadable > MOST_UNREADABLE) throw tooManyUnreadable();
      yield { line, last: line, cells: null };
    }
    const lines = taken.at(-1)?.to ?? 1;
    at = afterLines(text, at, lines);
    line += lines;
  }
}

/** Where a block of whole lines ends; null where its first line is endless. */
function blockEnd(text: string, at: number): number | null {
  const first = lineEnd(text, at);
  if (first - at > MOST_LINE) return null;
  const end = lineEnd(text, at + BLOCK);
  return end - at <= BLOCK + MOST_LINE ? end : text.lastIndexOf('\n', at + BLOCK) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

function afterLines(text: string, from: number, lines: number): number {
  let at = from;
  for (let line = 0; line < lines; line += 1) at = lineEnd(text, at);
  return at;
}

/** A row in its block: its first and its last line, from 1 on. */
interface BlockRecord {
  readonly cells: readonly string[];
  readonly from: number;
  readonly to: number;
}

const parsedRow = z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) });

/** The rows of a block up to the one that cannot be read, if there is one: a quote is open at the block's end, say. */
function recordsIn(block: string, delimiter: string): readonly BlockRecord[] {
  const records: BlockRecord[] = [];
  try {
    parse(block, {
      delimiter,
      record_delimiter: '\n',
      info: true,
      relax_quotes: true,
      relax_column_count: true,
      on_record: (row) => {
        const { record, info } = parsedRow.parse(row);
        records.push({ cells: record, from: (records.at(-1)?.to ?? 0) + 1, to: info.lines });
        return null;
      },
    });
  } catch (error) {
    if (error instanceof z.ZodError) throw error;
  }
  return records;
}

/**
 * Whether a quote that does not close may have taken in the next rows: the parser leaves such a quote in its cell, the row
 * ends too early, or a line of a cell has a date of its own.
 */
function isDoubtful({ cells, from, to }: BlockRecord, width: number, delimiter: string): boolean {
  if (from === to) return false;
  const long = cells.filter((cell) => cell.includes('\n'));
  return cells.length < width || long.some((cell) => cell.startsWith('"') || hasRow(cell, delimiter));
}

function hasRow(cell: string, delimiter: string): boolean {
  const rows = cell.split('\n').map((line) => line.split(delimiter));
  return rows.some((row, nth) => nth > 0 && row.length > 1 && row.some((one) => ordersOf(one).length > 0));
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

function tooManyUnreadable(): FileRefusal {
  return new FileRefusal(
    `More than ${MOST_UNREADABLE} rows of the file cannot be read: their quotes do not close.`,
    'Export it again; a spreadsheet program may have written it anew.',
  );
}
