/** How far a sentence or a line is followed in either direction. */
const MAX_REACH = 600;

/**
 * A stop before a blank, or a line end that ends a paragraph, a list item or a table row: other line ends only wrap.
 */
const STOP = /[.!?;](?=\s|$)|\n(?=[ \t]{0,12}(?:\n|[-*#|>+]|\d{1,3}[.)]))/g;

/** Returns the sentence around an offset. */
export function sentenceAt(text: string, at: number): string {
  const { start, end } = sentenceBounds(text, at);
  return text.slice(start, end);
}

/** Returns where the sentence around an offset starts and ends, as offsets into the text. */
export function sentenceBounds(text: string, at: number): { readonly start: number; readonly end: number } {
  const before = text.slice(Math.max(0, at - MAX_REACH), at);
  const stops = [...before.matchAll(STOP)];
  const start = stops.length === 0 ? at - before.length : at - before.length + (stops.at(-1)?.index ?? 0) + 1;
  const after = text.slice(at, at + MAX_REACH);
  const stop = after.search(STOP);
  return { start, end: at + (stop === -1 ? after.length : stop + 1) };
}

/** Returns the line around an offset, without its line end. */
function lineAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  return text.slice(Math.max(start, at - MAX_REACH), end === -1 ? at + MAX_REACH : Math.min(end, at + MAX_REACH));
}

/** A figure of a source, and the line it is on. */
interface IndexedFigure {
  readonly figure: Figure;
  readonly line: string;
  /** Set where it may only be repeated next to one of these counts. */
  readonly beside: readonly number[] | null;
  /** The figures that it was derived from; null for one of a source, whose companions are on its line. */
  readonly from: readonly Figure[] | null;
}

/** The figures of the sources, indexed so that those near a claim are found without comparing all of them. */
export class FigureIndex {
  readonly #keyed = new Map<string, IndexedFigure[]>();
  /** Keyed by bucket: each value that a claim may be compared with is in one, and all buckets span the same ratio. */
  readonly #valued = new Map<number, IndexedFigure[]>();

  constructor(figures: readonly IndexedFigure[]) {
    for (const one of figures) this.add(one);
  }

  /** Adds a figure. */
  add(indexed: IndexedFigure): void {
    for (const key of indexed.figure.keys) addTo(this.#keyed, key.slice(-5), indexed);
    for (const bucket of new Set(comparables(indexed).map(bucketOf))) addTo(this.#valued, bucket, indexed);
  }

  /** Returns every figure that may support a claim; `supports` decides. */
  near(claim: Figure): readonly IndexedFigure[] {
    if (claim.keys.length > 0) return claim.keys.flatMap((key) => this.#keyed.get(key.slice(-5)) ?? []);
    const values = claim.values.flatMap((value) => [value, value * claim.scale]);
    const buckets = new Set(values.map(bucketOf).flatMap((bucket) => [bucket - 1, bucket, bucket + 1]));
    return [...new Set([...buckets].flatMap((bucket) => this.#valued.get(bucket) ?? []))];
  }
}

// A bucket is wider than the largest difference that still agrees, so a bucket and its neighbours hold all candidates.
const WIDTH = Math.log(1.25);

function bucketOf(value: number): number {
  return value === 0 ? Number.NEGATIVE_INFINITY : Math.floor(Math.log(Math.abs(value)) / WIDTH);
}

function comparables({ figure, line }: IndexedFigure): number[] {
  const unit = unitOfLine(line, 'time');
  return figure.values.flatMap((value) => [
    value,
    value * figure.scale,
    value * 100,
    ...(Number.isNaN(unit) ? [] : [value * unit]),
  ]);
}

function addTo<Key>(map: Map<Key, IndexedFigure[]>, key: Key, indexed: IndexedFigure): void {
  const found = map.get(key);
  if (found === undefined) map.set(key, [indexed]);
  else found.push(indexed);
}

const SHARE_WORDS = /percent|per cent|pct|share|ratio|rate|fraction|%/i;

/** Returns whether a figure of a source agrees with a claim, to the precision of the claim. */
export function supports({ figure, line, from }: IndexedFigure, claim: Figure): boolean {
  if (claim.keys.length > 0)
    return figure.kind === claim.kind && claim.keys.some((key) => figure.keys.some(sameKey(key)));
  if (figure.keys.length > 0 || figure.lines !== null) return false;
  const [kind, other] = [claim.kind, figure.kind];
  if (kind === 'number') return agreesInUnit(claim, figure, 1);
  if (kind === other) return sameCurrency(claim, figure) && agreesInUnit(claim, figure, figure.scale / claim.scale);
  if (other !== 'number' || from !== null) return false;
  // A bare number in a source may be the value of a field whose name tells the unit.
  if (kind === 'percent')
    return agreesInUnit(claim, figure, 100) || (SHARE_WORDS.test(line) && agreesInUnit(claim, figure, 1));
  return agreesInUnit(claim, figure, unitOfLine(line, kind) / claim.scale);
}

// As in `timeout_ms: 4200`. NaN where the line tells no unit.
function unitOfLine(line: string, kind: Figure['kind']): number {
  if (kind !== 'time') return Number.NaN;
  if (/(?:_ms|Ms|millis(?:econds)?)\b/.test(line)) return 0.001;
  if (/(?:_s|_secs|_?[Ss]econds)\b/.test(line)) return 1;
  if (/(?:_minutes|Minutes|_min)\b/.test(line)) return 60;
  if (/(?:_hours|Hours)\b/.test(line)) return 3600;
  return /(?:_days|Days)\b/.test(line) ? 86_400 : Number.NaN;
}

function sameKey(claimed: string): (key: string) => boolean {
  const [short, long] = [claimed.slice(-5), claimed.startsWith('--') ? '' : claimed];
  return (key) => key === long || ((long === '' || key.startsWith('--')) && key.slice(-5) === short);
}

function sameCurrency(one: Figure, other: Figure): boolean {
  return one.currency === other.currency || one.currency === '' || other.currency === '';
}

/** `factor` converts the figure into the unit of the claim. NaN where the unit is unknown: the claim's is assumed. */
function agreesInUnit(claim: Figure, figure: Figure, factor: number): boolean {
  const by = Number.isNaN(factor) ? 1 : factor;
  const [first, ...others] = claim.values;
  // Of a rounded figure, only the likelier meaning counts.
  if (first !== undefined && figure.values[0] !== undefined && agrees(claim, first, figure.values[0] * by)) return true;
  return [first, ...others].some((value) =>
    figure.values.some((other) => isClose(value ?? Number.NaN, other * by, 1e-9)),
  );
}

const LOOSE = 0.05;

/** Returns whether a stated value agrees with the actual one, to the precision and hedge of the claim. */
function agrees({ hedge, decimals, text }: Figure, said: number, actual: number): boolean {
  if (isClose(said, actual, 1e-9)) return true;
  if (hedge === 'about') return isClose(said, actual, LOOSE);
  if (hedge === 'over' && said < actual && said >= 0.85 * actual) return true;
  if (hedge === 'under' && said > actual && said <= 1.18 * actual) return true;
  if (digitsOf(text, said) < 2 || (Number.isInteger(actual) && decimals >= 0)) return false;
  return isRounded(said, actual, decimals);
}

/** The number of significant digits. A rounded figure needs two, since a single digit is close to too much. */
function digitsOf(text: string, said: number): number {
  const written = text.replace(/\D/g, '').replace(/^0+/, '');
  return Math.max(
    written.length,
    String(said)
      .replace(/\D/g, '')
      .replace(/^0+|(?<!0)0+$/g, '').length,
  );
}

/** Returns whether a value rounds to what was said. */
function isRounded(said: number, actual: number, decimals: number): boolean {
  const step = 10 ** -decimals;
  return Math.abs(said - actual) <= step / 2 + 1e-9 * Math.abs(actual);
}

function isClose(one: number, other: number, share: number): boolean {
  return Math.abs(one - other) <= share * Math.max(Math.abs(one), Math.abs(other));
}

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

/** What a figure measures, so that 30 % is not mistaken for 30 days. */
type Kind =
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
  /** What it may mean, in its written unit: `1.200` is 1200 or 1.2. Empty for a date, a version or a line. */
  readonly values: readonly number[];
  /** How many base units of the kind (seconds, bytes) one of its unit is; 1 without a unit. */
  readonly scale: number;
  /** The currency code, or ''. */
  readonly currency: string;
  /** How exact it is: the digits after the decimal point, negative where it counts in thousands. */
  readonly decimals: number;
  /**
   * What is compared as text: dates as `YYYY-MM-DD` or `--MM-DD`, clock times as `HH:mm`, versions. One for each
   * meaning.
   */
  readonly keys: readonly string[];
  /** The lines it refers to. `file` is '' where none is named. Null for every other kind. */
  readonly lines: { readonly file: string; readonly first: number; readonly last: number } | null;
  /** Whether it is a claim that needs support, rather than a year, a list number or a small count of common speech. */
  readonly specific: boolean;
  /** Set where it is stated as an estimate or a bound. */
  readonly hedge: 'about' | 'over' | 'under' | null;
}

/** The defaults of a figure. */
const PLAIN = {
  values: [],
  scale: 1,
  currency: '',
  decimals: 0,
  keys: [],
  lines: null,
  specific: true,
  hedge: null,
};

/** Returns the text with blanks in place of these figures, so that offsets stay the same. */
function withoutFigures(text: string, figures: readonly Figure[]): string {
  let [made, at] = ['', 0];
  for (const { start, end } of [...figures].sort((one, other) => one.start - other.start)) {
    if (start < at) continue;
    made += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return made + text.slice(at);
}

const SMALL = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, value) => [word, value]),
);
const TENS = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, at) => [word, 20 + 10 * at]),
);
const SCALES = new Map([
  ['hundred', 100],
  ['dozen', 12],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
]);
const PARTS = new Map([
  ['half', 2],
  ['third', 3],
  ['quarter', 4],
  ['fifth', 5],
  ['sixth', 6],
  ['eighth', 8],
  ['tenth', 10],
]);

const WORD = [...SMALL.keys(), ...TENS.keys(), ...SCALES.keys()].join('|');
/** Consecutive number words, as in `twelve thousand three hundred and forty` or `seventy-three`. */
const ROW = new RegExp(`\\b(?:${WORD})(?:(?:-| and | )(?:${WORD}))*\\b`, 'gi');
const FRACTION = new RegExp(
  `\\b(${[...SMALL.keys()].join('|')})[- ](${[...PARTS.keys()].map((one) => `${one}s`).join('|')})\\b`,
  'gi',
);

/**
 * A number in words, and its offsets. `share`: `value` is a percentage, since the words name a part such as two thirds.
 */
interface NumberWord {
  readonly start: number;
  readonly end: number;
  readonly value: number;
  readonly share: boolean;
}

/** Returns the numbers in words of a text. A half, a third and a quarter are common speech and left out. */
function numberWordsIn(text: string): NumberWord[] {
  const shares = [...text.matchAll(FRACTION)].flatMap(({ 0: whole, 1: over, 2: under, index }): NumberWord[] => {
    const part = PARTS.get(under?.toLowerCase().replace(/s$/, '') ?? '') ?? 1;
    const value = (100 * (SMALL.get(over?.toLowerCase() ?? '') ?? 0)) / part;
    return [{ start: index, end: index + whole.length, value, share: true }];
  });
  const rows = [...text.matchAll(ROW)].map(({ 0: whole, index }): NumberWord => {
    return { start: index, end: index + whole.length, value: numberOf(whole), share: false };
  });
  return [...shares, ...rows.filter(({ start }) => !shares.some((one) => start >= one.start && start < one.end))];
}

function numberOf(words: string): number {
  let [sum, group] = [0, 0];
  for (const word of words.toLowerCase().split(/[- ]/)) {
    const scale = SCALES.get(word);
    if (scale === undefined) group += SMALL.get(word) ?? TENS.get(word) ?? 0;
    else if (scale < 1000) group = Math.max(1, group) * scale;
    else {
      sum += Math.max(1, group) * scale;
      group = 0;
    }
  }
  return sum + group;
}

const NUMBER = String.raw`(\d{1,4}|[a-z]+(?:-[a-z]+)?)`;
/** Hours and minutes, or minutes and seconds, that are one duration: `3h 12m`, `three hours and twelve minutes`. */
const DURATIONS = [
  {
    unit: 60,
    parts: new RegExp(
      `\\b${NUMBER}\\s?(?:h|hrs?|hours?)(?:,?\\s(?:and\\s)?|)${NUMBER}\\s?(?:m|mins?|minutes?)\\b`,
      'gi',
    ),
  },
  {
    unit: 1,
    parts: new RegExp(
      `\\b${NUMBER}\\s?(?:m|mins?|minutes?)(?:,?\\s(?:and\\s)?|)${NUMBER}\\s?(?:s|secs?|seconds?)\\b`,
      'gi',
    ),
  },
];

/** Returns the durations of a text that are written in two units. */
function durationsIn(text: string): Figure[] {
  return DURATIONS.flatMap(({ unit, parts }) =>
    [...text.matchAll(parts)].flatMap(({ 0: all, 1: first = '', 2: second = '', index }): Figure[] => {
      const [long, short] = [valueIn(first), valueIn(second)];
      if (long === null || short === null) return [];
      const value = 60 * long + short;
      return [
        { ...PLAIN, kind: 'time', text: all, start: index, end: index + all.length, values: [value], scale: unit },
      ];
    }),
  );
}

function valueIn(written: string): number | null {
  if (/^\d/.test(written)) return Number(written);
  const [word] = numberWordsIn(written);
  return word === undefined || word.share || word.end - word.start !== written.length ? null : word.value;
}

const FILE = String.raw`(?<![\w@./-])[\w@./-]{0,200}[\w-]\.[A-Za-z]\w{0,9}`;
const RANGE = String.raw`(\d{1,7})(?:\s?(?:-|–|to|and)\s?(\d{1,7})(?![\d.,]*\d|\s?%))?`;
const LINES = [
  new RegExp(`(${FILE}):${RANGE}`, 'g'),
  new RegExp(`(${FILE})[\`"')]{0,2},?\\s\\(?(?:at\\s|on\\s)?lines?\\s${RANGE}`, 'g'),
];
const LINES_OF = new RegExp(`\\b[Ll]ines?\\s${RANGE}(?:\\s(?:of|in|from)\\s[\`"']?(${FILE}))?`, 'g');

/** Returns the line references of a text, such as `a.ts:3-5` or `line 7 of a.ts`. */
function linesIn(text: string): Figure[] {
  const named = LINES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: all, 1: file = '', 2: first, 3: last, index }) =>
      lineFigure(all, index, file, first, last),
    ),
  );
  const bare = [...withoutFigures(text, named).matchAll(LINES_OF)].map(
    ({ 0: all, 1: first, 2: last, 3: file = '', index }) => lineFigure(all, index, file, first, last),
  );
  return [...named, ...bare];
}

