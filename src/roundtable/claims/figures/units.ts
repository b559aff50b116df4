import type { Kind } from './figure.ts';

/** The name of a unit after a figure, in lower case → its kind, and how many base units of the kind it is. */
export const UNITS: ReadonlyMap<string, readonly [Kind, number]> = new Map([
  ...namesOf('percent', 1, '% ٪ percent per_cent pct pp percentage_points percentage_point'),
  ...namesOf('time', 0.001, 'ms millisecond milliseconds'),
  ...namesOf('time', 1, 's sec secs second seconds'),
  ...namesOf('time', 60, 'min mins minute minutes'),
  ...namesOf('time', 3600, 'h hr hrs hour hours'),
  ...namesOf('time', 86_400, 'day days'),
  ...namesOf('time', 604_800, 'week weeks'),
  ...namesOf('time', 2_629_746, 'month months'),
  ...namesOf('time', 31_556_952, 'year years'),
  ...namesOf('size', 1, 'byte bytes'),
  ...namesOf('size', 1e3, 'kb kilobyte kilobytes'),
  ...namesOf('size', 1e6, 'mb megabyte megabytes'),
  ...namesOf('size', 1e9, 'gb gigabyte gigabytes'),
  ...namesOf('size', 1e12, 'tb terabyte terabytes'),
  ...namesOf('size', 1024, 'kib'),
  ...namesOf('size', 1024 ** 2, 'mib'),
  ...namesOf('size', 1024 ** 3, 'gib'),
  ...namesOf('length', 0.001, 'mm millimetre millimetres millimeter millimeters'),
  ...namesOf('length', 0.01, 'cm centimetre centimetres centimeter centimeters'),
  ...namesOf('length', 1, 'metre metres meter meters'),
  ...namesOf('length', 1000, 'km kilometre kilometres kilometer kilometers'),
  ...namesOf('mass', 0.001, 'g gram grams'),
  ...namesOf('mass', 1, 'kg kilo kilos kilogram kilograms'),
  ...namesOf('mass', 1000, 't ton tons tonne tonnes'),
  ...namesOf('factor', 1, 'x × -fold fold times'),
]);

/** The word for a power of ten, in lower case → its value. */
export const MAGNITUDES: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['thousand', 1e3],
  ['million', 1e6],
  ['mn', 1e6],
  ['bn', 1e9],
  ['billion', 1e9],
]);

/** The sign, code or name of a currency, in lower case → its code. */
export const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ...'€ eur euro euros'.split(' ').map((one): [string, string] => [one, 'EUR']),
  ...'$ usd dollar dollars us$'.split(' ').map((one): [string, string] => [one, 'USD']),
  ...'£ gbp pound pounds'.split(' ').map((one): [string, string] => [one, 'GBP']),
  ...'chf franc francs'.split(' ').map((one): [string, string] => [one, 'CHF']),
  ['¥', 'JPY'],
  ['cents', 'cent'],
]);

function namesOf(kind: Kind, scale: number, words: string): [string, readonly [Kind, number]][] {
  return words.split(' ').map((word) => [word.replaceAll('_', ' '), [kind, scale]]);
}
