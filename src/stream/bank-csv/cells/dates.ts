import { dayOf } from '../../bank/day.ts';

/** In which order a date gives day, month and year. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd';

export const DATE_ORDERS: readonly DateOrder[] = ['dmy', 'mdy', 'ymd'];

/** English, German, French, Spanish, Italian, Dutch, Polish, Swedish, Danish and Norwegian, Portuguese. */
const MONTHS: readonly (readonly string[])[] = [
  'january januar janvier enero gennaio januari stycznia styczen janeiro jaenner',
  'february februar fevrier febrero febbraio februari lutego luty fevereiro',
  'march maerz marz mrz mars marzo maart mrt marca marzec marts marco',
  'april avril abril aprile kwietnia kwiecien',
  'may mai mayo maggio mei maja maj maio',
  'june juni juin junio giugno czerwca czerwiec junho',
  'july juli juillet julio luglio lipca lipiec julho',
  'august aout agosto augustus sierpnia sierpien augusti',
  'september septembre septiembre settembre wrzesnia wrzesien setembro setiembre',
  'october oktober octobre octubre ottobre pazdziernika pazdziernik outubro',
  'november novembre noviembre listopada listopad novembro',
  'december dezember decembre diciembre dicembre grudnia grudzien dezembro desember',
].map((names) => names.split(' '));

const MOST_DATE = 60;
/** The first and the last year that a bank's file may be of. */
const YEARS = { first: 1970, last: 2100 };

interface Parts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

/** Returns a date as `YYYY-MM-DD` where it is one in this order; null where it is none. */
export function dateIn(cell: string, order: DateOrder): string | null {
  const parts = partsOf(cell, order);
  return parts === null ? null : realDay(parts);
}

/** Returns the orders in which a cell is a date: all of them where its form leaves no choice, none where it is no date. */
export function ordersOf(cell: string): readonly DateOrder[] {
  const possible = DATE_ORDERS.filter((order) => dateIn(cell, order) !== null);
  // Nobody writes the year first with two digits and points or slashes, if it can be a day.
  const isShort = /^\d{1,2}([./])\d{1,2}\1\d{2}(?!\d)/.test(bare(cell));
  return isShort && possible.length > 1 ? possible.filter((order) => order !== 'ymd') : possible;
}

/** Whether the parts stand between points, which is written with the day first. */
export function isPointed(cell: string): boolean {
  return /^\d{1,2}\.\s?\d{1,2}\.\s?\d{2}/.test(bare(cell));
}

/** Without quotes, a weekday before it, and a time behind it. */
function bare(cell: string): string {
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
  const text = bare(cell);
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
  const whole = MONTHS.findIndex((names) => names.includes(word));
  const begun = MONTHS.flatMap((names, nth) => (names.some((name) => name.startsWith(word)) ? [nth] : []));
  const nth = whole !== -1 ? whole : begun.length === 1 ? begun[0] : undefined;
  return nth === undefined ? null : String(nth + 1);
}

function realDay({ year, month, day }: Parts): string | null {
  const full = fullYear(year);
  return full === null || day.length > 2 ? null : dayOf(full, Number(month), Number(day));
}

function fullYear(year: string): number | null {
  const number = Number(year);
  const full = year.length === 2 ? number + (number < YEARS.first % 100 ? 2000 : 1900) : number;
  return full >= YEARS.first && full <= YEARS.last ? full : null;
}
