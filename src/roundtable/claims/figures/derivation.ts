import { sentenceAt, sentenceBounds } from '../sentence.ts';
import type { Figure } from './figure.ts';
import { agrees, isRounded } from './figure-index.ts';

/**
 * Returns whether a claim follows from the figures next to it: a sum, a difference, a share, a date some days later.
 * `figures`: all those of the text. `supported`: the ones among them that a source supports.
 */
export function isDerived(
  claim: Figure,
  text: string,
  figures: readonly Figure[],
  supported: ReadonlySet<Figure>,
): boolean {
  const operands = operandsFor(claim, text, figures, supported);
  if (claim.kind === 'date') return isDateDerived(claim, operands);
  if (claim.values.length === 0) return false;
  const values = operands
    .filter((one) => one.values.length > 0)
    .map((one) => (one.values[0] ?? 0) * (one.kind === claim.kind ? one.scale / claim.scale : 1));
  const same = operands.filter((one) => one.kind === claim.kind && one.scale !== claim.scale);
  const converted = same.map((one) => ((one.values[0] ?? 0) * one.scale) / claim.scale);
  const ratios = values.length === 0 ? [] : calendarRatios(sentenceAt(text, claim.start));
  const computed = claim.kind === 'percent' ? shares(values) : totals([...values, ...ratios]);
  return [...converted, ...computed].some((value) => claim.values.some((said) => isResult(claim, said, value)));
}

const DERIVES =
  /\b(?:that is|that's|this is|which is|so|hence|thus|i\.e\.|in total|total|together|altogether|makes?|difference|sum|average|mean|leaves|remaining|the rest)\b|=/i;
const MAX_OPERANDS = 10;

/**
 * The figures that a claim may be derived from: those of its sentence, and of the one before where the wording says so.
 */
function operandsFor(
  claim: Figure,
  text: string,
  figures: readonly Figure[],
  supported: ReadonlySet<Figure>,
): Figure[] {
  const sentence = sentenceBounds(text, claim.start);
  const derives = claim.kind === 'date' || DERIVES.test(text.slice(sentence.start, sentence.end));
  const reaches = derives && sentence.start > 0;
  const from = reaches ? sentenceBounds(text, sentence.start - 1).start : sentence.start;
  return figures
    .filter((one) => one !== claim && one.start >= from && one.start < sentence.end)
    .filter((one) => supported.has(one) || (one.values.length > 0 && !one.specific))
    .slice(0, MAX_OPERANDS);
}

/** How many of the first unit make up the second; used where a sentence mentions both. */
const CALENDAR_RATIOS = [
  { words: [/\bmonth/i, /\b(?:year|annual)/i], count: 12 },
  { words: [/\b(?:day|dail)/i, /\bweek/i], count: 7 },
  { words: [/\b(?:week)/i, /\b(?:year|annual)/i], count: 52 },
];

function calendarRatios(sentence: string): number[] {
  return CALENDAR_RATIOS.flatMap(({ words, count }) => (words.every((word) => word.test(sentence)) ? [count] : []));
}

const DAY = 86_400;
/** Stands in where neither date has a year. No leap year. */
const COMMON_YEAR = '2001';

// As in three weeks after 3 November. A date without a year is taken to be in the claim's year.
function isDateDerived({ keys }: Figure, operands: readonly Figure[]): boolean {
  const spans = operands.flatMap(({ kind, values, scale }) => (kind === 'time' ? [(values[0] ?? 0) * scale] : []));
  const dates = operands.flatMap((one) => (one.kind === 'date' ? one.keys : []));
  return keys.some((key) => {
    const claimed = dayOf(key, COMMON_YEAR);
    const days = dates.map((date) => dayOf(date, key.startsWith('--') ? COMMON_YEAR : key.slice(0, 4)));
    return days.some((day) => spans.some((span) => sameDay(claimed, day + span) || sameDay(claimed, day - span)));
  });
}

function dayOf(key: string, year: string): number {
  return Date.parse(`${key.startsWith('--') ? `${year}${key.slice(1)}` : key}T00:00:00Z`) / 1000;
}

function sameDay(one: number, other: number): boolean {
  return Math.abs(one - other) < DAY / 2;
}

function isResult(claim: Figure, said: number, computed: number): boolean {
  return agrees({ ...claim, text: '00' }, said, computed) || isRounded(said, computed, Math.max(0, claim.decimals));
}

function shares(operands: readonly number[]): number[] {
  const rests = operands.map((one) => 100 - one);
  const parts = pairsOf(operands).flatMap(([one, other]) => [
    (100 * Math.min(one, other)) / Math.max(one, other),
    (100 * Math.abs(one - other)) / one,
    Math.abs(one - other),
    one + other,
  ]);
  return [...rests, ...parts].filter((value) => value > 0 && value !== 100 && Number.isFinite(value));
}

function totals(operands: readonly number[]): number[] {
  const runs = operands.flatMap((_, from) =>
    operands.slice(from + 1).map((_, to) => operands.slice(from, from + to + 2)),
  );
  const sums = runs.map((run) => ({ sum: run.reduce((sum, one) => sum + one, 0), count: run.length }));
  return [
    ...sums.map(({ sum }) => sum),
    ...sums.map(({ sum, count }) => sum / count),
    ...pairsOf(operands).flatMap(([one, other]) => [
      Math.abs(one - other),
      one * other,
      (one * other) / 100,
      Math.max(one, other) / Math.min(one, other),
    ]),
  ].filter((value) => Number.isFinite(value) && value > 0);
}

function pairsOf(values: readonly number[]): (readonly [number, number])[] {
  return values.flatMap((one, at) => values.slice(at + 1).map((other) => [one, other] as const));
}
