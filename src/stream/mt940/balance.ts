import { currencyOf, decimalOf, decimalOfParts, exactParts, negated } from '../bank/money.ts';
import { dateOf } from './date.ts';

/** What an account had: `:60F:C350301EUR100,00`. */
export interface Balance {
  readonly amount: string;
  readonly currency: string;
}

/** Returns the balance of a field; null where it cannot be read. */
export function balanceOf(text: string): Balance | null {
  const [, mark, date, code, digits] = /^([CD])(\d{6})([A-Z]{3})([\d.,]{1,20})/.exec(text.trim()) ?? [];
  const currency = currencyOf(code);
  const amount = decimalOf(bare(digits ?? ''), currency);
  if (amount === null || currency === null || dateOf(date ?? '') === null) return null;
  return { amount: mark === 'D' ? negated(amount) : amount, currency };
}

/** Returns an amount with at most a comma in it. */
export function bare(digits: string): string {
  return digits.includes(',') ? digits.replace(/\./g, '') : digits;
}

/** Returns by how much what is left differs from what was there and what came and went; null where it does not. */
export function differenceOf(opening: Balance, amounts: readonly string[], closing: Balance): string | null {
  const sum = amounts.reduce((all, amount) => all + exactParts(amount), exactParts(opening.amount));
  const difference = exactParts(closing.amount) - sum;
  return difference === 0n ? null : decimalOf(decimalOfParts(difference), closing.currency);
}
