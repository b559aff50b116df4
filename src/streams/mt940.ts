import type { Payment } from '../steward/types.ts';
import { ibanForm } from '../vault/source-names.ts';
import { decode } from './mail-parts.ts';
import {
  type Booking,
  type BookingContent,
  decimalOfParts,
  exactParts,
  formatDay,
  makePaymentItems,
  negated,
  parseCurrency,
  parseDecimal,
} from './money.ts';
import { type Item, type ItemReader, refused, wholeFile } from './stream.ts';

/** The year of a statement has two digits: from here on they are of the last century. */
const LAST_CENTURY = 80;

/** Returns the day of `YYMMDD`; null if it isn't a day. */
function dateOf(digits: string): string | null {
  const [, year, month, day] = /^(\d{2})(\d{2})(\d{2})$/.exec(digits) ?? [];
  if (year === undefined) return null;
  return formatDay(Number(year) + (Number(year) < LAST_CENTURY ? 2000 : 1900), Number(month), Number(day));
}

/** Returns the day of `MMDD` that is nearest to a day: around the new year its year is another one. */
function nearestDate(digits: string, near: string): string | null {
  const [month, day] = [Number(digits.slice(0, 2)), Number(digits.slice(2, 4))];
  const year = Number(near.slice(0, 4));
  const days = [year - 1, year, year + 1].map((one) => formatDay(one, month, day)).filter((one) => one !== null);
  const away = (one: string) => Math.abs(Date.parse(one) - Date.parse(near));
  return days.toSorted((one, other) => away(one) - away(other))[0] ?? null;
}

/** The balance of an account: `:60F:C350301EUR100,00`. */
interface Balance {
  readonly amount: string;
  readonly currency: string;
}

/** Returns the balance of a field; null if it cannot be read. */
function balanceOf(text: string): Balance | null {
  const [, mark, date, code, digits] = /^([CD])(\d{6})([A-Z]{3})([\d.,]{1,20})/.exec(text.trim()) ?? [];
  const currency = parseCurrency(code);
  const amount = parseDecimal(bare(digits ?? ''), currency);
  if (amount === null || currency === null || dateOf(date ?? '') === null) return null;
  return { amount: mark === 'D' ? negated(amount) : amount, currency };
}

/** Returns an amount with at most a comma in it. */
function bare(digits: string): string {
  return digits.includes(',') ? digits.replace(/\./g, '') : digits;
}

/** Returns the difference between the closing balance and the opening one with all amounts; null if they agree. */
function differenceOf(opening: Balance, amounts: readonly string[], closing: Balance): string | null {
  const sum = amounts.reduce((all, amount) => all + exactParts(amount), exactParts(opening.amount));
  const difference = exactParts(closing.amount) - sum;
  return difference === 0n ? null : parseDecimal(decimalOfParts(difference), closing.currency);
}

/** A field of a statement: `:86:` with all its lines. */
interface Field {
  readonly tag: string;
  readonly lines: readonly string[];
  /** The number of its first line in the file. */
  readonly line: number;
}

