import { SaxesParser } from 'saxes';
import type { Payment } from '../steward/types.ts';
import { ibanForm } from '../vault/source-names.ts';
import { detectCharset } from './mail-parts.ts';
import {
  type Booking,
  type BookingContent,
  makePaymentItems,
  negated,
  parseCurrency,
  parseDay,
  parseDecimal,
} from './money.ts';
import { type ByteSource, decodeAscii, FileRefusal, type Item, type ItemReader, nothing, refused } from './stream.ts';

/** An entry of an account, or one of the transactions that it puts together. */
interface Transaction {
  /** The account of the vault's owner, as the statement names it. */
  readonly account: string | null;
  /** Whether it is in a statement, camt.053, which has booked entries alone. */
  readonly isInStatement: boolean;
  readonly entry: Fields;
  /** The details of the one transaction; empty if the entry has no details. */
  readonly details: Fields;
  /** Whether the entry has several, each with its own amount. */
  readonly isPart: boolean;
}

const AMOUNTS = ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/InstdAmt/Amt'];
const NO_REFERENCE = /^(?:notprovided|nonref|none|unknown)$/i;

function hasAmount(details: Fields): boolean {
  return details.first(...AMOUNTS) !== null;
}

function bookingOf(transaction: Transaction): BookingContent {
  const { account, entry, details } = transaction;
  const status = statusOf(entry.first('Sts', 'Sts/Cd', 'Sts/Prtry') ?? (transaction.isInStatement ? 'BOOK' : null));
  if (status === 'none') return nothing('it is for information only, without bookings');
  if (status === null) return refused('it does not say whether it is booked');
  const day = parseDay(entry.first('BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm') ?? '');
  if (day === null) return refused('it has no date that can be read');
  const money = moneyOf(transaction);
  if (typeof money === 'string') return refused(money);
  const isReversal = /^(?:true|1)$/.test(entry.first('RvslInd') ?? '');
  const payment: Payment = {
    account,
    status,
    day,
    ...money,
    ...counterpartyOf(details, account, money.amount.startsWith('-') !== isReversal),
    references: referencesOf(transaction),
    purpose: purposeOf(transaction),
    ...(isReversal && { isReversal }),
  };
  return { what: 'payment', payment };
}

function statusOf(code: string | null): Payment['status'] | 'none' | null {
  if (code === 'BOOK') return 'booked';
  if (code === 'INFO') return 'none';
  return code === 'PDNG' || code === 'FUTR' ? 'pending' : null;
}

/** The sum that was booked; of a part, its own. A sentence on why it is unknown otherwise. */
function moneyOf({ entry, details, isPart }: Transaction): Pick<Payment, 'amount' | 'currency'> | string {
  const path = isPart ? AMOUNTS.find((one) => details.first(one) !== null) : 'Amt';
  const from = isPart ? details : entry;
  const currency = parseCurrency(from.first(`${path}@Ccy`) ?? entry.first('Amt@Ccy'));
  const amount = parseDecimal(from.first(path ?? '') ?? '', currency);
  const direction = (isPart ? details.first('CdtDbtInd') : null) ?? entry.first('CdtDbtInd');
  if (amount === null || amount.startsWith('-')) return 'it has no amount that can be read';
  if (direction === 'DBIT') return { amount: negated(amount), currency };
  return direction === 'CRDT' ? { amount, currency } : 'it does not say whether money came in or went out';
}

/** Who paid, if money came in; who was paid, if it went out. For a reversal it is the other way round. */
function counterpartyOf(details: Fields, own: string | null, isPaid: boolean): Pick<Payment, 'counterparty' | 'iban'> {
  const sides = isPaid ? (['Cdtr', 'Dbtr'] as const) : (['Dbtr', 'Cdtr'] as const);
  const [side, other] = sides.map((one) => partyOf(details, one));
  const isOwn = side === undefined || (side.iban === null ? side.counterparty === null : side.iban === own);
  const isOther = other !== undefined && other.iban !== null && other.iban !== own;
  return (isOwn && isOther ? other : side) ?? { counterparty: null, iban: null };
}

function partyOf(details: Fields, side: 'Cdtr' | 'Dbtr'): Pick<Payment, 'counterparty' | 'iban'> {
  const at = (party: string) => [
    `RltdPties/${party}/Nm`,
    `RltdPties/${party}/Pty/Nm`,
    `RltdPties/${party}/Agt/FinInstnId/Nm`,
  ];
  const account = `RltdPties/${side}Acct/Id`;
  return {
    counterparty: details.first(...at(side), ...at(`Ultmt${side}`)),
    iban: ibanForm(details.first(`${account}/IBAN`)) ?? ibanForm(details.first(`${account}/Othr/Id`)),
  };
}

function referencesOf({ entry, details }: Transaction): readonly string[] {
  const found = [
    ...details.all('RmtInf/Strd/CdtrRefInf/Ref', 'RmtInf/Strd/CdtrRefInf/CdtrRef'),
    ...details.all('Refs/EndToEndId'),
    ...details.all('RmtInf/Strd/RfrdDocInf/Nb', 'RmtInf/Strd/RfrdDocInf/RfrdDocNb'),
    ...details.all('Refs/MndtId'),
    ...details.all('Refs/ChqNb'),
    ...[details.first('Refs/AcctSvcrRef') ?? entry.first('AcctSvcrRef') ?? ''],
  ];
  return found.filter((one) => one !== '' && !NO_REFERENCE.test(one));
}

