import type { Payment } from '../steward/ports.ts';
import { ibanForm } from '../vault/source-names.ts';
import { type Booking, itemsOf } from './bank.ts';
import { type BankFormat, bankFormatOf } from './bank-csv/format.ts';
import { plainLines } from './bank-csv/rows.ts';
import {
  accountOf,
  BalanceRun,
  balanceAt,
  bookingRows,
  decide,
  type Layout,
  refusalFor,
  sumOf,
  type Table,
  tableOf,
} from './bank-csv.ts';
import { dateIn, isBalanceName, isCurrency, isPending, isUndone } from './bank-csv-cells.ts';
import { decimalOf } from './bank-money.ts';
import { decode } from './decode.ts';
import { FileRefusal, type ItemReader, nothing, refused, wholeFile } from './items.ts';

/** What a row holds. */
type RowContent =
  | { readonly what: 'payment'; readonly payment: Payment; readonly balance: string | null }
  | { readonly what: 'refused' | 'nothing'; readonly reason: string };

/** What the file says once for all rows. */
interface FileFacts {
  readonly account: string | null;
  readonly currency: string | null;
}

/** What may be said of a row: where its cells are shifted, another one may be an account or a purpose. */
const LIKE_A_DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/;
const LEAST_REFERENCE = 3;
/** What stands in a reference where there is none. */
const NO_REFERENCE = /^(?:not ?provided|nonref|none|n\/a|keine|0+|-+)$/i;
/** The references that German banks write into the purpose. */
const MARKS = /(?=(?:EREF|KREF|MREF|CRED|SVWZ|ABWA|ABWE|DEBT|PURP|IBAN|BIC)[+:])/;
const REFERENCE = /^(?:EREF|KREF|MREF)[+:](.+)$/s;
const MOST_REFERENCE = 35;

/** Returns what the account and its currency are where the rows themselves do not say them. */
function factsOf({ preamble }: Table, { account, currency }: Layout): FileFacts {
  const cells = preamble.flat().map(bare);
  const iban = cells.map(ibanAtStart).find((one) => one !== null) ?? null;
  return { account: account ?? iban, currency: currency ?? cells.find(isCurrency) ?? null };
}

