const NUMBER = /^([+-]?)(\d{0,18})(?:[.,](\d{0,10}))?$/;
const DEFAULT_PLACES = 2;

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

/** Returns the currency's ISO 4217 code in capitals; null where it is none. */
export function currencyOf(text: string | null | undefined): string | null {
  const code = (text ?? '').trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

/** Asked once for each currency: to ask for every sum takes most of the time of a long file. */
const PLACES: ReadonlyMap<string, number> = new Map(
  Intl.supportedValuesOf('currency').map((currency) => {
    const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
    return [currency, maximumFractionDigits ?? DEFAULT_PLACES];
  }),
);

function placesOf(currency: string | null): number {
  return PLACES.get(currency ?? '') ?? DEFAULT_PLACES;
}
