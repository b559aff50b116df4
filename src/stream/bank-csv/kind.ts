import type { ItemKind } from '../items/item.ts';
import { looksLikeBankCsv } from './recognition.ts';

/** The bookings of an account, as banks export them for spreadsheets. */
export const BANK_CSV: ItemKind = {
  name: 'bank-csv',
  version: 1,
  title: 'a bank statement (CSV)',
  sourceType: 'bank',
  takes: (file) => /\.(?:csv|tsv)$/i.test(file),
  recognises: looksLikeBankCsv,
  isAppended: false,
  load: async () => (await import('./statement-reader.ts')).readBankCsv,
};
