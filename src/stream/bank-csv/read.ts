import { EqualRows, paymentEvent } from '../bank/payment-event.ts';
import { decode } from '../charset/decode.ts';
import { FileRefusal, type Item, type ItemContent, type ItemDoor, type ItemReader } from '../items/item.ts';
import { wholeFile } from '../items/whole-file.ts';
import { BalanceRun } from './balance.ts';
import { contentOf, type FileFacts, factsOf } from './booking.ts';
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
  let at = 0;
  for (const { place, content } of contents(table, layout, door)) {
    if (at >= from) yield { at, next: at + 1, place, read: () => content } satisfies Item;
    at += 1;
  }
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

interface Found {
  readonly place: string;
  readonly content: ItemContent;
}

/** What the rows hold, in order; last of all, where the balance does not add up, that. */
function* contents(table: Table, layout: Layout, door: ItemDoor): Generator<Found> {
  const facts: FileFacts = factsOf(table, layout);
  const equal = new EqualRows();
  const run = new BalanceRun();
  for (const { line, cells } of bookingRows(table)) {
    const place = `line ${line}`;
    if (cells === null) {
      yield { place, content: { what: 'refused', reason: 'a quote in it does not close, or it is endless' } };
      continue;
    }
    const row = contentOf(cells, table, layout, facts);
    if (row.what !== 'payment') yield { place, content: row };
    else {
      const { payment, balance } = row;
      const account = accountOf(cells, layout.columns);
      if (balance === null || payment.status === 'pending') run.skip(account);
      else run.add({ line, amount: payment.amount, balance, account });
      yield {
        place,
        content: { what: 'event', event: paymentEvent(payment, door), identity: equal.identityOf(payment) },
      };
    }
  }
  if (run.misfit !== null) yield { place: `line ${run.misfit}`, content: { what: 'refused', reason: MISFIT } };
}

const MISFIT = 'the balance does not add up; a row may be missing';
