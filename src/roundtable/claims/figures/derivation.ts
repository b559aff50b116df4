import { sentenceAt, sentenceBounds } from '../sentence.ts';
import type { Figure } from './figure.ts';
import { agrees, isRounded } from './figure-index.ts';

/** What a claim may be derived from. */
interface Grounds {
  /** All figures of the text, and those among them that a source supports. */
  readonly figures: readonly Figure[];
  readonly supported: ReadonlySet<Figure>;
  /** The figures that stand beside one in its source, or that it was itself derived from. */
  readonly companionsOf: (figure: Figure) => readonly Figure[];
  /** The figures of the briefing, which everybody has read, and those that were derived before. */
  readonly common: readonly Figure[];
  /** The figures of the briefing that stand together in one sentence. */
  readonly groups: readonly (readonly Figure[])[];
}

/** A figure of so many digits follows from others by accident too rarely to matter: rounded, and to the last digit. */
const DIGITS = { rounded: 4, exact: 3 };
const MAX_COMPANIONS = 24;

/**
 * Returns the figures that a claim follows from: a sum, a difference, a share, a date some days later; null where it
 * follows from none. They stand next to it; one may stand beside these in their source, and where the claim is very
 * exact, anywhere in the briefing. Two that stand in one sentence of the briefing need not be said again.
 */
export function derivedFrom(claim: Figure, text: string, grounds: Grounds): readonly Figure[] | null {
  const operands = operandsFor(claim, text, grounds);
  if (follows(claim, text, operands)) return operands;
  return (
    withExtra(claim, text, operands, grounds) ??
    acrossRows(claim, operands, grounds) ??
    grounds.groups.find((group) => followsExactly(claim, pairsOf(group))) ??
    null
  );
}

/** With one figure that is not said here. One at a time: with several of them almost anything would follow. */
function withExtra(
  claim: Figure,
  text: string,
  operands: readonly Figure[],
  { companionsOf, common }: Grounds,
): readonly Figure[] | null {
  const digits = significantDigits(claim);
  if (digits < 2) return null;
  const beside = operands.flatMap(companionsOf).slice(0, MAX_COMPANIONS);
  const near = digits < DIGITS.rounded ? beside : [...beside, ...common];
  const extra =
    near.find((one) => operands.some((operand) => follows(claim, text, [operand, one]))) ??
    (digits < DIGITS.exact ? [] : common).find((one) =>
      followsExactly(
        claim,
        operands.map((operand) => [operand, one]),
      ),
    );
  return extra === undefined ? null : [...operands, extra];
}

/** From figures that stand beside two of the operands: a column of the rows that are spoken of. */
function acrossRows(claim: Figure, operands: readonly Figure[], { companionsOf }: Grounds): readonly Figure[] | null {
  if (significantDigits(claim) < DIGITS.exact) return null;
  const rows = operands.slice(0, MAX_FACTORS).map((one) => companionsOf(one).slice(0, MAX_COMPANIONS));
  const cells = pairsOf(rows).flatMap(([one, other]) => one.flatMap((a) => other.map((b) => [a, b] as const)));
  return followsExactly(claim, cells) ? operands : null;
}

/** Whether a claim is to the last digit the sum, difference, product or quotient of a pair, one of them of its kind. */
function followsExactly(claim: Figure, pairs: readonly (readonly [Figure, Figure])[]): boolean {
  const [said] = claim.values;
  if (said === undefined || claim.kind === 'percent') return false;
  return pairs.some(([one, other]) =>
    exactResults(claim, one, other).some((value) => Math.abs(value - said) <= 1e-9 * Math.abs(said)),
  );
}

function exactResults(claim: Figure, one: Figure, other: Figure): number[] {
  if (one.values.length === 0 || other.values.length === 0) return [];
  const isAlike = ({ kind }: Figure) => kind === claim.kind || claim.kind === 'number';
  const [a, b] = [one, other].map((figure) => {
    const [value = 0] = figure.values;
    return figure.kind === claim.kind ? (value * figure.scale) / claim.scale : value;
  });
  if (a === undefined || b === undefined) return [];
  const sums = isAlike(one) && isAlike(other) && one.kind === other.kind ? [a + b, Math.abs(a - b)] : [];
  // A round number is too easily the product of two others.
  if (claim.kind === 'number' && significantDigits(claim) < DIGITS.exact) return sums;
  return [...sums, ...(isAlike(one) ? [a * b, a / b] : []), ...(isAlike(other) ? [a * b, b / a] : [])];
}

function significantDigits({ text }: Figure): number {
  return text.replace(/\D/g, '').replace(/^0+|(?<!0)0+$/g, '').length;
}

function follows(claim: Figure, text: string, operands: readonly Figure[]): boolean {
  if (claim.kind === 'date') return isDateDerived(claim, operands);
  if (claim.values.length === 0) return false;
  const sentence = sentenceAt(text, claim.start);
  const computed = [
    ...converted(claim, operands),
    ...spans(claim, operands),
    ...computedFrom(claim, operands, sentence),
  ];
  // `26,000` may mean 26 somewhere in the world, but nobody reckons so: too much would follow by accident.
  const meanings = claim.text.includes(',') ? claim.values.slice(0, 1) : claim.values;
  return computed.some((value) => meanings.some((said) => isResult(claim, said, value)));
}

