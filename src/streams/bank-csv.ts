import { parse } from 'csv-parse/sync';
import type { Payment } from '../steward/types.ts';
import { oneLine } from '../vault/note-text.ts';
import { ibanForm } from '../vault/source-names.ts';
import {
  type BankFormat,
  type ColumnKey,
  type ColumnLanguage,
  DATE_ORDERS,
  type DateOrder,
  headerLine,
  isBalanceName,
  isFor,
  isPending,
  isPointed,
  isUndone,
  listDateOrders,
  type NamedColumn,
  nameColumns,
  parseBankDate,
  parseBankFormat,
  parseDirection,
  type Role,
} from './bank-columns.ts';
import { decode } from './mail-parts.ts';
import {
  type Booking,
  DECIMAL_SIGNS,
  type DecimalSign,
  exactParts,
  isCurrency,
  listDecimalSigns,
  makePaymentItems,
  negated,
  parseDecimal,
  plainDigits,
  type WrittenAmount,
  writtenAmount,
} from './money.ts';
import { FileRefusal, type ItemReader, nothing, refused, wholeFile } from './stream.ts';

/** A row of a table. `cells` is null if it cannot be read: its quotes do not close, or it is endless. */
interface Row {
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
function plainLines(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/**
 * Returns the rows of a text in order, without the empty ones. A quoted cell may go over several lines; a quote that
 * never closes costs its own line alone. Lines that may be one cell, or rows of their own, are neither: the writer of a
 * purpose could otherwise forge bookings with it. Throws `FileRefusal` if too many rows cannot be read.
 */
function* rowsOf(text: string, delimiter: string): Generator<Row> {
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
      else if (!cells.every((cell) => cell.trim() === '')) yield { ...place, cells };
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

/** The end of a block of whole lines; null if its first line never ends. */
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

/** The rows of a block up to the one that cannot be read, if there is one: a quote is open at the block's end, say. */
function recordsIn(block: string, delimiter: string): readonly BlockRecord[] {
  const records: BlockRecord[] = [];
  try {
    parse(block, {
      delimiter,
      record_delimiter: '\n',
      relax_quotes: true,
      relax_column_count: true,
      on_record: (cells, { lines }) => {
        records.push({ cells, from: (records.at(-1)?.to ?? 0) + 1, to: lines });
        return null;
      },
    });
  } catch {
    // The rows before it count.
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
  return rows.some((row, nth) => nth > 0 && row.length > 1 && row.some((one) => listDateOrders(one).length > 0));
}

function tooManyUnreadable(): FileRefusal {
  return new FileRefusal(
    `More than ${MOST_UNREADABLE} rows of the file cannot be read: their quotes do not close.`,
    'Export it again; a spreadsheet program may have rewritten it.',
  );
}

/** A file as a table: the lines above its bookings, and the names of its columns. */
export interface BankTable {
  readonly text: string;
  readonly delimiter: string;
  /** The rows above the header, or above the first booking if there is no header. */
  readonly preamble: readonly (readonly string[])[];
  readonly hasHeader: boolean;
  /** The line of the first row that may be a booking. */
  readonly firstLine: number;
  /** The columns, with empty names if the table has no header. */
  readonly columns: readonly NamedColumn[];
  /** Some of the first rows of bookings. */
  readonly sample: readonly (readonly string[])[];
}

const DELIMITERS = [';', ',', '\t', '|'];
const HEAD = 64 * 1024;
/** How far down a header may be, and how many rows below it are looked at. */
const MOST_PREAMBLE = 60;
const SAMPLE = 200;
const MOST_COLUMNS = 200;
const DATES = ['booked', 'dated', 'valued'] as const;
const SUMS = ['amount', 'debit', 'credit'] as const;

/**
 * Returns a text as the table of a bank. Null if its head doesn't look like one. Throws `FileRefusal` if it has more
 * columns than any bank writes.
 */
function tableOf(text: string, formats: readonly BankFormat[]): BankTable | null {
  const stated = /^"?sep=([;,|\t])"?\n/i.exec(text)?.[1];
  const head = text.length <= HEAD ? text : text.slice(0, text.lastIndexOf('\n', HEAD) + 1);
  const tables = (stated === undefined ? DELIMITERS : [stated]).flatMap((delimiter) => {
    const rows = [...rowsOf(head, delimiter)].slice(0, MOST_PREAMBLE + SAMPLE);
    const at = headerIn(rows, (row) => isHeader(row, formats));
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
    columns: nameColumns(cells ?? Array.from({ length: width }, () => '')),
    sample,
  };
}

interface HeaderPlace {
  /** Which row is the header; null if the table has no header. */
  readonly header: number | null;
  /** Which row is the first that may be a booking. */
  readonly first: number;
  readonly score: number;
}

/** The places of the header and the bookings, and how well the rows fit them. */
function headerIn(rows: readonly Row[], isNames: (cells: readonly string[]) => boolean): HeaderPlace | null {
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

function isHeader(cells: readonly string[], formats: readonly BankFormat[]): boolean {
  if (formats.some((format) => typeof format.header !== 'number' && isFor(format, cells))) return true;
  const roles = nameColumns(cells).map((column) => column.roles);
  const has = (wanted: readonly string[]) => roles.some((some) => some.some((role) => wanted.includes(role)));
  return has(DATES) && has(SUMS) && cells.length > 2 && cells.every((cell) => !isValue(cell));
}

/** Names that are not known, right above the first booking. */
function isUnknownHeader(cells: readonly string[] | null, width: number): boolean {
  if (cells === null || cells.length < width - 1) return false;
  return cells.filter((cell) => cell.trim() !== '').length >= 3 && cells.every((cell) => !isValue(cell));
}

function isValue(cell: string): boolean {
  return listDateOrders(cell).length > 0 || (/\d/.test(cell) && writtenAmount(cell) !== null);
}

function isBooking(cells: readonly string[]): boolean {
  const date = cells.findIndex((cell) => listDateOrders(cell).length > 0);
  return date !== -1 && cells.some((cell, nth) => nth !== date && /[.,]\d{1,2}(?!\d)/.test(cell) && isSum(cell));
}

function isSum(cell: string): boolean {
  return listDateOrders(cell).length === 0 && writtenAmount(cell) !== null;
}

function* bookingRows({ text, delimiter, firstLine }: BankTable): Generator<Row> {
  if (firstLine > text.length + 1) return;
  for (const row of rowsOf(text, delimiter)) if (row.line >= firstLine) yield row;
}

/** Returns the columns of a table as a format has them: their names, or their number if they don't have any. */
export function makeFormatHeader({ hasHeader, columns }: BankTable): BankFormat['header'] {
  return hasHeader ? columns.map(({ name }) => name) : columns.length;
}

function tooWide(width: number): FileRefusal {
  return new FileRefusal(
    `The file has ${width} columns; a bank's file has at most ${MOST_COLUMNS}.`,
    'Export the bookings of one account from the bank again.',
  );
}

/** How often each of two or three ways to read a column is possible, over all rows. */
class Votes<Way extends string> {
  readonly #counts = new Map<Way, number>();
  /** Between which ways a row makes a difference, with the first cell that does. */
  readonly #differ = new Map<string, string>();
  #all = 0;

  /** Counts a cell; `read` is what it says in each way, or null. */
  add(cell: string, ways: readonly Way[], read: (way: Way) => string | null): void {
    if (ways.length === 0) return;
    this.#all += 1;
    for (const way of ways) this.#counts.set(way, (this.#counts.get(way) ?? 0) + 1);
    for (const [one, other] of pairsOf(ways)) {
      const name = `${one} ${other}`;
      if (!this.#differ.has(name) && read(one) !== read(other)) this.#differ.set(name, cell);
    }
  }

  /** Returns the ways that fit: all rows, but for one in twenty, which is refused by itself. Empty if no way fits. */
  fitting(all: readonly Way[]): readonly Way[] {
    return all.filter((way) => (this.#all - (this.#counts.get(way) ?? 0)) * 20 <= this.#all);
  }

  /** Returns a cell that says something else in one of these ways than in another; null if they agree everywhere. */
  openCell(ways: readonly Way[]): string | null {
    for (const [one, other] of pairsOf(ways)) {
      const cell = this.#differ.get(`${one} ${other}`);
      if (cell !== undefined) return cell;
    }
    return null;
  }
}

function pairsOf<Value>(values: readonly Value[]): readonly (readonly [Value, Value])[] {
  return values.flatMap((one, nth) => values.slice(nth + 1).map((other) => [one, other] as const));
}

/** How many different days are remembered. */
const MOST_DAYS = 20_000;

class Survey {
  readonly orders = new Votes<DateOrder>();
  readonly #days = new Set<string>();
  readonly decimals = new Votes<DecimalSign>();
  /** How many rows have a date, and how many of them a sum. */
  dated = 0;
  summed = 0;
  /** Whether every date of which the order is open is written with points. */
  isPointed = true;
  /** How many sums have a minus, a plus, and no sign; of those with a mark, how many say out and in. */
  readonly signs = { minus: 0, plus: 0, bare: 0, out: 0, in: 0 };
  readonly words = { outMinus: 0, outBare: 0, inMinus: 0, inBare: 0, unknown: 0 };
  /** How often a minus goes with the column of what went out, and no sign with that of what came in. */
  readonly sides = { fit: 0, misfit: 0 };
  readonly debits = { minus: 0, bare: 0 };
  readonly credits = { minus: 0, bare: 0 };

  constructor(table: BankTable, columns: Columns, out: string | null) {
    for (const { cells } of bookingRows(table)) if (cells !== null) this.#row(cells, columns, out);
  }

  #row(cells: readonly string[], columns: Columns, out: string | null): void {
    const dates = columns.dates
      .map((nth) => cells[nth] ?? '')
      .filter((cell) => this.#days.has(cell) || listDateOrders(cell).length > 0);
    if (dates.length === 0) return;
    this.dated += 1;
    for (const date of dates) this.#date(date);
    const [amount] = columns.amounts;
    const sums = [amount, columns.debit, columns.credit].map((nth) => sumAt(cells, nth ?? null));
    if (sums.some((sum) => sum !== null)) this.summed += 1;
    for (const sum of sums) if (sum !== null) this.#sum(sum);
    const [signed = null, debit = null, credit = null] = sums;
    if (signed !== null && isMoney(signed)) {
      this.#sign(signed);
      if (columns.direction !== null) this.#word(signed, wordOf(cells[columns.direction] ?? '', out));
    }
    const side = sideOf(debit, credit);
    if (signed !== null && side !== null) {
      this.sides[(side === 'out') === (signed.sign === '-') ? 'fit' : 'misfit'] += 1;
    }
    for (const [sum, side] of [[debit, this.debits] as const, [credit, this.credits] as const]) {
      if (sum !== null && isMoney(sum)) side[sum.sign === '-' ? 'minus' : 'bare'] += 1;
    }
  }

  // A day has many bookings, and its cell says the same each time.
  #date(cell: string): void {
    if (this.#days.has(cell)) return;
    if (this.#days.size < MOST_DAYS) this.#days.add(cell);
    const ways = listDateOrders(cell);
    this.orders.add(cell, ways, (order) => parseBankDate(cell, order));
    if (ways.length === 2 && parseBankDate(cell, 'dmy') !== parseBankDate(cell, 'mdy'))
      this.isPointed &&= isPointed(cell);
  }

  #sum(sum: WrittenAmount): void {
    this.decimals.add(sum.digits, listDecimalSigns(sum), (decimal) => plainValue(sum.digits, decimal));
  }

  #sign({ sign, mark }: WrittenAmount): void {
    if (sign === '-') this.signs.minus += 1;
    else this.signs[sign === '+' ? 'plus' : 'bare'] += 1;
    const way = mark === null ? null : parseDirection(mark);
    if (way !== null) this.signs[way] += 1;
  }

  #word({ sign }: WrittenAmount, way: 'out' | 'in' | null): void {
    if (way === null) this.words.unknown += 1;
    else this.words[`${way}${sign === '-' ? 'Minus' : 'Bare'}`] += 1;
  }

  /** The orders of dates, and the decimal signs, that fit. */
  get fittingOrders(): readonly DateOrder[] {
    return this.orders.fitting(DATE_ORDERS);
  }

  get fittingDecimals(): readonly DecimalSign[] {
    return this.decimals.fitting(DECIMAL_SIGNS);
  }
}

/** In which of the two columns a row has money. */
function sideOf(debit: WrittenAmount | null, credit: WrittenAmount | null): 'out' | 'in' | null {
  const [isOut, isIn] = [debit, credit].map((sum) => sum !== null && isMoney(sum));
  return isOut === isIn ? null : isOut ? 'out' : 'in';
}

/** Returns the sum in a column of a row; null if the cell has no sum. */
function sumAt(cells: readonly string[], nth: number | null): WrittenAmount | null {
  return nth === null ? null : writtenAmount(cells[nth] ?? '');
}

function isMoney({ digits }: WrittenAmount): boolean {
  return /[1-9]/.test(digits);
}

/** Returns which way a word of a direction column says; `out`: the word that a format names for what went out. */
function wordOf(cell: string, out: string | null): 'out' | 'in' | null {
  if (cell.trim() === '') return null;
  return out === null ? parseDirection(cell) : cell.trim().toLowerCase() === out ? 'out' : 'in';
}

function plainValue(digits: string, decimal: DecimalSign): string | null {
  const [whole = '', fraction = ''] = plainDigits(digits, decimal)?.split('.') ?? [];
  return `${whole}.${fraction.replace(/(?<!0)0+$/, '')}`;
}

type Convention =
  /** By the sign: below zero went out, or, turned, came in. */
  | { readonly by: 'sign'; readonly turned: boolean }
  /** By `CR` or `D` next to the sum; `bare`: the meaning of a sum without such a mark. */
  | { readonly by: 'mark'; readonly bare: 'out' | 'in' }
  /** By the word in another column; `out`: the word that a format names. */
  | { readonly by: 'word'; readonly out: string | null }
  /** By the column; `minus`: whether what went out, or came in, is written below zero. */
  | { readonly by: 'column'; readonly minus: { readonly debit: boolean; readonly credit: boolean } };

interface SumRules {
  readonly columns: Columns;
  readonly decimal: DecimalSign;
  readonly convention: Convention;
}

/** A decimal as payments have it; null if the row has no sum; `unclear` if it has one that cannot be read. */
type ReadSum = { readonly amount: string; readonly currency: string | null } | 'unclear' | null;

/** Returns what a row says went out, below zero, or came in. */
function sumOf(cells: readonly string[], rules: SumRules, currency: string | null): ReadSum {
  const { columns, convention } = rules;
  if (convention.by === 'column') return ofColumns(cells, rules, convention.minus, currency);
  const [nth = null] = columns.amounts;
  if (isEmpty(cells, nth)) return null;
  const written = sumAt(cells, nth);
  const plain = written === null ? null : decimal(written, rules.decimal, currency);
  if (written === null || plain === null) return 'unclear';
  const amount = signed(plain, written, convention, cells[columns.direction ?? -1] ?? '');
  return amount === null ? 'unclear' : { amount, currency: written.currency };
}

function signed(plain: string, written: WrittenAmount, convention: Convention, word: string): string | null {
  if (convention.by === 'sign') return convention.turned ? negated(plain) : plain;
  const bare = plain.replace('-', '');
  const way = convention.by === 'word' ? wordOf(word, convention.out) : markedWay(written, convention);
  if (way === null) return /[1-9]/.test(plain) ? null : plain;
  return way === 'out' ? negated(bare) : bare;
}

function markedWay({ mark }: WrittenAmount, convention: Convention): 'out' | 'in' | null {
  const bare = convention.by === 'mark' ? convention.bare : null;
  return mark === null ? bare : parseDirection(mark);
}

function ofColumns(
  cells: readonly string[],
  { columns, decimal: sign }: SumRules,
  minus: { readonly debit: boolean; readonly credit: boolean },
  currency: string | null,
): ReadSum {
  const sides = [
    { nth: columns.debit, isOut: true, isMinus: minus.debit },
    { nth: columns.credit, isOut: false, isMinus: minus.credit },
  ].filter(({ nth }) => !isEmpty(cells, nth));
  const sums = sides.map(({ nth, isOut, isMinus }) => {
    const written = sumAt(cells, nth);
    const plain = written === null ? null : decimal(written, sign, currency);
    if (written === null || plain === null) return null;
    return { amount: isOut === isMinus ? plain : negated(plain), currency: written.currency };
  });
  if (sums.includes(null)) return 'unclear';
  const money = sums.filter((sum) => sum !== null && /[1-9]/.test(sum.amount));
  if (money.length > 1) return 'unclear';
  return money[0] ?? sums[0] ?? null;
}

/** Some banks write a dash instead of a missing sum. */
function isEmpty(cells: readonly string[], nth: number | null): boolean {
  return /^[-–—]?$/.test((cells[nth ?? -1] ?? '').trim());
}

/** Returns a sum as it is written, below zero if it has a minus. */
function decimal(written: WrittenAmount, sign: DecimalSign, currency: string | null): string | null {
  const digits = plainDigits(written.digits, sign);
  return digits === null ? null : parseDecimal(written.sign === '-' ? `-${digits}` : digits, currency);
}

/** A check of fewer rows proves too little; of more, all but one in ten must fit. */
const LEAST_FITS = 2;
const MOST_MISFITS = 10;

interface BalancedRow {
  readonly line: number;
  readonly amount: string;
  readonly balance: string;
  /** Which account, and in which currency: each has a balance of its own. */
  readonly account: string;
}

class BalanceRun {
  readonly #last = new Map<string, BalancedRow>();
  readonly #fits = { up: 0, down: 0 };
  readonly #misfits: { up: number | null; down: number | null } = { up: null, down: null };
  #compared = 0;

  add(row: BalancedRow): void {
    const before = this.#last.get(row.account);
    this.#last.set(row.account, row);
    if (before === undefined) return;
    this.#compared += 1;
    this.#step('up', row, exactParts(before.balance) + exactParts(row.amount) === exactParts(row.balance));
    this.#step('down', row, exactParts(row.balance) + exactParts(before.amount) === exactParts(before.balance));
  }

  /** Starts again at the next row of an account: this one may count already, or not yet. */
  skip(account: string): void {
    this.#last.delete(account);
  }

  #step(way: 'up' | 'down', { line }: BalancedRow, fits: boolean): void {
    if (fits) this.#fits[way] += 1;
    else this.#misfits[way] ??= line;
  }

  /** Whether the rows and the balances belong together. */
  get isRunning(): boolean {
    const fits = Math.max(this.#fits.up, this.#fits.down);
    return fits >= LEAST_FITS && (this.#compared - fits) * MOST_MISFITS <= this.#compared;
  }

  get fits(): number {
    return Math.max(this.#fits.up, this.#fits.down);
  }

  /**
   * The line of the first row that does not fit, if most rows do; null if all do, or the balances are not a running
   * balance.
   */
  get misfit(): number | null {
    const way = this.#fits.up >= this.#fits.down ? 'up' : 'down';
    return this.fits >= LEAST_FITS && this.fits * 2 > this.#compared ? this.#misfits[way] : null;
  }
}

/** Returns the balance in a row, by whichever decimal sign it can be read; null if it has no balance. */
function balanceAt(cells: readonly string[], nth: number | null, sign: DecimalSign): string | null {
  const written = sumAt(cells, nth);
  if (written === null) return null;
  const isOwing = written.mark !== null && /^(?:D|DR|S)$/.test(written.mark);
  const plain = decimal(written, sign, null) ?? decimal(written, sign === ',' ? '.' : ',', null);
  return plain !== null && isOwing && !plain.startsWith('-') ? `-${plain}` : plain;
}

/** Which column is what, as numbers from 0 on. A missing column is null, or an empty list. */
interface Columns {
  /** The columns with a day: the first that is filled in counts. */
  readonly dates: readonly number[];
  /** The columns that may contain the sum with its sign: one, if it is known. */
  readonly amounts: readonly number[];
  readonly debit: number | null;
  readonly credit: number | null;
  readonly direction: number | null;
  readonly currency: number | null;
  readonly names: readonly number[];
  readonly payer: number | null;
  readonly payee: number | null;
  readonly ibans: readonly number[];
  readonly own: number | null;
  readonly purposes: readonly number[];
  readonly kinds: readonly number[];
  readonly references: readonly number[];
  readonly balance: number | null;
  readonly states: readonly number[];
}

/** How many digits the number of an account has at least. */
const LEAST_DIGITS = 4;

type Sample = BankTable['sample'];

/** Returns the role of each column: as the format says, else by the names of the columns and their contents. */
function columnsOf(table: BankTable, format: BankFormat | null): Columns {
  const said = format?.columns ?? {};
  const by = (role: Role) => withRole(table, role);
  const one = (key: ColumnKey, found: readonly number[]): number | null => (said[key] ?? found)[0] ?? null;
  const isOneSum = said.amount !== undefined || said.debit !== undefined || said.credit !== undefined;
  const own = ownColumn(table);
  const purposes = said.purpose ?? by('purpose');
  return {
    dates: said.date ?? [...new Set([...by('booked'), ...by('dated'), ...by('valued')])],
    amounts: said.amount ?? (isOneSum ? [] : alike(table.sample, by('amount'))),
    debit: one('debit', isOneSum ? [] : by('debit')),
    credit: one('credit', isOneSum ? [] : by('credit')),
    direction: one('direction', by('direction')),
    currency: one('currency', by('currency')),
    names: said.counterparty ?? by('counterparty'),
    payer: by('payer')[0] ?? null,
    payee: by('payee')[0] ?? null,
    ibans: said.iban ?? others(table, own),
    own,
    purposes,
    kinds: by('kind').filter((nth) => !purposes.includes(nth)),
    references: said.reference ?? by('reference').filter((nth) => !purposes.includes(nth)),
    balance: one('balance', by('balance')),
    states: by('status'),
  };
}

/** The columns with the accounts of the others. */
function others(table: BankTable, own: number | null): readonly number[] {
  const maybe = withRole(table, 'account').filter((nth) => mayBeAccounts(valuesOf(table.sample, nth)));
  return [...new Set([...withRole(table, 'iban'), ...maybe])].filter((nth) => nth !== own);
}

/** The columns with a role, if their contents fit it. */
function withRole({ columns, sample }: BankTable, role: Role): readonly number[] {
  return columns.flatMap((column, nth) => (column.roles.includes(role) && holds(role, sample, nth) ? [nth] : []));
}

function holds(role: Role, sample: Sample, nth: number): boolean {
  const values = valuesOf(sample, nth);
  const share = (is: (cell: string) => boolean) => values.filter(is).length * 2 >= values.length;
  switch (role) {
    case 'booked':
    case 'dated':
    case 'valued':
      return share(isDate);
    case 'amount':
    case 'balance':
      return share(isSumCell) && (values.length > 0 || sample.length === 0);
    case 'debit':
    case 'credit':
      return share(isSumCell);
    case 'direction':
      return values.length > 0 && values.every((cell) => parseDirection(cell) !== null);
    case 'currency':
      return share((cell) => isCurrency(cell.trim()));
    case 'iban':
      return mayBeAccounts(values);
    default:
      return true;
  }
}

function valuesOf(sample: Sample, nth: number): readonly string[] {
  return sample.flatMap((row) => {
    const cell = row[nth]?.trim() ?? '';
    return cell === '' ? [] : [cell];
  });
}

function isDate(cell: string): boolean {
  return listDateOrders(cell).length > 0;
}

function isSumCell(cell: string): boolean {
  const written = writtenAmount(cell);
  return written !== null && listDecimalSigns(written).length > 0;
}

function mayBeAccounts(values: readonly string[]): boolean {
  return values.length === 0 || values.some(isAccount);
}

/** Whether a cell may be the number of an account. */
function isAccount(cell: string): boolean {
  return (cell.match(/\d/g) ?? []).length >= LEAST_DIGITS && /^[\p{L}\d *./-]+$/u.test(cell);
}

/** The account of the owner: the column that is named so, else one with the same account in every row. */
function ownColumn(table: BankTable): number | null {
  const [named] = withRole(table, 'own');
  if (named !== undefined) return named;
  const accounts = withRole(table, 'account');
  return accounts.find((nth) => isSame(valuesOf(table.sample, nth), table.sample.length)) ?? null;
}

function isSame(values: readonly string[], rows: number): boolean {
  return rows > 1 && values.length === rows && new Set(values.map((one) => ibanForm(one) ?? one)).size === 1;
}

/** One of the columns if all of them say the same, else all. */
function alike(sample: Sample, columns: readonly number[]): readonly number[] {
  const [first, ...others] = columns;
  if (first === undefined) return [];
  const isCopy = (nth: number) => sample.every((row) => row[nth]?.trim() === row[first]?.trim());
  return others.every(isCopy) ? [first] : columns;
}

/** How the rows of a table are read. */
interface Layout {
  readonly columns: Columns;
  readonly order: DateOrder;
  readonly decimal: DecimalSign;
  readonly convention: Convention;
  /** The account and its currency if a format names them. */
  readonly account: string | null;
  readonly currency: string | null;
}

/** A question about a table that only a person can answer, with what they need to see for it. */
export type TableQuestion =
  | { readonly about: 'date' | 'amount' | 'purpose'; readonly columns: readonly number[] }
  | { readonly about: 'order'; readonly cell: string; readonly orders: readonly DateOrder[] }
  | { readonly about: 'decimal' | 'sign'; readonly cell: string };

/** How a table is read, or what must be asked first. */
type Decision = { readonly layout: Layout } | { readonly questions: readonly [TableQuestion, ...TableQuestion[]] };

/** Languages that everywhere write the day first; a name that is also used in another language decides no order. */
const DAY_FIRST: readonly ColumnLanguage[] = ['de', 'fr', 'es', 'it', 'nl', 'pl', 'nordic', 'east', 'baltic'];
/** How many more sums must be below zero than above it, that a column surely has what went out below zero. */
const CLEARLY = 2;
const LEAST_MINUS = 3;

/** Decides how a table is read: as its format says, else as its names, all its rows and its balances say. */
function decide(table: BankTable, formats: readonly BankFormat[]): Decision {
  const header = makeFormatHeader(table);
  const format = formats.find((one) => isFor(one, header)) ?? null;
  const columns = columnsOf(table, format);
  const missing = missingColumns(table, columns, format);
  if (isSome(missing)) return { questions: missing };
  const survey = new Survey(table, columns, format?.out ?? null);
  const notSums = survey.dated > 0 && survey.summed * 2 < survey.dated;
  if (notSums) return { questions: [{ about: 'amount', columns: likelySums(table, columns) }] };
  const order = orderOf(table, survey, format);
  const decimal = decimalSignFor(survey, format);
  const convention = conventionOf(table, survey, columns, format);
  const questions = [order, decimal, convention].filter((one) => typeof one === 'object' && 'about' in one);
  if (isSome(questions)) return { questions };
  if (isQuestion(order) || isQuestion(decimal) || isQuestion(convention)) throw new Error('a question was lost');
  const { account = null, currency = null } = format ?? {};
  return { layout: { columns, order, decimal, convention, account, currency } };
}

function isQuestion(decided: unknown): decided is TableQuestion {
  return typeof decided === 'object' && decided !== null && 'about' in decided;
}

function isSome<Value>(list: readonly Value[]): list is readonly [Value, ...Value[]] {
  return list.length > 0;
}

// --- the columns -----------------------------------------------------------------------------------------------------

function missingColumns(table: BankTable, columns: Columns, format: BankFormat | null): readonly TableQuestion[] {
  const isPair = columns.debit !== null && columns.credit !== null;
  const isKnown = columns.amounts.length === 1 || (columns.amounts.length === 0 && isPair);
  const words = [columns.purposes, columns.kinds, columns.names].flat();
  const isSaid = words.some((nth) => table.sample.length === 0 || valuesOf(table.sample, nth).length > 0);
  const missing: TableQuestion[] = [];
  if (columns.dates.length === 0) missing.push({ about: 'date', columns: likelyDates(table) });
  if (!isKnown && !isOneSided(format)) missing.push({ about: 'amount', columns: likelySums(table, columns) });
  if (!isSaid) missing.push({ about: 'purpose', columns: likelyWords(table) });
  return missing;
}

/** A format may name one side alone: a card without incoming sums. */
function isOneSided(format: BankFormat | null): boolean {
  return format?.columns.debit !== undefined || format?.columns.credit !== undefined;
}

function likelyDates({ columns, sample }: BankTable): readonly number[] {
  const having = (is: (cell: string) => boolean) =>
    columns.flatMap((_, nth) => (valuesOf(sample, nth).some(is) ? [nth] : []));
  const dates = having(isDate);
  return dates.length > 0 ? dates : having((cell) => /\d/.test(cell));
}

function likelySums({ columns, sample }: BankTable, { amounts, dates }: Columns): readonly number[] {
  if (amounts.length > 1) return amounts;
  const sums = columns.flatMap((_, nth) =>
    valuesOf(sample, nth).some(isOnlySum) && !dates.includes(nth) ? [nth] : [],
  );
  return sums.length > 0 ? sums : columns.map((_, nth) => nth);
}

function isOnlySum(cell: string): boolean {
  return isSumCell(cell) && !isDate(cell);
}

/** The columns with words, the longest first. */
function likelyWords({ columns, sample }: BankTable): readonly number[] {
  const lengths = columns.map((_, nth) => {
    const words = valuesOf(sample, nth).filter((cell) => /\p{L}{2}/u.test(cell) && !isDate(cell));
    return { nth, length: words.join('').length };
  });
  return lengths
    .filter(({ length }) => length > 0)
    .sort((one, other) => other.length - one.length)
    .map(({ nth }) => nth);
}

// --- dates and decimals ----------------------------------------------------------------------------------------------

function orderOf({ columns }: BankTable, survey: Survey, format: BankFormat | null): DateOrder | TableQuestion {
  if (format?.order) return format.order;
  const orders = survey.fittingOrders;
  const cell = survey.orders.openCell(orders);
  const [first] = orders;
  if (first !== undefined && cell === null) return first;
  const isDayFirst = survey.isPointed || columns.some(saysDayFirst);
  if (isDayFirst && orders.includes('dmy') && !orders.includes('ymd')) return 'dmy';
  return { about: 'order', cell: cell ?? 'some of them', orders: orders.length > 1 ? orders : ['dmy', 'mdy', 'ymd'] };
}

function saysDayFirst({ languages }: NamedColumn): boolean {
  return languages.length > 0 && languages.every((language) => DAY_FIRST.includes(language));
}

function decimalSignFor(survey: Survey, format: BankFormat | null): DecimalSign | TableQuestion {
  if (format?.decimal) return format.decimal;
  const signs = survey.fittingDecimals;
  const cell = survey.decimals.openCell(signs);
  const [first] = signs;
  return first !== undefined && cell === null ? first : { about: 'decimal', cell: cell ?? 'some of them' };
}

// --- out or in -------------------------------------------------------------------------------------------------------

function conventionOf(
  table: BankTable,
  survey: Survey,
  columns: Columns,
  format: BankFormat | null,
): Convention | TableQuestion {
  if (format?.turned !== null && format !== null) return { by: 'sign', turned: format.turned };
  if (columns.amounts.length === 0) return byColumn(survey);
  return byWord(survey, format) ?? byMark(survey) ?? bySign(table, survey, columns);
}

function byColumn({ debits, credits }: Survey): Convention {
  return { by: 'column', minus: { debit: debits.minus > debits.bare, credit: credits.minus > credits.bare } };
}

function byWord({ words }: Survey, format: BankFormat | null): Convention | null {
  const { outMinus, outBare, inMinus, inBare, unknown } = words;
  if (format?.out != null) return { by: 'word', out: format.out };
  const isTold = outMinus + outBare + inMinus + inBare > 0 && unknown === 0;
  const isPlain = outMinus + inMinus === 0;
  const isTurned = outMinus + inBare === 0;
  const isSigned = outBare + inMinus === 0;
  return isTold && (isPlain || isTurned || isSigned) ? { by: 'word', out: null } : null;
}

function byMark({ signs }: Survey): Convention | null {
  if (signs.out + signs.in === 0) return null;
  return { by: 'mark', bare: signs.out === 0 ? 'out' : 'in' };
}

function bySign(table: BankTable, survey: Survey, columns: Columns): Convention | TableQuestion {
  const { minus, plus, bare } = survey.signs;
  const known = byBalance(table, survey, columns);
  if (known !== null) return { by: 'sign', turned: known === 'turned' };
  const { fit, misfit } = survey.sides;
  if (fit + misfit > 0 && minus === 0) return byColumn(survey);
  if (fit > 0 && misfit === 0) return { by: 'sign', turned: false };
  const isClear = minus >= LEAST_MINUS && minus >= CLEARLY * (plus + bare);
  const isBank = columns.ibans.length > 0 || (isMostly(survey) && (columns.own ?? columns.balance) !== null);
  const isAccount = minus > 0 && isBank;
  const isEmpty = minus + plus + bare === 0;
  if (isClear || isAccount || isEmpty || (plus > 0 && bare === 0)) return { by: 'sign', turned: false };
  const [nth = 0] = columns.amounts;
  return { about: 'sign', cell: valuesOf(table.sample, nth).find(isSumCell) ?? '' };
}

/** Whether at least half of the sums are below zero: on a card that is written the other way round, few are. */
function isMostly({ signs }: Survey): boolean {
  return signs.minus >= signs.plus + signs.bare;
}

/** The direction by the balances, if they go up or down by the sums. */
function byBalance(table: BankTable, survey: Survey, columns: Columns): 'as written' | 'turned' | null {
  const [decimal = '.'] = survey.fittingDecimals;
  if (columns.balance === null) return null;
  const [asWritten, turned] = [new BalanceRun(), new BalanceRun()];
  for (const { line, cells } of bookingRows(table)) {
    if (cells === null) continue;
    const balance = balanceAt(cells, columns.balance, decimal);
    for (const [run, isTurned] of [[asWritten, false] as const, [turned, true] as const]) {
      const sum = sumOf(cells, { columns, decimal, convention: { by: 'sign', turned: isTurned } }, null);
      if (balance === null || sum === null || sum === 'unclear') continue;
      run.add({ line, amount: sum.amount, balance, account: accountOf(cells, columns) });
    }
  }
  if (asWritten.fits === turned.fits) return null;
  if (asWritten.fits > turned.fits) return asWritten.isRunning ? 'as written' : null;
  return turned.isRunning ? 'turned' : null;
}

/** Which balance a row adds to. */
function accountOf(cells: readonly string[], { own, currency }: Columns): string {
  return `${cells[own ?? -1] ?? ''} ${cells[currency ?? -1] ?? ''}`;
}

const SHOWN = 40;
const MOST_ROUNDS = 3;

/** Returns the line of `bank_formats` that says what `said` says of the table's columns: `order = dmy`, for one. */
export function formatLine(table: BankTable, said: readonly string[]): string {
  return `${headerLine(makeFormatHeader(table))} => ${said.join(', ')}`;
}

/** Returns how a format names a column of the table: by its name if no other has it, else by its number. */
export function columnName({ columns }: BankTable, nth: number): string {
  const name = columns[nth]?.name ?? '';
  const isPlain = name !== '' && columns.filter((column) => column.name === name).length === 1;
  return isPlain ? name : `#${nth + 1}`;
}

/** Returns why a file is not read, with the setting that answers what it leaves open. */
function refusalFor(table: BankTable, questions: readonly TableQuestion[]): FileRefusal {
  const all = furtherQuestions(table, questions);
  const line = formatLine(
    table,
    all.map((question) => exampleFor(table, question)),
  );
  return new FileRefusal(
    questions.map(sentenceFor).join(' '),
    `Import it with \`steward import FILE\` on a terminal, which asks, or write into steward.md, put right for your bank: bank_formats: ["${line}"]${choices(all)}`,
  );
}

/** The questions, and those that come up by the first answers to them: a person should not have to write twice. */
function furtherQuestions(table: BankTable, questions: readonly TableQuestion[]): readonly TableQuestion[] {
  const all = [...questions];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const format = parseBankFormat(
      formatLine(
        table,
        all.map((question) => exampleFor(table, question)),
      ),
    );
    const decided = format === null ? null : decide(table, [format]);
    if (decided === null || !('questions' in decided)) return all;
    const more = decided.questions.filter(({ about }) => all.every((one) => one.about !== about));
    if (more.length === 0) return all;
    all.push(...more);
  }
  return all;
}

function sentenceFor(question: TableQuestion): string {
  switch (question.about) {
    case 'date':
      return 'The columns of this file do not say which is the date.';
    case 'amount':
      return 'The columns of this file do not say which is the amount.';
    case 'purpose':
      return 'The columns of this file do not say which tells what a booking is for.';
    case 'order':
      return `The dates of this file can be read in more than one way: ${shown(question.cell)}.`;
    case 'decimal':
      return `The sums of this file can be read in more than one way: ${shown(question.cell)}.`;
    case 'sign':
      return `This file doesn't say whether a sum without a sign went out or came in: ${shown(question.cell)}.`;
  }
}

function exampleFor(table: BankTable, question: TableQuestion): string {
  switch (question.about) {
    case 'date':
    case 'amount':
    case 'purpose':
      return `${question.about} = ${columnName(table, question.columns[0] ?? 0)}`;
    case 'order':
      return `order = ${question.orders[0] ?? 'dmy'}`;
    case 'decimal':
      return 'decimal = comma';
    case 'sign':
      return 'sign = as written';
  }
}

function choices(questions: readonly TableQuestion[]): string {
  const said = questions.flatMap((question) => {
    if (question.about === 'order') return [`order is ${question.orders.join(' or ')}`];
    if (question.about === 'decimal') return ['decimal is comma or point'];
    return question.about === 'sign' ? ['sign is as written, or turned if a sum without a sign went out'] : [];
  });
  return said.length === 0 ? '' : `; ${said.join('; ')}`;
}

function shown(cell: string): string {
  return oneLine(cell, SHOWN);
}

/** A table that cannot be read before a person has said something, and what. */
export interface OpenTable {
  readonly table: BankTable;
  readonly questions: readonly TableQuestion[];
  /** Whether neither the file nor a format says whose account it is. */
  readonly isNameless: boolean;
}

/**
 * Returns what must be asked before the bookings in these bytes can be read, with the lines of `bank_formats` there
 * are. No questions if they can be read; null if it is no table of a bank. Throws `FileRefusal` as the reader does.
 */
export function openQuestions(bytes: Uint8Array, lines: readonly string[]): OpenTable | null {
  const formats: readonly BankFormat[] = lines.flatMap((line) => parseBankFormat(line) ?? []);
  const table = tableOf(plainLines(decode(bytes)), formats);
  if (table === null) return null;
  const decided = decide(table, formats);
  if ('questions' in decided) return { table, questions: decided.questions, isNameless: false };
  const { account, columns } = decided.layout;
  return { table, questions: [], isNameless: account === null && columns.own === null };
}

type RowContent =
  | { readonly what: 'payment'; readonly payment: Payment; readonly balance: string | null }
  | { readonly what: 'refused' | 'nothing'; readonly reason: string };

interface FileFacts {
  readonly account: string | null;
  readonly currency: string | null;
}

/** Only such a cell is quoted in a refusal: in a row whose cells are shifted, it may be an account or a purpose. */
const LIKE_A_DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/;
const LEAST_REFERENCE = 3;
const NO_REFERENCE = /^(?:not ?provided|nonref|none|n\/a|keine|0+|-+)$/i;
/** The references that German banks write into the purpose. */
const MARKS = /(?=(?:EREF|KREF|MREF|CRED|SVWZ|ABWA|ABWE|DEBT|PURP|IBAN|BIC)[+:])/;
const REFERENCE = /^(?:EREF|KREF|MREF)[+:](.+)$/s;
const MOST_REFERENCE = 35;

function factsOf({ preamble }: BankTable, { account, currency }: Layout): FileFacts {
  const cells = preamble.flat().map(bare);
  const iban = cells.map(ibanAtStart).find((one) => one !== null) ?? null;
  return { account: account ?? iban, currency: currency ?? cells.find(isCurrency) ?? null };
}

/** `DE12 3456 … / Girokonto`, or the IBAN alone. */
function ibanAtStart(cell: string): string | null {
  return ibanForm(cell.split(/[/(:]/)[0]) ?? ibanForm(cell.split(':').at(-1));
}

function contentOf(row: readonly string[], table: BankTable, layout: Layout, facts: FileFacts): RowContent {
  const cells = row.map(bare);
  const named = table.columns.length;
  if (cells.slice(named).some((cell) => cell !== '')) {
    return refused(`it has ${cells.length} columns where ${named} are named, so they cannot be told apart`);
  }
  const odd = notABooking(cells, layout);
  if (odd !== null) return odd;
  const day = dayOf(cells, layout);
  if (day === null) return undated(cells, table, layout);
  return booked(cells, day, table, layout, facts);
}

function booked(cells: readonly string[], day: string, table: BankTable, layout: Layout, facts: FileFacts): RowContent {
  const { columns } = layout;
  const said = at(cells, columns.currency);
  if (said !== '' && !isCurrency(said)) return refused('its currency cannot be read');
  const [nth = columns.debit ?? columns.credit ?? -1] = columns.amounts;
  const known = (said || table.columns[nth]?.currency) ?? facts.currency;
  const sum = sumOf(cells, layout, known);
  if (sum === null) return nothing('it has no sum');
  if (sum === 'unclear') return refused('its sum cannot be read');
  const currency = known ?? sum.currency;
  const amount = parseDecimal(sum.amount, currency);
  if (amount === null) return refused('its sum is too long');
  if (!/[1-9]/.test(amount)) return nothing('no money moved');
  const payment = paymentOf(cells, { day, amount, currency }, layout, facts);
  return { what: 'payment', payment, balance: balanceAt(cells, columns.balance, layout.decimal) };
}

type Sum = Pick<Payment, 'day' | 'amount' | 'currency'>;

function paymentOf(cells: readonly string[], sum: Sum, { columns }: Layout, facts: FileFacts): Payment {
  const own = at(cells, columns.own);
  const account = own === '' ? facts.account : (ibanForm(own) ?? own);
  const iban =
    [...columns.ibans, ...columns.names].map((nth) => ibanForm(cells[nth])).find((one) => one !== null) ?? null;
  const purpose = purposeOf(cells, columns);
  return {
    account,
    status: columns.states.some((nth) => isPending(at(cells, nth))) ? 'pending' : 'booked',
    ...sum,
    counterparty: counterpartyOf(cells, columns, sum.amount.startsWith('-')),
    iban: iban === account ? null : iban,
    references: referencesOf(cells, columns, purpose),
    purpose,
  };
}

function counterpartyOf(cells: readonly string[], columns: Layout['columns'], isOut: boolean): string | null {
  const names = columns.names.map((nth) => at(cells, nth)).filter((name) => name !== '' && ibanForm(name) === null);
  const [payer, payee] = [at(cells, columns.payer), at(cells, columns.payee)];
  return names[0] || (isOut ? payee || payer : payer || payee) || null;
}

function purposeOf(cells: readonly string[], { purposes, kinds }: Layout['columns']): string {
  const said = (columns: readonly number[]) =>
    [...new Set(columns.map((nth) => at(cells, nth)))].filter(Boolean).join(' ');
  return said(purposes) || said(kinds);
}

function referencesOf(cells: readonly string[], columns: Layout['columns'], purpose: string): readonly string[] {
  const inColumns = columns.references.map((nth) => at(cells, nth));
  const inPurpose = purpose
    .split(MARKS)
    .flatMap((part) => REFERENCE.exec(part)?.[1] ?? [])
    .map(withinLimit);
  const all = [...inColumns, ...inPurpose].map((one) => one.trim());
  return [...new Set(all)].filter((one) => one.length >= LEAST_REFERENCE && !NO_REFERENCE.test(one));
}

/** A text that is longer than a reference can be has other words behind it. */
function withinLimit(reference: string): string {
  const text = reference.trim();
  return text.length <= MOST_REFERENCE ? text : (text.split(/\s/)[0] ?? '');
}

// --- rows that are no bookings ---------------------------------------------------------------------------------------

function notABooking(cells: readonly string[], { columns }: Layout): RowContent | null {
  const texts = [...columns.purposes, ...columns.kinds, ...columns.names].map((nth) => at(cells, nth)).filter(Boolean);
  if (texts.length > 0 && texts.every(isBalanceName)) return nothing('it shows a balance');
  if (columns.states.some((nth) => isUndone(at(cells, nth)))) return nothing('it was not carried out');
  const [date = ''] = columns.dates.map((nth) => at(cells, nth)).filter(Boolean);
  return isPending(date) ? nothing('it is not booked yet') : null;
}

/** The day in the first of the columns that is filled in. */
function dayOf(cells: readonly string[], { columns, order }: Layout): string | null {
  const [date] = columns.dates.map((nth) => at(cells, nth)).filter(Boolean);
  return date === undefined ? null : parseBankDate(date, order);
}

function undated(cells: readonly string[], table: BankTable, layout: Layout): RowContent {
  const [date] = layout.columns.dates.map((nth) => at(cells, nth)).filter(Boolean);
  if (table.columns.every(({ name }, nth) => name === '' || at(cells, nth).startsWith(name.slice(0, 3)))) {
    return nothing('it repeats the header');
  }
  const hasSum = sumCells(cells, layout) !== '';
  if (!hasSum || cells.some(beginsBalance)) return nothing("it isn't a booking");
  if (date === undefined) return refused('it has no date');
  return refused(LIKE_A_DATE.test(date) ? `${date} isn't a date like the others` : 'its date cannot be read');
}

/** `Kontostand vom 02.03.2035:` */
function beginsBalance(cell: string): boolean {
  return (
    isBalanceName(cell) ||
    isBalanceName(
      cell
        .split(/[\s:]+/)
        .slice(0, 1)
        .join(' '),
    )
  );
}

function sumCells(cells: readonly string[], { columns }: Layout): string {
  const sums = [...columns.amounts, columns.debit, columns.credit].map((nth) => at(cells, nth));
  return sums.filter(Boolean).join(' ');
}

// --- cells -----------------------------------------------------------------------------------------------------------

function at(cells: readonly string[], nth: number | null): string {
  return nth === null ? '' : (cells[nth] ?? '');
}

/** A cell without what a spreadsheet puts around it, and without a quote that has lost its other half. */
function bare(cell: string): string {
  const text = cell.trim();
  if (text.startsWith('="') && text.endsWith('"')) return text.slice(2, -1).trim();
  if (text.length > 1 && text.startsWith("'") && text.endsWith("'")) return text.slice(1, -1).trim();
  return text.split('"').length === 2 ? text.replace(/^"|"$/, '').trim() : text;
}

const MOST_BYTES = 64 * 1024 * 1024;

/** Reads the bookings of a bank's table, one item a row. */
export const readBankCsv: ItemReader = function* (source, from, context) {
  const text = plainLines(decode(wholeFile(source, MOST_BYTES)));
  const formats = (context.bankFormats ?? []).flatMap((line) => parseBankFormat(line) ?? []);
  const { table, layout } = understood(text, formats);
  yield* makePaymentItems(bookingsOf(table, layout), from, context);
};

function understood(
  text: string,
  formats: readonly BankFormat[],
): { readonly table: BankTable; readonly layout: Layout } {
  const table = tableOf(text, formats);
  if (table === null) {
    throw new FileRefusal(
      'The columns of this file do not say which is the date and which is the amount.',
      'If it is from a bank, export the bookings again with the names of the columns.',
    );
  }
  const decided = decide(table, formats);
  if ('questions' in decided) throw refusalFor(table, decided.questions);
  return { table, layout: decided.layout };
}

/** The bookings of the rows, in order; last, if the balance does not add up, the difference. */
function* bookingsOf(table: BankTable, layout: Layout): Generator<Booking> {
  const facts = factsOf(table, layout);
  const run = new BalanceRun();
  for (const { line, last, cells } of bookingRows(table)) {
    const row = cells === null ? unreadable(line, last) : contentOf(cells, table, layout, facts);
    yield { place: `line ${line}`, ...row };
    if (cells === null || row.what !== 'payment') continue;
    const { payment, balance } = row;
    const account = accountOf(cells, layout.columns);
    if (balance === null || payment.status === 'pending') run.skip(account);
    else run.add({ line, amount: payment.amount, balance, account });
  }
  if (run.misfit !== null) yield { place: `line ${run.misfit}`, ...refused(MISFIT) };
}

function unreadable(line: number, last: number) {
  const reason =
    line === last
      ? 'a quote in it does not close, or it is endless'
      : `a quote in it does not close before line ${last}, so its columns can't be told apart`;
  return refused(reason);
}

const MISFIT = 'the balance does not add up; a row may be missing';
