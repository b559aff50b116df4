import { type Figure, PLAIN, withoutFigures } from './figure.ts';

const FILE = String.raw`(?<![\w@./-])[\w@./-]{0,200}[\w-]\.[A-Za-z]\w{0,9}`;
const RANGE = String.raw`(\d{1,7})(?:\s?(?:-|–|to|and)\s?(\d{1,7})(?![\d.,]*\d|\s?%))?`;
const LINES = [
  new RegExp(`(${FILE}):${RANGE}`, 'g'),
  new RegExp(`(${FILE})[\`"')]{0,2},?\\s\\(?(?:at\\s|on\\s)?lines?\\s${RANGE}`, 'g'),
];
const LINES_OF = new RegExp(`\\b[Ll]ines?\\s${RANGE}(?:\\s(?:of|in|from)\\s[\`"']?(${FILE}))?`, 'g');

/** Returns the line references of a text, such as `a.ts:3-5` or `line 7 of a.ts`. */
export function linesIn(text: string): Figure[] {
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
export function datesIn(text: string): Figure[] {
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
export function asClock({ kind, text }: Figure): Figure | null {
  const [, hour = '', minute = ''] = (kind === 'number' ? /^(\d{1,2})\.([0-5]\d)$/.exec(text) : null) ?? [];
  if (hour === '' || Number(hour) > 23) return null;
  return { ...PLAIN, kind: 'clock', text, start: 0, end: text.length, keys: [`${hour.padStart(2, '0')}:${minute}`] };
}

/** Returns the clock times of a text. */
export function clocksIn(text: string): Figure[] {
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
export function versionsIn(text: string): Figure[] {
  return [...text.matchAll(VERSION)].flatMap(({ 0: all, 1: digits = '', index }): Figure[] => {
    if (/^\d{1,3}(\.\d{3})+$/.test(digits)) return []; // a number with its thousands separated
    return [{ ...PLAIN, kind: 'version', text: all, start: index, end: index + all.length, keys: [digits] }];
  });
}
