import { iso, utcMidnight } from '../vault/time.ts';

/** Returns a day as `YYYY-MM-DD`; null where there is no such day, or it is in no century of ours. */
export function dayOf(year: number, month: number, day: number): string | null {
  const midnight = year >= 1900 && year <= 2199 ? utcMidnight(year, month, day) : null;
  return midnight === null ? null : iso(midnight).slice(0, 10);
}

/** Returns the day of `2035-03-02` or `20350302`, as the bank writes it, whatever time and zone stand behind it; null where it is none. */
export function dayIn(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text) ?? [];
  return year === undefined ? null : dayOf(Number(year), Number(month), Number(day));
}

const NUMBER = /^([+-]?)(\d{0,18})(?:[.,](\d{0,10}))?$/;
const MOST_HAVE = 2;
const WITHOUT_PARTS = /^(?:BIF|CLP|DJF|GNF|ISK|JPY|KMF|KRW|PYG|RWF|UGX|VND|VUV|XAF|XOF|XPF)$/;
const IN_THOUSANDS = /^(?:BHD|IQD|JOD|KWD|LYD|OMR|TND)$/;

/**
 * Returns an amount as payments have it: a sign only where it is below zero, a point, and as many places as the currency
 * has, or more where there are more. `text` is digits with at most one point or comma: `1250`, `1250,5`, `-.75`. Null
 * where it is something else.
 */
export function decimalOf(text: string, currency: string | null): string | null {
  const [, sign, whole = '', fraction = ''] = NUMBER.exec(text.trim()) ?? [];
  if (sign === undefined || whole + fraction === '') return null;
  const units = whole.replace(/^0+(?=\d)/, '') || '0';
  const parts = fraction.replace(/(?<!0)0+$/, '').padEnd(placesOf(currency), '0');
  const isZero = !/[1-9]/.test(units + parts);
  return `${sign === '-' && !isZero ? '-' : ''}${units}${parts === '' ? '' : `.${parts}`}`;
}

/** Returns the amount with the other sign. */
export function negated(decimal: string): string {
  if (!/[1-9]/.test(decimal)) return decimal;
  return decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`;
}

/** Sums are counted in these parts of one, exactly: no currency has smaller ones. */
const EXACT_PLACES = 10;

/** Returns a decimal as a whole number of the smallest parts that are counted: such numbers add up exactly. */
export function exactParts(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.');
  const parts = BigInt(whole + fraction.slice(0, EXACT_PLACES).padEnd(EXACT_PLACES, '0'));
  return decimal.startsWith('-') ? -parts : parts;
}

/** Returns the decimal of so many parts (see `exactParts`). */
export function decimalOfParts(parts: bigint): string {
  const digits = (parts < 0n ? -parts : parts).toString().padStart(EXACT_PLACES + 1, '0');
  return `${parts < 0n ? '-' : ''}${digits.slice(0, -EXACT_PLACES)}.${digits.slice(-EXACT_PLACES)}`;
}

/** Returns the currency's ISO 4217 code in capitals; null where it is none. */
export function currencyOf(text: string | null | undefined): string | null {
  const code = (text ?? '').trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

/** As ISO 4217 has it. */
function placesOf(currency: string | null): number {
  if (currency === null) return MOST_HAVE;
  if (WITHOUT_PARTS.test(currency)) return 0;
  return IN_THOUSANDS.test(currency) ? 3 : MOST_HAVE;
}