function lineFigure(all: string, start: number, file: string, first = '0', last = first): Figure {
  const lines = { file, first: Number(first), last: Number(last) };
  return { ...PLAIN, kind: 'line', text: all, start, end: start + all.length, lines };
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const;
const MONTH =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?';
/** `16 and 18 November`, `16–18 November`: the month is said once. */
const DAY_RANGE = new RegExp(
  `\\b(\\d{1,2})(?=(?:st|nd|rd|th)?\\s?(?:-|–|to|and|or)\\s?(?:the\\s)?\\d{1,2}(?:st|nd|rd|th)?\\s(${MONTH})\\b)`,
  'g',
);
/** In a hurry months are written small; `may` is then another word. */
const SMALL_MONTH = 'january|february|march|april|june|july|august|september|october|november|december';
const ANY_MONTH = `${MONTH}|${SMALL_MONTH}`;
const ISO_DATE = /(?<![\d-])(\d{4})-(\d\d)-(\d\d)(?!\d)/g;
const DAY_MONTH = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th)?\\.?\\s(?:of\\s)?(${ANY_MONTH})\\b\\.?(?:,?\\s(\\d{4})\\b)?`,
  'g',
);
const MONTH_DAY = new RegExp(
  `\\b(${ANY_MONTH})\\.?\\s(\\d{1,2})(?:st|nd|rd|th)?\\b(?:,?\\s(\\d{4})\\b)?(?![.,]?\\d)`,
  'g',
);
const FIGURE_DATE = /(?<![\d.,/])(\d{1,2})([./])(\d{1,2})\2(\d{4})(?!\d)/g;

/** Returns the dates of a text. One such as 3/4/2026 has a key for each day it may mean. */
function datesIn(text: string): Figure[] {
  return [
    ...[...text.matchAll(ISO_DATE)].map(({ 0: all, 1: y, 2: m, 3: d, index }) => dateFigure(all, index, [[y, m, d]])),
    ...[...text.matchAll(DAY_MONTH)].map(({ 0: all, 1: d, 2: m, 3: y, index }) =>
      dateFigure(all, index, [[y, monthOf(m), d]]),
    ),
    ...[...text.matchAll(DAY_RANGE)].map(({ 0: all, 1: d, 2: m, index }) =>
      dateFigure(all, index, [[undefined, monthOf(m), d]]),
    ),
    ...[...text.matchAll(MONTH_DAY)].map(({ 0: all, 1: m, 2: d, 3: y, index }) =>
      dateFigure(all, index, [[y, monthOf(m), d]]),
    ),
    ...[...text.matchAll(FIGURE_DATE)].map(({ 0: all, 1: one, 3: other, 4: y, index }) =>
      dateFigure(all, index, [
        [y, other, one],
        [y, one, other],
      ]),
    ),
  ];
}

function dateFigure(
  all: string,
  start: number,
  dates: readonly (readonly [string | undefined, string | undefined, string | undefined])[],
): Figure {
  const keys = dates.map(([y = '-', m = '', d = '']) => `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`);
  return { ...PLAIN, kind: 'date', text: all, start, end: start + all.length, keys };
}

function monthOf(name = ''): string {
  return String(MONTHS.findIndex((month) => name.toLowerCase().startsWith(month)) + 1);
}

const CLOCK = /(?<![\d:.])(\d{1,2})(?::([0-5]\d))?(?::[0-5]\d)?(?:\s?([AaPp])\.?[Mm]\b|(?=[^\d]|$))/g;

/** Returns a number such as `8.30` as the time of day that it may be; null for any other. */
function asClock({ kind, text }: Figure): Figure | null {
  const [, hour = '', minute = ''] = (kind === 'number' ? /^(\d{1,2})\.([0-5]\d)$/.exec(text) : null) ?? [];
  if (hour === '' || Number(hour) > 23) return null;
  return { ...PLAIN, kind: 'clock', text, start: 0, end: text.length, keys: [`${hour.padStart(2, '0')}:${minute}`] };
}

/** Returns the clock times of a text. */
function clocksIn(text: string): Figure[] {
  return [...text.matchAll(CLOCK)].flatMap(({ 0: all, 1: hour, 2: minute, 3: half, index }): Figure[] => {
    if (minute === undefined && half === undefined) return [];
    const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
    if (hours > 23) return [];
    const keys = [`${String(hours).padStart(2, '0')}:${minute ?? '00'}`];
    return [{ ...PLAIN, kind: 'clock', text: all, start: index, end: index + all.length, keys }];
  });
}

const VERSION = /(?<![\p{L}\d.,-])v?(\d{1,9}(?:\.\d{1,9}){2,4})(?![\d\p{L}])/gu;

/** Returns the version numbers of a text, such as 3.1.4. */
function versionsIn(text: string): Figure[] {
  return [...text.matchAll(VERSION)].flatMap(({ 0: all, 1: digits = '', index }): Figure[] => {
    if (/^\d{1,3}(\.\d{3})+$/.test(digits)) return []; // a number with its thousands separated
    return [{ ...PLAIN, kind: 'version', text: all, start: index, end: index + all.length, keys: [digits] }];
  });
}

const LABEL =
  /\b(?:round|step|option|point|section|phase|item|part|table|figure|scenario|chapter|question|page|level|no|nr|number|rule|issue|day|week|perspective|tension|case|plan|stage|tier|version|note|appendix|article|turn|priority|plot|flat|room|invoice|ticket|variant|offer|reason|argument|objection|principle|idea|track|platform|channel|port|building|exhibit|clause|para(?:graph)?|annex|volume|edition|slide|screen|sheet|column|row|cell|batch|lot|group|team|agent|speaker|sprint|milestone|grade|category|class|model|error|status|http|code|footnote|claim|hypothesis|goal|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\.?\s#?$/i;
const THRESHOLD =
  /(?:[<>≤≥=]=?|\b(?:threshold|limit|cap|floor|ceiling|minimum|maximum|min|max|cut-?off|quota|score|budget)\b(?:\s(?:of|is|was|at|to|stands at))?:?)\s?["'`]?$/i;
