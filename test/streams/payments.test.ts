import { describe, expect, test } from 'vitest';
import { TargetIndex } from '../../src/reading/targets.ts';
import { readPayment, vouchedPayment } from '../../src/streams/payments.ts';
import { candidate } from '../support/events.ts';
import { ACCOUNT, bankLine, ROOFER } from './bank-line.ts';

function indexOf(...names: readonly string[]): TargetIndex {
  const index = new TargetIndex();
  for (const name of names) index.add({ ...candidate({ path: `task/${name}.md` }), name });
  return index;
}

describe('what a line means', () => {
  test('the signal says why, and quotes what stands in the line', () => {
    const index = new TargetIndex();
    index.add({ ...candidate({ path: 'task/pay.md' }), name: 'Pay invoice 4711, 1250 EUR', due: '2026-11-22' });
    const [meaning] = readPayment(
      bankLine({ day: '2026-11-20', purpose: 'Thank you\nInvoice 4711 roof' }),
      index,
    ).meanings;
    expect(meaning).toMatchObject({
      quote: 'Invoice 4711 roof',
      targetEvidence: ['reference', 'amount'],
      endsMatter: false,
    });
    expect(meaning?.reasoning).toBe(
      '1 250.00 EUR went out, as in the task; reference 4711 is in both; booked 2 days before it is due.',
    );
  });

  test('what is missing is said once', () => {
    const [meaning] = readPayment(bankLine({ purpose: 'Invoice 4711' }), indexOf('Pay invoice 4711')).meanings;
    expect(meaning?.reasoning.match(/no property of the task names a sum/g)).toHaveLength(1);
  });

  test('a task that was changed or taken away is found as it is now', () => {
    const index = indexOf('Pay invoice 4711, 1250 EUR');
    expect(readPayment(bankLine(), index).meanings).toHaveLength(1);
    index.add({ ...candidate({ path: 'task/Pay invoice 4711, 1250 EUR.md' }), name: 'Pay invoice 5822, 90 EUR' });
    expect(readPayment(bankLine(), index).meanings).toEqual([]);
    index.remove('task/Pay invoice 4711, 1250 EUR.md');
    expect(readPayment(bankLine({ amount: '-90.00', purpose: '5822' }), index).skipped).toBe(
      'no task is about such a payment',
    );
  });

  test('what money that came in says is no evidence, but for its sum and IBAN', () => {
    const index = indexOf('Await 1250 EUR of Roof & Sons, invoice 4711');
    const [meaning] = readPayment(bankLine({ amount: '1250.00' }), index).meanings;
    expect(meaning).toMatchObject({ targetEvidence: ['amount'], effectConfidence: 0.8 });
  });

  test('an amount that is none says nothing', () => {
    for (const amount of ['0.00', '-', '1e9', 'NaN', '99999999999999999999'])
      expect(readPayment(bankLine({ amount }), indexOf('Pay 0 EUR')).skipped).toBe('no sum of money');
  });
});

describe('who vouches for a line', () => {
  const result = (...line: Parameters<typeof bankLine>) =>
    vouchedPayment(bankLine(...line), ['DE02 1203 0000 0000 2020 51']).authentication;

  test('a statement of an account that the settings name, for its IBAN', () => {
    expect(result()).toMatchObject({ result: 'pass', server: 'the statement of account …2051' });
  });

  test.each([
    ['another account', { account: 'DE75512108001245126199' }, {}],
    ['no account', { account: null }, {}],
    ['an account of signs alone', { account: '--' }, {}],
    ['a line that is not booked', { status: 'pending' }, {}],
    ['no IBAN', { iban: null }, {}],
    ['a hidden IBAN', { iban: 'DE89••••••3000' }, {}],
    ['a name that is written like an IBAN', { iban: null, counterparty: ROOFER }, {}],
    [
      'a reader that vouches by itself',
      { account: null },
      { authentication: { result: 'pass', server: ACCOUNT, reason: '' } },
    ],
  ] as const)('nobody, for %s', (_, payment, event) => {
    expect(result(payment, event)).toMatchObject({ result: 'none', server: null });
  });

  test('no account is trusted where the settings name none, or an empty one', () => {
    expect(vouchedPayment(bankLine({ account: '' }), ['', '-']).authentication.result).toBe('none');
    expect(vouchedPayment(bankLine(), []).authentication.result).toBe('none');
  });
});

test('a line is looked up in time that does not grow with the vault', () => {
  const time = (notes: number) => {
    const index = new TargetIndex();
    for (let nth = 0; nth < notes; nth += 1)
      index.add({
        ...candidate({ path: `task/${nth}.md` }),
        name: `Pay invoice ${10_000 + nth} to Firm${nth}, ${nth}.5 EUR`,
      });
    readPayment(bankLine(), index);
    const start = performance.now();
    for (let nth = 0; nth < 200; nth += 1) readPayment(bankLine({ purpose: `invoice ${10_000 + nth}` }), index);
    return performance.now() - start;
  };
  time(100);
  expect(time(20_000)).toBeLessThan(10 * time(1000) + 50);
});