/** `DE12 3456 … / Girokonto`, or the IBAN alone. */
function ibanAtStart(cell: string): string | null {
  return ibanForm(cell.split(/[/(:]/)[0]) ?? ibanForm(cell.split(':').at(-1));
}

/** Returns what a row holds; one that cannot be read costs no other. */
function contentOf(row: readonly string[], table: Table, layout: Layout, facts: FileFacts): RowContent {
  const cells = row.map(bare);
  const named = table.columns.length;
  if (cells.slice(named).some((cell) => cell !== '')) {
    return refused(`it has ${cells.length} columns where ${named} are named, so they cannot be told apart`);
  }
  const odd = notABooking(cells, layout);
  if (odd !== null) return odd;
  const day = dayOf(cells, layout);
  if (day === null) return undated(cells, table, layout);
  return booked(cells, day, table, layout, facts);
}

function booked(cells: readonly string[], day: string, table: Table, layout: Layout, facts: FileFacts): RowContent {
  const { columns } = layout;
  const said = at(cells, columns.currency);
  if (said !== '' && !isCurrency(said)) return refused('its currency cannot be read');
  const [nth = columns.debit ?? columns.credit ?? -1] = columns.amounts;
  const known = (said || table.columns[nth]?.currency) ?? facts.currency;
  const sum = sumOf(cells, layout, known);
  if (sum === null) return nothing('it has no sum');
  if (sum === 'unclear') return refused('its sum cannot be read');
  const currency = known ?? sum.currency;
  const amount = decimalOf(sum.amount, currency);
  if (amount === null) return refused('its sum is too long');
  if (!/[1-9]/.test(amount)) return nothing('no money moved');
  const payment = paymentOf(cells, { day, amount, currency }, layout, facts);
  return { what: 'payment', payment, balance: balanceAt(cells, columns.balance, layout.decimal) };
}

type Sum = Pick<Payment, 'day' | 'amount' | 'currency'>;

function paymentOf(cells: readonly string[], sum: Sum, { columns }: Layout, facts: FileFacts): Payment {
  const own = at(cells, columns.own);
  const account = own === '' ? facts.account : (ibanForm(own) ?? own);
  const iban =
    [...columns.ibans, ...columns.names].map((nth) => ibanForm(cells[nth])).find((one) => one !== null) ?? null;
  const purpose = purposeOf(cells, columns);
  return {
    account,
    status: columns.states.some((nth) => isPending(at(cells, nth))) ? 'pending' : 'booked',
    ...sum,
    counterparty: counterpartyOf(cells, columns, sum.amount.startsWith('-')),
    iban: iban === account ? null : iban,
    references: referencesOf(cells, columns, purpose),
    purpose,
  };
}

function counterpartyOf(cells: readonly string[], columns: Layout['columns'], isOut: boolean): string | null {
  const names = columns.names.map((nth) => at(cells, nth)).filter((name) => name !== '' && ibanForm(name) === null);
  const [payer, payee] = [at(cells, columns.payer), at(cells, columns.payee)];
  return names[0] || (isOut ? payee || payer : payer || payee) || null;
}

function purposeOf(cells: readonly string[], { purposes, kinds }: Layout['columns']): string {
  const said = (columns: readonly number[]) =>
    [...new Set(columns.map((nth) => at(cells, nth)))].filter(Boolean).join(' ');
  return said(purposes) || said(kinds);
}

function referencesOf(cells: readonly string[], columns: Layout['columns'], purpose: string): readonly string[] {
  const inColumns = columns.references.map((nth) => at(cells, nth));
  const inPurpose = purpose
    .split(MARKS)
    .flatMap((part) => REFERENCE.exec(part)?.[1] ?? [])
    .map(withinLimit);
  const all = [...inColumns, ...inPurpose].map((one) => one.trim());
  return [...new Set(all)].filter((one) => one.length >= LEAST_REFERENCE && !NO_REFERENCE.test(one));
}

/** What is longer than a reference may be has other words behind it. */
function withinLimit(reference: string): string {
  const text = reference.trim();
  return text.length <= MOST_REFERENCE ? text : (text.split(/\s/)[0] ?? '');
}

// --- rows that are no bookings ---------------------------------------------------------------------------------------

function notABooking(cells: readonly string[], { columns }: Layout): RowContent | null {
  const texts = [...columns.purposes, ...columns.kinds, ...columns.names].map((nth) => at(cells, nth)).filter(Boolean);
  if (texts.length > 0 && texts.every(isBalanceName)) return nothing('it tells a balance');
  if (columns.states.some((nth) => isUndone(at(cells, nth)))) return nothing('it was not carried out');
  const [date = ''] = columns.dates.map((nth) => at(cells, nth)).filter(Boolean);
  return isPending(date) ? nothing('it is not booked yet') : null;
}

/** The day in the first of the columns that is filled in. */
function dayOf(cells: readonly string[], { columns, order }: Layout): string | null {
  const [date] = columns.dates.map((nth) => at(cells, nth)).filter(Boolean);
  return date === undefined ? null : dateIn(date, order);
}

function undated(cells: readonly string[], table: Table, layout: Layout): RowContent {
  const [date] = layout.columns.dates.map((nth) => at(cells, nth)).filter(Boolean);
  if (table.columns.every(({ name }, nth) => name === '' || at(cells, nth).startsWith(name.slice(0, 3)))) {
    return nothing('it repeats the header');
  }
  const hasSum = sumCells(cells, layout) !== '';
  if (!hasSum || cells.some(beginsBalance)) return nothing('it is no booking');
  if (date === undefined) return refused('it has no date');
  return refused(LIKE_A_DATE.test(date) ? `${date} is no date like the others` : 'its date cannot be read');
}

/** `Kontostand vom 02.03.2035:` */
function beginsBalance(cell: string): boolean {
  return (
    isBalanceName(cell) ||
    isBalanceName(
      cell
        .split(/[\s:]+/)
        .slice(0, 1)
        .join(' '),
    )
  );
}

function sumCells(cells: readonly string[], { columns }: Layout): string {
  const sums = [...columns.amounts, columns.debit, columns.credit].map((nth) => at(cells, nth));
  return sums.filter(Boolean).join(' ');
}

// --- cells -----------------------------------------------------------------------------------------------------------

function at(cells: readonly string[], nth: number | null): string {
  return nth === null ? '' : (cells[nth] ?? '');
}

/** A cell without what a spreadsheet puts around it, and without a quote that has lost its other half. */
function bare(cell: string): string {
  const text = cell.trim();
  if (text.startsWith('="') && text.endsWith('"')) return text.slice(2, -1).trim();
  if (text.length > 1 && text.startsWith("'") && text.endsWith("'")) return text.slice(1, -1).trim();
  return text.split('"').length === 2 ? text.replace(/^"|"$/, '').trim() : text;
}

const MOST_BYTES = 64 * 1024 * 1024;

/** Reads the bookings of a bank's table, one item a row. */
export const readBankCsv: ItemReader = function* (source, from, door) {
  const text = plainLines(decode(wholeFile(source, MOST_BYTES)));
  const formats = (door.bankFormats ?? []).flatMap((line) => bankFormatOf(line) ?? []);
  const { table, layout } = understood(text, formats);
  yield* itemsOf(bookingsOf(table, layout), from, door);
};

function understood(text: string, formats: readonly BankFormat[]): { readonly table: Table; readonly layout: Layout } {
  const table = tableOf(text, formats);
  if (table === null) {
    throw new FileRefusal(
      'The columns of this file do not say which is the date and which is the amount.',
      'If it is from a bank, export the bookings again with the names of the columns.',
    );
  }
  const decided = decide(table, formats);
  if ('questions' in decided) throw refusalFor(table, decided.questions);
  return { table, layout: decided.layout };
}

/** What the rows hold, in order; last of all, where the balance does not add up, that. */
function* bookingsOf(table: Table, layout: Layout): Generator<Booking> {
  const facts = factsOf(table, layout);
  const run = new BalanceRun();
  for (const { line, last, cells } of bookingRows(table)) {
    const row = cells === null ? unreadable(line, last) : contentOf(cells, table, layout, facts);
    yield { place: `line ${line}`, ...row };
    if (cells === null || row.what !== 'payment') continue;
    const { payment, balance } = row;
    const account = accountOf(cells, layout.columns);
    if (balance === null || payment.status === 'pending') run.skip(account);
    else run.add({ line, amount: payment.amount, balance, account });
  }
  if (run.misfit !== null) yield { place: `line ${run.misfit}`, ...refused(MISFIT) };
}

function unreadable(line: number, last: number) {
  const reason =
    line === last
      ? 'a quote in it does not close, or it is endless'
      : `a quote in it does not close before line ${last}, so what stands there cannot be told apart`;
  return refused(reason);
}

const MISFIT = 'the balance does not add up; a row may be missing';
