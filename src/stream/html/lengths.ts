import type { Part, Value } from './css.ts';

/** How many px a unit has; `%` and the sizes of a font are relative and come in by themselves. */
const PX: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['px', 1],
  ['pt', 4 / 3],
  ['pc', 16],
  ['in', 96],
  ['cm', 37.8],
  ['mm', 3.78],
  ['q', 0.945],
  ['rem', 16],
  ['vw', 10],
  ['vh', 8],
  ['vmin', 8],
  ['vmax', 10],
]);
const MOST_PARTS = 100;

/** Against what relative lengths are measured, in px. */
export interface Measure {
  readonly em: number;
  /** What 100 % are. */
  readonly whole: number;
}

/** Whether a value is only known to a reader: it names a variable, or what surrounds it. */
export function isUnknown(value: Value): boolean {
  return value.length > MOST_PARTS || value.some(({ text }) => /^(?:var|env|attr)\($/.test(text));
}

/** Returns one number with its unit in px, or null. */
function pixelsOf({ number, unit }: Part, { em, whole }: Measure): number | null {
  if (number === null) return null;
  if (unit === '%') return (number / 100) * whole;
  if (unit === 'em') return number * em;
  if (unit === 'ex' || unit === 'ch' || unit === 'lh') return (number * em) / 2;
  return number * (PX.get(unit) ?? Number.NaN);
}

/** Returns all lengths of a value in px, those within functions too. */
export function lengthsIn(value: Value, measure: Measure): readonly number[] {
  return value.map((part) => pixelsOf(part, measure)).filter((length) => length !== null);
}

/**
 * Returns the one length that a value is, in px: NaN where only a reader knows it, null where it is none. Of a calculation
 * (`clamp(14px, 2vw, 20px)`) it is the least number.
 */
export function lengthOf(value: Value, measure: Measure): number | null {
  if (isUnknown(value)) return Number.NaN;
  const [first] = value;
  if (first === undefined) return null;
  if (!first.text.endsWith('(')) return value.length === 1 ? pixelsOf(first, measure) : null;
  return Math.min(...lengthsIn(value, measure).map(Math.abs));
}
