import { FileRefusal } from '../items/item.ts';
import { oneLine } from '../mail/plain-text.ts';
import { bankFormatOf, headerLine } from './format.ts';
import { decide, type Question } from './layout.ts';
import { headerOf, type Table } from './table.ts';

const SHOWN = 40;
const MOST_ROUNDS = 3;

/** Returns the line of `bank_formats` that says what `said` says of the table's columns: `order = dmy`, for one. */
export function formatLine(table: Table, said: readonly string[]): string {
  return `${headerLine(headerOf(table))} => ${said.join(', ')}`;
}

/** Returns how a format names a column of the table: by its name where no other has it, else by its number. */
export function columnName({ columns }: Table, nth: number): string {
  const name = columns[nth]?.name ?? '';
  const isPlain = name !== '' && columns.filter((column) => column.name === name).length === 1;
  return isPlain ? name : `#${nth + 1}`;
}

/** Returns why a file is not read, with the setting that answers what it leaves open. */
export function refusalFor(table: Table, questions: readonly Question[]): FileRefusal {
  const all = furtherQuestions(table, questions);
  const line = formatLine(
    table,
    all.map((question) => exampleFor(table, question)),
  );
  return new FileRefusal(
    questions.map(sentenceFor).join(' '),
    `Import it with \`steward import FILE\` on a terminal, which asks, or write into steward.md, put right for your bank: bank_formats: ["${line}"]${choices(all)}`,
  );
}

/** The questions, and those that come up by the first answers to them: a person should not have to write twice. */
function furtherQuestions(table: Table, questions: readonly Question[]): readonly Question[] {
  const all = [...questions];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const format = bankFormatOf(
      formatLine(
        table,
        all.map((question) => exampleFor(table, question)),
      ),
    );
    const decided = format === null ? null : decide(table, [format]);
    if (decided === null || !('questions' in decided)) return all;
    const more = decided.questions.filter(({ about }) => all.every((one) => one.about !== about));
    if (more.length === 0) return all;
    all.push(...more);
  }
  return all;
}

function sentenceFor(question: Question): string {
  switch (question.about) {
    case 'date':
      return 'The columns of this file do not say which is the date.';
    case 'amount':
      return 'The columns of this file do not say which is the amount.';
    case 'purpose':
      return 'The columns of this file do not say which tells what a booking is for.';
    case 'order':
      return `The dates of this file can be read in more than one way: ${shown(question.cell)}.`;
    case 'decimal':
      return `The sums of this file can be read in more than one way: ${shown(question.cell)}.`;
    case 'sign':
      return `Nothing in this file says whether a sum without a sign went out or came in: ${shown(question.cell)}.`;
  }
}

function exampleFor(table: Table, question: Question): string {
  switch (question.about) {
    case 'date':
    case 'amount':
    case 'purpose':
      return `${question.about} = ${columnName(table, question.columns[0] ?? 0)}`;
    case 'order':
      return `order = ${question.orders[0] ?? 'dmy'}`;
    case 'decimal':
      return 'decimal = comma';
    case 'sign':
      return 'sign = as written';
  }
}

function choices(questions: readonly Question[]): string {
  const said = questions.flatMap((question) => {
    if (question.about === 'order') return [`order is ${question.orders.join(' or ')}`];
    if (question.about === 'decimal') return ['decimal is comma or point'];
    return question.about === 'sign' ? ['sign is as written, or turned where a sum without a sign went out'] : [];
  });
  return said.length === 0 ? '' : `; ${said.join('; ')}`;
}

function shown(cell: string): string {
  return oneLine(cell, SHOWN);
}
