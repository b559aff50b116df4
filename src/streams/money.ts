import type { Payment, StreamEvent } from '../steward/types.ts';
import { cutAt, oneLine, plainText, sha256 } from '../vault/note-text.ts';
import { ibanForm } from '../vault/source-names.ts';
import { iso, utcMidnight } from '../vault/time.ts';
import { FileRefusal, type Identity, type Item, type ItemContent, PLAIN_EVENT, type ReadContext } from './stream.ts';

/** Returns a day as `YYYY-MM-DD`; null if there is no such day, or its century is implausible. */
export function formatDay(year: number, month: number, day: number): string | null {
  const midnight = year >= 1900 && year <= 2199 ? utcMidnight(year, month, day) : null;
  return midnight === null ? null : iso(midnight).slice(0, 10);
}

/**
 * Returns the day of `2035-03-02` or `20350302`, as the bank writes it, whatever time and zone follow; null if it isn't
 * a day.
 */
export function parseDay(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text) ?? [];
  return year === undefined ? null : formatDay(Number(year), Number(month), Number(day));
}

const NUMBER = /^([+-]?)(\d{0,18})(?:[.,](\d{0,10}))?$/;
const MOST_HAVE = 2;
const WITHOUT_PARTS = /^(?:BIF|CLP|DJF|GNF|ISK|JPY|KMF|KRW|PYG|RWF|UGX|VND|VUV|XAF|XOF|XPF)$/;
const IN_THOUSANDS = /^(?:BHD|IQD|JOD|KWD|LYD|OMR|TND)$/;

/**
 * Returns an amount as payments have it: a sign only if it is below zero, a point, and at least as many places as the
 * currency has. `text` is digits with at most one point or comma: `1250`, `1250,5`, `-.75`. Null for any other text.
 */