/** The fields of a statement. Words that were broken before `:26:37` aren't fields. */
const TAG = /^:(20|21|25P?|28C?|60[FM]|61|62[FM]|64|65|86|13[CD]?|34F|90[CD]|NS):/;
const END = /^-(?:\}.*|X{3})?\s*$/;
/** The envelope of SWIFT before the first field, if it is in the same line. */
const ENVELOPE = /^\{[^\r\n]*\{4:/;
/** A field has six lines of 65 characters, or a few more; what is beyond any measure is left out. */
const MOST_LINES = 200;
const MOST_IN_LINE = 4000;

/** Yields the fields of a text. Anything between statements is left out. */
function* fieldsOf(text: string): Generator<Field> {
  let open: { readonly tag: string; readonly lines: string[]; readonly line: number } | null = null;
  let number = 0;
  for (const whole of linesOf(text)) {
    number += 1;
    const line = whole.startsWith('{') ? whole.replace(ENVELOPE, '') : whole;
    const [mark, tag] = TAG.exec(line) ?? [];
    if (mark !== undefined && tag !== undefined) {
      if (open !== null) yield open;
      open = { tag, lines: [line.slice(mark.length)], line: number };
    } else if (END.test(line)) {
      if (open !== null) yield open;
      open = null;
    } else if (open !== null && open.lines.length < MOST_LINES) open.lines.push(line);
  }
  if (open !== null) yield open;
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const at = text.indexOf('\n', from);
    const end = at === -1 ? text.length : at;
    yield text.slice(from, Math.min(end, from + MOST_IN_LINE)).replace(/\r$/, '');
    from = end + 1;
  }
}

/** How long a line is that was broken because it was full, with its `:86:`. */
const FULL = 65;
const TAG_JOINED = ':86:'.length;

/**
 * Puts lines together that were broken at their limit, within a word too. A shorter line ended at a space, or before a
 * mark with which the next one begins.
 */
function joined(lines: readonly string[], marks: string): string {
  return lines.reduce((text, line, nth) => {
    const before = lines[nth - 1];
    if (before === undefined) return line;
    const isBroken = before.length + (nth === 1 ? TAG_JOINED : 0) >= FULL || marks.includes(line.charAt(0));
    return text + (isBroken ? '' : ' ') + line;
  }, '');
}

/** The contents of a booking's line, `:61:`. */
interface StatementLine extends Pick<Payment, 'status' | 'day' | 'amount'> {
  readonly isReversal: boolean;
  /** The references of the customer and the bank. */
  readonly references: readonly string[];
  readonly supplement: readonly string[];
}

const LINE =
  /^(\d{6}) {0,4}(\d{4})? {0,4}(R?[CD]|E[CD])([A-Z])? {0,4}(\d[\d.,]{0,20}|,\d{1,10})([A-Z][A-Z\d]{2}[A-Z\d ])?([^\n]*)$/i;
/** Words of banks for a missing reference, or for one that is in `:86:`. */
const NO_REFERENCE = /^(?:nonref|notprovided|eref|marf|pref|kref\+?|0*)$/i;

/** Returns what a `:61:` says; null if it cannot be read. */
function lineOf([first = '', ...supplement]: readonly string[], currency: string | null): StatementLine | null {
  const [, value = '', entry, mark = '', , digits = '', , rest = ''] = LINE.exec(first.trim()) ?? [];
  const day = bookingDay(value, entry);
  const amount = parseDecimal(bare(digits), currency);
  if (day === null || amount === null) return null;
  return {
    ...directionOf(mark.toUpperCase(), amount),
    day,
    references: rest
      .split('//')
      .map((one) => one.trim().replace(/^NONREF +/, ''))
      .filter((one) => !NO_REFERENCE.test(one)),
    supplement: supplement.map((one) => one.trim()).filter((one) => one !== ''),
  };
}

/** The day of the entry, else the value date. Some banks know a 30th of February for the value, but for no entry. */
function bookingDay(value: string, entry: string | undefined): string | null {
  const day = dateOf(value);
  if (entry === undefined) return day;
  return nearestDate(entry, day ?? dateOf(`${value.slice(0, 4)}01`) ?? '') ?? day;
}

/** `RC` takes back what came in, and `RD` what went out; `EC` and `ED` are expected. */
function directionOf(mark: string, amount: string): Pick<StatementLine, 'amount' | 'isReversal' | 'status'> {
  const isOut = mark === 'RC' || mark === 'D' || mark === 'ED';
  return {
    amount: isOut ? negated(amount) : amount,
    isReversal: mark.startsWith('R'),
    status: mark.startsWith('E') ? 'pending' : 'booked',
  };
}

/** The fields of `/TRTP/SEPA/IBAN/…/NAME/…/REMI/…`, as banks of the Netherlands, Belgium and elsewhere write them. */
const KEYS: ReadonlySet<string> = new Set([
  ...['TRTP', 'TRCD', 'IBAN', 'BIC', 'NAME', 'REMI', 'EREF', 'PREF', 'KREF', 'IREF', 'ORDP', 'BENM', 'CSID', 'MARF'],
  ...['CNTP', 'RTRN', 'ISDT', 'SVCL', 'ADDR', 'ULTD', 'ULTB', 'ULTC', 'PURP', 'OCMT', 'CHGS', 'EXCH', 'ACCW', 'BUSP'],
  ...['ABWA', 'RTYP', 'NRTX', 'SUM', 'INIS', 'SWOC', 'SWOD', 'ID', 'PT', 'PY'],
]);
const KEY = /\/([A-Z]{2,4})(?=\/)/g;
const BEGIN = /^ {0,4}\/([A-Z]{2,4})\//;
const NO_REFERENCE_SLASHED = /^(?:notprovided|nonref)?$/i;

/** Returns the contents of a `:86:` with fields between slashes; null if it is written in another way. */
function slashedNarrative(lines: readonly string[]): Details | null {
  if (!KEYS.has(BEGIN.exec(lines[0] ?? '')?.[1] ?? '')) return null;
  const said = fieldsOfSlashed(joined(lines, '/'));
  const [iban, , name] = (said.get('CNTP') ?? '').split('/');
  const remittance = said.get('REMI') ?? '';
  const [, structured] = /^STRD\/[A-Z]{0,4}\/([^/]{1,40})/.exec(remittance) ?? [];
  const references = [structured, said.get('EREF'), said.get('MARF'), said.get('PREF')].map((one) =>
    bareSlashed(one ?? ''),
  );
  return {
    counterparty: bareSlashed(said.get('NAME') ?? '') || bareSlashed(name ?? '') || null,
    iban: ibanForm(said.get('IBAN')?.replace(/\/.*$/s, '')) ?? ibanForm(iban),
    references: references.filter((one) => !NO_REFERENCE_SLASHED.test(one.replace(/\s+/g, ''))),
    purpose: structured ?? (wordsOf(remittance) || bareSlashed(said.get('TRTP') ?? '')),
  };
}

/** The first of each counts. Text after the words of the payer cannot say who that was. */
function fieldsOfSlashed(text: string): ReadonlyMap<string, string> {
  const said = new Map<string, string>();
  for (const { key, value } of partsOf(text)) {
    const isTooLate = said.has('REMI') && ['IBAN', 'NAME', 'CNTP'].includes(key);
    if (!said.has(key) && !isTooLate) said.set(key, value.slice(1).trim());
  }
  return said;
}

/** Each key with what follows; what only looks like one belongs to the words before it. */
function partsOf(text: string): readonly { readonly key: string; readonly value: string }[] {
  const pieces = text.split(KEY);
  const parts: { key: string; value: string }[] = [];
  for (let nth = 1; nth < pieces.length; nth += 2) {
    const [key = '', value = ''] = [pieces[nth], pieces[nth + 1]];
    const last = parts.at(-1);
    if (KEYS.has(key)) parts.push({ key, value });
    else if (last !== undefined) last.value += `/${key}${value}`;
  }
  return parts;
}

function wordsOf(remittance: string): string {
  return bareSlashed(remittance.replace(/^USTD\/{1,2}/, ''));
}

function bareSlashed(value: string): string {
  return value.replace(/^[/\s]{1,20}/, '').replace(/(?<![/\s])[/\s]+$/, '');
}

/** `166?00Credit?20…`: three digits, then fields of two digits after a sign that each bank chooses. */
const BEGIN_STRUCTURED = /^\s{0,4}\d{0,3}([^\w\s/:.,+()-])\d{2}/;
/** The words of who paid, in pieces. */
const PURPOSE = /^(?:2\d|6[0-3])$/;
/** The width of a piece: a full one goes on in the next one without a space. */
const PIECE = 27;
const KEYWORD = /((?:EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC|COAM|OAMT|PURP)(?=\+)|MTLG(?=:))[+:]/g;

/** Returns the contents of a `:86:` of the German way; null if it is written in another. */
function structuredNarrative(lines: readonly string[]): Details | null {
  const [, sign] = BEGIN_STRUCTURED.exec(lines[0] ?? '') ?? [];
  if (sign === undefined) return null;
  const fields = fieldsOfStructured(joined(lines, sign), sign);
  const said = keywordsOf(purposeOf(fields));
  return {
    counterparty: nameOf(fields) ?? (said.get('ABWA') || said.get('ABWE') || null),
    iban: ibanForm(only(fields, '31')) ?? ibanForm(only(fields, '38')) ?? ibanForm(said.get('IBAN')),
    references: ['EREF', 'MREF', 'KREF']
      .map((key) => said.get(key) ?? '')
      .filter((one) => !NO_REFERENCE_SLASHED.test(one.replace(/\s+/g, ''))),
    purpose:
      said.get('SVWZ') ||
      said.get('') ||
      said.get('MTLG') ||
      (fields.find(({ code }) => code === '00')?.text.trim() ?? ''),
  };
}

interface Part {
  readonly code: string;
  readonly text: string;
}

function fieldsOfStructured(text: string, sign: string): readonly Part[] {
  const pieces = text.split(sign);
  const parts: Part[] = [];
  for (const piece of pieces.slice(1)) {
    const [, code, rest = ''] = /^(\d{2})(.*)$/s.exec(piece) ?? [];
    const last = parts.at(-1);
    if (code !== undefined) parts.push({ code, text: rest });
    else if (last !== undefined) parts[parts.length - 1] = { code: last.code, text: last.text + sign + piece };
  }
  return parts;
}

/** Returns a field that the bank fills. One that is there twice was written by who paid, and is not believed. */
function only(fields: readonly Part[], code: string): string | null {
  const found = fields.filter((one) => one.code === code);
  return found.length === 1 ? (found[0]?.text.trim() ?? null) : null;
}

function nameOf(fields: readonly Part[]): string | null {
  const [first, second] = [only(fields, '32'), only(fields, '33')];
  if (first === null) return null;
  return `${first}${glue(first, second ?? '', PIECE)}`.trim() || null;
}

function purposeOf(fields: readonly Part[]): string {
  const pieces = fields.filter(({ code }) => PURPOSE.test(code)).map(({ text }) => text);
  const width = Math.max(PIECE, ...pieces.map((piece) => piece.length));
  return pieces.reduce((text, piece, nth) => text + glue(pieces[nth - 1], piece, width), '').trim();
}

/** Returns a piece as it goes on behind the one before: a short one ended at a space. */
function glue(before: string | undefined, piece: string, width: number): string {
  if (before === undefined || before.length >= width || before.endsWith(' ')) return piece;
  return ` ${piece.trimStart()}`;
}

/**
 * The purpose by its keywords; under the empty one, the text before them. The first of each counts. Text after the
 * words of the payer cannot say whose account it was.
 */
function keywordsOf(purpose: string): ReadonlyMap<string, string> {
  const said = new Map<string, string>();
  const parts = purpose.split(KEYWORD);
  said.set('', (parts[0] ?? '').trim());
  for (let nth = 1; nth < parts.length; nth += 2) {
    const [key = '', text = ''] = [parts[nth], parts[nth + 1]];
    const isTooLate = key === 'IBAN' && said.has('SVWZ');
    if (!said.has(key) && !isTooLate) said.set(key, text.trim());
  }
  return said;
}

/** Returns what a `:86:` says, in whichever way its bank writes it. */
function narrativeOf(lines: readonly string[]): Details {
  return structuredNarrative(lines) ?? slashedNarrative(lines) ?? plainNarrative(lines);
}

function plainNarrative(lines: readonly string[]): Details {
  const purpose = lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
  return { counterparty: null, iban: null, references: [], purpose };
}

const MAX_BYTES = 64 * 1024 * 1024;
const DOUBT = 'the balance of its statement does not add up';

/** Reads the bookings of all statements of a file. */
export const readMt940: ItemReader = (source, from, context): Iterable<Item> =>
  makePaymentItems(bookingsIn(fieldsOf(decode(wholeFile(source, MAX_BYTES)))), from, context);

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
   * Returns the bookings since the last balance that opened, and whether they fit with it. If they do not, one may be
   * missing, or the author of another's purpose may have slipped one in.
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

  #found(field: Field, narrative: readonly string[]): BookingContent {
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

/** A sum that is only expected is in no balance. */
function counts({ status }: Payment): boolean {
  return status === 'booked';
}

/** The IBAN, without the currency that some banks put behind it; else the text as it is. */
function accountOf(text: string | null, currency: string | null): string | null {
  const bare = text?.replace(/^\//, '') ?? null;
  const isFollowed = currency !== null && bare?.endsWith(currency) === true;
  return ibanForm(isFollowed ? bare.slice(0, -currency.length) : bare) ?? bare;
}

/** The description of a booking, `:86:`. */
type Details = Pick<Payment, 'counterparty' | 'iban' | 'references' | 'purpose'>;
