import { CURRENCIES, type Figure, type Kind, MAGNITUDES, MONTHS, readings, UNITS } from './figure.ts';
import { numberWordsIn } from './number-words.ts';

/**
 * Every figure that a text holds, in order: line numbers, dates, clock times, versions, and numbers with what they
 * measure, in digits or in words. What is asked for in a request, labels such as P01, and list numbers are no figures.
 */
export function figuresIn(text: string): Figure[] {
  const found: Figure[] = [];
  let open = NO_CLAIMS.reduce((left, pattern) => left.replace(pattern, blank), inPlainDigits(text));
  for (const finder of FINDERS) {
    const more = finder(open);
    found.push(...more);
    open = without(open, more);
  }
  return found.sort((one, other) => one.start - other.start);
}

/** Digits and signs of other scripts as ASCII has them, each in its place: `９７.３％`, `٩٧٪`. */
function inPlainDigits(text: string): string {
  return text.replace(/[\uff05\uff0e]|(?!\d)\p{Nd}/gu, (sign) => {
    if (sign === '％') return '%';
    if (sign === '．') return '.';
    return sign.length === 1 ? String(digitOf(sign)) : sign;
  });
}

/** Digits of a script follow each other, in tens, from the one that is none of them before. */
function digitOf(sign: string): number {
  const code = sign.charCodeAt(0);
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero -= 1;
  return code - zero;
}

const NO_CLAIMS = [
  /\[\[\s{0,9}request\s{0,9}:(?:[^\]]|\](?!\])){0,2000}\]\]/gi,
  /\bhttps?:\/\/[^\s)>\]]{1,500}/g,
  /^[ \t]{0,12}(?:[-*>][ \t])?#{0,6}[ \t]?\(?\d{1,3}(?:\.\d{1,3})*[.)](?=\s)/gm, // list numbers
  /^#{1,6}[ \t](?:\d{1,2}|\d{1,3}(?:\.\d{1,3})+)(?=\s(?!of\b|out\b))/gm, // and those of headings
  /^[ \t*_-]{0,6}FILE_WRITTEN:.*$/gim,
];

const FINDERS = [linesIn, datesIn, clocksIn, versionsIn, numbersIn, wordsIn];

const blank = (found: string) => ' '.repeat(found.length);

function without(text: string, figures: readonly Figure[]): string {
  let [made, at] = ['', 0];
  for (const { start, end } of [...figures].sort((one, other) => one.start - other.start)) {
    if (start < at) continue;
    made += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return made + text.slice(at);
}

// --- what is compared as it is written -------------------------------------------------------------------------------

const PLAIN = { values: [], scale: 1, currency: '', decimals: 0, keys: [], lines: null, specific: true, hedge: null };

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
  const bare = [...without(text, named).matchAll(LINES_OF)].map(({ 0: all, 1: first, 2: last, 3: file = '', index }) =>
    lineFigure(all, index, file, first, last),
  );
  return [...named, ...bare];
}

function lineFigure(all: string, start: number, file: string, first = '0', last = first): Figure {
  const lines = { file, first: Number(first), last: Number(last) };
  return { ...PLAIN, kind: 'line', text: all, start, end: start + all.length, lines };
}

const MONTH =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?';
const ISO_DATE = /(?<![\d-])(\d{4})-(\d\d)-(\d\d)(?!\d)/g;
const DAY_MONTH = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th)?\\.?\\s(?:of\\s)?(${MONTH})\\b\\.?(?:,?\\s(\\d{4})\\b)?`,
  'g',
);
const MONTH_DAY = new RegExp(`\\b(${MONTH})\\.?\\s(\\d{1,2})(?:st|nd|rd|th)?\\b(?:,?\\s(\\d{4})\\b)?(?![.,]?\\d)`, 'g');
const FIGURE_DATE = /(?<![\d.,/])(\d{1,2})([./])(\d{1,2})\2(\d{4})(?!\d)/g;

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

const CLOCK = /(?<![\d:.])(\d{1,2})(?::([0-5]\d))?(?::[0-5]\d)?(?:\s?([AaPp])\.?[Mm]\b|(?=[^\d]|$))/g;

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

function versionsIn(text: string): Figure[] {
  return [...text.matchAll(VERSION)].flatMap(({ 0: all, 1: digits = '', index }): Figure[] => {
    if (/^\d{1,3}(\.\d{3})+$/.test(digits)) return []; // thousands
    return [{ ...PLAIN, kind: 'version', text: all, start: index, end: index + all.length, keys: [digits] }];
  });
}

// --- numbers and what they measure -----------------------------------------------------------------------------------

/** `GPT-4`, `INV-2026-114`, `#412`; the end of a range (`80-97 %`) and a figure below zero are none. */
const PART_OF_NAME = /(?:[\p{L}\p{N}#@]|[\p{L}\p{N}_]_|[\p{L}_][\p{L}\p{N}_-]{0,40}-)$/u;
const DIGITS =
  /(?<![\p{L}\p{N}]|[\p{L}\p{N}_]_|\d[.,])(?:\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})+(?![\d])(?:[.,]\d{1,12})?|\d{1,15}(?:[.,]\d{1,12})?|(?<!\S)\.\d{1,12})/gu;
/** Upward of this a bare count is a claim; below it is how people talk. */
const COMMON = 12;