export function parseDecimal(text: string, currency: string | null): string | null {
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

/** Returns the decimal of this many parts (see `exactParts`). */
export function decimalOfParts(parts: bigint): string {
  const digits = (parts < 0n ? -parts : parts).toString().padStart(EXACT_PLACES + 1, '0');
  return `${parts < 0n ? '-' : ''}${digits.slice(0, -EXACT_PLACES)}.${digits.slice(-EXACT_PLACES)}`;
}

/** Returns the currency's ISO 4217 code in capitals; null if the text isn't one. */
export function parseCurrency(text: string | null | undefined): string | null {
  const code = (text ?? '').trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

/** As ISO 4217 has it. */
function placesOf(currency: string | null): number {
  if (currency === null) return MOST_HAVE;
  if (WITHOUT_PARTS.test(currency)) return 0;
  return IN_THOUSANDS.test(currency) ? 3 : MOST_HAVE;
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Whether it is the code of a currency that is, or was, in use. */
export function isCurrency(text: string): boolean {
  const code = parseCurrency(text);
  return code !== null && code === text.trim() && CURRENCIES.has(code);
}

/** The sign between the units and the cents. */
export type DecimalSign = ',' | '.';

export const DECIMAL_SIGNS: readonly DecimalSign[] = [',', '.'];

/** A sum of money as a cell has it. */
export interface WrittenAmount {
  /** The sign before or behind it, or brackets around it; null if unsigned. */
  readonly sign: '+' | '-' | null;
  /** Digits, and the separators between them. */
  readonly digits: string;
  /** `CR`, `D`, `S` and the like; null if there is no such mark. */
  readonly mark: string | null;
  /** The currency next to it, if it is written as a code or as a sign that means one alone. */
  readonly currency: string | null;
}

const MOST_AMOUNT = 48;
const CURRENCY_SIGNS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  '₽': 'RUB',
  '₺': 'TRY',
  '₴': 'UAH',
  R$: 'BRL',
  US$: 'USD',
  SFr: 'CHF',
  zł: 'PLN',
  Kč: 'CZK',
  Ft: 'HUF',
  lei: 'RON',
  S$: 'SGD',
  A$: 'AUD',
  C$: 'CAD',
  лв: 'BGN',
  // Several countries write these.
  kr: '',
  Kr: '',
  Fr: '',
  fr: '',
  $: '',
  '¥': '',
  Rs: '',
  R: '',
};
const MARKS = /^(?:CR|DR|C|D|S|H)$/i;

/** Returns a sum of money as it is written; null if the cell contains something else. */
export function writtenAmount(cell: string): WrittenAmount | null {
  const text = bareAmount(cell);
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
  const currencies = words.filter((word) => !MARKS.test(word)).map(currencyBeside);
  if (signs.length > 1 || marks.length > 1 || currencies.length > 1 || currencies.includes(null)) return null;
  return {
    sign: inBrackets === null ? signOf(signs[0]) : '-',
    digits,
    mark: marks[0]?.toUpperCase() ?? null,
    currency: currencies[0] || null,
  };
}

/** From the first to the last digit or separator, and the text around them. */
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
function bareAmount(cell: string): string {
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

/** A currency's code; empty if several countries write it so, null if it isn't a currency. */
function currencyBeside(word: string): string | null {
  return CURRENCY_SIGNS[word] ?? (isCurrency(word) ? word : null);
}

/** Returns the possible decimal signs by the digits of one sum; empty if the digits are grouped in no known way. */
export function listDecimalSigns({ digits }: WrittenAmount): readonly DecimalSign[] {
  return DECIMAL_SIGNS.filter((decimal) => plainDigits(digits, decimal) !== null);
}

/** Returns the digits with a point before the decimals and nothing between the others; null if they do not fit. */
export function plainDigits(digits: string, decimal: DecimalSign): string | null {
  const [whole = '', fraction, ...more] = digits.split(decimal);
  if (more.length > 0 || !/^\d*$/.test(fraction ?? '')) return null;
  const groups =
    decimal === ',' ? /^[1-9]\d{0,2}(?:([. '])\d{3}(?:\1\d{3})*)?$/ : /^[1-9]\d{0,2}(?:([, '])\d{2,3}(?:\1\d{2,3})*)?$/;
  const isPlain = /^\d*$/.test(whole);
  if (!isPlain && !(groups.test(whole) && /\d{3}$/.test(whole))) return null;
  return `${whole.replace(/\D+/g, '') || '0'}${fraction ? `.${fraction}` : ''}`;
}

const MAX_SUBJECT = 500;
const MAX_TEXT = 16_000;
const MAX_NAME = 200;
const MAX_REFERENCE = 140;
const MAX_REFERENCES = 12;
const SUBJECT_PURPOSE = 140;
/** A longer text is replaced in an identity by its hash. */
const MAX_KEY_TEXT = 160;
/** How many rows of one file are counted at most: they are the one thing here that grows with the file. */
const MAX_ROWS = 1_000_000;
/** As many digits of a hash tell a million rows apart. */
const ROW_DIGITS = 24;

/**
 * Returns the event of a line of a bank account, with every text of it safe in a note. `originAt`: the moment, if the
 * bank gives more than the day.
 */
export function paymentEvent(payment: Payment, context: ReadContext, originAt: string | null = null): StreamEvent {
  const clean = cleanPayment(payment);
  return {
    ...PLAIN_EVENT,
    path: context.file,
    sourceType: context.sourceType,
    originAt: originAt ?? `${clean.day}T00:00:00Z`,
    from: senderOf(clean),
    fromName: clean.counterparty,
    subject: subjectOf(clean),
    text: clean.purpose,
    payment: clean,
  };
}

/**
 * Distinguishes the payments of one file: identical rows are distinguished by their order. So a file that overlaps with
 * another neither loses nor doubles a booking. Called once for every row of the file, in order, also for those that are
 * skipped.
 */
export class EqualRows {
  readonly #counts = new Map<string, number>();

  /**
   * Returns the payment's identity. `named`: the name that its bank gives it, if any. Throws `FileRefusal` if the file
   * has too many different ones.
   */
  identityOf(payment: Payment, named: string | null = null): Identity {
    const row = named === null ? rowKey(payment) : namedKey(payment, named);
    return { key: `${row} ${this.#placeOf(row)}`, version: '', otherwise: 'other' };
  }

  #placeOf(row: string): number {
    const short = sha256(row).slice(0, ROW_DIGITS);
    const place = (this.#counts.get(short) ?? 0) + 1;
    if (place === 1 && this.#counts.size >= MAX_ROWS) throw tooMany();
    this.#counts.set(short, place);
    return place;
  }
}

/**
 * A payment that is only announced is another event than the one that is booked: it settles no task, and must not make
 * the booking look known.
 */
function rowKey({ status, account, day, amount, currency, ...rest }: Payment): string {
  const { counterparty, iban, references, purpose } = rest;
  const said = [counterparty ?? '', iban ?? '', ...references, purpose].map(folded);
  const kind = status === 'pending' ? 'bank-pending' : 'bank';
  return `${kind} ${folded(account ?? '') || '-'} ${day} ${amount} ${currency ?? '-'} ${shortened(said.join('/'))}`;
}

/** Banks use a name again: day and amount belong to it. */
function namedKey({ status, account, day, amount }: Payment, named: string): string {
  const kind = status === 'pending' ? 'ofx-pending' : 'ofx';
  return `${kind} ${folded(account ?? '') || '-'} ${shortened(named.replace(/\s+/g, '_'))} ${day} ${amount}`;
}

/** Letters and digits alone: banks break lines, and change case and spaces, from one export to the next. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function shortened(text: string): string {
  return text.length <= MAX_KEY_TEXT ? text : `#${sha256(text)}`;
}

function tooMany(): FileRefusal {
  return new FileRefusal(
    `The file has more than ${MAX_ROWS} different bookings.`,
    'Export a shorter time, or split it.',
  );
}

function cleanPayment(payment: Payment): Payment {
  return {
    ...payment,
    account: payment.account === null ? null : textOrNull(payment.account, MAX_NAME),
    counterparty: payment.counterparty === null ? null : textOrNull(payment.counterparty, MAX_NAME),
    references: referencesOf(payment.references),
    purpose: cutAt(plainText(payment.purpose).trim(), MAX_TEXT),
  };
}

function referencesOf(references: readonly string[]): readonly string[] {
  const lines = references.slice(0, MAX_REFERENCES).map((one) => oneLine(one, MAX_REFERENCE));
  return [...new Set(lines.filter((one) => one !== ''))];
}

function textOrNull(text: string, limit: number): string | null {
  return oneLine(text, limit) || null;
}

/**
 * The counterparty's IBAN, else its name as words of letters and digits: a name is typed by whoever pays, so it can be
 * neither a mail address nor an IBAN that a note knows.
 */
function senderOf({ iban, counterparty }: Payment): string | null {
  if (iban !== null) return iban;
  const name = (counterparty ?? '').normalize('NFKC').toLowerCase();
  const words = name.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  return words === '' || ibanForm(words) !== null ? null : words;
}

/** `Northgate Notary 1 250.00 EUR out: invoice 4711`. */
function subjectOf(payment: Payment): string {
  const { amount, currency, counterparty, purpose } = payment;
  const direction = amount.startsWith('-') ? 'out' : 'in';
  const sum = [grouped(amount.replace('-', '')), currency, direction].filter((one) => one !== null).join(' ');
  const said = [counterparty, sum, remarkOf(payment)].filter((one) => one !== null).join(' ');
  const words = oneLine(purpose, SUBJECT_PURPOSE);
  return oneLine(words === '' ? said : `${said}: ${words}`, MAX_SUBJECT);
}

function remarkOf({ status, isReversal }: Payment): string | null {
  if (isReversal === true) return '(reversal)';
  return status === 'pending' ? '(pending)' : null;
}

/** `1250.00` as `1 250.00`. */
function grouped(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const first = whole.length % 3;
  const groups = [whole.slice(0, first), ...(whole.slice(first).match(/\d{3}/g) ?? [])].filter((one) => one !== '');
  return fraction === undefined ? groups.join(' ') : `${groups.join(' ')}.${fraction}`;
}

export type BookingContent =
  | {
      readonly what: 'payment';
      readonly payment: Payment;
      /** The name that the bank gives it, if the format has one. */
      readonly named?: string;
      /** Why a person must confirm it. */
      readonly doubt?: string;
    }
  | Exclude<ItemContent, { what: 'event' }>;

export type Booking = BookingContent & { readonly place: string };

/**
 * Makes items of a reader's findings, numbered from 0. All of them are counted, and those before `from` are skipped:
 * equal bookings are distinguished by their order.
 */
export function* makePaymentItems(bookings: Iterable<Booking>, from: number, context: ReadContext): Generator<Item> {
  const rows = new EqualRows();
  let at = 0;
  for (const booking of bookings) {
    const read = contentOf(booking, rows, context);
    if (at >= from) yield { at, next: at + 1, place: booking.place, read };
    at += 1;
  }
}

function contentOf(booking: Booking, rows: EqualRows, context: ReadContext): () => ItemContent {
  if (booking.what !== 'payment') {
    const { what, reason } = booking;
    return () => ({ what, reason });
  }
  const { payment, named, doubt } = booking;
  const identity = rows.identityOf(payment, named);
  const doubts = doubt === undefined ? [] : [doubt];
  return () => ({ what: 'event', event: { ...paymentEvent(payment, context), doubts }, identity });
}
