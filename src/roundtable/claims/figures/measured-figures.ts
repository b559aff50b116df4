import { type Figure, type Kind, PLAIN } from './figure.ts';
import { numberWordsIn } from './number-words.ts';
import { isSpecific } from './specificity.ts';
import { CURRENCIES, MAGNITUDES, UNITS } from './units.ts';

/** `GPT-4`, `INV-2026-114`, `#412`; but not the end of a range (`80-97 %`) or a negative number. */
const PART_OF_NAME = /(?:[\p{L}\p{N}#@]|[\p{L}\p{N}_]_|[\p{L}_][\p{L}\p{N}_-]{0,40}-)$/u;
const DIGITS =
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
export function numbersIn(text: string): Figure[] {
  return [...text.matchAll(DIGITS)]
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
export function wordsIn(text: string): Figure[] {
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
