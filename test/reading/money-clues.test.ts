import { expect, test } from 'vitest';
import { paymentClues } from '../../src/reading/money.ts';
import { candidate } from '../support/events.ts';

const named = (name: string) => paymentClues({ ...candidate({ path: 'task/x.md' }), name });

test('a sum, the end of an account, an IBAN and a year are no references', () => {
  expect([...named('Pay 12500 SEK to IBAN …4300, invoice 4711 of 2026').references]).toEqual(['4711']);
  expect([...named('Pay DE89 3704 0044 0532 0130 00').references]).toEqual([]);
});

test('a sum in a field is the only one that counts', () => {
  const payment = { amount: ['900'], reference: ['0042'], iban: [], counterparty: ['Roof & Sons'] };
  const clues = paymentClues({ ...candidate({ path: 'task/x.md' }), name: 'Pay 100 EUR', payment });
  expect(clues.amounts).toEqual([{ thousandths: 900_000, currencies: [] }]);
  expect(clues.parties).toEqual([['roof', 'sons']]);
});

test('senders of mails are no counterparties', () => {
  const clues = paymentClues(
    candidate({ path: 'task/x.md', senders: ['anna@notary.example', 'Greenacre', 'DE89 3704 0044 0532 0130 00'] }),
  );
  expect(clues.parties).toEqual([['greenacre']]);
  expect([...clues.ibans]).toEqual(['DE89370400440532013000']);
});
