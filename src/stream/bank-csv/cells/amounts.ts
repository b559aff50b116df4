import { isCurrency } from './header.ts';

/** What stands between the units and the cents. */
export type DecimalSign = ',' | '.';

export const DECIMAL_SIGNS: readonly DecimalSign[] = [',', '.'];

/** A sum of money as a cell has it. */
export interface WrittenAmount {
  /** The sign before or behind it, or brackets around it; null where there is none. */
  readonly sign: '+' | '-' | null;
  /** Digits, and what stands between them. */
  readonly digits: string;
  /** `CR`, `D`, `S` and the like; null where there is none. */
  readonly mark: string | null;
  /** The currency beside it, where it is written as a code or as a sign that means one alone. */
  readonly currency: string | null;
}

const MOST_AMOUNT = 48;
const SIGNS: Readonly<Record<string, string>> = {
  ...{ '€': 'EUR', '£': 'GBP', '₹': 'INR', '₽': 'RUB', '₺': 'TRY', '₴': 'UAH', R$: 'BRL', US$: 'USD' },
  ...{ kr: '', Kr: '', Fr: '', fr: '', SFr: 'CHF', zł: 'PLN', Kč: 'CZK', Ft: 'HUF', $: '', '¥': '', lei: 'RON' },
  ...{ Rs: '', S$: 'SGD', A$: 'AUD', C$: 'CAD', лв: 'BGN', R: '' },
};
const MARKS = /^(?:CR|DR|C|D|S|H)$/i;

/** Returns a sum of money as it is written; null where the cell holds something else. */
export function writtenAmount(cell: string): WrittenAmount | null {
  const text = bare(cell);
  if (text.length > MOST_AMOUNT) return null;
  const inBrackets = /^\((.+)\)$/.exec(text);
  const { before, digits, behind } = aroundDigits(inBrackets?.[1] ?? text);
  if (!/^[\d.,' ]+$/.test(digits) || !/\d/.test(digits)) return null;
  // `12,-` is a round sum, not a debt.
  const isRound = /[.,]$/.test(digits) && /^-+$/.test(behind.trim());
  const beside = `${before} ${isRound ? '' : behind}`;
  const words = beside.replace(/[-+]/g, ' ').split(/\s+/).filter(Boolean);
  const signs = [...beside.matchAll(/[-+]/g)].map(([sign]) => sign);
  const marks = words.filter((word) => MARKS.test(word));
  const currencies = words.filter((word) => !MARKS.test(word)).map(currencyOf);
  if (signs.length > 1 || marks.length > 1 || currencies.length > 1 || currencies.includes(null)) return null;
  return {
    sign: inBrackets === null ? signOf(signs[0]) : '-',
    digits,
    mark: marks[0]?.toUpperCase() ?? null,
    currency: currencies[0] || null,
  };
}

/** From the first to the last digit or separator, and what stands around them. */
function aroundDigits(text: string): { readonly before: string; readonly digits: string; readonly behind: string } {
  const letters = [...text];
  const [first, last] = [letters.findIndex(isOfNumber), letters.findLastIndex(isOfNumber)];
  const part = (from: number, to?: number) => letters.slice(from, to).join('');
  return first === -1
    ? { before: text, digits: '', behind: '' }
    : { before: part(0, first), digits: part(first, last + 1), behind: part(last + 1) };
}

function isOfNumber(letter: string): boolean {
  return /[\d.,]/.test(letter);
}

/** Without the quotes of a spreadsheet, and with one form of minus, space and apostrophe. */
function bare(cell: string): string {
  return (
    cell
      .slice(0, 4 * MOST_AMOUNT)
      .replace(/^=?["']+|(?<!["'])["']+$/g, '')
      .replace(/[\u2010-\u2015\u2212\uFE63\uFF0D]/g, '-')
      .replace(/[\s\u00A0\u202F\u2009]+/g, ' ')
      .replace(/[\u2019\u00B4`]/g, "'")
      // The point of an abbreviation is no decimal sign.
      .replace(/(?<!\p{L})(s?fr|kr|rs)\.(?= ?\d|$)/iu, '$1')
      .trim()
  );
}

function signOf(sign: string | undefined): '+' | '-' | null {
  return sign === '+' || sign === '-' ? sign : null;
}

/** A currency's code; empty where several countries write it so, null where it is none. */
function currencyOf(word: string): string | null {
  return SIGNS[word] ?? (isCurrency(word) ? word : null);
}

/** Returns what the decimal sign can be by the digits of one sum; none where they are put together in no known way. */
export function decimalSignsOf({ digits }: WrittenAmount): readonly DecimalSign[] {
  return DECIMAL_SIGNS.filter((decimal) => plainDigits(digits, decimal) !== null);
}

/** Returns the digits with a point before the decimals and nothing between the others; null where they do not fit. */
export function plainDigits(digits: string, decimal: DecimalSign): string | null {
  const [whole = '', fraction, ...more] = digits.split(decimal);
  if (more.length > 0 || !/^\d*$/.test(fraction ?? '')) return null;
  const groups =
    decimal === ',' ? /^[1-9]\d{0,2}(?:([. '])\d{3}(?:\1\d{3})*)?$/ : /^[1-9]\d{0,2}(?:([, '])\d{2,3}(?:\1\d{2,3})*)?$/;
  const isPlain = /^\d*$/.test(whole);
  if (!isPlain && !(groups.test(whole) && /\d{3}$/.test(whole))) return null;
  return `${whole.replace(/\D+/g, '') || '0'}${fraction ? `.${fraction}` : ''}`;
}
