import { decode } from '../charset/decode.ts';
import { plainLines } from './cells/rows.ts';
import { type BankFormat, bankFormatOf } from './format.ts';
import { decide, type Question } from './layout.ts';
import { type Table, tableOf } from './table.ts';

/** A table that cannot be read before a person has said something, and what. */
export interface OpenTable {
  readonly table: Table;
  readonly questions: readonly Question[];
  /** Whether nothing in the file, and no format, says whose account it is. */
  readonly isNameless: boolean;
}

/**
 * Returns what must be asked before the bookings in these bytes can be read, with the lines of `bank_formats` there are.
 * No questions where they can be read; null where it is no table of a bank. Throws `FileRefusal` as the reader does.
 */
export function openQuestions(bytes: Uint8Array, lines: readonly string[]): OpenTable | null {
  const formats: readonly BankFormat[] = lines.flatMap((line) => bankFormatOf(line) ?? []);
  const table = tableOf(plainLines(decode(bytes)), formats);
  if (table === null) return null;
  const decided = decide(table, formats);
  if ('questions' in decided) return { table, questions: decided.questions, isNameless: false };
  const { account, columns } = decided.layout;
  return { table, questions: [], isNameless: account === null && columns.own === null };
}
