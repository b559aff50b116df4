import { ibanForm } from '../../vault/source-names.ts';
import { decimalSignsOf, writtenAmount } from './cells/amounts.ts';
import { ordersOf } from './cells/dates.ts';
import { isCurrency } from './cells/header.ts';
import type { Role } from './cells/header-words.ts';
import { directionIn } from './cells/words.ts';
import type { BankFormat, ColumnKey } from './format.ts';
import type { Table } from './table.ts';

/** Which column is what, as numbers from 0 on. What a table has not is null, or an empty list. */
export interface Columns {
  /** The columns with a day: the first that is filled in counts. */
  readonly dates: readonly number[];
  /** The columns that may hold the sum with its sign: one, where it is known. */
  readonly amounts: readonly number[];
  readonly debit: number | null;
  readonly credit: number | null;
  readonly direction: number | null;
  readonly currency: number | null;
  readonly names: readonly number[];
  readonly payer: number | null;
  readonly payee: number | null;
  readonly ibans: readonly number[];
  readonly own: number | null;
  readonly purposes: readonly number[];
  readonly kinds: readonly number[];
  readonly references: readonly number[];
  readonly balance: number | null;
  readonly states: readonly number[];
}

/** How many digits the number of an account has at least. */
const LEAST_DIGITS = 4;

type Sample = Table['sample'];

/** Returns which column is what: as the format says, else by the names of the columns and by what they hold. */
export function columnsOf(table: Table, format: BankFormat | null): Columns {
  const said = format?.columns ?? {};
  const by = (role: Role) => withRole(table, role);
  const one = (key: ColumnKey, found: readonly number[]): number | null => (said[key] ?? found)[0] ?? null;
  const isOneSum = said.amount !== undefined || said.debit !== undefined || said.credit !== undefined;
  const own = ownColumn(table);
  const purposes = said.purpose ?? by('purpose');
  return {
    dates: said.date ?? [...new Set([...by('booked'), ...by('dated'), ...by('valued')])],
    amounts: said.amount ?? (isOneSum ? [] : alike(table.sample, by('amount'))),
    debit: one('debit', isOneSum ? [] : by('debit')),
    credit: one('credit', isOneSum ? [] : by('credit')),
    direction: one('direction', by('direction')),
    currency: one('currency', by('currency')),
    names: said.counterparty ?? by('counterparty'),
    payer: by('payer')[0] ?? null,
    payee: by('payee')[0] ?? null,
    ibans: said.iban ?? others(table, own),
    own,
    purposes,
    kinds: by('kind').filter((nth) => !purposes.includes(nth)),
    references: said.reference ?? by('reference').filter((nth) => !purposes.includes(nth)),
    balance: one('balance', by('balance')),
    states: by('status'),
  };
}

/** The columns with the accounts of the others. */
function others(table: Table, own: number | null): readonly number[] {
  const maybe = withRole(table, 'account').filter((nth) => mayBeAccounts(valuesOf(table.sample, nth)));
  return [...new Set([...withRole(table, 'iban'), ...maybe])].filter((nth) => nth !== own);
}

/** The columns with a role, where they hold what such columns hold. */
function withRole({ columns, sample }: Table, role: Role): readonly number[] {
  return columns.flatMap((column, nth) => (column.roles.includes(role) && holds(role, sample, nth) ? [nth] : []));
}

function holds(role: Role, sample: Sample, nth: number): boolean {
  const values = valuesOf(sample, nth);
  const share = (is: (cell: string) => boolean) => values.filter(is).length * 2 >= values.length;
  switch (role) {
    case 'booked':
    case 'dated':
    case 'valued':
      return share(isDate);
    case 'amount':
    case 'balance':
      return share(isSum) && (values.length > 0 || sample.length === 0);
    case 'debit':
    case 'credit':
      return share(isSum);
    case 'direction':
      return values.length > 0 && values.every((cell) => directionIn(cell) !== null);
    case 'currency':
      return share((cell) => isCurrency(cell.trim()));
    case 'iban':
      return mayBeAccounts(values);
    default:
      return true;
  }
}

/** Returns what a column holds in the sample, without the empty cells. */
export function valuesOf(sample: Sample, nth: number): readonly string[] {
  return sample.flatMap((row) => {
    const cell = row[nth]?.trim() ?? '';
    return cell === '' ? [] : [cell];
  });
}

/** Whether a cell is a date in some order. */
export function isDate(cell: string): boolean {
  return ordersOf(cell).length > 0;
}

/** Whether a cell is a sum of money. */
export function isSum(cell: string): boolean {
  const written = writtenAmount(cell);
  return written !== null && decimalSignsOf(written).length > 0;
}

function mayBeAccounts(values: readonly string[]): boolean {
  return values.length === 0 || values.some(isAccount);
}

/** Whether a cell may be the number of an account. */
function isAccount(cell: string): boolean {
  return (cell.match(/\d/g) ?? []).length >= LEAST_DIGITS && /^[\p{L}\d *./-]+$/u.test(cell);
}

/** The account of the owner: the column that is named so, else one with the same account in every row. */
function ownColumn(table: Table): number | null {
  const [named] = withRole(table, 'own');
  if (named !== undefined) return named;
  const accounts = withRole(table, 'account');
  return accounts.find((nth) => isSame(valuesOf(table.sample, nth), table.sample.length)) ?? null;
}

function isSame(values: readonly string[], rows: number): boolean {
  return rows > 1 && values.length === rows && new Set(values.map((one) => ibanForm(one) ?? one)).size === 1;
}

/** One of the columns where all of them say the same, else all. */
function alike(sample: Sample, columns: readonly number[]): readonly number[] {
  const [first, ...others] = columns;
  if (first === undefined) return [];
  const isCopy = (nth: number) => sample.every((row) => row[nth]?.trim() === row[first]?.trim());
  return others.every(isCopy) ? [first] : columns;
}