const SET_TO = /[\p{L}]{1,20}(?:[_.][\p{L}\d]{1,40}|\p{Ll}\p{Lu}[\p{L}\d]{0,40})`?\s?(?:is|was|=|:|of|at)\s?$/u;
const COUNTED =
  /^(?:\sof\sthe|\sof)?(?:\s[\p{L}-]{1,20}){0,2}?\s(?:rows?|records?|entr(?:y|ies)|lines?|match(?:es)?|errors?|failures?|tests?|files?|samples?|users?|customers?|clients?|requests?|calls?|events?|incidents?|complaints?|invoices?|payments?|bugs?|crash(?:es)?|timeouts?|signals?|tasks?|reversals?|observations?|quotes?|visits?|reviews?|respondents?|patients?|duplicates?|hits?|miss(?:es)?|retries|attempts?|commits?|tiles?|boxes|pieces|units?|square met(?:er|re)s?)\b/iu;
/** What makes of `three times` a ratio rather than a count in common speech. */
const COMPARES = /^\s(?:as\b|more\b|less\b|higher|larger|bigger|faster|slower|longer|the\b|that\b|what\b|over\b)/i;
const SHARE_BEFORE = /(?:\bout of|\d\sof|\d\sin)\s(?:the\s|every\s)?$/i;
const SHARE_AFTER = /^\s(?:out of\b|(?:of|in)\s(?:the\s|every\s)?\d)/i;
/** A bare count up to this is common speech; above it, it is a claim. */
const COMMON = 12;

/** How a number is written: in digits or words, with the text on either side. */
interface Wording {
  readonly inWords: boolean;
  readonly before: string;
  readonly after: string;
}

/** Returns whether a number is a claim that needs support, rather than a common way of speaking. */
function isSpecific(figure: Figure, { inWords, before, after }: Wording): boolean {
  const value = figure.values[0] ?? 0;
  if (figure.kind === 'money' || figure.kind === 'size') return true;
  if (figure.kind === 'percent') return value !== 0 && value !== 100;
  if (figure.kind === 'factor' && value <= COMMON && !COMPARES.test(after)) return !inWords && value > 3;
  if (figure.kind !== 'number') return inWords ? value > 2 : value !== 1;
  const counts = THRESHOLD.test(before) || SET_TO.test(before) || COUNTED.test(after);
  const isShare = SHARE_BEFORE.test(before) || SHARE_AFTER.test(after);
  if (inWords) return value > COMMON || (value > 2 && (counts || isShare));
  if (counts || isShare) return true;
  const labelled = before.replace(/\d{1,9}\s?[-–]$/, '');
  if (LABEL.test(labelled) || isYear(figure)) return false;
  return !Number.isInteger(value) || value > COMMON;
}

function isYear({ text, values }: Figure): boolean {
  const [value = 0] = values;
  return /^\d{4}$/.test(text) && value >= 1900 && value <= 2100;
}

/** The name of a unit after a figure, in lower case → its kind, and how many base units of the kind it is. */
const UNITS: ReadonlyMap<string, readonly [Kind, number]> = new Map([
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
const MAGNITUDES: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['thousand', 1e3],
  ['million', 1e6],
  ['mn', 1e6],
  ['bn', 1e9],
  ['billion', 1e9],
]);

/** The sign, code or name of a currency, in lower case → its code. */
const CURRENCIES: ReadonlyMap<string, string> = new Map([
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

/** `GPT-4`, `INV-2026-114`, `#412`; but not the end of a range (`80-97 %`) or a negative number. */
const PART_OF_NAME = /(?:[\p{L}\p{N}#@]|[\p{L}\p{N}_]_|[\p{L}_][\p{L}\p{N}_-]{0,40}-)$/u;
const DIGITS_MEASURED_FIGURES =
  /(?<![\p{L}\p{N}]|[\p{L}\p{N}_]_|\d[.,])(?:\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})+(?![\d])(?:[.,]\d{1,12})?|\d{1,15}(?:[.,]\d{1,12})?|(?<!\S)\.\d{1,12})/gu;
