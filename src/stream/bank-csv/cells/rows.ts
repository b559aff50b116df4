import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { FileRefusal } from '../../items/item.ts';

/** A row of a table. `cells` is null where it cannot be read: its quotes do not close, or it is endless. */
export interface Row {
  /** The line on which it begins, from 1 on. */
  readonly line: number;
  readonly cells: readonly string[] | null;
}

/** How much is handed to the parser at once. */
const BLOCK = 256 * 1024;
const MOST_LINE = 64 * 1024;
/** How many rows may be unreadable: each of them costs a look at a whole block. */
const MOST_UNREADABLE = 500;

/** Returns the text with one form of line end and without the mark of its charset. */
export function plainLines(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/**
 * Returns the rows of a text in order, without the empty ones. A quoted cell may go over several lines; a quote that does
 * not close costs its own line alone. Throws `FileRefusal` where too many rows are like that.
 */
export function* rowsOf(text: string, delimiter: string): Generator<Row> {
  let unreadable = 0;
  for (let at = 0, line = 1, width = 0; at < text.length; ) {
    const end = blockEnd(text, at);
    const records = end === null ? [] : recordsIn(text.slice(at, end), delimiter);
    const good = records.findIndex((record) => isSwallowed(record, width));
    const taken = good === -1 ? records : records.slice(0, good);
    for (const { cells, from } of taken) if (!isBlank(cells)) yield { line: line + from - 1, cells };
    if (taken.length === 0) {
      unreadable += 1;
      if (unreadable > MOST_UNREADABLE) throw tooManyUnreadable();
      yield { line, cells: null };
    }
    width = taken.at(-1)?.cells.length ?? width;
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
 * Whether a quote that does not close has taken in the next rows: the parser leaves such a quote in its cell, or the row
 * ends too early.
 */
function isSwallowed({ cells, from, to }: BlockRecord, width: number): boolean {
  if (from === to) return false;
  return cells.length < width || cells.some((cell) => cell.includes('\n') && cell.startsWith('"'));
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
