import { exactParts } from '../bank/money.ts';
import type { DecimalSign } from './cells/amounts.ts';
import { decimal } from './sums.ts';
import { sumAt } from './survey.ts';

/** A check of fewer rows says nothing; of more, all but one in ten must fit. */
const LEAST_FITS = 2;
const MOST_MISFITS = 10;

/** What a row adds to the balance, and the balance that it tells. */
interface BalancedRow {
  readonly line: number;
  readonly amount: string;
  readonly balance: string;
  /** Which account, and in which currency: each has a balance of its own. */
  readonly account: string;
}

/** Follows the balance from row to row, where a file has the oldest row first or last. */
export class BalanceRun {
  readonly #last = new Map<string, BalancedRow>();
  readonly #fits = { up: 0, down: 0 };
  readonly #misfits: { up: number | null; down: number | null } = { up: null, down: null };
  #compared = 0;

  add(row: BalancedRow): void {
    const before = this.#last.get(row.account);
    this.#last.set(row.account, row);
    if (before === undefined) return;
    this.#compared += 1;
    this.#step('up', row, exactParts(before.balance) + exactParts(row.amount) === exactParts(row.balance));
    this.#step('down', row, exactParts(row.balance) + exactParts(before.amount) === exactParts(before.balance));
  }

  /** Begins anew with the next row of an account: this one may count already, or not yet. */
  skip(account: string): void {
    this.#last.delete(account);
  }

  #step(way: 'up' | 'down', { line }: BalancedRow, fits: boolean): void {
    if (fits) this.#fits[way] += 1;
    else this.#misfits[way] ??= line;
  }

  /** Whether the rows and the balances belong together. */
  get isRunning(): boolean {
    const fits = Math.max(this.#fits.up, this.#fits.down);
    return fits >= LEAST_FITS && (this.#compared - fits) * MOST_MISFITS <= this.#compared;
  }

  /** How many rows fit. */
  get fits(): number {
    return Math.max(this.#fits.up, this.#fits.down);
  }

  /** The line of the first row that does not fit, where most rows do; null where all do, or the balances are no run. */
  get misfit(): number | null {
    const way = this.#fits.up >= this.#fits.down ? 'up' : 'down';
    return this.fits >= LEAST_FITS && this.fits * 2 > this.#compared ? this.#misfits[way] : null;
  }
}

/** Returns the balance that a row tells, by whichever decimal sign it can be read; null where it tells none. */
export function balanceAt(cells: readonly string[], nth: number | null, sign: DecimalSign): string | null {
  const written = sumAt(cells, nth);
  if (written === null) return null;
  const isOwing = written.mark !== null && /^(?:D|DR|S)$/.test(written.mark);
  const plain = decimal(written, sign, null) ?? decimal(written, sign === ',' ? '.' : ',', null);
  return plain !== null && isOwing && !plain.startsWith('-') ? `-${plain}` : plain;
}
