import { statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import {
  type EvidenceSource as FileText,
  fileExtension,
  filesNamed,
  type RegisteredFile,
  tryRead,
} from '../evidence/files.ts';
import { type PlacedPart, readOutline } from '../evidence/outline.ts';
import { StewardError } from '../vault/errors.ts';
import { fold } from '../vault/layout.ts';
import { runInWorker, WorkerFailure } from '../vault/worker.ts';

/** How far a sentence or a line is followed in either direction. */
const MAX_REACH = 600;

/**
 * A stop before a blank, or a line end that ends a paragraph, a list item or a table row: other line ends only wrap.
 */
const STOP = /[.!?;](?=\s|$)|\n(?=[ \t]{0,12}(?:\n|[-*#|>+]|\d{1,3}[.)]))/g;

function sentenceAt(text: string, at: number): string {
  const { start, end } = sentenceBounds(text, at);
  return text.slice(start, end);
}

function sentenceBounds(text: string, at: number): { readonly start: number; readonly end: number } {
  const before = text.slice(Math.max(0, at - MAX_REACH), at);
  const stops = [...before.matchAll(STOP)];
  const start = stops.length === 0 ? at - before.length : at - before.length + (stops.at(-1)?.index ?? 0) + 1;
  const after = text.slice(at, at + MAX_REACH);
  const stop = after.search(STOP);
  return { start, end: at + (stop === -1 ? after.length : stop + 1) };
}

function lineAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  return text.slice(Math.max(start, at - MAX_REACH), end === -1 ? at + MAX_REACH : Math.min(end, at + MAX_REACH));
}

interface IndexedFigure {
  readonly figure: Figure;
  readonly line: string;
  /** Set if it may only be repeated next to one of these counts. */
  readonly beside: readonly number[] | null;
}

function supports({ figure, line }: IndexedFigure, claim: Figure): boolean {
  if (claim.keys.length > 0)
    return figure.kind === claim.kind && claim.keys.some((key) => figure.keys.some(sameKey(key)));
  if (figure.keys.length > 0 || figure.lines !== null) return false;
  const [kind, other] = [claim.kind, figure.kind];
  if (kind === 'number') return agreesInUnit(claim, figure, 1);
  if (kind === other)
    return (
      (claim.currency === figure.currency || claim.currency === '' || figure.currency === '') &&
      agreesInUnit(claim, figure, figure.scale / claim.scale)
    );
  if (other !== 'number') return false;
  // A bare number in a source may be the value of a field whose name tells the unit.
  if (kind === 'percent') return agreesInUnit(claim, figure, 100);
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

/** Returns whether a stated value agrees with the actual one, to the precision of the claim. */
function agrees({ decimals }: Figure, said: number, actual: number): boolean {
  if (isClose(said, actual, 1e-9)) return true;
  return (!Number.isInteger(actual) || decimals < 0) && isRounded(said, actual, decimals);
}

function isRounded(said: number, actual: number, decimals: number): boolean {
  const step = 10 ** -decimals;
  return Math.abs(said - actual) <= step / 2 + 1e-9 * Math.abs(actual);
}

function isClose(one: number, other: number, share: number): boolean {
  return Math.abs(one - other) <= share * Math.max(Math.abs(one), Math.abs(other));
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
  | 'version'
  | 'line';

interface Figure {
  readonly kind: Kind;
  /** As written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** What it may mean, in its written unit: `1.200` is 1200 or 1.2. Empty for a date, a version or a line. */
  readonly values: readonly number[];
  /** How many base units of the kind (seconds, bytes) one of its unit is; 1 without a unit. */
  readonly scale: number;
  readonly currency: string;
  /** How exact it is: the digits after the decimal point, negative where it counts in thousands. */
  readonly decimals: number;
  /**
   * The forms that are compared as text: dates as `YYYY-MM-DD` or `--MM-DD`, versions. One for each meaning.
   */
  readonly keys: readonly string[];
  /** The lines it refers to. `file` is '' if none is named. Null for every other kind. */
  readonly lines: { readonly file: string; readonly first: number; readonly last: number } | null;
  /** Whether it is a claim that needs support, rather than a year, a list number or a small count of common speech. */
  readonly specific: boolean;
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

const FILE = String.raw`(?<![\w@./-])[\w@./-]{0,200}[\w-]\.[A-Za-z]\w{0,9}`;
const RANGE = String.raw`(\d{1,7})(?:\s?(?:-|–|to|and)\s?(\d{1,7})(?![\d.,]*\d|\s?%))?`;
const LINES = [
  new RegExp(`(${FILE}):${RANGE}`, 'g'),
  new RegExp(`(${FILE})[\`"')]{0,2},?\\s\\(?(?:at\\s|on\\s)?lines?\\s${RANGE}`, 'g'),
];
const LINES_OF = new RegExp(`\\b[Ll]ines?\\s${RANGE}(?:\\s(?:of|in|from)\\s[\`"']?(${FILE}))?`, 'g');

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

const VERSION = /(?<![\p{L}\d.,-])v?(\d{1,9}(?:\.\d{1,9}){2,4})(?![\d\p{L}])/gu;

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
const COUNTED =
  /^(?:\sof\sthe|\sof)?(?:\s[\p{L}-]{1,20}){0,2}?\s(?:rows?|records?|entr(?:y|ies)|lines?|match(?:es)?|errors?|failures?|tests?|files?|samples?|users?|customers?|clients?|requests?|calls?|events?|incidents?|complaints?|invoices?|payments?|bugs?|crash(?:es)?|timeouts?|signals?|tasks?|reversals?|observations?|quotes?|visits?|reviews?|respondents?|patients?|duplicates?|hits?|miss(?:es)?|retries|attempts?|commits?|tiles?|boxes|pieces|units?|square met(?:er|re)s?)\b/iu;
/** Words that make a ratio of `three times`, rather than a count in common speech. */
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
  const counts = THRESHOLD.test(before) || COUNTED.test(after);
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
const NUMBER_IN_DIGITS =
  /(?<![\p{L}\p{N}]|[\p{L}\p{N}_]_|\d[.,])(?:\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})+(?![\d])(?:[.,]\d{1,12})?|\d{1,15}(?:[.,]\d{1,12})?|(?<!\S)\.\d{1,12})/gu;
/** `hundred` alone comes from `a hundred`, which is a way of speaking. */
const LONE_SCALE = /^(?:hundred|thousand|million|billion|dozen)$/i;

/** A number as written in the text, without its unit. */
interface Written {
  readonly start: number;
  readonly end: number;
  readonly values: readonly number[];
  readonly decimals: number;
  readonly inWords: boolean;
}

function numbersIn(text: string): Figure[] {
  return [...text.matchAll(NUMBER_IN_DIGITS)]
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

function wordsIn(text: string): Figure[] {
  return numberWordsIn(text).flatMap(({ start, end, value, share }): Figure[] => {
    const said = text.slice(start, end);
    if (LONE_SCALE.test(said)) return [];
    if (share) {
      const specific = value < 100;
      return [{ ...PLAIN, kind: 'percent', text: said, start, end, values: [value], specific }];
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

/** Returns the number with its unit; empty if it is part of a name, such as `utf8`, `GPT-4` or `3rd`. */
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

/**
 * Returns every figure of a text, in order: line references, dates, versions, and numbers with their units, in digits
 * or in words. Text of a request, labels such as P01, and list numbers are not figures.
 */
function figuresIn(text: string): Figure[] {
  const found: Figure[] = [];
  let rest = NO_CLAIMS.reduce((plain, pattern) => plain.replace(pattern, blank), inCells(text));
  for (const finder of FINDERS) {
    const more = finder(rest);
    found.push(...more);
    rest = withoutFigures(rest, more);
  }
  return found.sort((one, other) => one.start - other.start);
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

const FINDERS = [linesIn, datesIn, versionsIn, numbersIn, wordsIn];

const blank = (found: string) => ' '.repeat(found.length);

function indexFigures(text: string): IndexedFigure[] {
  return figuresIn(text).map((figure) => ({ figure, line: lineAt(text, figure.start), beside: null }));
}

/** Longer sources are only read this far. */
const MAX_SOURCE = 400_000;
class EvidenceIndex {
  readonly #figures: readonly IndexedFigure[];
  readonly #lines: readonly NonNullable<Figure['lines']>[];

  constructor(sources: readonly CitedSource[]) {
    const read = sources.map(({ text, ...rest }) => ({ ...rest, text: text.slice(0, MAX_SOURCE) }));
    const indexed = read.flatMap(({ text, beside = null }) => indexFigures(text).map((one) => ({ ...one, beside })));
    const shown = indexed.flatMap(({ figure: { lines } }) => (lines === null || lines.file === '' ? [] : [lines]));
    const own = read.flatMap(({ file, text }) =>
      file === null ? [] : [{ file, first: 1, last: text.split('\n').length }],
    );
    this.#figures = indexed;
    this.#lines = [...shown, ...own];
  }

  /** Returns whether evidence, or the briefing, has shown these lines. */
  hasShown(claimed: NonNullable<Figure['lines']>): boolean {
    return this.#lines.some((shown) => covers(shown, claimed));
  }

  supports(claim: Figure, text: string): boolean {
    if (claim.lines !== null) return this.hasShown(claim.lines);
    return this.#supporting(claim, text).length > 0;
  }

  #supporting(claim: Figure, text: string): readonly IndexedFigure[] {
    const sentence = sentenceAt(text, claim.start);
    const found = this.#figures.filter(
      (one) => supports(one, claim) && (one.beside === null || saysOneOf(sentence, one.beside)),
    );
    if (!isSmall(claim)) return found;
    const words = wordsOf(sentence);
    return found.filter(({ line }) => [...wordsOf(line)].some((word) => words.has(word)));
  }
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
export interface CitedSource {
  /** The path under which its own line numbers may be cited, as for the briefing; null if they may not. */
  readonly file: string | null;
  readonly text: string;
  /** Set if the text is a condition in the asker's own words: it may only be repeated next to one of these counts. */
  readonly beside?: readonly number[];
}

/**
 * The lines of registered files that a message cites and that contain what it says. They bear out the figures next to
 * them.
 */
class HeldLines {
  readonly #cited: readonly {
    readonly start: number;
    readonly end: number;
    readonly figures: readonly IndexedFigure[];
  }[];

  constructor(text: string, places: readonly CheckedPlace[]) {
    this.#cited = places.flatMap(({ place, finding }) =>
      finding.holds && finding.lines !== ''
        ? [{ ...sentenceBounds(text, place.start), figures: indexFigures(finding.lines) }]
        : [],
    );
  }

  /** Whether a line that is cited in the sentence of a figure holds it. */
  supports(figure: Figure): boolean {
    return this.#cited.some(
      ({ start, end, figures }) => figure.start >= start && figure.start < end && isAmong(figure, figures),
    );
  }
}

/** A place that a text names: a file, lines of one, or something with a name in one. */
interface Place {
  /** As written, and its offsets. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly file: string;
  /** Counted from 1; null if no lines are named. */
  readonly lines: { readonly first: number; readonly last: number } | null;
  readonly named: NamedIn | null;
}

interface NamedIn {
  /** `any` if the text does not say what it is. */
  readonly kind: 'definition' | 'section' | 'column' | 'any';
  readonly name: string;
  /** The class or other whole that the claim names, for example of a method; null if it names none. */
  readonly of: string | null;
}

/** The name of a file as it is written in a text, in a group of its own. */
const CITED_FILE = String.raw`(?<![\w@./*-])((?:\.{0,2}/)?(?:[\w@.-]{1,60}/){0,12}[\w@.-]{0,100}[\w-]\.[A-Za-z]\w{0,9})(?![\w/*]|\.\w)`;
/** A range of lines, in two groups. */
const CITED_RANGE = String.raw`(\d{1,7})(?:\s?(?:-|–|to|and)\s?L?(\d{1,7})(?![\d.,]*\d|\s?%))?`;

const OPEN = '[`"\'“(\\[]{0,2}';
const SHUT = '[`"\'”)\\]]{0,2}';

const FILE_THEN_LINES = [
  new RegExp(`${CITED_FILE}(?::|#L)${CITED_RANGE}`, 'g'),
  new RegExp(`${CITED_FILE}${SHUT},?\\s\\(?(?:(?:at|on|in)\\s)?lines?\\s${CITED_RANGE}`, 'g'),
];
const LINES_THEN_FILE = new RegExp(`\\b[Ll]ines?\\s${CITED_RANGE}\\s(?:of|in|from)\\s${OPEN}${CITED_FILE}`, 'g');
const BARE_LINES = new RegExp(`(?:\\b[Ll]ines?\\s|(?<=[\\s(\`]):)${CITED_RANGE}`, 'g');

const DEFINED =
  'function|method|class|enum|interface|type|constant|const|constructor|getter|setter|struct|mixin|extension|helper|routine';
const VALUED = 'variable|field|property|parameter|key|setting|option|flag|value|test';
const KIND = `(?:${DEFINED}|${VALUED}|columns?)`;
const NAME = String.raw`[A-Za-z_$#][\w$#]{0,80}(?:\.[A-Za-z_$#][\w$#]{0,80}){0,4}`;
/** A name that is marked as one: in code, with brackets, or spelled as no word is. */
const SPAN = `\`(${NAME})(?:\\([^)\`\\n]{0,80}\\))?\``;
const CALL = `\\b(${NAME})\\([\\w, ]{0,60}\\)`;
const SPELLED = String.raw`\b([a-z]{1,30}[A-Z]\w{0,60}|[A-Za-z]{1,30}_\w{1,60}|_\w{1,60}|[A-Z][a-z]{1,30}[A-Z]\w{0,60})\b`;
const MARKED = `(?:${SPAN}|${CALL}|${SPELLED})`;
const IN = `\\s(?:in|of|from|inside|within)\\s(?:the\\s(?:file|module)\\s)?${OPEN}`;
const OF = `(?:\\s(?:of|on|in)\\s(?:the\\s)?(?:class\\s)?\`?(${NAME})\`?(?:\\sclass)?)?`;

/** Each pattern has the groups `kind`, three spellings of the name, what it is part of, and the file, in this order. */
const NAMED = [
  new RegExp(`(?:\\b(${KIND})\\s)?${MARKED}(?:\\s${KIND})?${OF}${IN}${CITED_FILE}`, 'g'),
  new RegExp(`()${MARKED}(?:\\s(${KIND})\\b)${OF}${IN}${CITED_FILE}`, 'g'),
  new RegExp(`\\b(${KIND})\\s()()([A-Za-z_]\\w{0,80})${OF}${IN}${CITED_FILE}`, 'g'),
];
const TITLED = 'section|heading|headline|chapter|entry|part|paragraph';
const QUOTED = String.raw`["“'‘*\x60]{1,2}([^"”’*\x60\n]{2,80})["”'’*\x60]{1,2}`;
const TITLE = String.raw`((?:[A-Z][\w-]{0,30})(?:\s[\w-]{1,30}){0,5}?)`;
const SECTIONS = [
  new RegExp(`\\b(?:${TITLED})\\s(?:on\\s|called\\s|named\\s)?(?:${QUOTED}|${TITLE}),?${IN}${CITED_FILE}`, 'g'),
  new RegExp(`(?:${QUOTED}|\\b(?:[Tt]he\\s)${TITLE})\\s(?:${TITLED})${IN}${CITED_FILE}`, 'g'),
];
const SECTIONS_AFTER = [
  new RegExp(`${CITED_FILE}${SHUT}['’]s\\s(?:${QUOTED}|${TITLE})\\s(?:${TITLED})`, 'g'),
  new RegExp(`${CITED_FILE}${SHUT},?\\s(?:the\\s)?(?:${TITLED})\\s${QUOTED}`, 'g'),
  new RegExp(`${CITED_FILE}${SHUT},?\\s§\\s?(?:${QUOTED}|${TITLE})`, 'g'),
];

/** Words in the place of a name that aren't names. */
const NO_NAME = /^(?:is|was|are|that|which|who|lies|lives|stands|sits|found|named|called|it|this|here|and|or|of|in)$/i;

/** Endings of files that people name. A bare `node.js` is a product. */
const KNOWN =
  /\.(?:md|markdown|mdx|txt|rst|csv|tsv|json|jsonl|ndjson|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?|s?css|sql|sh|bash|ps1|[cm]?[jt]sx?|dart|pyi?|ipynb|rs|go|java|kt|swift|c|cc|cpp|h|hpp|cs|rb|php|pl|r|lua|log|pdf|docx?|xlsx?|pptx?|odt|ods|eml|zip|tar|gz|png|jpe?g|svg|gradle|proto|graphql|vue|svelte)$/i;
const PRODUCT =
  /^(?:node|deno|vue|next|nuxt|react|angular|d3|three|express|ember|backbone|p5|chart|moment|p?react|asp)\.(?:js|net)$/i;
const WITHOUT = [
  /\[\[\s{0,9}request\s{0,9}:(?:[^\]]|\](?!\])){0,2000}\]\]/gi,
  /\bhttps?:\/\/[^\s)>\]]{1,500}/g,
  /^[ \t*_-]{0,6}FILE_WRITTEN:.*$/gim,
];

/**
 * Returns the places that a text names, in order: `a.ts:3-5`, `the function foo in a.ts`, `the section "Setup" of a.md`,
 * and files by themselves. `line 3` alone means the file that was named before it. No two of them overlap.
 */
function placesIn(text: string): Place[] {
  const found: Place[] = [];
  let rest = WITHOUT.reduce((plain, pattern) => plain.replace(pattern, blank), text);
  for (const finder of PLACE_FINDERS) {
    const more = finder(rest, found).filter(
      (one) => !found.some((other) => one.start < other.end && other.start < one.end),
    );
    found.push(...withoutOverlap(more));
    for (const { start, end } of more) rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  }
  return found.sort((one, other) => one.start - other.start);
}

type Finder = (text: string, before: readonly Place[]) => Place[];
const PLACE_FINDERS: readonly Finder[] = [findLinePlaces, sectionsIn, namesIn, filesIn, bareLinesIn];

function findLinePlaces(text: string): Place[] {
  const behind = FILE_THEN_LINES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => place(match, match[1], linesOf(match[2], match[3]))),
  );
  const before = [...text.matchAll(LINES_THEN_FILE)].map((match) =>
    place(match, match[3], linesOf(match[1], match[2])),
  );
  return [...behind, ...before];
}

