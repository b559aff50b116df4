import { z } from 'zod';
import { lazily, loadData } from '../vault/data.ts';
import { type DecimalSign, formatDay, isCurrency } from './money.ts';

const ROLES = [
  /** The day it was booked, a day that may be that one, and the day from which it counts. */
  'booked',
  'dated',
  'valued',
  /** Money: with a sign, or in one column what went out and in another what came in. */
  'amount',
  'debit',
  'credit',
  /** A word that says whether it went out or came in. */
  'direction',
  'currency',
  'counterparty',
  /** The counterparty of what came in, and of what went out. */
  'payer',
  'payee',
  /** The account of the counterparty, that of the vault's owner, and one that may be either. */
  'iban',
  'own',
  'account',
  'purpose',
  /** The bank's own word for a kind of booking: the purpose if there is no other. */
  'kind',
  'reference',
  'balance',
  'status',
] as const;
export type Role = (typeof ROLES)[number];

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'nordic', 'pt', 'east', 'baltic'] as const;
export type ColumnLanguage = (typeof LANGUAGES)[number];

const list = z.array(z.string().min(1)).min(1);
const bankWords = z.strictObject({
  columns: z.record(z.enum(LANGUAGES), z.partialRecord(z.enum(ROLES), list)),
  words: z.strictObject({ out: list, in: list, pending: list, undone: list, balance: list }),
  months: z.array(list).length(12),
});

const words = lazily(() => {
  const table = loadData('bank-columns.yaml', bankWords);
  const { out, in: came, pending, undone, balance } = table.words;
  const setOf = (all: readonly string[]): ReadonlySet<string> => new Set(all.map(comparedWord));
  return {
    columns: meaningsIn(table.columns),
    months: table.months,
    out: setOf(out),
    in: setOf(came),
    pending: setOf(pending),
    undone: setOf(undone),
    balance: setOf(balance),
  };
});

/** A column's name and the values of such columns. */
export interface NamedColumn {
  /** As it is written, as one line without odd characters. */
  readonly name: string;
  readonly roles: readonly Role[];
  readonly languages: readonly ColumnLanguage[];
  /** The currency that the name gives: `Betrag (EUR)`. */
  readonly currency: string | null;
}

interface Meaning {
  readonly roles: Set<Role>;
  readonly languages: Set<ColumnLanguage>;
}

/** How much of a column's name is shown and compared. */
const MOST_NAME = 60;
const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', $: 'USD', zł: 'PLN', Kč: 'CZK' };

const LETTERS: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', æ: 'ae', ß: 'ss', đ: 'd', ı: 'i' };

/** Returns the contents of the columns of a header row, by the names that banks give them. */
export function nameColumns(cells: readonly string[]): readonly NamedColumn[] {
  return cells.map((cell) => {
    const folded = foldedName(cell);
    const names = [folded, withoutCurrency(folded), folded.replace(/ ?\d{1,2}$/, '')];
    const found = names.flatMap((name) => words().columns.get(name) ?? [])[0];
    return {
      name: plainName(cell),
      roles: [...(found?.roles ?? [])],
      languages: [...(found?.languages ?? [])],
      currency: currencyIn(cell),
    };
  });
}

function meaningsIn(columns: z.infer<typeof bankWords>['columns']): ReadonlyMap<string, Meaning> {
  const found = new Map<string, Meaning>();
  for (const language of LANGUAGES) {
    for (const role of ROLES) {
      for (const name of columns[language][role] ?? []) {
        const folded = foldedName(name);
        const meaning = found.get(folded) ?? { roles: new Set(), languages: new Set() };
        meaning.roles.add(role);
        meaning.languages.add(language);
        found.set(folded, meaning);
      }
    }
  }
  return found;
}

/**
 * Returns a column's name in letters, digits and single spaces. A person can copy it into a setting: it has no sign
 * with a meaning there.
 */
export function plainName(cell: string): string {
  return cell
    .normalize('NFC')
    .slice(0, MOST_NAME)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns a name as names are compared: without case and accents, `CheckNumber` as two words. */
function foldedName(cell: string): string {
  const split = cell.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  return plainName(split.normalize('NFKD').replace(/\p{M}+/gu, ''))
    .toLowerCase()
    .replace(/[łøæßđı]/g, (letter) => LETTERS[letter] ?? letter);
}

function currencyIn(cell: string): string | null {
  const sign = Object.keys(SIGNS).find((one) => cell.includes(one));
  if (sign !== undefined) return SIGNS[sign] ?? null;
  const last = /(?<![\p{L}\p{N}])([A-Z]{3})\)?\s*$/u.exec(cell)?.[1];
  return last === undefined || last === cell.trim() || !isCurrency(last) ? null : last;
}