/** The words of who paid; else what the bank says of it. */
function purposeOf({ entry, details }: Transaction): string {
  const said = [
    details.all('RmtInf/Ustrd'),
    details.all('RmtInf/Strd/AddtlRmtInf'),
    details.all('RmtInf/Strd/CdtrRefInf/Ref'),
    details.all('AddtlTxInf'),
    entry.all('AddtlNtryInf'),
  ];
  return (said.find((texts) => texts.length > 0) ?? []).join(' ');
}

/** How much text of one element is kept: far more than a bank sends. */
const MOST = 40_000;

/** The texts of an element, by where they are in it: `RmtInf/Ustrd`. An attribute is behind an `@`. */
class Fields {
  readonly #values = new Map<string, string[]>();
  #room = MOST;

  /** Keeps a text. More than the limit of one element is left out. */
  add(path: string, text: string): void {
    this.#room -= text.length + path.length;
    if (text === '' || this.#room < 0) return;
    const there = this.#values.get(path);
    if (there === undefined) this.#values.set(path, [text]);
    else there.push(text);
  }

  /** Returns the texts at the first of these places that has any. */
  all(...paths: readonly string[]): readonly string[] {
    return paths.map((path) => this.#values.get(path)).find((values) => values !== undefined) ?? [];
  }

  /** Returns the first text at the first of these places that has one; null if all are empty. */
  first(...paths: readonly string[]): string | null {
    return this.all(...paths)[0] ?? null;
  }
}

const STATEMENT = /^(?:Stmt|Rpt|Ntfctn)$/;
const NO_DETAILS = new Fields();

type Around = Pick<Transaction, 'account' | 'isInStatement'>;
const NOWHERE: Around = { account: null, isInStatement: false };

class Entries {
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

  /** Records that something in the entry cannot be read; false outside of an entry. */
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

  #found(details: Fields, isPart: boolean): BookingContent {
    if (this.#failure !== null) return refused(this.#failure);
    return bookingOf({ ...this.#around, entry: this.#entry, details, isPart });
  }
}

const CHUNK = 128 * 1024;
const HEAD = 64 * 1024;
/** No tag and no text of a statement is nearly as long. */
const MOST_IN_ONE = 2 * 1024 * 1024;
const MOST_DEPTH = 100;
const AGAIN = 'Download the statement from the bank again.';

/** Reads the entries of a file piece by piece: memory is flat however long it is. */
export const readCamt: ItemReader = (source, from, context): Iterable<Item> =>
  makePaymentItems(bookingsIn(source), from, context);

function* bookingsIn(source: ByteSource): Generator<Booking> {
  const statement = new Statement();
  for (const text of textOf(source)) {
    statement.read(text);
    yield* statement.entries.taken();
  }
  yield* statement.end();
}

function* textOf(source: ByteSource): Generator<string> {
  const head = source.read(0, HEAD);
  const declared = /^[^<]{0,8}<\?xml\s[^<>?]*encoding\s*=\s*["']([\w.-]{1,40})["']/i.exec(decodeAscii(head))?.[1];
  const decoder = new TextDecoder(detectCharset(head, declared ?? 'utf-8'));
  for (let at = 0; at < source.size; at += CHUNK) yield decoder.decode(source.read(at, CHUNK), { stream: true });
  yield decoder.decode();
}

/** The file's XML, as far as it was read. A document type is refused, so that no entity of a file is ever looked at. */
class Statement {
  readonly entries = new Entries();
  readonly #parser = new SaxesParser({ xmlns: false, position: true });
  #text = '';
  #since = 0;
  #isAtEnd = false;

  constructor() {
    const parser = this.#parser;
    parser.on('doctype', () => this.#refuse('it declares a document type, which no bank does'));
    parser.on('error', (error) => this.#failed(error.message));
    parser.on('opentag', ({ name, attributes }) => this.#opened(name.slice(name.indexOf(':') + 1), attributes.Ccy));
    parser.on('text', (text) => this.#read(text));
    parser.on('cdata', (text) => this.#read(text));
    parser.on('closetag', () => this.#closed());
    parser.on('comment', () => this.#moved());
  }

  read(text: string): void {
    this.#since += text.length;
    this.#parser.write(text);
    if (this.#since > MOST_IN_ONE) this.#refuse('a piece of it is longer than any of a statement');
  }

  *end(): Generator<Booking> {
    this.#isAtEnd = true;
    this.#parser.close();
    yield* this.entries.taken();
  }

  #opened(name: string, currency: string | undefined): void {
    this.#moved();
    this.#text = '';
    this.entries.opened(name, currency);
    if (this.entries.depth > MOST_DEPTH) this.#refuse('its elements are nested too deeply');
  }

  #read(text: string): void {
    this.#moved();
    if (this.#text.length < MOST_IN_ONE) this.#text += text;
  }

  #closed(): void {
    this.#moved();
    this.entries.closed(this.#text.trim());
    this.#text = '';
  }

  #moved(): void {
    this.#since = 0;
  }

  /** A sign that should be written otherwise spoils an entry; tags that do not fit spoil all that follows. */
  #failed(message: string): void {
    if (this.#isAtEnd) this.#refuse('it ends too early, and entries may be missing');
    const isOfTags = /tag|root|end of|unexpected|document/i.test(message);
    if (isOfTags || !this.entries.failed('it is not well-formed XML')) this.#refuse('it is not well-formed XML');
  }

  #refuse(reason: string): never {
    throw new FileRefusal(`The file cannot be read from line ${this.#parser.line} on: ${reason}.`, AGAIN);
  }
}
