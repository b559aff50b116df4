import {
  DECIMAL_SIGNS,
  type DecimalSign,
  decimalSignsOf,
  plainDigits,
  type WrittenAmount,
  writtenAmount,
} from './cells/amounts.ts';
import { DATE_ORDERS, type DateOrder, dateIn, isPointed, ordersOf } from './cells/dates.ts';
import { directionIn } from './cells/words.ts';
import type { Columns } from './columns.ts';
import { bookingRows, type Table } from './table.ts';

/** How often each of two or three ways to read a column is possible, over all rows. */
class Votes<Way extends string> {
  readonly #counts = new Map<Way, number>();
  /** Between which ways a row makes a difference, with the first cell that does. */
  readonly #differ = new Map<string, string>();
  #all = 0;

  /** Counts a cell; `read` is what it says in each way, or null. */
  add(cell: string, ways: readonly Way[], read: (way: Way) => string | null): void {
    if (ways.length === 0) return;
    this.#all += 1;
    for (const way of ways) this.#counts.set(way, (this.#counts.get(way) ?? 0) + 1);
    for (const [one, other] of pairsOf(ways)) {
      const name = `${one} ${other}`;
      if (!this.#differ.has(name) && read(one) !== read(other)) this.#differ.set(name, cell);
    }
  }

  /** Returns the ways that fit: all rows, but for one in twenty, which is refused by itself. Empty where none does. */
  fitting(all: readonly Way[]): readonly Way[] {
    return all.filter((way) => (this.#all - (this.#counts.get(way) ?? 0)) * 20 <= this.#all);
  }

  /** Returns a cell that says something else in one of these ways than in another; null where they all say the same. */
  openCell(ways: readonly Way[]): string | null {
    for (const [one, other] of pairsOf(ways)) {
      const cell = this.#differ.get(`${one} ${other}`);
      if (cell !== undefined) return cell;
    }
    return null;
  }
}

function pairsOf<Value>(values: readonly Value[]): readonly (readonly [Value, Value])[] {
  return values.flatMap((one, nth) => values.slice(nth + 1).map((other) => [one, other] as const));
}

/** How many different days are remembered. */
const MOST_DAYS = 20_000;

/** What the whole file says of how it is written. */
export class Survey {
  readonly orders = new Votes<DateOrder>();
  readonly #days = new Set<string>();
  readonly decimals = new Votes<DecimalSign>();
  /** How many rows have a date, and how many of them a sum. */
  dated = 0;
  summed = 0;
  /** Whether every date of which the order is open is written with points. */
  isPointed = true;
  /** How many sums have a minus, a plus, and no sign; of those with a mark, how many say out and in. */
  readonly signs = { minus: 0, plus: 0, bare: 0, out: 0, in: 0 };
  /** How the words of direction go with the signs. */
  readonly words = { outMinus: 0, outBare: 0, inMinus: 0, inBare: 0, unknown: 0 };
  /** How often a minus goes with the column of what went out, and no sign with that of what came in. */
  readonly sides = { fit: 0, misfit: 0 };
  readonly debits = { minus: 0, bare: 0 };
  readonly credits = { minus: 0, bare: 0 };

  constructor(table: Table, columns: Columns, out: string | null) {
    for (const { cells } of bookingRows(table)) if (cells !== null) this.#row(cells, columns, out);
  }

  #row(cells: readonly string[], columns: Columns, out: string | null): void {
    const dates = columns.dates
      .map((nth) => cells[nth] ?? '')
      .filter((cell) => this.#days.has(cell) || ordersOf(cell).length > 0);
    if (dates.length === 0) return;
    this.dated += 1;
    for (const date of dates) this.#date(date);
    const [amount] = columns.amounts;
    const sums = [amount, columns.debit, columns.credit].map((nth) => sumAt(cells, nth ?? null));
    if (sums.some((sum) => sum !== null)) this.summed += 1;
    for (const sum of sums) if (sum !== null) this.#sum(sum);
    const [signed = null, debit = null, credit = null] = sums;
    if (signed !== null && isMoney(signed)) {
      this.#sign(signed);
      if (columns.direction !== null) this.#word(signed, wordOf(cells[columns.direction] ?? '', out));
    }
    const side = sideOf(debit, credit);
    if (signed !== null && side !== null) {
      this.sides[(side === 'out') === (signed.sign === '-') ? 'fit' : 'misfit'] += 1;
    }
    for (const [sum, side] of [[debit, this.debits] as const, [credit, this.credits] as const]) {
      if (sum !== null && isMoney(sum)) side[sum.sign === '-' ? 'minus' : 'bare'] += 1;
    }
  }

  // A day has many bookings, and its cell says the same each time.
  #date(cell: string): void {
    if (this.#days.has(cell)) return;
    if (this.#days.size < MOST_DAYS) this.#days.add(cell);
    const ways = ordersOf(cell);
    this.orders.add(cell, ways, (order) => dateIn(cell, order));
    if (ways.length === 2 && dateIn(cell, 'dmy') !== dateIn(cell, 'mdy')) this.isPointed &&= isPointed(cell);
  }

  #sum(sum: WrittenAmount): void {
    this.decimals.add(sum.digits, decimalSignsOf(sum), (decimal) => plainValue(sum.digits, decimal));
  }

  #sign({ sign, mark }: WrittenAmount): void {
    if (sign === '-') this.signs.minus += 1;
    else this.signs[sign === '+' ? 'plus' : 'bare'] += 1;
    const way = mark === null ? null : directionIn(mark);
    if (way !== null) this.signs[way] += 1;
  }

  #word({ sign }: WrittenAmount, way: 'out' | 'in' | null): void {
    if (way === null) this.words.unknown += 1;
    else this.words[`${way}${sign === '-' ? 'Minus' : 'Bare'}`] += 1;
  }

  /** The orders of dates, and the decimal signs, that fit. */
  get fittingOrders(): readonly DateOrder[] {
    return this.orders.fitting(DATE_ORDERS);
  }

  get fittingDecimals(): readonly DecimalSign[] {
    return this.decimals.fitting(DECIMAL_SIGNS);
  }
}

/** In which of the two columns a row has money. */
function sideOf(debit: WrittenAmount | null, credit: WrittenAmount | null): 'out' | 'in' | null {
  const [isOut, isIn] = [debit, credit].map((sum) => sum !== null && isMoney(sum));
  return isOut === isIn ? null : isOut ? 'out' : 'in';
}

/** Returns the sum in a column of a row; null where there is none. */
export function sumAt(cells: readonly string[], nth: number | null): WrittenAmount | null {
  return nth === null ? null : writtenAmount(cells[nth] ?? '');
}

/** Whether it is more than nothing. */
function isMoney({ digits }: WrittenAmount): boolean {
  return /[1-9]/.test(digits);
}

/** Returns which way a word of a direction column says; `out`: the word that a format names for what went out. */
export function wordOf(cell: string, out: string | null): 'out' | 'in' | null {
  if (cell.trim() === '') return null;
  return out === null ? directionIn(cell) : cell.trim().toLowerCase() === out ? 'out' : 'in';
}

function plainValue(digits: string, decimal: DecimalSign): string | null {
  const [whole = '', fraction = ''] = plainDigits(digits, decimal)?.split('.') ?? [];
  return `${whole}.${fraction.replace(/(?<!0)0+$/, '')}`;
}