function withoutCurrency(folded: string): string {
  const [, name = folded, code = ''] = /^(.+) ([a-z]{3})$/.exec(folded) ?? [];
  return isCurrency(code.toUpperCase()) ? name : folded;
}

/** `-` and `+` have no letters, and are words nevertheless. */
function comparedWord(text: string): string {
  return foldedName(text) || text.trim();
}

/** Returns whether a word says that money went out or came in; null if it says neither. */
export function parseDirection(cell: string): 'out' | 'in' | null {
  const word = comparedWord(cell);
  if (words().out.has(word)) return 'out';
  return words().in.has(word) ? 'in' : null;
}

/** Whether a cell says that the booking is only announced. */
export function isPending(cell: string): boolean {
  return words().pending.has(comparedWord(cell));
}

/** Whether a cell says that the booking failed. */
export function isUndone(cell: string): boolean {
  return words().undone.has(foldedName(cell));
}

/** Whether a cell only names a balance or a total. */
export function isBalanceName(cell: string): boolean {
  return words().balance.has(foldedName(cell).replace(/\d+/g, '').trim());
}

/** In which order a date gives day, month and year. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd';

export const DATE_ORDERS: readonly DateOrder[] = ['dmy', 'mdy', 'ymd'];

const MOST_DATE = 60;
/** The first and the last year that a bank's file may be of. */
const YEARS = { first: 1970, last: 2100 };

interface Parts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

/** Returns a date as `YYYY-MM-DD` if it is one in this order; null if it isn't one. */
export function parseBankDate(cell: string, order: DateOrder): string | null {
  const parts = partsOf(cell, order);
  return parts === null ? null : realDay(parts);
}

/** Returns the orders in which a cell is a date: all of them if its form leaves no choice, empty if it is no date. */
export function listDateOrders(cell: string): readonly DateOrder[] {
  const possible = DATE_ORDERS.filter((order) => parseBankDate(cell, order) !== null);
  // Banks don't write the year first with two digits and points or slashes, if it can be a day.
  const isShort = /^\d{1,2}([./])\d{1,2}\1\d{2}(?!\d)/.test(bareDate(cell));
  return isShort && possible.length > 1 ? possible.filter((order) => order !== 'ymd') : possible;
}

/** Whether the parts are between points, which is written with the day first. */
export function isPointed(cell: string): boolean {
  return /^\d{1,2}\.\s?\d{1,2}\.\s?\d{2}/.test(bareDate(cell));
}

/** Without quotes, a weekday before it, and a time behind it. */
function bareDate(cell: string): string {
  const text = cell
    .slice(0, MOST_DATE)
    .replace(/^=?["']+|(?<!["'])["']+$/g, '')
    .trim();
  return text
    .replace(/^\p{L}{2,12}[.,]{1,2} ?(?=\d)/u, '')
    .replace(/[T ,]{1,3}(?:um |at |kl )?\d{1,2}[:.]\d{2}.*$/s, '')
    .replace(/(?:\[|T\d{6}).*$/s, '')
    .replace(/\.$/, '')
    .trim();
}

function partsOf(cell: string, order: DateOrder): Parts | null {
  const text = bareDate(cell);
  return numericParts(text, order) ?? joinedParts(text, order) ?? namedParts(text);
}

function numericParts(text: string, order: DateOrder): Parts | null {
  const [, one = '', separator, two = '', three = ''] =
    /^(\d{1,4})([-/.:]|\. | )(\d{1,2})\2(\d{1,4})$/.exec(text) ?? [];
  if (separator === undefined) return null;
  if (one.length === 4) return three.length > 2 ? null : { year: one, month: two, day: three };
  if (one.length === 3 || three.length === 3) return null;
  if (order === 'ymd') return three.length === 4 ? null : { year: one, month: two, day: three };
  return order === 'dmy' ? { day: one, month: two, year: three } : { month: one, day: two, year: three };
}

/** `20350302`, with or without a time behind it, or `02032035`. */
function joinedParts(text: string, order: DateOrder): Parts | null {
  const digits = /^\d{8}(?=$|\d{6}$)/.exec(text)?.[0];
  if (digits === undefined) return null;
  const [first, second] = [digits.slice(0, 2), digits.slice(2, 4)];
  const year = Number(digits.slice(0, 4));
  // A year never begins like a month: `20012035` is the 20th of January.
  if (year >= YEARS.first && year <= YEARS.last && Number(digits.slice(4, 6)) <= 12) {
    return { year: digits.slice(0, 4), month: digits.slice(4, 6), day: digits.slice(6, 8) };
  }
  if (order === 'ymd') return null;
  const [day, month] = order === 'dmy' ? [first, second] : [second, first];
  return { day, month, year: digits.slice(4, 8) };
}

/** `2 March 2035`, `02-Mar-35`, `2. März 2035`, `2 de marzo de 2035`, `Mar 2, 2035`, `2035 Mar 2`. */
function namedParts(text: string): Parts | null {
  const tokens = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/\d{1,4}|\p{L}+/gu);
  const said = (tokens ?? []).filter((token) => token !== 'de' && token !== 'del');
  const at = said.findIndex((token) => monthOf(token) !== null);
  const month = monthOf(said[at] ?? '');
  if (said.length !== 3 || month === null) return null;
  const [one = '', two = ''] = said.filter((_, nth) => nth !== at);
  if (!/^\d+$/.test(one) || !/^\d+$/.test(two)) return null;
  return one.length === 4 ? { year: one, month, day: two } : { day: one, month, year: two };
}