function bareLinesIn(text: string, before: readonly Place[]): Place[] {
  return [...text.matchAll(BARE_LINES)].flatMap((match) => {
    const last = before
      .filter(({ start }) => start < match.index)
      .toSorted((one, other) => one.start - other.start)
      .at(-1);
    return last === undefined ? [] : [place(match, last.file, linesOf(match[1], match[2]))];
  });
}

function sectionsIn(text: string): Place[] {
  const named = (name: string): NamedIn => ({ kind: 'section', name, of: null });
  return [
    ...SECTIONS.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match) => place(match, match[3], null, named(match[1] ?? match[2] ?? ''))),
    ),
    ...SECTIONS_AFTER.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match) => place(match, match[1], null, named(match[2] ?? match[3] ?? ''))),
    ),
  ];
}

function namesIn(text: string): Place[] {
  return NAMED.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const groups = match.slice(1).filter((one) => one !== undefined && one !== '');
      const kind = groups.find((one) => new RegExp(`^${KIND}$`).test(one)) ?? '';
      const [name = '', of = null] = groups.filter((one) => one !== kind).slice(0, -1);
      const file = groups.at(-1);
      if (NO_NAME.test(name) || NO_NAME.test(of ?? '') || name === file) return [];
      return [place(match, file, null, { kind: kindOf(kind), name, of })];
    }),
  );
}

