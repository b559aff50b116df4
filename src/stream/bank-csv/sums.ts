import { decimalOf, negated } from '../bank/money.ts';
import { type DecimalSign, plainDigits, type WrittenAmount } from './cells/amounts.ts';
import { directionIn } from './cells/words.ts';
import type { Columns } from './columns.ts';
import { sumAt, wordOf } from './survey.ts';

/** How a row says what went out and what came in. */
export type Convention =
  /** By the sign: below zero went out, or, turned, came in. */
  | { readonly by: 'sign'; readonly turned: boolean }
  /** By `CR` or `D` beside the sum; `bare`: what a sum without such a mark means. */
  | { readonly by: 'mark'; readonly bare: 'out' | 'in' }
  /** By the word in another column; `out`: the word that a format names. */
  | { readonly by: 'word'; readonly out: string | null }
  /** By the column; `minus`: whether what went out, or came in, is written below zero. */
  | { readonly by: 'column'; readonly minus: { readonly debit: boolean; readonly credit: boolean } };

/** What is needed to read the sum of a row. */
interface SumRules {
  readonly columns: Columns;
  readonly decimal: DecimalSign;
  readonly convention: Convention;
}

/** A decimal as payments have it; null where the row has no sum; `unclear` where it has one that cannot be read. */
type ReadSum = { readonly amount: string; readonly currency: string | null } | 'unclear' | null;

/** Returns what a row says went out, below zero, or came in. */
export function sumOf(cells: readonly string[], rules: SumRules, currency: string | null): ReadSum {
  const { columns, convention } = rules;
  if (convention.by === 'column') return ofColumns(cells, rules, convention.minus, currency);
  const [nth = null] = columns.amounts;
  if (isEmpty(cells, nth)) return null;
  const written = sumAt(cells, nth);
  const plain = written === null ? null : decimal(written, rules.decimal, currency);
  if (written === null || plain === null) return 'unclear';
  const amount = signed(plain, written, convention, cells[columns.direction ?? -1] ?? '');
  return amount === null ? 'unclear' : { amount, currency: written.currency };
}

function signed(plain: string, written: WrittenAmount, convention: Convention, word: string): string | null {
  if (convention.by === 'sign') return convention.turned ? negated(plain) : plain;
  const bare = plain.replace('-', '');
  const way = convention.by === 'word' ? wordOf(word, convention.out) : markedWay(written, convention);
  if (way === null) return /[1-9]/.test(plain) ? null : plain;
  return way === 'out' ? negated(bare) : bare;
}

function markedWay({ mark }: WrittenAmount, convention: Convention): 'out' | 'in' | null {
  const bare = convention.by === 'mark' ? convention.bare : null;
  return mark === null ? bare : directionIn(mark);
}

function ofColumns(
  cells: readonly string[],
  { columns, decimal: sign }: SumRules,
  minus: { readonly debit: boolean; readonly credit: boolean },
  currency: string | null,
): ReadSum {
  const sides = [
    { nth: columns.debit, isOut: true, isMinus: minus.debit },
    { nth: columns.credit, isOut: false, isMinus: minus.credit },
  ].filter(({ nth }) => !isEmpty(cells, nth));
  const sums = sides.map(({ nth, isOut, isMinus }) => {
    const written = sumAt(cells, nth);
    const plain = written === null ? null : decimal(written, sign, currency);
    if (written === null || plain === null) return null;
    return { amount: isOut === isMinus ? plain : negated(plain), currency: written.currency };
  });
  if (sums.includes(null)) return 'unclear';
  const money = sums.filter((sum) => sum !== null && /[1-9]/.test(sum.amount));
  if (money.length > 1) return 'unclear';
  return money[0] ?? sums[0] ?? null;
}

/** Where a sum is not there, some banks write a dash. */
function isEmpty(cells: readonly string[], nth: number | null): boolean {
  return /^[-–—]?$/.test((cells[nth ?? -1] ?? '').trim());
}

/** Returns a sum as it is written, below zero where it has a minus. */
export function decimal(written: WrittenAmount, sign: DecimalSign, currency: string | null): string | null {
  const digits = plainDigits(written.digits, sign);
  return digits === null ? null : decimalOf(written.sign === '-' ? `-${digits}` : digits, currency);
}
