import type { Payment } from '../../steward/ports/stream-event.ts';
import { ibanForm } from '../../vault/source-names.ts';
import type { Found } from '../bank/booking.ts';
import { dayIn } from '../bank/day.ts';
import { currencyOf, decimalOf } from '../bank/money.ts';
import { refused } from '../items/item.ts';
import type { Tag } from './tags.ts';

/** What a statement says of all its entries. */
export interface Surroundings {
  readonly account: string | null;
  readonly currency: string | null;
}

/** The fields that are read; the account of the other side is told from others by what it stands in. */
const FIELDS = new Set([
  ...['DTPOSTED', 'DTTRAN', 'TRNAMT', 'FITID', 'NAME', 'EXTDNAME', 'MEMO', 'CHECKNUM', 'REFNUM', 'TRNTYPE'],
  ...['ACCTID', 'CURSYM'],
]);
const NO_REFERENCE = /^0*$|^(?:none|n\/a|nonref|notprovided)$/i;

/** The fields of one entry, `STMTTRN`. */
export class Entry {
  readonly isPending: boolean;
  readonly #fields = new Map<string, string>();
  #isInCurrency = false;

  constructor(isPending: boolean) {
    this.isPending = isPending;
  }

  /** Takes a tag of the entry. The first of a name counts. */
  add({ name, isEnd, value }: Tag): void {
    if (name === 'CURRENCY') this.#isInCurrency = !isEnd;
    // The currency of the amount is in CURRENCY; that of ORIGCURRENCY is what it was changed from.
    if (name === 'CURSYM' && !this.#isInCurrency) return;
    if (!isEnd && value !== '' && FIELDS.has(name) && !this.#fields.has(name)) this.#fields.set(name, value);
  }

  /** Returns a field; empty where the entry has none. */
  field(name: string): string {
    return this.#fields.get(name) ?? '';
  }
}

/** Returns what an entry says. */
export function bookingOf(entry: Entry, { account, currency }: Surroundings): Found {
  const day = dayIn(entry.field('DTPOSTED') || entry.field('DTTRAN'));
  if (day === null) return refused('it has no date that can be read');
  const code = currencyOf(entry.field('CURSYM')) ?? currencyOf(currency);
  const amount = amountIn(entry.field('TRNAMT'), code);
  if (amount === null) return refused('it has no amount that can be read');
  const payment: Payment = {
    account,
    status: entry.isPending ? 'pending' : 'booked',
    day,
    amount,
    currency: code,
    counterparty: entry.field('NAME') || entry.field('EXTDNAME') || null,
    iban: ibanForm(entry.field('ACCTID')),
    references: ['CHECKNUM', 'REFNUM'].map((name) => entry.field(name)).filter((one) => !NO_REFERENCE.test(one)),
    purpose: entry.field('MEMO'),
  };
  const named = entry.field('FITID');
  return { what: 'payment', payment, ...(named !== '' && { named }) };
}

/**
 * A decimal, with a comma or a point. Signs of thousands are not foreseen, but written: where both signs stand, the last
 * one is the decimal sign; a single one before three digits could be either, and is not guessed.
 */
function amountIn(text: string, currency: string | null): string | null {
  const bare = text.replace(/\s+/g, '');
  if (/^[+-]?\d{1,3},\d{3}$/.test(bare)) return null;
  const sign = Math.max(bare.lastIndexOf(','), bare.lastIndexOf('.'));
  const isGrouped = /[.,]\d{3}(?=[.,])/.test(bare);
  if (!isGrouped || sign === -1) return decimalOf(bare, currency);
  return decimalOf(`${bare.slice(0, sign).replace(/[.,]/g, '')}.${bare.slice(sign + 1)}`, currency);
}