/** `hundred` alone comes from `a hundred`, which is a way of speaking. */
const LONE_SCALE = /^(?:hundred|thousand|million|billion|dozen)$/i;

/** A number as it stands in the text, without its unit. */
interface Written {
  readonly start: number;
  readonly end: number;
  readonly values: readonly number[];
  readonly decimals: number;
  readonly inWords: boolean;
}

/** Returns the numbers of a text that are written in digits, with their units. */
function numbersIn(text: string): Figure[] {
  return [...text.matchAll(DIGITS_MEASURED_FIGURES)]
    .flatMap(({ 0: digits, index }) => cells(text, digits, index))
    .flatMap(({ digits, start }) => {
      const { values, decimals } = readings(digits);
      return measured(text, { start, end: start + digits.length, values, decimals, inWords: false });
    });
}

/** In a comma-separated row, a comma between figures is not a decimal point: `floor,184,66,10`. */
function cells(text: string, digits: string, start: number): { readonly digits: string; readonly start: number }[] {
  const isRow =
    text[start - 1] === ',' ||
    (text[start + digits.length] === ',' && /\S/.test(text[start + digits.length + 1] ?? ' '));
  if (!isRow || !digits.includes(',')) return [{ digits, start }];
  return [...digits.matchAll(/[^,]+/g)].map(({ 0: part, index }) => ({ digits: part, start: start + index }));
}

