import { type DateOrder, type DecimalSign, isCurrency, plainName } from '../bank-csv-cells.ts';

/** What a format can say of which column it is: the keys that name columns. */
const COLUMN_KEYS = [
  ...(['date', 'amount', 'debit', 'credit', 'direction', 'currency', 'counterparty', 'iban'] as const),
  ...(['purpose', 'reference', 'balance'] as const),
] as const;
export type ColumnKey = (typeof COLUMN_KEYS)[number];

/** How the files of one bank are to be read: one line of `bank_formats` in `steward.md`. */
export interface BankFormat {
  /** The names of all columns, or how many there are where they have no names. */
  readonly header: readonly string[] | number;
  /** The columns, from 0 on, that hold what a key says. */
  readonly columns: Readonly<Partial<Record<ColumnKey, readonly number[]>>>;
  readonly order: DateOrder | null;
  readonly decimal: DecimalSign | null;
  /** Whether a sum without a sign went out, against what its sign says; null where the line does not tell. */
  readonly turned: boolean | null;
  /** The word in the column of directions that means that money went out, as it is compared. */
  readonly out: string | null;
  /** The name of the account, and its currency, where the file does not say them. */
  readonly account: string | null;
  readonly currency: string | null;
}

const ORDERS: Readonly<Record<string, DateOrder>> = { dmy: 'dmy', mdy: 'mdy', ymd: 'ymd' };
const DECIMALS: Readonly<Record<string, DecimalSign>> = { comma: ',', point: '.' };
const TURNED: Readonly<Record<string, boolean>> = { 'as written': false, turned: true };
const UNNAMED = /^(\d{1,3}) columns without names$/i;
const MOST_LINE = 8000;

/**
 * Reads one line of the setting: `Date | Payee | Amount => order = dmy, sign = turned`. Names of columns are compared
 * by their letters and digits; `#3` is the third column. Null where the line says something that a format does not have.
 */
export function bankFormatOf(line: string): BankFormat | null {
  const [left, right, ...more] = line.length > MOST_LINE ? [] : line.split('=>');
  if (left === undefined || right === undefined || more.length > 0) return null;
  const header = headerOf(left);
  const said = saidIn(right);
  if (header === null || said === null) return null;
  return formatOf(header, said);
}

function headerOf(text: string): readonly string[] | number | null {
  const count = UNNAMED.exec(text.trim())?.[1];
  if (count !== undefined) return Number(count);
  const names = text.split('|').map(comparedName);
  return names.length > 1 && names.some((name) => name !== '') ? names : null;
}

/** A column's name as a format's are compared. */
function comparedName(name: string): string {
  return plainName(name).toLowerCase();
}

function saidIn(text: string): ReadonlyMap<string, string> | null {
  const pairs = text.split(',').map((part) => part.split('=').map((side) => side.trim()));
  if (pairs.some((pair) => pair.length !== 2 || pair.includes(''))) return null;
  return new Map(pairs.map(([key = '', value = '']) => [key.toLowerCase(), value]));
}

function formatOf(header: BankFormat['header'], said: ReadonlyMap<string, string>): BankFormat | null {
  const rest = new Map(said);
  const take = (key: string): string | null => {
    const value = rest.get(key) ?? null;
    rest.delete(key);
    return value;
  };
  const choice = <Value>(key: string, of: Readonly<Record<string, Value>>): Value | null | undefined => {
    const value = take(key);
    return value === null ? null : of[value.toLowerCase()];
  };
  const [order, decimal, turned] = [choice('order', ORDERS), choice('decimal', DECIMALS), choice('sign', TURNED)];
  const [account, out] = [take('account'), take('out')];
  const fixed = rest.get('currency')?.toUpperCase() ?? '';
  const currency = isCurrency(fixed) ? fixed : null;
  if (currency !== null) rest.delete('currency');
  const columns = columnsOf(header, rest);
  if (order === undefined || decimal === undefined || turned === undefined || columns === null) return null;
  return { header, columns, order, decimal, turned, out: out?.toLowerCase() ?? null, account, currency };
}

function columnsOf(header: BankFormat['header'], said: ReadonlyMap<string, string>): BankFormat['columns'] | null {
  const columns: Partial<Record<ColumnKey, readonly number[]>> = {};
  for (const [key, value] of said) {
    const known = COLUMN_KEYS.find((one) => one === key);
    const numbers = value.split('+').map((name) => columnAt(header, name.trim()));
    if (known === undefined || numbers.includes(-1)) return null;
    columns[known] = numbers;
  }
  return columns;
}

function columnAt(header: BankFormat['header'], name: string): number {
  const number = Number(/^#(\d{1,3})$/.exec(name)?.[1] ?? 0);
  if (number > 0) return number <= (typeof header === 'number' ? header : header.length) ? number - 1 : -1;
  return typeof header === 'number' ? -1 : header.indexOf(comparedName(name));
}

/** Returns the left side of a format for a table: the names of its columns, or their number. */
export function headerLine(names: readonly string[] | number): string {
  return typeof names === 'number' ? `${names} columns without names` : names.map(plainName).join(' | ');
}

/** Whether a format is the one for a table with this header row. */
export function isFor(format: BankFormat, header: readonly string[] | number): boolean {
  if (typeof header === 'number' || typeof format.header === 'number') return format.header === header;
  const names = header.map(comparedName);
  return names.length === format.header.length && names.every((name, nth) => Object.is(name, nthOf(format, nth)));
}

/** Returns which of some lines is for a table with these columns; null where none is. */
export function formatFor(lines: readonly string[], header: BankFormat['header']): string | null {
  return lines.find((line) => isLineFor(line, header)) ?? null;
}

function isLineFor(line: string, header: BankFormat['header']): boolean {
  const format = bankFormatOf(line);
  return format !== null && isFor(format, header);
}

/** Returns what a line says of its columns, rule by rule. */
export function rulesOf(line: string): readonly string[] {
  return (line.split('=>')[1] ?? '').split(',').map((rule) => rule.trim());
}

function nthOf({ header }: BankFormat, nth: number): string | undefined {
  return typeof header === 'number' ? undefined : header[nth];
}
