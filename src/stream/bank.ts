import { NOT_VOUCHED, type Payment, type StreamEvent } from '../steward/ports.ts';
import { sha256 } from '../vault/hash.ts';
import { ibanForm } from '../vault/source-names.ts';
import { FileRefusal, type Identity, type Item, type ItemContent, type ItemDoor } from './items.ts';
import { cutAt, oneLine, plainText } from './mail/plain-text.ts';

const MAX_SUBJECT = 500;
const MAX_TEXT = 16_000;
const MAX_NAME = 200;
const MAX_REFERENCE = 140;
const MAX_REFERENCES = 12;
/** How much of the purpose the subject has. */
const SUBJECT_PURPOSE = 140;
/** A longer text stands in an identity by its hash. */
const MAX_KEY_TEXT = 160;
/** What is counted of one file at most: it is the one thing here that grows with the file. */
const MAX_ROWS = 1_000_000;
/** As many digits of a hash tell a million rows apart. */
const ROW_DIGITS = 24;

/**
 * Returns the event of a line of a bank account, with every text of it safe in a note. `originAt`: the moment, where the
 * bank says more than the day.
 */
export function paymentEvent(payment: Payment, door: ItemDoor, originAt: string | null = null): StreamEvent {
  const clean = cleanPayment(payment);
  return {
    path: door.file,
    sourceType: door.sourceType,
    originAt: originAt ?? `${clean.day}T00:00:00Z`,
    from: senderOf(clean),
    fromName: clean.counterparty,
    to: [],
    subject: subjectOf(clean),
    text: clean.purpose,
    quoted: '',
    bulk: false,
    bulkReason: null,
    ownNote: false,
    authentication: NOT_VOUCHED,
    warnings: [],
    shown: null,
    doubts: [],
    payment: clean,
  };
}

/**
 * Says which payment is which in one file: rows that nobody can tell apart are told apart by their place among each
 * other. So a file that overlaps with another neither loses nor doubles a booking. Asked once for every row of the file,
 * in order, also for those that are passed over.
 */
export class EqualRows {
  readonly #counts = new Map<string, number>();

  /**
   * Returns the payment's identity. `named`: the name that its bank gives it, where it does. Throws `FileRefusal` where the
   * file has too many different ones.
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
 * A payment that is only announced is another event than the one that is booked: it settles nothing, and must not make
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

/** What a reader of bank files found. */
export type Found =
  | {
      readonly what: 'payment';
      readonly payment: Payment;
      /** The name that the bank gives it, where the format has one. */
      readonly named?: string;
      /** Why nothing is to be done on its word alone. */
      readonly doubt?: string;
    }
  | Exclude<ItemContent, { what: 'event' }>;

/** What was found, and where. */
export type Booking = Found & { readonly place: string };

/**
 * Makes items of what a reader found, numbered from 0. All of it is counted, and what lies before `from` is passed over:
 * equal bookings are told apart by their place among each other.
 */
export function* itemsOf(bookings: Iterable<Booking>, from: number, door: ItemDoor): Generator<Item> {
  const rows = new EqualRows();
  let at = 0;
  for (const booking of bookings) {
    const read = contentOf(booking, rows, door);
    if (at >= from) yield { at, next: at + 1, place: booking.place, read };
    at += 1;
  }
}

function contentOf(booking: Booking, rows: EqualRows, door: ItemDoor): () => ItemContent {
  if (booking.what !== 'payment') {
    const { what, reason } = booking;
    return () => ({ what, reason });
  }
  const { payment, named, doubt } = booking;
  const identity = rows.identityOf(payment, named);
  const doubts = doubt === undefined ? [] : [doubt];
  return () => ({ what: 'event', event: { ...paymentEvent(payment, door), doubts }, identity });
}
