import { expect, test } from 'vitest';
import { PaymentIndex } from '../../src/reading/targets.ts';
import { type Fit, type Lead, type Line, makeLine, verdictOn } from '../../src/streams/payments.ts';
import { candidate } from '../support/events.ts';
import { bankLine } from './bank-line.ts';

const index = new PaymentIndex();
index.add(candidate({ path: 'task/pay.md' }));
const task = index.get('task/pay.md');

function line(parts: Parameters<typeof bankLine>[0]): Line {
  const { payment } = bankLine(parts);
  const read = payment === undefined ? null : makeLine(payment);
  if (read === null) throw new Error('no line');
  return read;
}

const OUT = line({});
const IN = line({ amount: '1250.00' });
const PENDING = line({ status: 'pending' });
const RETURNED = line({ purpose: 'returned' });
const BACK = line({ amount: '1250.00', isReversal: true });
const CENT = line({ amount: '0.01' });
const WANTED = { thousandths: 1_250_000, currencies: ['EUR'] };

function fitting(parts: Partial<Fit>): Fit {
  if (task === null) throw new Error('no task');
  return {
    ...{
      task,
      isOpen: true,
      direction: 'fits',
      leads: ['reference'],
      isOtherIban: false,
      amount: 'exact',
      wanted: WANTED,
    },
    ...{ paidBefore: 0, isOnlySum: true, daysLate: null, codes: ['4711'] },
    ...parts,
  };
}

const by = (...leads: readonly Lead[]) => ({ leads });
const against = { direction: 'against' } as const;

/** The whole decision, from the surest to what is nothing. Who may act needs at least 0.85. */
const TABLE: readonly (readonly [string, Line, Partial<Fit>, outcome: string, effect: number])[] = [
  ['the sum, a reference and the IBAN', OUT, by('reference', 'iban'), 'done', 0.98],
  ['the sum and a reference', OUT, by('reference'), 'done', 0.98],
  ['the sum and the IBAN, on the day', OUT, { ...by('iban'), daysLate: 0 }, 'done', 0.96],
  ['the sum and the IBAN, six days late', OUT, { ...by('iban'), daysLate: 6 }, 'done', 0.96],
  ['the sum and the IBAN, a week early: it may be the last one', OUT, { ...by('iban'), daysLate: -7 }, 'done', 0.8],
  ['the sum and the IBAN, of a task that is not due', OUT, by('iban'), 'done', 0.8],
  ['the sum and the end of the IBAN', OUT, { ...by('tail'), daysLate: 0 }, 'done', 0.96],
  ['the sum and the counterparty', OUT, { ...by('party'), daysLate: 0 }, 'done', 0.93],
  ['30 days before it is due', OUT, { daysLate: -30 }, 'done', 0.98],
  ['60 days after', OUT, { daysLate: 60 }, 'done', 0.98],
  ['money in, the sum and the IBAN', IN, { ...by('iban'), daysLate: 0 }, 'done', 0.96],
  ['money in that came back, with the IBAN', BACK, { ...by('iban'), daysLate: 0 }, 'done', 0.75],
  ['money in, the sum and what the payer wrote', IN, by('reference', 'party'), 'done', 0.8],
  ['31 days before, with a reference', OUT, { daysLate: -31 }, 'done', 0.7],
  ['61 days after, by the counterparty', OUT, { daysLate: 61, ...by('party') }, 'nothing', 0],
  ['a task that does not say which way', OUT, { direction: 'unsaid' }, 'done', 0.8],
  ['a task of several sums', OUT, { isOnlySum: false }, 'done', 0.8],
  ['nearly the sum', OUT, { amount: 'near' }, 'done', 0.75],
  ['the rest of it', OUT, { amount: 'rest', paidBefore: 1 }, 'done', 0.8],
  ['a part, by reference', OUT, { amount: 'less' }, 'ask', 0.75],
  ['too much, by reference', OUT, { amount: 'more' }, 'ask', 0.75],
  ['another sum of the same counterparty', OUT, { amount: 'less', ...by('party') }, 'nothing', 0],
  ['another currency, by reference', OUT, { amount: 'foreign' }, 'done', 0.7],
  ['another currency, by the counterparty', OUT, { amount: 'foreign', ...by('party') }, 'nothing', 0],
  ['no sum in the task, a reference', OUT, { amount: 'unsaid', wanted: null }, 'done', 0.8],
  ['no sum in the task, the counterparty', OUT, { amount: 'unsaid', wanted: null, ...by('party') }, 'done', 0.7],
  [
    'no sum and no deed, the counterparty',
    OUT,
    { ...by('party'), amount: 'unsaid', wanted: null, direction: 'unsaid' },
    'nothing',
    0,
  ],
  ['nothing but the sum', OUT, by(), 'undecided', 0.5],
  ['not booked yet', PENDING, {}, 'nothing', 0],
  ['money that came in, where some was to go out', IN, against, 'ask', 0.8],
  ['the same of a task that is done', IN, { ...against, isOpen: false }, 'reopen', 0.8],
  ['any money of somebody else, the other way', IN, { ...against, ...by() }, 'nothing', 0],
  ['it says that it was returned', RETURNED, {}, 'ask', 0.8],
  ['paid twice', OUT, { isOpen: false }, 'nothing', 0],
  ['a task to cancel', OUT, { direction: 'other-deed' }, 'ask', 0.6],
  ['another IBAN than the task names', OUT, { isOtherIban: true }, 'ask', 0.8],
  ['another IBAN, and another sum', OUT, { isOtherIban: true, amount: 'less', ...by('party') }, 'nothing', 0],
  ['a cent', CENT, { amount: 'less' }, 'nothing', 0],
];

test.each(TABLE)('%s', (_, booked, parts, outcome, effect) => {
  const verdict = verdictOn(fitting(parts), booked);
  expect([verdict.outcome, verdict.effect]).toEqual([outcome, effect]);
});

test('only the sum itself, led to by something besides, may be sure', () => {
  const sure = TABLE.filter(([, booked, parts]) => verdictOn(fitting(parts), booked).effect >= 0.85);
  expect(
    sure.every(([, , parts]) => (parts.amount ?? 'exact') === 'exact' && (parts.leads ?? ['reference']).length > 0),
  ).toBe(true);
  expect(sure.every(([, , parts]) => (parts.direction ?? 'fits') === 'fits')).toBe(true);
});