/** Returns the numbers of a text that are written in words, with their units. */
function wordsIn(text: string): Figure[] {
  return numberWordsIn(text).flatMap(({ start, end, value, share }): Figure[] => {
    const said = text.slice(start, end);
    if (LONE_SCALE.test(said)) return [];
    if (share) {
      const specific = value < 100;
      return [{ ...PLAIN, kind: 'percent', text: said, start, end, values: [value], specific, hedge: 'about' }];
    }
    return measured(text, { start, end, values: [value], decimals: 0, inWords: true });
  });
}

/**
 * Returns what digits with separators may mean: `1,200` and `1.200` are either more than a thousand or little more than
 * one.
 */
function readings(digits: string): { readonly values: readonly number[]; readonly decimals: number } {
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

/** Returns the number with its unit; nothing where it is part of a name, such as `utf8`, `GPT-4` or `3rd`. */
function measured(text: string, written: Written): Figure[] {
  const before = text.slice(Math.max(0, written.start - 48), written.start);
  const after = text.slice(written.end, written.end + 48);
  if (PART_OF_NAME.test(before)) return [];
  const unit = unitOf(before, after);
  if (unit === null) return [];
  const start = written.start - unit.lead;
  const end = written.end + unit.length;
  const values = written.values.map((value) => value * unit.magnitude);
  const figure: Figure = {
    ...PLAIN,
    kind: unit.kind,
    text: text.slice(start, end),
    start,
    end,
    values,
    scale: unit.scale,
    currency: unit.currency,
    decimals: written.decimals - Math.round(Math.log10(unit.magnitude)),
    hedge: hedgeOf(before) ?? (OR_SO.test(text.slice(end, end + 12)) ? 'about' : null),
  };
  return [
    { ...figure, specific: isSpecific(figure, { inWords: written.inWords, before, after: text.slice(end, end + 64) }) },
  ];
}

interface Unit {
  readonly kind: Kind;
  readonly scale: number;
  readonly magnitude: number;
  readonly currency: string;
  /** How many characters it takes before the number, and how many after it. */
  readonly lead: number;
  readonly length: number;
}

const SYMBOL_BEFORE = /(?:([€$£¥])|\b(EUR|USD|GBP|CHF))\s?[-−]?$/;
const WORD_AFTER = /^([\s\u00a0\u202f-]?)(percentage points?|per cent|[%٪×]|[€$£¥]|[\p{L}]{1,16})/iu;

function unitOf(before: string, after: string): Unit | null {
  const symbol = SYMBOL_BEFORE.exec(before);
  const prefix = CURRENCIES.get((symbol?.[1] ?? symbol?.[2] ?? '').toLowerCase()) ?? '';
  const big = magnitudeOf(after, prefix !== '');
  const rest = after.slice(big.length);
  const [whole = '', gap = '', word = ''] = WORD_AFTER.exec(rest) ?? [];
  const length = big.length + whole.length;
  const base = { magnitude: big.magnitude, scale: 1, lead: 0 };
  if (prefix !== '')
    return { ...base, kind: 'money', currency: prefix, lead: symbol?.[0].length ?? 0, length: big.length };
  const currency = CURRENCIES.get(word.toLowerCase());
  if (currency !== undefined) return { ...base, kind: 'money', currency, length };
  const unit = UNITS.get(word.toLowerCase());
  if (unit !== undefined) return { ...base, kind: unit[0], scale: unit[1], currency: '', length };
  // Joined to letters that are not a unit, the number is part of a name or an ordinal.
  if (gap === '' && word !== '' && big.length === 0) return null;
  return { ...base, kind: 'number', currency: '', length: big.length };
}

function magnitudeOf(after: string, isMoney: boolean): { readonly magnitude: number; readonly length: number } {
  const [whole = '', word = ''] = /^[\s\u00a0\u202f]?(k|thousand|million|mn|bn|billion|[mM])\b/i.exec(after) ?? [];
  const glued = !/^\s/.test(whole);
  if (word === 'M' ? glued || isMoney : word === 'm' && isMoney) return { magnitude: 1e6, length: whole.length };
  const magnitude = word.toLowerCase() === 'k' && !glued ? undefined : MAGNITUDES.get(word.toLowerCase());
  return magnitude === undefined ? { magnitude: 1, length: 0 } : { magnitude, length: whole.length };
}

const ABOUT =
  /(?:\b(?:about|around|roughly|approximately|approx\.|nearly|almost|some|circa|ca\.|close to|a good|barely|hardly|just (?:over|under|short of)|a (?:little|bit) (?:over|under|more than|less than)|something like|in the region of|(?:on|in) the order of|not quite|as good as)\s|[~≈]\s?)[€$£]?$/i;
const OR_SO = /^(?:-odd\b|,? or so\b|,? give or take|,? roughly\b)/i;
const OVER =
  /\b(?:over|more than|above|at least|upwards? of|exceeds|exceeding|well over|no (?:fewer|less) than|north of|beyond)\s[€$£]?$/i;
const UNDER =
  /\b(?:under|less than|fewer than|below|at most|up to|within|no more than|not even|short of|south of)\s[€$£]?$/i;

function hedgeOf(before: string): Figure['hedge'] {
  if (ABOUT.test(before)) return 'about';
  if (OVER.test(before)) return 'over';
  return UNDER.test(before) ? 'under' : null;
}

/**
 * Returns every figure of a text, in order: line references, dates, clock times, versions, and numbers with their
 * units, in digits or in words. Text of a request, labels such as P01, and list numbers are not figures.
 */
export function figuresIn(text: string): Figure[] {
  const found: Figure[] = [];
  let rest = NO_CLAIMS.reduce((plain, pattern) => plain.replace(pattern, blank), inCells(inPlainDigits(text)));
  for (const finder of FINDERS) {
    const more = finder(rest);
    found.push(...more);
    rest = withoutFigures(rest, more);
  }
  return found.sort((one, other) => one.start - other.start);
}

/** Replaces digits and signs of other scripts by those of ASCII, so that offsets stay the same: `９７.３％`, `٩٧٪`. */
function inPlainDigits(text: string): string {
  return text.replace(/[\uff05\uff0e]|(?!\d)\p{Nd}/gu, (sign) => {
    if (sign === '％') return '%';
    if (sign === '．') return '.';
    return sign.length === 1 ? String(digitOf(sign)) : sign;
  });
}

/** The ten digits of a script have consecutive codes, so the zero is the first digit after a character that is none. */
function digitOf(sign: string): number {
  const code = sign.charCodeAt(0);
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero -= 1;
  return code - zero;
}

/** In the rows of a table with commas these separate numbers, and are no part of any: `r003,1911,57,0.64`. */
function inCells(text: string): string {
  return text.replace(TABLE_ROW, (row) => (isTableRow(row) ? row.replaceAll(',', ';') : row));
}

const TABLE_ROW = /[^\s,]{0,200}(?:,[^\s,]{0,200}){3,}/g;

function isTableRow(row: string): boolean {
  return row.replace(/(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)/g, '').split(',').length > 2;
}

/** Text whose numbers state nothing: requests, addresses, numbering, file names. */
const NO_CLAIMS = [
  /\[\[\s{0,9}request\s{0,9}:(?:[^\]]|\](?!\])){0,2000}\]\]/gi,
  /\bhttps?:\/\/[^\s)>\]]{1,500}/g,
  /^[ \t]{0,12}(?:[-*>][ \t])?#{0,6}[ \t]?\(?\d{1,3}(?:\.\d{1,3})*[.)](?=\s)/gm, // numbers of list items
  /^#{1,6}[ \t](?:\d{1,2}|\d{1,3}(?:\.\d{1,3})+)(?=\s(?!of\b|out\b))/gm, // numbers of headings
  /^[ \t*_-]{0,6}FILE_WRITTEN:.*$/gim,
  /\b(?:five|six|seven|four|[4-7])-day week\b/gi,
  /\b(?:24\/7|(?:50[/:-]50|fifty-fifty)|80\/20|9(?:-|–| to )5|(?:one|two|ten) (?:to|in) one)\b/gi, // ways of speaking
  /\b(?:19|20)\d\d\s?[/–]\s?\d\d\b/g, // seasons, as in 2024/25
];

