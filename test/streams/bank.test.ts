import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Payment } from '../../src/steward/types.ts';
import { EqualRows, paymentEvent } from '../../src/streams/money.ts';

const DOOR = {
  ...{ file: 'stream/march.sta', sourceType: 'bank', trustedServers: [], zone: 'Europe/Berlin' },
  now: Date.parse('2035-03-05T09:00:00Z'),
};

const PAYMENT: Payment = {
  account: 'DE02100100109307118603',
  status: 'booked',
  day: '2035-03-02',
  amount: '-1250.00',
  currency: 'EUR',
  counterparty: 'Northgate Notary',
  iban: 'DE91100000000123456789',
  references: ['RF18539007547034'],
  purpose: 'invoice 4711',
};

describe('the event of a payment', () => {
  test('has a subject that a person reads, and the purpose as its text', () => {
    const event = paymentEvent(PAYMENT, DOOR);
    expect(event.subject).toBe('Northgate Notary 1 250.00 EUR out: invoice 4711');
    expect(event).toMatchObject({ text: 'invoice 4711', from: PAYMENT.iban, fromName: 'Northgate Notary' });
    expect(event).toMatchObject({ path: 'stream/march.sta', originAt: '2035-03-02T00:00:00Z', payment: PAYMENT });
  });

  test('says what came in, what is pending, and leaves out what is not known', () => {
    const bare = { ...PAYMENT, amount: '80.00', currency: null, counterparty: null, iban: null, purpose: '' };
    expect(paymentEvent(bare, DOOR)).toMatchObject({ subject: '80.00 in', from: null, fromName: null });
    expect(paymentEvent({ ...bare, status: 'pending' }, DOOR).subject).toBe('80.00 in (pending)');
    expect(paymentEvent(bare, DOOR, '2035-03-02T10:11:12Z').originAt).toBe('2035-03-02T10:11:12Z');
  });

  test.each([
    ['boss@firm.example', 'boss firm example'],
    ['DE91 1000 0000 0123 4567 89', null],
    ['NORTHGATE  Notary GmbH & Co.', 'northgate notary gmbh co'],
    ['\u202E\u200B', null],
  ])('a name that somebody typed is neither an address nor an IBAN: %j', (counterparty, from) => {
    expect(paymentEvent({ ...PAYMENT, iban: null, counterparty }, DOOR).from).toBe(from);
  });

  test('no invisible character, no endless text and no endless list gets in', () => {
    const long = 'x\u200B\u0007'.repeat(100_000);
    const { subject, text, payment } = paymentEvent(
      { ...PAYMENT, counterparty: long, purpose: long, references: Array(1_000).fill(long) },
      DOOR,
    );
    expect(subject.length).toBeLessThanOrEqual(500);
    expect(text).toBe('x'.repeat(16_000));
    expect(payment?.counterparty?.length).toBe(200);
    expect(payment?.references.length).toBe(1);
  });
});

describe('which payment is which', () => {
  test('equal rows are told apart by their place, whatever spaces and case they have', () => {
    const rows = new EqualRows();
    const keys = [PAYMENT, { ...PAYMENT, purpose: 'Invoice  47\n11' }].map((one) => rows.identityOf(one).key);
    expect(keys).toEqual([
      'bank de02100100109307118603 2035-03-02 -1250.00 EUR northgatenotary/de91100000000123456789/rf18539007547034/invoice4711 1',
      'bank de02100100109307118603 2035-03-02 -1250.00 EUR northgatenotary/de91100000000123456789/rf18539007547034/invoice4711 2',
    ]);
  });

  test('what is only announced does not make the booking look known', () => {
    const keyOf = (payment: Payment) => new EqualRows().identityOf(payment).key;
    expect(keyOf({ ...PAYMENT, status: 'pending' })).not.toBe(keyOf(PAYMENT));
  });

  test('no purpose can be made that takes the identity of another row', () => {
    const keyOf = (payment: Payment) => new EqualRows().identityOf(payment).key;
    const text = fc.string({ maxLength: 8, unit: fc.constantFrom('a', '1', ' ', '/', '#', '-') });
    const payment = fc.record({ counterparty: text, purpose: text }).map((said) => ({ ...PAYMENT, ...said }));
    const bare = (said: string | null) => (said ?? '').replace(/[^a1]/g, '');
    fc.assert(
      fc.property(payment, payment, (one, other) => {
        const isSame = bare(one.counterparty) === bare(other.counterparty) && bare(one.purpose) === bare(other.purpose);
        expect(keyOf(one) === keyOf(other)).toBe(isSame);
      }),
    );
  });
});
