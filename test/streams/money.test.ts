import { describe, expect, test } from 'vitest';
import { formatDay, negated, parseCurrency, parseDecimal } from '../../src/streams/money.ts';
import { ibanForm } from '../../src/vault/source-names.ts';

describe('an amount', () => {
  test.each([
    ['1250', 'EUR', '1250.00'],
    ['-80,5', 'EUR', '-80.50'],
    ['+0012.30', null, '12.30'],
    ['5,', 'EUR', '5.00'],
    ['-.75', 'USD', '-0.75'],
    ['-0,00', 'EUR', '0.00'],
    ['5000', 'JPY', '5000'],
    ['5000.00', 'JPY', '5000'],
    ['1.5', 'KWD', '1.500'],
    ['8.85000', 'EUR', '8.85'],
    ['8.85100', 'EUR', '8.851'],
  ])('%s %s is %s', (text, currency, amount) => {
    expect(parseDecimal(text, currency)).toBe(amount);
  });

  test.each(['', '-', '1.2.3', '1,234.56', 'twelve', '1e5', '9'.repeat(40), '--1'])('%j is none', (text) => {
    expect(parseDecimal(text, 'EUR')).toBeNull();
  });

  test('has its sign turned, except nothing', () => {
    expect(['12.00', '-12.00', '0.00'].map(negated)).toEqual(['-12.00', '12.00', '0.00']);
  });
});

test('a currency has three letters, and one that nobody knows has two places', () => {
  expect([' eur', 'EURO', '', null].map(parseCurrency)).toEqual(['EUR', null, null, null]);
  expect(parseDecimal('1', 'XQQ')).toBe('1.00');
});

test('a day is one of the calendar', () => {
  expect(formatDay(2036, 2, 29)).toBe('2036-02-29');
  expect([formatDay(2035, 2, 29), formatDay(2035, 13, 1), formatDay(35, 1, 1), formatDay(2035, 0, 0)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test('an IBAN is told by its form, and zeros are none', () => {
  expect(ibanForm(' de91 1000 0000 0123 4567 89')).toBe('DE91100000000123456789');
  const none = ['CH0000000000000000000', '0109307118', 'NOTPROVIDED', '', null, undefined];
  expect(none.map((one) => ibanForm(one))).toEqual(none.map(() => null));
});
