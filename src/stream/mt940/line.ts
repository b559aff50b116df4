import type { Payment } from '../../steward/ports/stream-event.ts';
import { decimalOf, negated } from '../bank/money.ts';
import { bare } from './balance.ts';
import { dateOf, nearestDate } from './date.ts';

/** What the line of a booking says, `:61:`. */
interface StatementLine extends Pick<Payment, 'status' | 'day' | 'amount'> {
  readonly isReversal: boolean;
  /** The references of the customer and the bank. */
  readonly references: readonly string[];
  /** What stands below the line. */
  readonly supplement: readonly string[];
}

const LINE =
  /^(\d{6}) {0,4}(\d{4})? {0,4}(R?[CD]|E[CD])([A-Z])? {0,4}(\d[\d.,]{0,20}|,\d{1,10})([A-Z][A-Z\d]{2}[A-Z\d ])?([^\n]*)$/i;
/** What banks write where there is no reference, or where it stands in `:86:`. */
const NO_REFERENCE = /^(?:nonref|notprovided|eref|marf|pref|kref\+?|0*)$/i;

/** Returns what a `:61:` says; null where it cannot be read. */
export function lineOf([first = '', ...supplement]: readonly string[], currency: string | null): StatementLine | null {
  const [, value = '', entry, mark = '', , digits = '', , rest = ''] = LINE.exec(first.trim()) ?? [];
  const day = bookingDay(value, entry);
  const amount = decimalOf(bare(digits), currency);
  if (day === null || amount === null) return null;
  return {
    ...directionOf(mark.toUpperCase(), amount),
    day,
    references: rest
      .split('//')
      .map((one) => one.trim().replace(/^NONREF +/, ''))
      .filter((one) => !NO_REFERENCE.test(one)),
    supplement: supplement.map((one) => one.trim()).filter((one) => one !== ''),
  };
}

/** The day of the entry, else the value date. Some banks know a 30th of February for the value, but for no entry. */
function bookingDay(value: string, entry: string | undefined): string | null {
  const day = dateOf(value);
  if (entry === undefined) return day;
  return nearestDate(entry, day ?? dateOf(`${value.slice(0, 4)}01`) ?? '') ?? day;
}

/** `RC` takes back what came in, and `RD` what went out; `EC` and `ED` are expected. */
function directionOf(mark: string, amount: string): Pick<StatementLine, 'amount' | 'isReversal' | 'status'> {
  const isOut = mark === 'RC' || mark === 'D' || mark === 'ED';
  return {
    amount: isOut ? negated(amount) : amount,
    isReversal: mark.startsWith('R'),
    status: mark.startsWith('E') ? 'pending' : 'booked',
  };
}