function kindOf(word: string): NamedIn['kind'] {
  if (word.startsWith('column')) return 'column';
  return new RegExp(`^(?:${DEFINED})$`).test(word) ? 'definition' : 'any';
}

function filesIn(text: string): Place[] {
  return [...text.matchAll(new RegExp(CITED_FILE, 'g'))]
    .filter(({ 1: file = '' }) => KNOWN.test(file) && !PRODUCT.test(file))
    .map((match) => place(match, match[1], null));
}

function place(match: RegExpExecArray, file = '', lines: Place['lines'], named: NamedIn | null = null): Place {
  const start = match.index;
  return { text: match[0], start, end: start + match[0].length, file, lines, named };
}

function linesOf(first = '0', last = first): Place['lines'] {
  return { first: Number(first), last: Number(last) };
}

function withoutOverlap(places: readonly Place[]): Place[] {
  const kept: Place[] = [];
  for (const one of places.toSorted((a, b) => b.end - b.start - (a.end - a.start)))
    if (!kept.some((other) => one.start < other.end && other.start < one.end)) kept.push(one);
  return kept;
}

interface CitedContent {
  /** Code and quotes, each to be found as it stands. */
  readonly words: readonly string[];
  readonly figures: readonly Figure[];
}

const MARKED_TEXT = /(`{1,2})([^`\n]{2,240})\1|["“]([^"“”\n]{4,240})["”]/g;
function findCitedContent(place: Place, places: readonly Place[], text: string): CitedContent {
  const { start, end } = sentenceBounds(text, place.start);
  const others = places.filter((one) => one.lines !== null && one !== place && one.start >= start && one.start < end);
  const isNearest = (from: number, to: number) =>
    others.every((one) => distance(place, from, to) <= distance(one, from, to)) &&
    !places.some((one) => (one.lines !== null || one.named !== null) && from < one.end && one.start < to);
  const sentence = text.slice(start, end);
  const words = [...sentence.matchAll(MARKED_TEXT)]
    .map((match) => ({ from: start + match.index, text: match[2] ?? match[3] ?? '', whole: match[0] }))
    .filter(({ from, whole }) => isNearest(from, from + whole.length))
    .map((one) => one.text);
  const figures = figuresIn(sentence)
    .filter((one) => one.kind !== 'line' && one.specific && one.kind !== 'version')
    .filter((one) => isNearest(start + one.start, start + one.end));
  return { words, figures };
}

function distance(place: Place, from: number, to: number): number {
  if (to <= place.start) return place.start - to;
  return from >= place.end ? from - place.end : 0;
}

const CHOICE =
  'propose|suggest|recommend|set|raise|lower|cut|wait|try|aim|offer|cap|ask|allow|settle|put|take|go|pick|choose|give|keep|make|start|use|accept|spend|stop|move|run|test|count|plan|want|like|prefer|vote|agree|live|begin|reserve|limit|add|leave|hold|stay|say|do|have|get|shorten|extend|bring|drop|buy|pay|order|book';
/** What nobody decides, even with *would* before it. */
const OUTCOME = '(?:gain|lose|save|see|find|expect|get|have|reach|earn|miss|need|spend|be)\\b';
/** Somebody's wish: with a word that says so, or one who would, could, should. */
const PROPOSES = new RegExp(
  String.raw`\b(?:(?:I|we)(?:'d| would| could| should| might)?\s(?:propose|suggest|recommend|set|raise|lower|cut|wait|try|aim|offer|cap|ask|allow|settle|vote|want|prefer)|(?:I|we|you|they)(?:['’]d| would| could| should| might)\s(?!${OUTCOME})\w+|(?:I|we|you|they) (?:can|may)\s(?:\w{1,12}\s){0,2}?(?:${CHOICE})|let (?:it|them|that|this|there)\s|let us|let['’]s|(?:should|might|could|ought to)\s(?:be|wait|set|cap|aim|start|stay|go|have|get|take|do)|my (?:own )?(?:proposal|suggestion|vote|offer|preference)|suppose|supposing|imagine|assume|assuming|what if|hypothetically|say,|(?:would be|am|['’]m) (?:happy|content|fine) with|enough for me)\b[^.;:?!]{0,100}$`,
  'i',
);
/** An instruction to the others, as in `Set it to 30`. */
const INSTRUCTS =
  /^[\s\-*>"“]{0,6}(?:(?:so|then|and|but|please|rather|better|first|now),?\s)?(?:set|give|try|wait|raise|lower|cut|cap|keep|start|use|make|take|stop|put|move|ask|allow|limit|leave|begin|reserve|call)\s[^.;:?!]{0,100}$/i;
/** A condition up to its comma: what is in it is supposed. */
const SUPPOSES = /\b(?:if|unless|even at|whether|were (?:we|it|the)|should (?:we|it|the))\s[^.;:?!,]{0,100}$/i;

/** The condition of something that would follow from it: `At 0.85 half of these would go`. */
const CONDITION = /^[\s\-*>"“]{0,6}(?:at|with|under|by|from)\s[^.;:?!,]{0,40}$/i;

function isProposedAt(text: string, at: number): boolean {
  const { start, end } = sentenceBounds(text, at);
  const before = text.slice(start, at);
  const isCondition = CONDITION.test(before) && /\b(?:would|could|might)\b/.test(text.slice(at, end));
  const proposes = isCondition || PROPOSES.test(before) || INSTRUCTS.test(before) || SUPPOSES.test(before);
  return proposes && !STATES.test(before);
}

/** Words that turn what follows them into a statement of fact, even next to a proposal. */
const STATES =
  /\b(?:because|since|as|given|shows?|showed|found|measured|says?|said|already|of the|than the|like the)\b/i;

/** Words for things that are only planned: `a new file x.md`, `we'd need`, `could go into`. */
const PLANNED =
  /\b(?:an? new|create|add|adding|write|introduce|propose|suggest|rename|(?:I|we|you|they|it)(?:'d|’d)|would (?:need|be|go|want|like|help|have)|could (?:be|go|live|sit|add)|should (?:not )?(?:create|add|be|live|go|sit)|if (?:we|there) (?:had|have|add|write|were)|let us|let(?:'|’)s|needs? an?|wish)\b(?:[^.;:?!]|\.(?=\S)){0,120}$/i;
/** Words that deny that something is there. */
const DENIED_BEFORE =
  /(?:\b(?:no such|no|without an?|lacks an?)\s(?:[\w-]{1,20}\s){0,3}[`"'“]?|\b(?:cannot|can(?:'|’)t|could not|couldn(?:'|’)t|did not|didn(?:'|’)t|do not|don(?:'|’)t|nowhere|never) (?:find|found|see|saw|seen)\b[^.,;:?!]{0,40})$/i;
const DENIED_AFTER =
  /^[^.;:?!]{0,60}\b(?:(?:I|we) (?:cannot|can(?:'|’)t|do not|don(?:'|’)t|did not|didn(?:'|’)t|could not) (?:see|find)|(?:is|are|was) (?:missing|not (?:there|registered|listed|found|shown|given|among|in)|nowhere|unknown)|(?:does|do|did) not exist|(?:doesn|isn|wasn)(?:'|’)t (?:exist|there|registered|listed|found|in))\b/i;

function isPlannedAt(text: string, at: number): boolean {
  return PLANNED.test(text.slice(sentenceBounds(text, at).start, at));
}

function isDenied(text: string, start: number, end: number): boolean {
  const sentence = sentenceBounds(text, start);
  return (
    DENIED_BEFORE.test(text.slice(sentence.start, start)) ||
    DENIED_AFTER.test(text.slice(end, Math.max(end, sentence.end)))
  );
}

/** A place of a message, and the result of looking for it. */
interface CheckedPlace {
  readonly place: Place;
  readonly finding: PlaceFinding;
}

/** Places beyond this many in one message are not looked for. */
const MAX_PLACES = 100;

function checkPlaces(text: string, check: PlaceCheck): CheckedPlace[] {
  const places = placesIn(text);
  const looked = places
    .slice(0, MAX_PLACES)
    .map((place) => ({ place, finding: check.find(place, findCitedContent(place, places, text)) }));
  return [...looked, ...tooMany(places.slice(MAX_PLACES))];
}

function tooMany([place, ...more]: readonly Place[]): CheckedPlace[] {
  if (place === undefined) return [];
  const reason = `This place and ${more.length} more behind it were not looked for: a message may name ${MAX_PLACES}.`;
  return [{ place, finding: { holds: false, reason } }];
}

const MAX_SENTENCE = 200;

/** Returns what is said of a place in the list of what was checked. `message` is still to be filled in. */
function placeEntry(agent: string, text: string, { place, finding }: CheckedPlace): Omit<CitationCheck, 'message'> {
  return {
    agent,
    about: 'place',
    figure: place.text.trim(),
    at: place.start,
    sentence: sentenceAt(text, place.start).slice(0, MAX_SENTENCE).trim(),
    finding: finding.holds ? 'borne-out' : isClaimed(place, text) ? 'unsupported' : 'proposed',
    cites: place.lines !== null,
    reason: finding.holds ? null : finding.reason,
  };
}

// Lines of a file can be missed by somebody, but only a file or a name can be planned.
function isClaimed({ start, end, lines }: Place, text: string): boolean {
  return !isDenied(text, start, end) && (lines !== null || !isPlannedAt(text, start));
}

/** By what two mentions of a place are known to be the same. */
function keyOfPlace({ file, lines, named }: Place): string {
  return JSON.stringify(['place', file.slice(file.lastIndexOf('/') + 1), lines, named?.name ?? null]);
}

/** How much of the registered files one check reads. */
const MAX_READ = 48_000_000;

/** The registered files, each read and outlined once, and only if a message names it. */
class Library {
  readonly #files: readonly RegisteredFile[];
  readonly #texts = new Map<string, FileText | null>();
  readonly #outlines = new Map<FileText, readonly PlacedPart[] | null>();
  #room = MAX_READ;

  constructor(files: readonly RegisteredFile[]) {
    this.#files = files;
  }

  /** The files that a name in a message means; empty if none is registered under it. */
  named(name: string): readonly RegisteredFile[] {
    const found = filesNamed(this.#files, name);
    if (found.length > 0) return found;
    return this.#files.filter(({ path }) => path.includes('/') && name.endsWith(`/${path}`));
  }

  /** The text of a registered file; null if it cannot be read, or if too much has been read already. */
  text(file: RegisteredFile): FileText | null {
    const key = `${file.root}\0${file.path}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const read = this.#room > 0 ? tryRead(file) : null;
    this.#room -= read?.text.length ?? 0;
    this.#texts.set(key, read);
    return read;
  }

  /** The named parts of a file; null if its format is not understood. */
  outline(text: FileText): readonly PlacedPart[] | null {
    const known = this.#outlines.get(text);
    if (known !== undefined) return known;
    const made = tryOutline(text);
    this.#outlines.set(text, made);
    return made;
  }

  /** Whether one of the files that were read so far contains a text. */
  mentions(words: string): boolean {
    return [...this.#texts.values()].some((one) => one?.text.includes(words) === true);
  }
}

function tryOutline(text: FileText): readonly PlacedPart[] | null {
  try {
    return readOutline(text);
  } catch (error) {
    if (error instanceof StewardError) return null;
    throw error;
  }
}

/**
 * Returns why a file does not contain the part that is named in it; null if it does. `outline`: null if the format is
 * not understood.
 */
function reasonAgainstName(named: NamedIn, text: FileText, outline: readonly PlacedPart[] | null): string | null {
  if (named.kind === 'section') return reasonAgainstSection(named.name, text, outline);
  if (named.kind === 'column') return reasonAgainstColumn(named.name, text);
  return reasonAgainstPart(named, text, outline);
}

function reasonAgainstSection(
  title: string,
  { path, text }: FileText,
  outline: readonly PlacedPart[] | null,
): string | null {
  const wanted = bare(title);
  const titles = outline?.map((part) => bare(part.path.at(-1) ?? '')) ?? text.split('\n').map(bare);
  const isTitled = titles.some((one) => one === wanted || (wanted.length > 3 && one.includes(wanted)));
  return isTitled ? null : `${path} has no section ${JSON.stringify(title)}.`;
}

function bare(title: string): string {
  return fold(title)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function reasonAgainstColumn(name: string, source: FileText): string | null {
  const isTable = ['csv', 'tsv'].includes(fileExtension(source));
  const where = isTable ? (source.lines[0] ?? '') : source.text;
  return holdsWord(where, name) ? null : `${source.path} has no column ${name}.`;
}

function reasonAgainstPart(
  { kind, name, of }: NamedIn,
  { path, text }: FileText,
  outline: readonly PlacedPart[] | null,
): string | null {
  const [own = name, ...outer] = [...(of === null ? [] : of.split('.')), ...name.split('.')].toReversed();
  const parts = (outline ?? []).filter((part) => part.path.at(-1) === own);
  if (kind === 'definition' && outline !== null && parts.length === 0)
    return `No part of ${path} is defined as ${own}.`;
  if (!holdsWord(text, own)) return `No part of ${path} is named ${own}.`;
  return outer.every((one) => isAround(one, own, text, outline))
    ? null
    : `${own} is no part of ${outer[0]} in ${path}.`;
}

/** Whether a name is in a part of another name. If that part is not known, both need only be there. */
function isAround(outer: string, own: string, text: string, outline: readonly PlacedPart[] | null): boolean {
  const parts = (outline ?? []).filter((part) => part.path.at(-1) === outer);
  if (parts.length === 0) return /^(?:this|self|super)$/.test(outer) || holdsWord(text, outer);
  const lines = text.split('\n');
  return parts.some(({ first, last }) => holdsWord(lines.slice(first - 1, last).join('\n'), own));
}

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true;
  return false;
}

function isLetter(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{N}_$]/u.test(sign);
}

/** The result of looking for a place: the text that its lines hold, or why it is not believed. */
type PlaceFinding =
  | { readonly holds: true; readonly lines: string }
  | { readonly holds: false; readonly reason: string };

class PlaceCheck {
  readonly #library: Library;
  readonly #sources: readonly CitedSource[];
  readonly #evidence: EvidenceIndex;
  readonly #own: RegExp;

  /** `files`: those that are registered. The sources are the briefing and what evidence has shown. */
  constructor(files: readonly RegisteredFile[], sources: readonly CitedSource[], evidence: EvidenceIndex) {
    this.#library = new Library(files);
    this.#evidence = evidence;
    this.#sources = sources;
    const homes = sources.flatMap(({ file }) => (file === null ? [] : [file.slice(0, file.lastIndexOf('/') + 1)]));
    this.#own = ownFiles(homes);
  }

  /** Looks for a place in the registered files. `said`: what the message says of its lines. */
  find(place: Place, said: CitedContent): PlaceFinding {
    const found = this.#library.named(place.file);
    if (found.length === 0) return this.#findUnregistered(place, said);
    const read = found.map((file) => this.#library.text(file)).filter((one) => one !== null);
    if (place.lines === null && place.named === null) return HOLDS;
    if (read.length === 0) return against(`${place.file} cannot be read as text.`);
    return firstThatHolds(read.map((text) => this.#findIn(text, place, said)));
  }

  #findIn(text: FileText, { lines, named }: Place, said: CitedContent): PlaceFinding {
    const outline = this.#library.outline(text);
    if (lines === null) {
      const reason = named === null ? null : reasonAgainstName(named, text, outline);
      return reason === null ? { holds: true, lines: partOf(named, text, outline) } : against(reason);
    }
    return findLines(text.path, text.lines, lines, said);
  }

  // The briefing has lines of its own, and evidence shows lines of files that were registered when it was asked.
  #findUnregistered(place: Place, said: CitedContent): PlaceFinding {
    if (this.#own.test(place.file)) {
      const own = this.#sources.find(({ file }) => file !== null && sameEnd(file, place.file));
      return own === undefined || place.lines === null
        ? HOLDS
        : findLines(place.file, own.text.split('\n'), place.lines, said);
    }
    if (place.lines !== null && this.#evidence.hasShown({ file: place.file, ...place.lines })) return HOLDS;
    const isMentioned = (words: string) => this.#library.mentions(words) || this.#isInSources(words);
    if (place.lines === null && place.named === null && isMentioned(place.file)) return HOLDS;
    return against(`${place.file} is not among the registered files.`);
  }

  #isInSources(words: string): boolean {
    return this.#sources.some(({ text }) => text.includes(words));
  }
}

const MAX_PART_LINES = 20;

/** The lines of what is named, where these are few enough to be what is meant. */
function partOf(named: Place['named'], { lines }: FileText, outline: readonly PlacedPart[] | null): string {
  const name = named?.name.split('.').at(-1);
  const part = outline?.find(({ path }) => path.at(-1) === name);
  return part === undefined || part.last - part.first >= MAX_PART_LINES
    ? ''
    : lines.slice(part.first - 1, part.last).join('\n');
}

const HOLDS: PlaceFinding = { holds: true, lines: '' };

function against(reason: string): PlaceFinding {
  return { holds: false, reason };
}

function firstThatHolds(findings: readonly PlaceFinding[]): PlaceFinding {
  return findings.find(({ holds }) => holds) ?? findings[0] ?? HOLDS;
}

/** The files of the roundtable itself, which its agents and its judge write. */
function ownFiles(homes: readonly string[]): RegExp {
  const escaped = homes.map((home) => home.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const own = String.raw`(?:round-\d{1,3}\/[\w-]{1,60}\.md|round-\d{1,3}\.summary\.md|(?:scoreboard|tensions|briefing)\.md)`;
  return new RegExp(`^(?:\\./)?(?:${['', ...escaped].join('|')})${own}$`, 'i');
}

function sameEnd(long: string, short: string): boolean {
  const bare = short.replace(/^\.\//, '');
  return long === bare || long.endsWith(`/${bare}`);
}

/** How many lines away from the cited ones their content may be. */
const SLACK = 2;

function findLines(
  path: string,
  all: readonly string[],
  { first, last }: NonNullable<Place['lines']>,
  said: CitedContent,
): PlaceFinding {
  if (first < 1 || last < first) return against(`${path} has no such lines.`);
  if (last > all.length) return against(`${path} has only ${all.length} lines.`);
  const near = all.slice(Math.max(0, first - 1 - SLACK), last + SLACK).join('\n');
  const reason = reasonAgainstSaid(`${path}:${first === last ? first : `${first}-${last}`}`, near, said);
  return reason === null ? { holds: true, lines: near } : against(reason);
}

function reasonAgainstSaid(cited: string, near: string, { words, figures }: CitedContent): string | null {
  const text = squeezed(`${near} ${cited}`);
  const isThere = (quoted: string) => pieces(quoted).every((piece) => text.includes(piece));
  const lost = words.filter((one) => !isThere(one));
  const numbers = indexFigures(near);
  const unseen = figures.filter((one) => !isAmong(one, numbers));
  if (lost.length < words.length || unseen.length < figures.length) return null;
  const missing = lost[0] ?? unseen[0]?.text;
  return missing === undefined ? null : `${cited} doesn't contain ${shown(missing)}.`;
}

/** Compared without blanks, quotes, case and punctuation at the ends, since people quote loosely. */
function squeezed(text: string): string {
  return fold(text).replace(/[\s"'`“”‘’;,]+/g, '');
}

/** A quote may leave something out. */
function pieces(quoted: string): string[] {
  return quoted
    .split(/\.{3}|…/)
    .map((piece) => squeezed(piece).replace(/(?<![.:])[.:]+$/, ''))
    .filter((piece) => piece !== '');
}

function shown(text: string): string {
  return JSON.stringify(text.trim().slice(0, 80));
}

function isAmong(figure: Figure, numbers: readonly IndexedFigure[]): boolean {
  return numbers.some((one) => supports(one, figure));
}

/** One message of the roundtable. Messages are passed in the order they were heard. */
export interface CitedMessage {
  readonly agent: string;
  readonly text: string;
}

const MAX_CLAIMS = 150;

/**
 * Looks up every specific figure of the messages in the sources, and every place in the registered files. It cannot
 * tell whether a figure is used for what its source says: the judge decides that. LAW: it never reports a figure as
 * borne out that no source and no cited line contains and that does not follow from the figures next to it.
 */
export function checkCitations(
  messages: readonly CitedMessage[],
  sources: readonly CitedSource[],
  files: readonly RegisteredFile[] = [],
): CitationCheck[] {
  const evidence = new EvidenceIndex(sources);
  const places = new PlaceCheck(files, sources, evidence);
  const history: History = { evidence, places, firstSaid: new Map(), proposed: new Set() };
  return messages.flatMap((message, at) => checkMessage(message, history).map((one) => ({ ...one, message: at })));
}

interface History {
  readonly evidence: EvidenceIndex;
  readonly places: PlaceCheck;
  /** Unsupported figure or place → who said it first. */
  readonly firstSaid: Map<string, string>;
  /** Figures and places that somebody has proposed, so that everybody may mention them. */
  readonly proposed: Set<string>;
}

function checkMessage({ agent, text }: CitedMessage, history: History): Omit<CitationCheck, 'message'>[] {
  const places = checkPlaces(text, history.places);
  const said = places.map((one) => {
    const entry = placeEntry(agent, text, one);
    return { ...entry, finding: givenHistory(history, agent, keyOfPlace(one.place), entry.finding) };
  });
  return [...said, ...checkFigures({ agent, text }, places, history)].toSorted((one, other) => one.at - other.at);
}

function checkFigures(
  { agent, text }: CitedMessage,
  places: readonly CheckedPlace[],
  history: History,
): Omit<CitationCheck, 'message'>[] {
  const { evidence } = history;
  const isPlace = ({ start, end }: Figure) => places.some(({ place }) => start < place.end && place.start < end);
  const figures = figuresIn(text).filter((figure) => !isPlace(figure));
  const claims = figures.filter(({ specific }) => specific);
  const cited = new HeldLines(text, places);
  const supported = new Set(figures.filter((figure) => evidence.supports(figure, text) || cited.supports(figure)));
  const checked = claims.slice(0, MAX_CLAIMS).map((figure): Omit<CitationCheck, 'message'> => {
    const alone = supported.has(figure) ? 'borne-out' : isProposed(figure, text) ? 'proposed' : 'unsupported';
    // A share that somebody supposed still needs support when it is stated again.
    if (alone === 'proposed' && figure.kind === 'percent') return entryOf(agent, text, figure, alone);
    return entryOf(agent, text, figure, givenHistory(history, agent, keyOf(figure), alone));
  });
  return [...checked, ...tooManyCitations(agent, claims.slice(MAX_CLAIMS))];
}

function entryOf(
  agent: string,
  text: string,
  figure: Figure,
  finding: CitationCheck['finding'],
): Omit<CitationCheck, 'message'> {
  return {
    agent,
    about: 'figure',
    figure: figure.text.trim(),
    at: figure.start,
    sentence: sentenceAt(text, figure.start).slice(0, MAX_SENTENCE).trim(),
    finding,
    cites: figure.kind === 'line',
    reason: null,
  };
}

/** Claims beyond the limit are not looked up, so they are unsupported. One entry reports them all. */
function tooManyCitations(agent: string, [first, ...more]: readonly Figure[]): Omit<CitationCheck, 'message'>[] {
  if (first === undefined) return [];
  const sentence = `This figure and ${more.length} more behind it were not looked up: a message may have ${MAX_CLAIMS}.`;
  const { text: figure, start: at } = first;
  return [
    { agent, about: 'figure', figure: figure.trim(), at, sentence, finding: 'unsupported', cites: false, reason: null },
  ];
}

/** Adjusts a finding to what was said before: somebody may be mentioning a proposal, or repeating another agent. */
function givenHistory(
  { firstSaid, proposed }: History,
  agent: string,
  key: string,
  finding: CitationCheck['finding'],
): CitationCheck['finding'] {
  if (finding === 'proposed') proposed.add(key);
  if (finding !== 'unsupported') return finding;
  if (proposed.has(key)) return 'proposed';
  const before = firstSaid.get(key) ?? agent;
  firstSaid.set(key, before);
  return before === agent ? 'unsupported' : 'repeated';
}

function keyOf({ kind, values, scale, keys, lines }: Figure): string {
  return JSON.stringify([kind, values.map((value) => value * scale), keys, lines]);
}

function isProposed(claim: Figure, text: string): boolean {
  return claim.kind !== 'line' && claim.kind !== 'version' && isProposedAt(text, claim.start);
}

interface CheckJob {
  readonly messages: readonly CitedMessage[];
  readonly sources: readonly CitedSource[];
  readonly files: readonly RegisteredFile[];
}

/** The result of a check; `unchecked` says why there is no check, and is null if there is. */
type CheckResult =
  | { readonly checked: readonly CitationCheck[]; readonly unchecked: null }
  | { readonly checked: readonly []; readonly unchecked: string };

const MEMORY_MB = 512;
const MAX_SECONDS = 60;
/** The limits of a check without a process of its own: characters, files, and bytes of files. */
const SMALL_JOB = { characters: 8_000, files: 20, bytes: 100_000 };

export const checkJob: z.ZodType<CheckJob> = z.object({
  messages: z.array(z.object({ agent: z.string(), text: z.string() })),
  sources: z.array(
    z.object({ file: z.string().nullable(), text: z.string(), beside: z.array(z.number()).exactOptional() }),
  ),
  files: z.array(z.object({ path: z.string(), root: z.string() })),
});

const checked: z.ZodType<readonly CitationCheck[]> = z.array(
  z.object({
    agent: z.string(),
    message: z.number(),
    about: z.enum(['figure', 'place']),
    figure: z.string(),
    at: z.number(),
    sentence: z.string(),
    finding: z.enum(['borne-out', 'proposed', 'repeated', 'unsupported']),
    cites: z.boolean(),
    reason: z.string().nullable(),
  }),
);

/**
 * Checks what was said, where that is much in a process of its own that may take a minute and half a gigabyte: neither a
 * long roundtable nor a file blocks or ends the program. A check that fails is no check, and says so. Rejects with the
 * reason of the abort signal.
 */
export async function checkClaims(job: CheckJob, abort: AbortSignal, seconds = MAX_SECONDS): Promise<CheckResult> {
  if (isSmallJob(job)) return { checked: checkCitations(job.messages, job.sources, job.files), unchecked: null };
  const task = { script: './check-worker', from: import.meta.url, data: plain(job), message: checked };
  try {
    return { checked: await runInWorker({ ...task, memoryMb: MEMORY_MB, seconds }, abort), unchecked: null };
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error;
    return { checked: [], unchecked: reasonOf(error, seconds) };
  }
}

/** Only what is asked for goes to the other process. */
function plain({ messages, sources, files }: CheckJob): z.infer<typeof checkJob> {
  return { messages: messages.map(({ agent, text }) => ({ agent, text })), sources, files };
}

function isSmallJob({ messages, sources, files }: CheckJob): boolean {
  const characters = [...messages, ...sources].reduce((sum, { text }) => sum + text.length, 0);
  if (characters > SMALL_JOB.characters || files.length > SMALL_JOB.files) return false;
  return files.reduce((sum, file) => sum + sizeOf(file), 0) <= SMALL_JOB.bytes;
}

function sizeOf({ root, path: file }: RegisteredFile): number {
  return statSync(path.join(root, file), { throwIfNoEntry: false })?.size ?? 0;
}

function reasonOf({ limit }: WorkerFailure, seconds: number): string {
  if (limit === 'time') return `not checked: looking up what was said took longer than ${seconds} s`;
  if (limit === 'memory') return `not checked: looking up what was said took more than ${MEMORY_MB} MB of memory`;
  return 'not checked: looking up what was said failed';
}

/** A figure or a place that somebody stated, and the result of looking it up. */
export interface CitationCheck {
  readonly agent: string;
  /** The index of its message, from 0. */
  readonly message: number;
  readonly about: 'figure' | 'place';
  /** As written. */
  readonly figure: string;
  readonly at: number;
  /** The sentence around it, cut short. */
  readonly sentence: string;
  /**
   * `borne-out` by a source; `proposed`, so not a statement of fact;
   * `repeated` after somebody else who said it first; or `unsupported`.
   */
  readonly finding: 'borne-out' | 'proposed' | 'repeated' | 'unsupported';
  readonly cites: boolean;
  /** Why a place is not believed, as a sentence; null if it is, and for a figure without a source. */
  readonly reason: string | null;
}
