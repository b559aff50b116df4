import { ColumnNames, ordersOf, writtenAmount } from './bank-csv-cells.ts';
import type { ItemKind } from './items.ts';

const DELIMITERS = [';', ',', '\t', '|'];
const MOST_LINES = 80;
const MOST_LINE = 4000;

/**
 * Whether a file begins like a bank's table: with the names of columns for a date and for sums, or with a row that has a
 * date and a sum. It takes the head apart roughly, so that nothing has to be loaded for it.
 */
function looksLikeBankCsv(head: Uint8Array): boolean {
  const text = roughText(head);
  if (text === null) return false;
  const lines = text.split(/\r\n?|\n/, MOST_LINES).map((line) => line.slice(0, MOST_LINE));
  const names = new ColumnNames();
  return lines.some((line) => DELIMITERS.some((delimiter) => isOfBank(line.split(delimiter).map(unquoted), names)));
}

/** Null where it is no text. */
function roughText(head: Uint8Array): string | null {
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isWide) return new TextDecoder(head[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(head);
  return head.includes(0) ? null : new TextDecoder().decode(head);
}

function unquoted(cell: string): string {
  return cell.replace(/^[\s"'=]+/, '').replace(/(?<![\s"'])[\s"']+$/, '');
}

function isOfBank(cells: readonly string[], names: ColumnNames): boolean {
  if (cells.length < 3) return false;
  const roles = new Set(names.of(cells).flatMap((column) => column.roles));
  const hasDate = roles.has('booked') || roles.has('dated') || roles.has('valued');
  if (hasDate && (roles.has('amount') || roles.has('debit') || roles.has('credit'))) return true;
  const date = cells.findIndex((cell) => ordersOf(cell).length > 0);
  return (
    date !== -1 && cells.some((cell, nth) => nth !== date && /\d[.,]\d/.test(cell) && writtenAmount(cell) !== null)
  );
}

/** The bookings of an account, as banks export them for spreadsheets. */
export const BANK_CSV: ItemKind = {
  name: 'bank-csv',
  version: 1,
  title: 'a bank statement (CSV)',
  sourceType: 'bank',
  takes: (file) => /\.(?:csv|tsv)$/i.test(file),
  recognises: looksLikeBankCsv,
  isAppended: false,
  load: async () => (await import('./bank-csv-reader.ts')).readBankCsv,
};