/** The number of a month, by its name in one of the languages or the beginning of it. */
function monthOf(word: string): string | null {
  if (word.length < 3) return null;
  const { months } = words();
  const whole = months.findIndex((names) => names.includes(word));
  const begun = months.flatMap((names, nth) => (names.some((name) => name.startsWith(word)) ? [nth] : []));
  const nth = whole !== -1 ? whole : begun.length === 1 ? begun[0] : undefined;
  return nth === undefined ? null : String(nth + 1);
}

function realDay({ year, month, day }: Parts): string | null {
  const full = fullYear(year);
  return full === null || day.length > 2 ? null : formatDay(full, Number(month), Number(day));
}

function fullYear(year: string): number | null {
  const number = Number(year);
  const full = year.length === 2 ? number + (number < YEARS.first % 100 ? 2000 : 1900) : number;
  return full >= YEARS.first && full <= YEARS.last ? full : null;
}

/** The keys of a format that name columns. */
const COLUMN_KEYS = [
  ...(['date', 'amount', 'debit', 'credit', 'direction', 'currency', 'counterparty', 'iban'] as const),
  ...(['purpose', 'reference', 'balance'] as const),
] as const;
export type ColumnKey = (typeof COLUMN_KEYS)[number];

/** How the files of one bank are to be read: one line of `bank_formats` in `steward.md`. */
export interface BankFormat {
  /** The names of all columns, or their number if they have no names. */
  readonly header: readonly string[] | number;
  /** The columns, from 0 on, for each key. */
  readonly columns: Readonly<Partial<Record<ColumnKey, readonly number[]>>>;
  readonly order: DateOrder | null;
  readonly decimal: DecimalSign | null;
  /** Whether a sum without a sign went out, against what its sign says; null if the line does not tell. */
  readonly turned: boolean | null;
  /** The word in the column of directions that means that money went out, as it is compared. */
  readonly out: string | null;
  /** The name of the account, and its currency, if the file does not say them. */
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
 * by their letters and digits; `#3` is the third column. Null if the line has anything that a format does not.
 */
export function parseBankFormat(line: string): BankFormat | null {
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

/** Returns which of some lines is for a table with these columns; null if no line is. */
export function formatFor(lines: readonly string[], header: BankFormat['header']): string | null {
  return lines.find((line) => isLineFor(line, header)) ?? null;
}

function isLineFor(line: string, header: BankFormat['header']): boolean {
  const format = parseBankFormat(line);
  return format !== null && isFor(format, header);
}

/** Returns what a line says of its columns, rule by rule. */
export function parseFormatRules(line: string): readonly string[] {
  return (line.split('=>')[1] ?? '').split(',').map((rule) => rule.trim());
}

function nthOf({ header }: BankFormat, nth: number): string | undefined {
  return typeof header === 'number' ? undefined : header[nth];
}
