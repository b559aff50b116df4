import { BalanceRun, balanceAt } from './balance.ts';
import type { DecimalSign } from './cells/amounts.ts';
import type { DateOrder } from './cells/dates.ts';
import type { Named } from './cells/header.ts';
import type { Language } from './cells/header-words.ts';
import { type Columns, columnsOf, isDate, isSum, valuesOf } from './columns.ts';
import { type BankFormat, isFor } from './format.ts';
import { type Convention, sumOf } from './sums.ts';
import { Survey } from './survey.ts';
import { bookingRows, headerOf, type Table } from './table.ts';

/** How the rows of a table are read. */
export interface Layout {
  readonly columns: Columns;
  readonly order: DateOrder;
  readonly decimal: DecimalSign;
  readonly convention: Convention;
  /** The account and its currency where a format names them. */
  readonly account: string | null;
  readonly currency: string | null;
}

/** What only a person can say of a table, with what they need to see for it. */
export type Question =
  | { readonly about: 'date' | 'amount' | 'purpose'; readonly columns: readonly number[] }
  | { readonly about: 'order'; readonly cell: string; readonly orders: readonly DateOrder[] }
  | { readonly about: 'decimal' | 'sign'; readonly cell: string };

/** How a table is read, or what must be asked first. */
type Decision = { readonly layout: Layout } | { readonly questions: readonly [Question, ...Question[]] };

/** Languages that everywhere write the day first; a name that is used in another one as well tells nothing. */
const DAY_FIRST: readonly Language[] = ['de', 'fr', 'es', 'it', 'nl', 'pl', 'nordic', 'east', 'baltic'];
/** How many more sums must be below zero than above it, that a column surely has what went out below zero. */
const CLEARLY = 2;
const LEAST_MINUS = 3;

/** Decides how a table is read: as its format says, else as its names, all its rows and its balances say. */
export function decide(table: Table, formats: readonly BankFormat[]): Decision {
  const header = headerOf(table);
  const format = formats.find((one) => isFor(one, header)) ?? null;
  const columns = columnsOf(table, format);
  const missing = missingColumns(table, columns, format);
  if (isSome(missing)) return { questions: missing };
  const survey = new Survey(table, columns, format?.out ?? null);
  const notSums = survey.dated > 0 && survey.summed * 2 < survey.dated;
  if (notSums) return { questions: [{ about: 'amount', columns: likelySums(table, columns) }] };
  const order = orderOf(table, survey, format);
  const decimal = decimalOf(survey, format);
  const convention = conventionOf(table, survey, columns, format);
  const questions = [order, decimal, convention].filter((one) => typeof one === 'object' && 'about' in one);
  if (isSome(questions)) return { questions };
  if (isQuestion(order) || isQuestion(decimal) || isQuestion(convention)) throw new Error('a question was lost');
  const { account = null, currency = null } = format ?? {};
  return { layout: { columns, order, decimal, convention, account, currency } };
}

function isQuestion(decided: unknown): decided is Question {
  return typeof decided === 'object' && decided !== null && 'about' in decided;
}

function isSome<Value>(list: readonly Value[]): list is readonly [Value, ...Value[]] {
  return list.length > 0;
}

// --- the columns -----------------------------------------------------------------------------------------------------

function missingColumns(table: Table, columns: Columns, format: BankFormat | null): readonly Question[] {
  const isPair = columns.debit !== null && columns.credit !== null;
  const isKnown = columns.amounts.length === 1 || (columns.amounts.length === 0 && isPair);
  const words = [columns.purposes, columns.kinds, columns.names].flat();
  const isSaid = words.some((nth) => table.sample.length === 0 || valuesOf(table.sample, nth).length > 0);
  const missing: Question[] = [];
  if (columns.dates.length === 0) missing.push({ about: 'date', columns: likelyDates(table) });
  if (!isKnown && !isOneSided(format)) missing.push({ about: 'amount', columns: likelySums(table, columns) });
  if (!isSaid) missing.push({ about: 'purpose', columns: likelyWords(table) });
  return missing;
}

/** A format may name one side alone: a card on which nothing comes in. */
function isOneSided(format: BankFormat | null): boolean {
  return format?.columns.debit !== undefined || format?.columns.credit !== undefined;
}

function likelyDates({ columns, sample }: Table): readonly number[] {
  const having = (is: (cell: string) => boolean) =>
    columns.flatMap((_, nth) => (valuesOf(sample, nth).some(is) ? [nth] : []));
  const dates = having(isDate);
  return dates.length > 0 ? dates : having((cell) => /\d/.test(cell));
}

function likelySums({ columns, sample }: Table, { amounts, dates }: Columns): readonly number[] {
  if (amounts.length > 1) return amounts;
  const sums = columns.flatMap((_, nth) =>
    valuesOf(sample, nth).some(isOnlySum) && !dates.includes(nth) ? [nth] : [],
  );
  return sums.length > 0 ? sums : columns.map((_, nth) => nth);
}

function isOnlySum(cell: string): boolean {
  return isSum(cell) && !isDate(cell);
}

/** The columns with words, the longest first. */
function likelyWords({ columns, sample }: Table): readonly number[] {
  const lengths = columns.map((_, nth) => {
    const words = valuesOf(sample, nth).filter((cell) => /\p{L}{2}/u.test(cell) && !isDate(cell));
    return { nth, length: words.join('').length };
  });
  return lengths
    .filter(({ length }) => length > 0)
    .sort((one, other) => other.length - one.length)
    .map(({ nth }) => nth);
}