function computedFrom(claim: Figure, operands: readonly Figure[], sentence: string): number[] {
  const values = operands
    .filter((one) => one.values.length > 0)
    .map((one) => (one.values[0] ?? 0) * (one.kind === claim.kind ? one.scale / claim.scale : 1));
  if (claim.kind === 'percent') return [...shares(values), ...shares(inBaseUnits(operands))];
  const ratios = values.length === 0 ? [] : calendarRatios(sentence);
  const rates = ratesOf(claim, operands);
  return [
    ...totals([...values, ...ratios]),
    ...rates,
    ...raised(operands),
    ...(DERIVES.test(sentence) ? triples(values) : []),
  ];
}

/** The same measure in another unit. */
function converted(claim: Figure, operands: readonly Figure[]): number[] {
  return operands
    .filter((one) => one.kind === claim.kind && one.scale !== claim.scale)
    .map((one) => ((one.values[0] ?? 0) * one.scale) / claim.scale);
}

/** The time between two dates, or between two times of a day. */
function spans({ kind, scale }: Figure, operands: readonly Figure[]): number[] {
  if (kind !== 'time') return [];
  const days = operands.flatMap((one) => (one.kind === 'date' ? one.keys.map((key) => dayOf(key, COMMON_YEAR)) : []));
  const clocks = operands.flatMap((one) => (one.kind === 'clock' ? one.keys.map(secondsOf) : []));
  return [...pairsOf(days), ...pairsOf(clocks)].map(([one, other]) => Math.abs(one - other) / scale);
}

function secondsOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return 3600 * hours + 60 * minutes;
}

function inBaseUnits(operands: readonly Figure[]): number[] {
  return operands.filter(({ values }) => values.length > 0).map(baseOf);
}

const TIME_UNITS = [1, 60, 3600, 86_400];

/** What a measure makes in a unit of time, and how often one measure goes into another of its kind. */
function ratesOf(claim: Figure, operands: readonly Figure[]): number[] {
  return pairsOf(operands.filter(({ values }) => values.length > 0)).flatMap(([one, other]) => {
    if (one.kind === other.kind) return ratios(claim, baseOf(one), baseOf(other));
    const [time, amount] = one.kind === 'time' ? [one, other] : [other, one];
    if (time.kind !== 'time' || amount.kind !== claim.kind) return [];
    const whole = baseOf(amount) / claim.scale;
    return TIME_UNITS.flatMap((unit) => [(whole * unit) / baseOf(time), (whole * baseOf(time)) / unit]);
  });
}

function ratios({ kind }: Figure, one: number, other: number): number[] {
  return ['number', 'factor', 'time'].includes(kind) ? [one / other, other / one] : [];
}

function baseOf({ values, scale }: Figure): number {
  return (values[0] ?? 0) * scale;
}

/** A value with a share of it added or taken away. */
function raised(operands: readonly Figure[]): number[] {
  const by = operands.flatMap((one) => (one.kind === 'percent' ? [(one.values[0] ?? 0) / 100] : []));
  const values = operands.flatMap((one) => (one.kind === 'percent' ? [] : one.values.slice(0, 1)));
  return values.flatMap((value) => by.flatMap((share) => [value * (1 + share), value * (1 - share)]));
}

const MAX_FACTORS = 5;

/** As in twelve evenings of three hours at 45 euros. */
function triples(all: readonly number[]): number[] {
  const values = all.slice(0, MAX_FACTORS);
  return values.flatMap((one, at) =>
    pairsOf(values.filter((_, other) => other !== at)).flatMap(([a, b]) => [a * b * one, (a * b) / one]),
  );
}

const DERIVES =
  /\b(?:that is|that's|this is|which is|so|hence|thus|i\.e\.|in total|total|together|altogether|makes?|difference|sum|average|mean|leaves?|remaining|the rest|at (?:that|this)|between|apart|later)\b|=/i;
const MAX_OPERANDS = 10;

/**
 * The figures that a claim may be derived from: those of its sentence, and of the one before where the wording says so,
 * and where the claim is exact.
 */
function operandsFor(claim: Figure, text: string, { figures, supported }: Grounds): Figure[] {
  const sentence = sentenceBounds(text, claim.start);
  const derives = claim.kind === 'date' || DERIVES.test(text.slice(sentence.start, sentence.end));
  const usable = figures.filter(
    (one) => one !== claim && (supported.has(one) || (one.values.length > 0 && !one.specific)),
  );
  const own = usable.filter((one) => one.start >= sentence.start && one.start < sentence.end);
  const reaches = sentence.start > 0 && (derives || significantDigits(claim) >= DIGITS.exact);
  if (!reaches) return own.slice(0, MAX_OPERANDS);
  const from = sentenceBounds(text, sentence.start - 1).start;
  return usable.filter((one) => one.start >= from && one.start < sentence.end).slice(-MAX_OPERANDS);
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
    (100 * Math.abs(one - other)) / other,
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

function pairsOf<One>(values: readonly One[]): (readonly [One, One])[] {
  return values.flatMap((one, at) => values.slice(at + 1).map((other) => [one, other] as const));
}
