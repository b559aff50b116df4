import type { Payment } from '../../steward/ports/stream-event.ts';
import { ibanForm } from '../../vault/source-names.ts';
import { type Booking, type Found, itemsOf } from '../bank/booking.ts';
import { decode } from '../charset/decode.ts';
import { type Item, type ItemReader, refused } from '../items/item.ts';
import { wholeFile } from '../items/whole-file.ts';
import { type Balance, balanceOf, differenceOf } from './balance.ts';
import { type Field, fieldsOf } from './fields.ts';
import { lineOf } from './line.ts';
import { narrativeOf } from './narrative.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const DOUBT = 'the balance of its statement does not add up';

/** Reads the bookings of all statements of a file. */
export const readMt940: ItemReader = (source, from, door): Iterable<Item> =>
  itemsOf(bookingsIn(fieldsOf(decode(wholeFile(source, MAX_BYTES)))), from, door);

function* bookingsIn(fields: Iterable<Field>): Generator<Booking> {
  let statement = new Statement(null);
  for (const field of fields) {
    if (field.tag === '20') {
      yield* statement.end();
      statement = new Statement(field);
    } else if (/^60[FM]$/.test(field.tag)) {
      yield* statement.page();
      statement.opened(field);
    } else statement.take(field);
  }
  yield* statement.end();
}

/** A statement, from its `:20:` to its closing balance; a long one has pages, each with its own balances. */
class Statement {
  readonly #line: number;
  #account: string | null = null;
  #currency: string | null = null;
  #opening: Balance | null = null;
  #closing: Balance | null = null;
  #isClosed = true;
  #entry: { readonly line: Field; readonly narrative: string[] } | null = null;
  #page: Booking[] = [];

  constructor(begin: Field | null) {
    this.#line = begin?.line ?? 1;
  }

  opened(field: Field): void {
    this.#opening = balanceOf(field.lines[0] ?? '');
    this.#currency = this.#opening?.currency ?? this.#currency;
    this.#isClosed = false;
  }

  take(field: Field): void {
    const [first = ''] = field.lines;
    if (field.tag === '86') {
      this.#entry?.narrative.push(...field.lines);
      return;
    }
    this.#endEntry();
    if (field.tag === '25') this.#account = first.trim() || null;
    if (field.tag === '61') this.#entry = { line: field, narrative: [] };
    if (/^62[FM]$/.test(field.tag)) {
      this.#closing = balanceOf(first);
      this.#isClosed = true;
    }
  }

  /**
   * Returns the bookings since the last balance that opened, and whether they fit with it. Where they do not, one may be
   * missing, or one may have been slipped in by who wrote the words of another.
   */
  *page(): Generator<Booking> {
    this.#endEntry();
    const problem = this.#problem();
    if (problem === null) yield* this.#page;
    else {
      for (const one of this.#page) yield one.what === 'payment' ? { ...one, doubt: DOUBT } : one;
      yield { place: `the statement at line ${this.#line}`, ...refused(problem) };
    }
    this.#page = [];
    this.#opening = null;
    this.#closing = null;
  }

  *end(): Generator<Booking> {
    yield* this.page();
    if (this.#isClosed) return;
    const reason = 'it has no closing balance: the file may be cut off, and bookings may be missing';
    yield { place: `the statement at line ${this.#line}`, ...refused(reason) };
  }

  #problem(): string | null {
    if (this.#opening === null || this.#closing === null) return null;
    const amounts = this.#page.flatMap((one) =>
      one.what === 'payment' && counts(one.payment) ? [one.payment.amount] : [],
    );
    const difference = differenceOf(this.#opening, amounts, this.#closing);
    if (difference === null) return null;
    return `the balance does not add up: the difference is ${difference} ${this.#closing.currency}, and a booking may be missing`;
  }

  #endEntry(): void {
    if (this.#entry === null) return;
    const { line, narrative } = this.#entry;
    this.#entry = null;
    this.#page.push({ place: `line ${line.line}`, ...this.#found(line, narrative) });
  }

  #found(field: Field, narrative: readonly string[]): Found {
    const line = lineOf(field.lines, this.#currency);
    if (line === null) return refused('its date and amount cannot be read');
    const { counterparty, iban, references, purpose } = narrativeOf(narrative);
    const payment: Payment = {
      account: accountOf(this.#account, this.#currency),
      status: line.status,
      day: line.day,
      amount: line.amount,
      currency: this.#currency,
      counterparty,
      iban: iban ?? ibanForm(line.supplement[0]),
      references: [...references, ...line.references],
      purpose: purpose || line.supplement.join(' '),
      ...(line.isReversal && { isReversal: true }),
    };
    return { what: 'payment', payment };
  }
}

/** What is only expected is in no balance. */
function counts({ status }: Payment): boolean {
  return status === 'booked';
}

/** The IBAN, where it is one, without the currency that some banks put behind it. */
function accountOf(text: string | null, currency: string | null): string | null {
  const bare = text?.replace(/^\//, '') ?? null;
  const isFollowed = currency !== null && bare?.endsWith(currency) === true;
  return ibanForm(isFollowed ? bare.slice(0, -currency.length) : bare) ?? bare;
}