const FINDERS = [linesIn, datesIn, clocksIn, versionsIn, durationsIn, numbersIn, wordsIn];

const blank = (found: string) => ' '.repeat(found.length);

/** Returns a figure of a text as it is indexed. `from`: what it was derived from, or null. */
function indexedIn(text: string, figure: Figure, from: readonly Figure[] | null = null): IndexedFigure {
  return { figure, line: lineAt(text, figure.start), beside: null, from };
}

/** Returns an index of all figures of a text. */
export function indexOf(text: string): FigureIndex {
  return new FigureIndex(figuresIn(text).map((figure) => indexedIn(text, figure)));
}

/** Longer sources are only read this far. */
const MAX_SOURCE = 400_000;
/** How many figures of the briefing may be reckoned with, and how many places of a figure are looked at. */
const MAX_COMMON = 60;
const MAX_BESIDE = 4;
const MAX_GROUP = 8;

/** What may be cited: every figure in the sources, the lines that evidence has shown, and the lines of the briefing. */
export class EvidenceIndex {
  readonly #figures: FigureIndex;
  readonly #lines: readonly NonNullable<Figure['lines']>[];
  readonly #briefing: readonly Figure[];
  readonly #derived: Figure[] = [];
  /** The figures of the briefing that stand together in one sentence. */
  readonly groups: readonly (readonly Figure[])[];
  readonly #lineFigures = new Map<string, readonly Figure[]>();

