/** A sum of money, without its sign. */
export interface Money {
  /** Whole thousandths of the currency's unit: some have three places. */
  readonly thousandths: number;
  /** The currencies that may be meant: none where it is not said, several behind a sign that several share. */
  readonly currencies: readonly string[];
}

const DOLLARS = ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN'];
const CROWNS = ['SEK', 'NOK', 'DKK', 'ISK'];
/** What people write in place of a code. */
const SIGNS: readonly (readonly [words: readonly string[], currencies: readonly string[]])[] = [
  [['€', 'euro', 'euros', 'eur'], ['EUR']],
  [['£', 'gbp', 'pound', 'pounds', 'libras'], ['GBP']],
  [['$', 'dollar', 'dollars', 'dólares'], DOLLARS],
  [['chf', 'sfr', 'fr.', 'franken', 'franchi'], ['CHF']],
  [['usd'], ['USD']],
  [['¥'], ['JPY', 'CNY']],
  [['kr'], CROWNS],
  [['zł'], ['PLN']],
  [['kč'], ['CZK']],
];
const MEANT = new Map(SIGNS.flatMap(([words, currencies]) => words.map((word) => [word, currencies] as const)));
const WRITTEN =
  /[€£$¥]|(?<!\p{L})(?:[eE]uros?|eur|gbp|usd|chf|[pP]ounds?|[dD]ollars?|[dD]ólares|libras|[fF]ranken|franchi|SFr|Fr\.|kr|zł|Kč|[A-Z]{3})(?!\p{L})/gu;
/** The codes of ISO 4217 that people write as codes; other words of three capitals are none. */
const CODES: ReadonlySet<string> = new Set(
  'EUR USD GBP CHF JPY SEK NOK DKK ISK PLN CZK HUF RON BGN TRY CAD AUD NZD SGD HKD CNY INR BRL MXN ZAR ILS KRW THB AED SAR KWD BHD OMR TND JOD UAH'.split(
    ' ',
  ),
);
const THREE_PLACES: ReadonlySet<string> = new Set(['KWD', 'BHD', 'OMR', 'TND', 'JOD']);

/** A number with whatever people put between its digits; never longer than the window that is looked at. */
const NUMBER = /\d{1,3}(?:[ .,'’]\d{3}){1,4}(?!\d)(?:[.,]\d{1,3}(?!\d))?|\d{1,12}(?:[.,]\d{1,3}(?!\d))?/;
const BEHIND = new RegExp(`^[ ]?(${NUMBER.source})`, 'u');
const BEFORE = new RegExp(`(?<![\\d.,'’])(${NUMBER.source})(?:[.,][-–—]{1,2})?[ ]?$`, 'u');
const WINDOW = 26;
const MAX_TEXT = 2000;
const MOST_AMOUNTS = 20;
/** What stands before a number that is no sum: `Rechnung 118 250 EUR` is 250. */
const NUMBERED =
  /(?:invoice|bill|order|rechnung|rg|auftrag|facture|commande|factura|pedido|fattura|ordine|factuur|nr|no|n°|ref)[.:]? ?$/iu;

/** Returns the sums that a text names with their currency, in the order in which they stand there, at most twenty. */
export function amountsIn(text: string): readonly Money[] {
  const plain = text.slice(0, MAX_TEXT).replace(/[\u00A0\u2009\u202F]/g, ' ');
  const found = [...plain.matchAll(WRITTEN)].flatMap((sign) => amountAt(plain, sign[0], sign.index) ?? []);
  return found.slice(0, MOST_AMOUNTS);
}

function amountAt(text: string, sign: string, at: number): Money | null {
  const currencies = MEANT.get(sign.toLowerCase()) ?? (CODES.has(sign) ? [sign] : null);
  if (currencies === null) return null;
  const end = at + sign.length;
  const ahead = BEFORE.exec(text.slice(Math.max(0, at - WINDOW), at));
  const before = ahead === null ? null : ungrouped(ahead[1] ?? '', text.slice(0, at - ahead[0].length));
  return numeral(before ?? BEHIND.exec(text.slice(end, end + WINDOW))?.[1] ?? '', currencies);
}

/** Of `118 250` behind `Rechnung`, only the second is the sum. */
function ungrouped(number: string, before: string): string {
  return number.includes(' ') && NUMBERED.test(before.slice(-WINDOW)) ? number.slice(number.indexOf(' ') + 1) : number;
}

/** Returns the sum that a field holds: with its currency, or a bare number; null where it holds none. */
export function amountWritten(value: string): Money | null {
  const [named] = amountsIn(value);
  if (named !== undefined) return named;
  const bare = new RegExp(`^[-+]?(${NUMBER.source})(?:[.,][-–—]{1,2})?$`, 'u').exec(value.trim().slice(0, WINDOW));
  return bare === null ? null : numeral(bare[1] ?? '', []);
}

/** Returns the sum of a signed decimal with a point, without its sign; null where it is none. */
export function amountOf(decimal: string, currency: string | null): Money | null {
  if (!/^[-+]?\d{1,12}(?:\.\d{1,9})?$/.test(decimal)) return null;
  const thousandths = Math.round(Math.abs(Number(decimal)) * 1000);
  return { thousandths, currencies: currency === null ? [] : [currency.toUpperCase()] };
}

// The last sign between digits is the decimal one, unless three digits follow as in a thousand.
function numeral(written: string, currencies: readonly string[]): Money | null {
  if (!/\d/.test(written)) return null;
  const parts = written.split(/[ .,'’]/);
  const signs = [...written].filter((character) => /[ .,'’]/.test(character));
  const last = parts.at(-1) ?? '';
  const isDecimal = signs.length > 0 && /[.,]/.test(signs.at(-1) ?? '') && hasDecimals(last, signs, currencies);
  const [whole, places] = isDecimal ? [parts.slice(0, -1).join(''), last] : [parts.join(''), ''];
  const thousandths = Number(`${whole}${places.padEnd(3, '0').slice(0, 3)}`);
  return Number.isSafeInteger(thousandths) ? { thousandths, currencies } : null;
}

function hasDecimals(last: string, signs: readonly string[], currencies: readonly string[]): boolean {
  if (last.length !== 3) return true;
  const isMixed = signs.length > 1 && signs.at(-1) !== signs.at(-2);
  return isMixed || (signs.length === 1 && currencies.some((one) => THREE_PLACES.has(one)));
}

/** Whether two sums may be of one currency. What is not said may be any. */
export function sameCurrency(one: Money, other: Money): boolean {
  if (one.currencies.length === 0 || other.currencies.length === 0) return true;
  return one.currencies.some((currency) => other.currencies.includes(currency));
}

/** Returns a sum as people read it: `1 250.00 EUR`. */
export function moneyWords({ thousandths, currencies }: Money): string {
  const whole = grouped(String(Math.floor(thousandths / 1000)));
  const rest = String(thousandths % 1000).padStart(3, '0');
  const places = rest.endsWith('0') ? rest.slice(0, 2) : rest;
  return `${whole}.${places}${currencies.length === 1 ? ` ${currencies[0]}` : ''}`;
}

function grouped(digits: string): string {
  return digits.length <= 3 ? digits : `${grouped(digits.slice(0, -3))} ${digits.slice(-3)}`;
}