interface Written {
  readonly start: number;
  readonly end: number;
  readonly values: readonly number[];
  readonly decimals: number;
  readonly spelled: boolean;
}

function numbersIn(text: string): Figure[] {
  return [...text.matchAll(DIGITS)]
    .flatMap(({ 0: digits, index }) => cells(text, digits, index))
    .flatMap(({ digits, start }) => {
      const { values, decimals } = readings(digits);
      return measured(text, { start, end: start + digits.length, values, decimals, spelled: false });
    });
}

/** In a row of a table that commas part, a comma between figures is no point: `floor,184,66,10`. */
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
      return [{ ...PLAIN, kind: 'percent', text: said, start, end, values: [value], specific, hedge: 'about' }];
    }
    return measured(text, { start, end, values: [value], decimals: 0, spelled: true });
  });
}

/** The number with its unit; nothing where it is part of a name, such as `utf8`, `GPT-4` or `3rd`. */
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
    hedge: hedgeOf(before),
  };
  return [{ ...figure, specific: isSpecific(figure, { written, before, after: text.slice(end, end + 64) }) }];
}

interface Unit {
  readonly kind: Kind;
  readonly scale: number;
  readonly magnitude: number;
  readonly currency: string;
  /** How far before the number it begins, and how far behind it reaches. */
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
  // Glued to letters that are no unit, it is a name or an ordinal.
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
  /(?:\b(?:about|around|roughly|approximately|approx\.|nearly|almost|some|circa|ca\.|close to)\s|[~≈]\s?)[€$£]?$/i;
const OVER = /\b(?:over|more than|above|at least|upwards of|exceeds|exceeding)\s[€$£]?$/i;
const UNDER = /\b(?:under|less than|fewer than|below|at most|up to|within)\s[€$£]?$/i;

function hedgeOf(before: string): Figure['hedge'] {
  if (ABOUT.test(before)) return 'about';
  if (OVER.test(before)) return 'over';
  return UNDER.test(before) ? 'under' : null;
}

// --- what is a claim -------------------------------------------------------------------------------------------------

const LABEL =
  /\b(?:round|step|option|point|section|phase|item|part|table|figure|scenario|chapter|question|page|level|no|nr|number|rule|issue|day|week|perspective|tension|case|plan|stage|tier|version|note|appendix|article|turn|priority|plot|flat|room|invoice|ticket|variant|offer)s?\.?\s#?$/i;
const THRESHOLD =
  /(?:[<>≤≥=]=?|\b(?:threshold|limit|cap|floor|ceiling|minimum|maximum|min|max|cut-?off|quota|score|budget)\b(?:\s(?:of|is|was|at|to|stands at))?:?)\s?["'`]?$/i;
const SET_TO = /[\p{L}]{1,20}(?:[_.][\p{L}\d]{1,40}|\p{Ll}\p{Lu}[\p{L}\d]{0,40})`?\s?(?:is|was|=|:|of|at)\s?$/u;
const COUNTED =
  /^(?:\sof\sthe|\sof)?(?:\s[\p{L}-]{1,20}){0,2}?\s(?:rows?|records?|entr(?:y|ies)|lines?|match(?:es)?|errors?|failures?|tests?|files?|samples?|users?|customers?|clients?|requests?|calls?|events?|incidents?|complaints?|invoices?|payments?|bugs?|crash(?:es)?|timeouts?|signals?|tasks?|reversals?|observations?|quotes?|visits?|reviews?|respondents?|patients?|duplicates?|hits?|miss(?:es)?|retries|attempts?|commits?|tiles?|boxes|pieces|units?|square met(?:er|re)s?)\b/iu;
const SHARE_BEFORE = /(?:\bout of|\d\sof|\d\sin)\s(?:the\s|every\s)?$/i;
const SHARE_AFTER = /^\s(?:out of\b|(?:of|in)\s(?:the\s|every\s)?\d)/i;

/** `hundred` alone is `a hundred`: a way of speaking. */
const LONE_SCALE = /^(?:hundred|thousand|million|billion|dozen)$/i;

interface Around {
  readonly written: Written;
  readonly before: string;
  readonly after: string;
}

/** Whether a number is a claim that somebody must bear out, and not how people talk. */
function isSpecific(figure: Figure, { written, before, after }: Around): boolean {
  const value = figure.values[0] ?? 0;
  const { spelled } = written;
  if (figure.kind === 'money' || figure.kind === 'size') return true;
  if (figure.kind === 'percent') return value !== 0 && value !== 100;
  if (figure.kind !== 'number') return spelled ? value > 2 : value !== 1;
  const counts = THRESHOLD.test(before) || SET_TO.test(before) || COUNTED.test(after);
  const isShare = SHARE_BEFORE.test(before) || SHARE_AFTER.test(after);
  if (spelled) return value > COMMON || (value > 2 && (counts || isShare));
  if (counts || isShare) return true;
  const labelled = before.replace(/\d{1,9}\s?[-–]$/, '');
  if (LABEL.test(labelled) || isYear(figure)) return false;
  return !Number.isInteger(value) || value > COMMON;
}

function isYear({ text, values }: Figure): boolean {
  const [value = 0] = values;
  return /^\d{4}$/.test(text) && value >= 1900 && value <= 2100;
}
