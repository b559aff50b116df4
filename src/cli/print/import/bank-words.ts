import type { Printer } from '../printer.ts';

/** What is asked about the table of a bank. */
export const BANK_QUESTIONS = {
  date: 'Which column has the day of a booking?',
  amount: 'Which column has the sum?',
  purpose: 'Which column says what a booking is for?',
  order: (cell: string) => `Which day is ${cell}?`,
  decimal: (cell: string) => `How is ${cell} meant?`,
  sign: (row: string) => `Did this money go out, or come in? ${row}`,
} as const;

/** Prints that the answers are kept. */
export function printFormatKept(out: Printer): void {
  out.line('Saved in steward.md: from now on files with these columns are read so.');
}

/** Returns a question with the file that it is about. */
export function aboutFile(name: string, question: string): string {
  return `${name}: ${question}`;
}
