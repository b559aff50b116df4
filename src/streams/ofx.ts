import type { Payment } from '../steward/types.ts';
import { ibanForm } from '../vault/source-names.ts';
import { decode } from './mail-parts.ts';
import { type Booking, type BookingContent, makePaymentItems, parseCurrency, parseDay, parseDecimal } from './money.ts';
import { decodeAscii, type Item, type ItemReader, refused, wholeFile } from './stream.ts';

interface Surroundings {
  readonly account: string | null;
  readonly currency: string | null;
}

/** The fields that are read; the account of the other side is recognised by its element. */
const FIELDS = new Set([
  ...['DTPOSTED', 'DTTRAN', 'TRNAMT', 'FITID', 'NAME', 'EXTDNAME', 'MEMO', 'CHECKNUM', 'REFNUM', 'TRNTYPE'],
  ...['ACCTID', 'CURSYM'],
]);
const NO_REFERENCE = /^0*$|^(?:none|n\/a|nonref|notprovided)$/i;

/** The fields of one entry, `STMTTRN`. */
class Entry {
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

  /** Returns a field; empty if the entry lacks it. */
  field(name: string): string {
    return this.#fields.get(name) ?? '';
  }
}

function bookingOf(entry: Entry, { account, currency }: Surroundings): BookingContent {
  const day = parseDay(entry.field('DTPOSTED') || entry.field('DTTRAN'));
  if (day === null) return refused('it has no date that can be read');
  const code = parseCurrency(entry.field('CURSYM')) ?? parseCurrency(currency);
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
 * A decimal, with a comma or a point. The standard has no thousands separators, but banks write them. If both signs
 * occur, the last one is the decimal sign. A single one before three digits could be either, and is not guessed.
 */
function amountIn(text: string, currency: string | null): string | null {
  const bare = text.replace(/\s+/g, '');
  if (/^[+-]?\d{1,3},\d{3}$/.test(bare)) return null;
  const sign = Math.max(bare.lastIndexOf(','), bare.lastIndexOf('.'));
  const isGrouped = /[.,]\d{3}(?=[.,])/.test(bare);
  if (!isGrouped || sign === -1) return parseDecimal(bare, currency);
  return parseDecimal(`${bare.slice(0, sign).replace(/[.,]/g, '')}.${bare.slice(sign + 1)}`, currency);
}

interface Tag {
  /** In capitals, without a prefix. */
  readonly name: string;
  readonly isEnd: boolean;
  /** Up to the next tag, with its entities read; empty at an end tag. */
  readonly value: string;
}

const TAG = /<(\/?)(?:[A-Za-z][\w-]*:)?([A-Za-z][\w.-]*)(?:\s[^<>]*)?>/y;
const CDATA = '<![CDATA[';
const ENTITY = /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
/** No value of the format is longer; what follows is not kept. */
const MAX_VALUE = 40_000;

/**
 * Yields the tags of a text that is SGML or XML, or not quite either. An end tag may be missing after a value, and a
 * `<` that begins no tag is text. Comments are left out.
 */
function* tagsOf(text: string): Generator<Tag> {
  let open: Omit<Tag, 'value'> | null = null;
  let value = '';
  for (let at = 0; at < text.length; ) {
    const piece = pieceAt(text, at);
    at = piece.end;
    if (piece.tag === null) {
      if (value.length < MAX_VALUE) value += piece.text;
      continue;
    }
    if (open !== null) yield { ...open, value: textOf(open, value) };
    open = piece.tag;
    value = '';
  }
  if (open !== null) yield { ...open, value: textOf(open, value) };
}

interface Piece {
  readonly end: number;
  readonly text: string;
  readonly tag: Omit<Tag, 'value'> | null;
}

function pieceAt(text: string, at: number): Piece {
  if (text[at] !== '<') return plain(text, at);
  if (text.startsWith('<!--', at)) return { end: after(text, '-->', at), text: '', tag: null };
  if (text.startsWith(CDATA, at)) {
    const end = after(text, ']]>', at);
    return { end, text: text.slice(at + CDATA.length, Math.min(end - 3, at + MAX_VALUE)), tag: null };
  }
  TAG.lastIndex = at;
  const [whole, slash = '', name = ''] = TAG.exec(text) ?? [];
  if (whole === undefined) return { end: at + 1, text: '<', tag: null };
  return { end: at + whole.length, text: '', tag: { name: name.toUpperCase(), isEnd: slash !== '' } };
}

function plain(text: string, at: number): Piece {
  const next = text.indexOf('<', at);
  const end = next === -1 ? text.length : next;
  return { end, text: withEntities(text.slice(at, Math.min(end, at + MAX_VALUE))), tag: null };
}

/** The place after `mark`; the end of the text if it is missing. */
function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}