  constructor(sources: readonly Source[]) {
    const read = sources.map(({ text, ...rest }) => ({ ...rest, text: text.slice(0, MAX_SOURCE) }));
    const indexed = read.flatMap(({ text, beside = null }) =>
      figuresIn(text).map((figure) => ({ ...indexedIn(text, figure), beside })),
    );
    const shown = indexed.flatMap(({ figure: { lines } }) => (lines === null || lines.file === '' ? [] : [lines]));
    const own = read.flatMap(({ file, text }) =>
      file === null ? [] : [{ file, first: 1, last: text.split('\n').length }],
    );
    this.#figures = new FigureIndex(indexed);
    const briefing = read.filter(({ file }) => file !== null).map(({ text }) => groupsIn(text));
    this.groups = briefing.flat().slice(0, MAX_COMMON);
    this.#briefing = this.groups.flat().slice(0, MAX_COMMON);
    this.#lines = [...shown, ...own];
  }

  /** Adds a figure of a message that follows from others, so that whoever says it later repeats something that holds. */
  add(text: string, figure: Figure, from: readonly Figure[]): void {
    this.#figures.add(indexedIn(text, figure, from));
    if (figure.values.length > 0) this.#derived.push(figure);
  }

  /** The figures of the briefing, and the last ones that were derived. */
  get common(): readonly Figure[] {
    return [...this.#briefing, ...this.#derived.slice(-MAX_COMMON)];
  }

  /** Returns the figures that stand beside one in the sources that support it, or that it was derived from. */
  companionsOf(claim: Figure, text: string): readonly Figure[] {
    return this.#supporting(claim, text)
      .slice(0, MAX_BESIDE)
      .flatMap(({ line, from }) => from ?? this.#onLine(line));
  }

  #onLine(line: string): readonly Figure[] {
    const known = this.#lineFigures.get(line) ?? figuresIn(line);
    this.#lineFigures.set(line, known);
    return known;
  }

  /** Returns whether evidence, or the briefing, has shown these lines. */
  hasShown(claimed: NonNullable<Figure['lines']>): boolean {
    return this.#lines.some((shown) => covers(shown, claimed));
  }

  /** Returns whether something in the index supports a figure of this text. */
  supports(claim: Figure, text: string): boolean {
    if (claim.lines !== null) return this.hasShown(claim.lines);
    return this.#supporting(claim, text).length > 0;
  }

  #supporting(claim: Figure, text: string): readonly IndexedFigure[] {
    const clock = /\b(?:at|from|until|till|by|before|after|to)\s$/.test(
      text.slice(Math.max(0, claim.start - 8), claim.start),
    )
      ? asClock(claim)
      : null;
    if (clock !== null && this.#figures.near(clock).some((one) => supports(one, clock)))
      return this.#figures.near(clock);
    const sentence = sentenceAt(text, claim.start);
    const found = this.#figures
      .near(claim)
      .filter((one) => supports(one, claim) && (one.beside === null || saysOneOf(sentence, one.beside)));
    if (!isSmall(claim)) return found;
    const words = wordsOf(sentence);
    return found.filter(({ line }) => [...wordsOf(line)].some((word) => words.has(word)));
  }
}

/** The figures of each sentence of a text. */
function groupsIn(text: string): (readonly Figure[])[] {
  const figures = figuresIn(text).filter(({ values }) => values.length > 0);
  return [...Map.groupBy(figures, ({ start }) => sentenceBounds(text, start).start).values()].map((group) =>
    group.slice(0, MAX_GROUP),
  );
}

function saysOneOf(sentence: string, counts: readonly number[]): boolean {
  if (counts.includes(0) && /\b(?:no|none|nothing)\b/i.test(sentence)) return true;
  return figuresIn(sentence).some(({ values }) => values.some((value) => counts.includes(value)));
}

// Small numbers are everywhere: one counts only on a line about the same thing.
function isSmall({ kind, values, keys }: Figure): boolean {
  return keys.length === 0 && kind === 'number' && values.every((value) => Number.isInteger(value) && value <= 20);
}

function covers(shown: NonNullable<Figure['lines']>, claimed: Figure['lines']): boolean {
  if (claimed === null || claimed.first < shown.first || claimed.last > shown.last) return false;
  const [long, short] = [shown.file.replace(/^\.\//, ''), claimed.file.replace(/^\.\//, '')];
  return short === '' || long === short || long.endsWith(`/${short}`) || short.endsWith(`/${long}`);
}

/**
 * Words of four letters or more, without their plural ending: what a line is about. `camelCase` and `snake_case` are
 * several.
 */
function wordsOf(text: string): ReadonlySet<string> {
  const parts =
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/\p{L}{4,}/gu) ?? [];
  return new Set(parts.map((word) => word.replace(/(?:ies|es|s)$/, '')));
}

/** Text that a claim may rest on: the briefing, or the result of a lookup. */
export interface Source {
  /** The path under which its own line numbers may be cited, as for the briefing; null where they may not. */
  readonly file: string | null;
  readonly text: string;
  /**
   * Set where the text is a condition in the asker's own words: it may only be repeated next to one of these counts.
   */
  readonly beside?: readonly number[];
}
