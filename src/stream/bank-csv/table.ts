import { FileRefusal } from '../items/item.ts';
import { writtenAmount } from './cells/amounts.ts';
import { ordersOf } from './cells/dates.ts';
import { ColumnNames, type Named } from './cells/header.ts';
import { type Row, rowsOf } from './cells/rows.ts';
import { type BankFormat, isFor } from './format.ts';

/** A file as a table: what stands above its bookings, and what its columns are called. */
export interface Table {
  readonly text: string;
  readonly delimiter: string;
  /** The rows above the header, or above the first booking where there is no header. */
  readonly preamble: readonly (readonly string[])[];
  readonly hasHeader: boolean;
  /** The line of the first row that may be a booking. */
  readonly firstLine: number;
  /** The columns, with empty names where the table has no header. */
  readonly columns: readonly Named[];
  /** Some of the first rows of bookings. */
  readonly sample: readonly (readonly string[])[];
}

const DELIMITERS = [';', ',', '\t', '|'];
const HEAD = 64 * 1024;
/** How far down a header may stand, and how many rows below it are looked at. */
const MOST_PREAMBLE = 60;
const SAMPLE = 200;
const MOST_COLUMNS = 200;
const DATES = ['booked', 'dated', 'valued'] as const;
const SUMS = ['amount', 'debit', 'credit'] as const;

/**
 * Returns a text as the table of a bank. Null where nothing in its head looks like one. Throws `FileRefusal` where it has
 * more columns than any bank writes.
 */
export function tableOf(text: string, formats: readonly BankFormat[]): Table | null {
  const names = new ColumnNames();
  const stated = /^"?sep=([;,|\t])"?\n/i.exec(text)?.[1];
  const head = text.length <= HEAD ? text : text.slice(0, text.lastIndexOf('\n', HEAD) + 1);
  const tables = (stated === undefined ? DELIMITERS : [stated]).flatMap((delimiter) => {
    const rows = [...rowsOf(head, delimiter)].slice(0, MOST_PREAMBLE + SAMPLE);
    const at = headerIn(rows, (row) => isHeader(row, names, formats));
    return at === null ? [] : [{ rows, delimiter, ...at }];
  });
  const [best] = tables.sort((one, other) => other.score - one.score);
  if (best === undefined) return null;
  const { rows, delimiter, header, first } = best;
  const cells = header === null ? null : (rows[header]?.cells ?? []);
  const sample = rows.slice(first).flatMap(({ cells: row }) => (row === null ? [] : [row]));
  const width = cells?.length ?? Math.max(...sample.map((row) => row.length));
  if (width > MOST_COLUMNS) throw tooWide(width);
  return {
    text,
    delimiter,
    preamble: rows.slice(0, header ?? first).flatMap((row) => (row.cells === null ? [] : [row.cells])),
    hasHeader: header !== null,
    firstLine: rows[first]?.line ?? Number.POSITIVE_INFINITY,
    columns: names.of(cells ?? Array.from({ length: width }, () => '')),
    sample,
  };
}

interface Found {
  /** Which row is the header; null where there is none. */
  readonly header: number | null;
  /** Which row is the first that may be a booking. */
  readonly first: number;
  readonly score: number;
}

/** Where the header and the bookings are, and how well the rows fit them. */
function headerIn(rows: readonly Row[], isNames: (cells: readonly string[]) => boolean): Found | null {
  const header = rows.slice(0, MOST_PREAMBLE).findIndex(({ cells }) => cells !== null && isNames(cells));
  const width = rows[header]?.cells?.length ?? 0;
  if (header !== -1) return { header, first: header + 1, score: 1000 * width + regular(rows, header + 1, width) };
  const first = rows.slice(0, MOST_PREAMBLE).findIndex(({ cells }) => cells !== null && isBooking(cells));
  const row = rows[first]?.cells;
  if (!row) return null;
  const named = isUnknownHeader(rows[first - 1]?.cells ?? null, row.length) ? first - 1 : null;
  return { header: named, first, score: row.length + regular(rows, first, row.length) };
}

function regular(rows: readonly Row[], from: number, width: number): number {
  const below = rows.slice(from);
  return below.length === 0 ? 0 : (width * below.filter(({ cells }) => cells?.length === width).length) / below.length;
}

function isHeader(cells: readonly string[], names: ColumnNames, formats: readonly BankFormat[]): boolean {
  if (formats.some((format) => typeof format.header !== 'number' && isFor(format, cells))) return true;
  const roles = names.of(cells).map((column) => column.roles);
  const has = (wanted: readonly string[]) => roles.some((some) => some.some((role) => wanted.includes(role)));
  return has(DATES) && has(SUMS) && cells.length > 2 && cells.every((cell) => !isValue(cell));
}

/** Names that are not known, right above the first booking. */
function isUnknownHeader(cells: readonly string[] | null, width: number): boolean {
  if (cells === null || cells.length < width - 1) return false;
  return cells.filter((cell) => cell.trim() !== '').length >= 3 && cells.every((cell) => !isValue(cell));
}

function isValue(cell: string): boolean {
  return ordersOf(cell).length > 0 || (/\d/.test(cell) && writtenAmount(cell) !== null);
}

/** Whether a row has a date and, in another cell, a sum of money. */
function isBooking(cells: readonly string[]): boolean {
  const date = cells.findIndex((cell) => ordersOf(cell).length > 0);
  return date !== -1 && cells.some((cell, nth) => nth !== date && /[.,]\d{1,2}(?!\d)/.test(cell) && isSum(cell));
}

function isSum(cell: string): boolean {
  return ordersOf(cell).length === 0 && writtenAmount(cell) !== null;
}

/** Returns the rows below the header, in order. */
export function* bookingRows({ text, delimiter, firstLine }: Table): Generator<Row> {
  if (firstLine > text.length + 1) return;
  for (const row of rowsOf(text, delimiter)) if (row.line >= firstLine) yield row;
}

/** Returns the columns of a table as a format has them: their names, or how many there are where they have none. */
export function headerOf({ hasHeader, columns }: Table): BankFormat['header'] {
  return hasHeader ? columns.map(({ name }) => name) : columns.length;
}

function tooWide(width: number): FileRefusal {
  return new FileRefusal(
    `The file has ${width} columns; a bank's file has at most ${MOST_COLUMNS}.`,
    'Export the bookings of one account from the bank again.',
  );
}
