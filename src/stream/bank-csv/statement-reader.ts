import { type Booking, itemsOf } from '../bank/booking.ts';
import { decode } from '../charset/decode.ts';
import { FileRefusal, type ItemReader, refused } from '../items/item.ts';
import { wholeFile } from '../items/whole-file.ts';
import { BalanceRun } from './balance.ts';
import { contentOf, factsOf } from './booking.ts';
import { plainLines } from './cells/rows.ts';
import { type BankFormat, bankFormatOf } from './format.ts';
import { accountOf, decide, type Layout } from './layout.ts';
import { refusalFor } from './question.ts';
import { bookingRows, type Table, tableOf } from './table.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/** Reads the bookings of a bank's table, one item a row. */
export const readBankCsv: ItemReader = function* (source, from, door) {
  const text = plainLines(decode(wholeFile(source, MOST_BYTES)));
  const formats = (door.bankFormats ?? []).flatMap((line) => bankFormatOf(line) ?? []);
  const { table, layout } = understood(text, formats);
  yield* itemsOf(bookingsOf(table, layout), from, door);
};

function understood(text: string, formats: readonly BankFormat[]): { readonly table: Table; readonly layout: Layout } {
  const table = tableOf(text, formats);
  if (table === null) {
    throw new FileRefusal(
      'The columns of this file do not say which is the date and which is the amount.',
      'If it is from a bank, export the bookings again with the names of the columns.',
    );
  }
  const decided = decide(table, formats);
  if ('questions' in decided) throw refusalFor(table, decided.questions);
  return { table, layout: decided.layout };
}

/** What the rows hold, in order; last of all, where the balance does not add up, that. */
function* bookingsOf(table: Table, layout: Layout): Generator<Booking> {
  const facts = factsOf(table, layout);
  const run = new BalanceRun();
  for (const { line, last, cells } of bookingRows(table)) {
    const row = cells === null ? unreadable(line, last) : contentOf(cells, table, layout, facts);
    yield { place: `line ${line}`, ...row };
    if (cells === null || row.what !== 'payment') continue;
    const { payment, balance } = row;
    const account = accountOf(cells, layout.columns);
    if (balance === null || payment.status === 'pending') run.skip(account);
    else run.add({ line, amount: payment.amount, balance, account });
  }
  if (run.misfit !== null) yield { place: `line ${run.misfit}`, ...refused(MISFIT) };
}

function unreadable(line: number, last: number) {
  const reason =
    line === last
      ? 'a quote in it does not close, or it is endless'
      : `a quote in it does not close before line ${last}, so what stands there cannot be told apart`;
  return refused(reason);
}

const MISFIT = 'the balance does not add up; a row may be missing';