// --- dates and decimals ----------------------------------------------------------------------------------------------

function orderOf({ columns }: Table, survey: Survey, format: BankFormat | null): DateOrder | Question {
  if (format?.order) return format.order;
  const orders = survey.fittingOrders;
  const cell = survey.orders.openCell(orders);
  const [first] = orders;
  if (first !== undefined && cell === null) return first;
  const isDayFirst = survey.isPointed || columns.some(saysDayFirst);
  if (isDayFirst && orders.includes('dmy') && !orders.includes('ymd')) return 'dmy';
  return { about: 'order', cell: cell ?? 'some of them', orders: orders.length > 1 ? orders : ['dmy', 'mdy', 'ymd'] };
}

function saysDayFirst({ languages }: Named): boolean {
  return languages.length > 0 && languages.every((language) => DAY_FIRST.includes(language));
}

function decimalOf(survey: Survey, format: BankFormat | null): DecimalSign | Question {
  if (format?.decimal) return format.decimal;
  const signs = survey.fittingDecimals;
  const cell = survey.decimals.openCell(signs);
  const [first] = signs;
  return first !== undefined && cell === null ? first : { about: 'decimal', cell: cell ?? 'some of them' };
}

// --- out or in -------------------------------------------------------------------------------------------------------

function conventionOf(
  table: Table,
  survey: Survey,
  columns: Columns,
  format: BankFormat | null,
): Convention | Question {
  if (format?.turned !== null && format !== null) return { by: 'sign', turned: format.turned };
  if (columns.amounts.length === 0) return byColumn(survey);
  return byWord(survey, format) ?? byMark(survey) ?? bySign(table, survey, columns);
}

function byColumn({ debits, credits }: Survey): Convention {
  return { by: 'column', minus: { debit: debits.minus > debits.bare, credit: credits.minus > credits.bare } };
}

function byWord({ words }: Survey, format: BankFormat | null): Convention | null {
  const { outMinus, outBare, inMinus, inBare, unknown } = words;
  if (format?.out != null) return { by: 'word', out: format.out };
  const isTold = outMinus + outBare + inMinus + inBare > 0 && unknown === 0;
  const isPlain = outMinus + inMinus === 0;
  const isTurned = outMinus + inBare === 0;
  const isSigned = outBare + inMinus === 0;
  return isTold && (isPlain || isTurned || isSigned) ? { by: 'word', out: null } : null;
}

function byMark({ signs }: Survey): Convention | null {
  if (signs.out + signs.in === 0) return null;
  return { by: 'mark', bare: signs.out === 0 ? 'out' : 'in' };
}

function bySign(table: Table, survey: Survey, columns: Columns): Convention | Question {
  const { minus, plus, bare } = survey.signs;
  const known = byBalance(table, survey, columns);
  if (known !== null) return { by: 'sign', turned: known === 'turned' };
  const { fit, misfit } = survey.sides;
  if (fit + misfit > 0 && minus === 0) return byColumn(survey);
  if (fit > 0 && misfit === 0) return { by: 'sign', turned: false };
  const isClear = minus >= LEAST_MINUS && minus >= CLEARLY * (plus + bare);
  const isBank = columns.ibans.length > 0 || (isMostly(survey) && (columns.own ?? columns.balance) !== null);
  const isAccount = minus > 0 && isBank;
  const isEmpty = minus + plus + bare === 0;
  if (isClear || isAccount || isEmpty || (plus > 0 && bare === 0)) return { by: 'sign', turned: false };
  const [nth = 0] = columns.amounts;
  return { about: 'sign', cell: valuesOf(table.sample, nth).find(isSum) ?? '' };
}

/** Whether at least half of the sums are below zero: on a card that is written the other way round, few are. */
function isMostly({ signs }: Survey): boolean {
  return signs.minus >= signs.plus + signs.bare;
}

/** What the balances say, where they go up or down by the sums. */
function byBalance(table: Table, survey: Survey, columns: Columns): 'as written' | 'turned' | null {
  const [decimal = '.'] = survey.fittingDecimals;
  if (columns.balance === null) return null;
  const [asWritten, turned] = [new BalanceRun(), new BalanceRun()];
  for (const { line, cells } of bookingRows(table)) {
    if (cells === null) continue;
    const balance = balanceAt(cells, columns.balance, decimal);
    for (const [run, isTurned] of [[asWritten, false] as const, [turned, true] as const]) {
      const sum = sumOf(cells, { columns, decimal, convention: { by: 'sign', turned: isTurned } }, null);
      if (balance === null || sum === null || sum === 'unclear') continue;
      run.add({ line, amount: sum.amount, balance, account: accountOf(cells, columns) });
    }
  }
  if (asWritten.fits === turned.fits) return null;
  if (asWritten.fits > turned.fits) return asWritten.isRunning ? 'as written' : null;
  return turned.isRunning ? 'turned' : null;
}

/** Which balance a row adds to. */
export function accountOf(cells: readonly string[], { own, currency }: Columns): string {
  return `${cells[own ?? -1] ?? ''} ${cells[currency ?? -1] ?? ''}`;
}
