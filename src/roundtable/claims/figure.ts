/** What a figure measures, so that 30 % is not taken for 30 days. */
export type Kind =
  | 'number'
  | 'percent'
  | 'money'
  | 'time'
  | 'size'
  | 'length'
  | 'mass'
  | 'factor'
  | 'date'
  | 'clock'
  | 'version'
  | 'line';

/** A figure as it stands in a text. */
export interface Figure {
  readonly kind: Kind;
  /** As written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** What it may mean, in the unit as written: `1.200` is 1200 or 1.2. Empty for a date, a version, a line. */
  readonly values: readonly number[];
  /** What one of the unit is in the kind's base unit (seconds, bytes); 1 where there is none. */
  readonly scale: number;
  /** The currency, or '' where it has none. */
  readonly currency: string;
  /** Digits behind the decimal point, negative where it counts in thousands: how exactly it was said. */
  readonly decimals: number;
  /** Dates as `YYYY-MM-DD` or `--MM-DD`, clock times as `HH:mm`, versions: whatever it may mean, to be compared as text. */
  readonly keys: readonly string[];
  /** For a line number: the file, '' where none is named, and the lines. */
  readonly lines: { readonly file: string; readonly first: number; readonly last: number } | null;
  /** Whether it is a claim that needs support, and not a year, a list number or a small count in common words. */
  readonly specific: boolean;
  /** Whether it was said as an estimate, or as a bound. */
  readonly hedge: 'about' | 'over' | 'under' | null;
}

/** Units as they are written after a figure: kind and how many of the base unit one is. */
export const UNITS: ReadonlyMap<string, readonly [Kind, number]> = new Map([
  ...spellings('percent', 1, '% ٪ percent per_cent pct pp percentage_points percentage_point'),
  ...spellings('time', 0.001, 'ms millisecond milliseconds'),
  ...spellings('time', 1, 's sec secs second seconds'),
  ...spellings('time', 60, 'min mins minute minutes'),
  ...spellings('time', 3600, 'h hr hrs hour hours'),
  ...spellings('time', 86_400, 'day days'),
  ...spellings('time', 604_800, 'week weeks'),
  ...spellings('time', 2_629_746, 'month months'),
  ...spellings('time', 31_556_952, 'year years'),
  ...spellings('size', 1, 'byte bytes'),
  ...spellings('size', 1e3, 'kb kilobyte kilobytes'),
  ...spellings('size', 1e6, 'mb megabyte megabytes'),
  ...spellings('size', 1e9, 'gb gigabyte gigabytes'),
  ...spellings('size', 1e12, 'tb terabyte terabytes'),
  ...spellings('size', 1024, 'kib'),
  ...spellings('size', 1024 ** 2, 'mib'),
  ...spellings('size', 1024 ** 3, 'gib'),
  ...spellings('length', 0.001, 'mm millimetre millimetres millimeter millimeters'),
  ...spellings('length', 0.01, 'cm centimetre centimetres centimeter centimeters'),
  ...spellings('length', 1, 'metre metres meter meters'),
  ...spellings('length', 1000, 'km kilometre kilometres kilometer kilometers'),
  ...spellings('mass', 0.001, 'g gram grams'),
  ...spellings('mass', 1, 'kg kilo kilos kilogram kilograms'),
  ...spellings('mass', 1000, 't ton tons tonne tonnes'),
  ...spellings('factor', 1, 'x × -fold fold times'),
]);

export const MAGNITUDES: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['thousand', 1e3],
  ['million', 1e6],
  ['mn', 1e6],
  ['bn', 1e9],
  ['billion', 1e9],
]);

export const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ...'€ eur euro euros'.split(' ').map((one): [string, string] => [one, 'EUR']),
  ...'$ usd dollar dollars us$'.split(' ').map((one): [string, string] => [one, 'USD']),
  ...'£ gbp pound pounds'.split(' ').map((one): [string, string] => [one, 'GBP']),
  ...'chf franc francs'.split(' ').map((one): [string, string] => [one, 'CHF']),
  ['¥', 'JPY'],
  ['cents', 'cent'],
]);

export const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const;

/** What digits with separators may mean: `1,200` and `1.200` are a thousand and more, or a little more than one. */
export function readings(digits: string): { readonly values: readonly number[]; readonly decimals: number } {
  const plain = digits.replace(/[\s'’_]/g, '');
  const marks = plain.replace(/\d/g, '');
  if (marks === '') return { values: [Number(plain)], decimals: 0 };
  const last = marks.at(-1) ?? '.';
  const [whole = '', part = ''] = [plain.slice(0, plain.lastIndexOf(last)), plain.slice(plain.lastIndexOf(last) + 1)];
  const asDecimal = Number(`${whole.replace(/[.,]/g, '')}.${part}`);
  const isGrouped = /^\d{1,3}([.,]\d{3})+$/.test(plain) && new Set(marks).size === 1 && !whole.startsWith('0');
  if (!isGrouped) return { values: [asDecimal], decimals: part.length };
  const asGroups = Number(plain.replace(/[.,]/g, ''));
  return marks.length > 1 ? { values: [asGroups], decimals: 0 } : { values: [asGroups, asDecimal], decimals: 0 };
}

function spellings(kind: Kind, scale: number, words: string): [string, readonly [Kind, number]][] {
  return words.split(' ').map((word) => [word.replaceAll('_', ' '), [kind, scale]]);
}
