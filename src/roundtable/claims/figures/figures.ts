import { durationsIn } from './durations.ts';
import { clocksIn, datesIn, linesIn, versionsIn } from './exact-figures.ts';
import { type Figure, withoutFigures } from './figure.ts';
import { numbersIn, wordsIn } from './measured-figures.ts';

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
