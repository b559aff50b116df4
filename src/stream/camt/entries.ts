import { ibanForm } from '../../vault/source-names.ts';
import type { Booking, Found } from '../bank/booking.ts';
import { refused } from '../items/item.ts';
import { bookingOf, hasAmount, type Transaction } from './entry.ts';
import { Fields } from './fields.ts';

const STATEMENT = /^(?:Stmt|Rpt|Ntfctn)$/;
const NO_DETAILS = new Fields();

/** What the statement says of all its entries. */
type Around = Pick<Transaction, 'account' | 'isInStatement'>;
const NOWHERE: Around = { account: null, isInStatement: false };

/** Puts the entries of a file together from its elements, in the order in which they come; keeps none that is done. */
export class Entries {
  readonly #path: string[] = [];
  readonly #done: Booking[] = [];
  #account: Fields | null = null;
  #around: Around = NOWHERE;
  #entry: OpenEntry | null = null;
  #count = 0;

  /** How deep the element is in which we are. */
  get depth(): number {
    return this.#path.length;
  }

  /** The entries that are done since this was asked last. */
  *taken(): Generator<Booking> {
    yield* this.#done.splice(0);
  }

  opened(name: string, currency: string | undefined): void {
    this.#path.push(name);
    if (STATEMENT.test(name)) this.#around = { account: null, isInStatement: name === 'Stmt' };
    else if (name === 'Ntry' && this.#entry === null) this.#begin();
    else if (name === 'Acct' && this.#entry === null) this.#account = new Fields();
    else this.#entry?.opened(name, this.#path.length);
    if (currency !== undefined) this.#entry?.add(this.#path, '@Ccy', currency);
  }

  closed(text: string): void {
    const depth = this.#path.length;
    if (this.#entry !== null) {
      this.#entry.add(this.#path, '', text);
      this.#keep(this.#entry.closed(depth));
      if (depth === this.#entry.depth) this.#entry = null;
    } else this.#closedInAccount(text);
    this.#path.pop();
  }

  /** Says that something in the entry cannot be read; false where we are in none. */
  failed(reason: string): boolean {
    this.#entry?.failed(reason);
    return this.#entry !== null;
  }

  #begin(): void {
    this.#count += 1;
    this.#entry = new OpenEntry(this.#path.length, this.#around, `entry ${this.#count}`);
  }

  #keep(bookings: readonly Booking[]): void {
    this.#done.push(...bookings);
  }

  #closedInAccount(text: string): void {
    if (this.#account === null) return;
    if (this.#path.at(-1) === 'Acct') {
      this.#around = { ...this.#around, account: ownAccount(this.#account) };
      this.#account = null;
    } else this.#account.add(this.#path.slice(this.#path.lastIndexOf('Acct') + 1).join('/'), text);
  }
}

function ownAccount(account: Fields): string | null {
  const named = account.first('Id/IBAN', 'Id/Othr/Id', 'Id/PrtryAcct/Id', 'Id/BBAN');
  return ibanForm(named) ?? named;
}

/**
 * An entry that is being read. Of several transactions each is handed out when it ends, so that a batch of any length
 * takes no room; the first one waits, for alone it is the entry itself.
 */
class OpenEntry {
  readonly depth: number;
  readonly #around: Around;
  readonly #place: string;
  readonly #entry = new Fields();
  #details: Fields | null = null;
  #detailsDepth = 0;
  #first: Fields | null = null;
  #count = 0;
  #failure: string | null = null;
  /** Whether the transactions are handed out by themselves; unknown before the second one. */
  #isSplit = false;

  constructor(depth: number, around: Around, place: string) {
    this.depth = depth;
    this.#around = around;
    this.#place = place;
  }

  opened(name: string, depth: number): void {
    if (name !== 'TxDtls' || this.#details !== null) return;
    this.#details = new Fields();
    this.#detailsDepth = depth;
  }

  add(path: readonly string[], suffix: string, text: string): void {
    const [fields, from] = this.#details === null ? [this.#entry, this.depth] : [this.#details, this.#detailsDepth];
    if (path.length > from) fields.add(path.slice(from).join('/') + suffix, text);
  }

  failed(reason: string): void {
    this.#failure ??= reason;
  }

  /** Returns what has become complete with the end of the element of this depth. */
  closed(depth: number): readonly Booking[] {
    if (this.#details !== null && depth === this.#detailsDepth) return this.#closedDetails(this.#details);
    if (depth !== this.depth || this.#isSplit) return [];
    return [{ place: this.#place, ...this.#found(this.#count > 1 ? NO_DETAILS : (this.#first ?? NO_DETAILS), false) }];
  }

  #closedDetails(details: Fields): readonly Booking[] {
    this.#details = null;
    this.#count += 1;
    if (this.#count === 1) this.#first = details;
    if (this.#count === 2 && this.#first !== null) {
      this.#isSplit = hasAmount(this.#first) && hasAmount(details);
      return this.#isSplit ? [this.#part(this.#first, 1), this.#part(details, 2)] : [];
    }
    return this.#isSplit ? [this.#part(details, this.#count)] : [];
  }

  #part(details: Fields, nth: number): Booking {
    return { place: `${this.#place}, transaction ${nth}`, ...this.#found(details, true) };
  }

  #found(details: Fields, isPart: boolean): Found {
    if (this.#failure !== null) return refused(this.#failure);
    return bookingOf({ ...this.#around, entry: this.#entry, details, isPart });
  }
}