function withEntities(text: string): string {
  return text.replace(ENTITY, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function textOf({ isEnd }: Omit<Tag, 'value'>, value: string): string {
  return isEnd ? '' : value.trim();
}

const MAX_BYTES = 64 * 1024 * 1024;
const HEAD = 2048;
const STATEMENT = /^(?:CC|INV)?STMTRS$/;
const ENTRY = /^STMTTRNP?$/;
const AROUND_ENTRIES = /^(?:BANKTRANLISTP?|(?:CC|INV)?STMTRS|OFX)$/;

/** Reads the entries of all statements of a file, of bank accounts and credit cards. */
export const readOfx: ItemReader = (source, from, context): Iterable<Item> => {
  const bytes = wholeFile(source, MAX_BYTES);
  const text = decode(bytes, declaredCharset(decodeAscii(bytes.subarray(0, HEAD))));
  return makePaymentItems(bookingsIn(tagsOf(text)), from, context);
};

/** The charset by the file's own header: of XML, or the lines `ENCODING:` and `CHARSET:`, which may be in one line. */
function declaredCharset(head: string): string | null {
  const xml = /<\?xml\s[^<>?]*encoding\s*=\s*["']([\w.-]{1,40})["']/i.exec(head)?.[1];
  if (xml !== undefined) return xml;
  if (/ENCODING:\s*UTF-?8/i.test(head)) return 'utf-8';
  return /CHARSET:\s*(\d{3,4}|(?:ISO|CP|WINDOWS)[-\w]{1,20}?)(?=COMPRESSION|\s|$)/i.exec(head)?.[1] ?? null;
}

function* bookingsIn(tags: Iterable<Tag>): Generator<Booking> {
  const statements = new Statements();
  for (const tag of tags) {
    const booking = statements.take(tag);
    if (booking !== null) yield booking;
  }
  yield* statements.end();
}

class Statements {
  #around: Surroundings = { account: null, currency: null };
  #entry: Entry | null = null;
  #count = 0;
  #isEnded = false;

  /** Returns the entry that ends with this tag, if one does. */
  take(tag: Tag): Booking | null {
    const ended = this.#endedBy(tag);
    if (this.#entry !== null) this.#entry.add(tag);
    else if (!tag.isEnd) this.#begin(tag);
    return ended;
  }

  /** Returns what is left: an entry that is cut off, and that the file is. */
  *end(): Generator<Booking> {
    if (this.#entry !== null) yield { place: this.#nextPlace(), ...refused('the file ends within it') };
    if (this.#isEnded) return;
    const reason = 'the file ends too early, and entries may be missing: download it again';
    yield { place: 'the end', ...refused(reason) };
  }

  #endedBy({ name, isEnd }: Tag): Booking | null {
    if (name === 'OFX' && isEnd) this.#isEnded = true;
    if (this.#entry === null || !(ENTRY.test(name) || (isEnd && AROUND_ENTRIES.test(name)))) return null;
    const booking = { place: this.#nextPlace(), ...bookingOf(this.#entry, this.#around) };
    this.#entry = null;
    return booking;
  }

  #begin({ name, value }: Tag): void {
    if (ENTRY.test(name)) this.#entry = new Entry(name.endsWith('P'));
    if (STATEMENT.test(name)) this.#around = { account: null, currency: null };
    if (name === 'CURDEF') this.#around = { ...this.#around, currency: value };
    if (name === 'ACCTID' && this.#around.account === null) this.#around = { ...this.#around, account: value };
  }

  #nextPlace(): string {
    this.#count += 1;
    return `entry ${this.#count}`;
  }
}
