import { type DateOrder, dateIn } from '../../../stream/bank-csv/cells/dates.ts';
import { plainName } from '../../../stream/bank-csv/cells/header.ts';
import { formatFor, rulesOf } from '../../../stream/bank-csv/format.ts';
import type { Question } from '../../../stream/bank-csv/layout.ts';
import { type OpenTable, openQuestions } from '../../../stream/bank-csv/open-questions.ts';
import { columnName, formatLine } from '../../../stream/bank-csv/question.ts';
import { headerOf, type Table } from '../../../stream/bank-csv/table.ts';
import { oneLine } from '../../../stream/mail/plain-text.ts';
import { BANK_QUESTIONS } from '../../print/import/bank-words.ts';

interface Choice {
  /** What the answer says of the table, as a format does: `order = dmy`. */
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** How a person is asked. Both return null where they break it off. */
export interface Asking {
  readonly choose: (message: string, choices: readonly Choice[]) => Promise<string | null>;
  /** Empty where they leave it out. */
  readonly name: (message: string) => Promise<string | null>;
}

/** How often a table may raise further questions by the answers to the first. */
const MOST_ROUNDS = 6;
const SHOWN_VALUES = 3;
const SHOWN = 32;
const TWO_COLUMNS = 'two';

/**
 * Asks what must be known of a bank's table, and returns the line of `bank_formats` that says it. Null where nothing has to
 * be asked, where the person breaks it off, and where no answer helps.
 */
export async function askedFormat(bytes: Uint8Array, lines: readonly string[], asking: Asking): Promise<string | null> {
  let open = openQuestions(bytes, lines);
  if (open === null || open.questions.length === 0) return null;
  const { table } = open;
  const before = formatFor(lines, headerOf(table));
  const said = before === null ? [] : [...rulesOf(before)];
  for (let round = 0; open !== null && open.questions.length > 0; round += 1) {
    const answer = round < MOST_ROUNDS ? await answered(open, asking) : null;
    if (answer === null) return null;
    said.push(...answer);
    open = openQuestions(bytes, [formatLine(table, said), ...lines]);
  }
  if (open?.isNameless === true) {
    const name = await asking.name('What is this account called? (leave it empty where it is your only one)');
    if (name === null) return null;
    if (plainName(name) !== '') said.push(`account = ${plainName(name)}`);
  }
  return formatLine(table, said);
}

/** What the answer to the first of the questions says. */
async function answered({ table, questions }: OpenTable, asking: Asking): Promise<readonly string[] | null> {
  const [question] = questions;
  if (question === undefined) return [];
  const { message, choices } = promptFor(table, question);
  const value = await asking.choose(message, choices);
  if (value === null) return null;
  return value === TWO_COLUMNS ? twoColumns(table, asking) : [value];
}

async function twoColumns(table: Table, asking: Asking): Promise<readonly string[] | null> {
  const all = table.columns.map((_, nth) => nth);
  const debit = await asking.choose('Which column has what went out?', columnChoices(table, 'debit', all));
  if (debit === null) return null;
  const credit = await asking.choose('And which has what came in?', columnChoices(table, 'credit', all));
  return credit === null ? null : [debit, credit];
}

interface Prompt {
  readonly message: string;
  readonly choices: readonly Choice[];
}

function promptFor(table: Table, question: Question): Prompt {
  switch (question.about) {
    case 'date':
      return {
        message: BANK_QUESTIONS.date,
        choices: columnChoices(table, 'date', question.columns),
      };
    case 'amount':
      return {
        message: BANK_QUESTIONS.amount,
        choices: [
          ...columnChoices(table, 'amount', question.columns),
          { value: TWO_COLUMNS, label: 'There are two: one for what went out, one for what came in' },
        ],
      };
    case 'purpose':
      return {
        message: BANK_QUESTIONS.purpose,
        choices: columnChoices(table, 'purpose', question.columns),
      };
    case 'order':
      return {
        message: BANK_QUESTIONS.order(shown(question.cell)),
        choices: orderChoices(question.cell, question.orders),
      };
    case 'decimal':
      return { message: BANK_QUESTIONS.decimal(shown(question.cell)), choices: DECIMALS };
    case 'sign':
      return {
        message: BANK_QUESTIONS.sign(rowOf(table, question.cell)),
        choices: signChoices(question.cell),
      };
  }
}

const DECIMALS: readonly Choice[] = [
  { value: 'decimal = comma', label: 'The comma stands before the cents: 1.234,56' },
  { value: 'decimal = point', label: 'The point stands before the cents: 1,234.56' },
];

const FIRST: Readonly<Record<DateOrder, string>> = { dmy: 'the day', mdy: 'the month', ymd: 'the year' };

function orderChoices(cell: string, orders: readonly DateOrder[]): readonly Choice[] {
  return orders.map((order) => {
    const day = dateIn(cell, order);
    const first = `${FIRST[order]} comes first`;
    return { value: `order = ${order}`, label: day === null ? first : `${day}: ${first}` };
  });
}

function signChoices(cell: string): readonly Choice[] {
  const isMinus = /^\W*-|-\W*$/.test(cell);
  return [
    { value: `sign = ${isMinus ? 'as written' : 'turned'}`, label: 'It went out' },
    { value: `sign = ${isMinus ? 'turned' : 'as written'}`, label: 'It came in' },
  ];
}

/** The row with the sum, so that a person knows it again. */
function rowOf({ sample }: Table, cell: string): string {
  const row = sample.find((cells) => cells.some((one) => one.trim() === cell)) ?? [cell];
  return row
    .filter((one) => one.trim() !== '')
    .map(shown)
    .join(' · ');
}

function columnChoices(table: Table, key: string, columns: readonly number[]): readonly Choice[] {
  return columns.map((nth) => {
    const name = columnName(table, nth);
    const values = table.sample.map((row) => row[nth]?.trim() ?? '').filter((cell) => cell !== '');
    const hint = values.slice(0, SHOWN_VALUES).map(shown).join(' · ');
    return { value: `${key} = ${name}`, label: name.replace(/^#/, 'Column '), hint };
  });
}

function shown(text: string): string {
  return oneLine(text, SHOWN);
}
