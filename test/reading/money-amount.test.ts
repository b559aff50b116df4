import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountWritten, findAmounts, makeAmount, moneyWords, sameCurrency } from '../../src/reading/money.ts';

const read = (text: string) => findAmounts(text).map(moneyWords);

describe('sums in the words of people', () => {
  test.each([
    ['Rechnung über 1.250,00 € bezahlen', ['1 250.00 EUR']],
    ['€ 1,250.00 for the roof', ['1 250.00 EUR']],
    ['1250 EUR', ['1 250.00 EUR']],
    ['EUR1250.5', ['1 250.50 EUR']],
    ["CHF 1'250.—", ['1 250.00 CHF']],
    ['Fr. 80.–', ['80.00 CHF']],
    ['1 250,00 € à payer', ['1 250.00 EUR']],
    ['1\u202f250,00\u00a0€', ['1 250.00 EUR']],
    ['250,- EUR', ['250.00 EUR']],
    ['£18.00 and £2', ['18.00 GBP', '2.00 GBP']],
    ['$1,234,567.89', ['1 234 567.89']],
    ['1.250 €', ['1 250.00 EUR']],
    ['12.500 KWD', ['12.50 KWD']],
    ['1.432,50 kr', ['1 432.50']],
    ['45 euro', ['45.00 EUR']],
    ['Rechnung 118 250 EUR', ['250.00 EUR']],
    ['Rechnung 4711 250 EUR', ['250.00 EUR']],
    ['invoice 4711, 1250 EUR', ['1 250.00 EUR']],
  ])('%s', (text, sums) => {
    expect(read(text)).toEqual(sums);
  });

  test.each([
    'Pay 1250',
    'try 5 times',
    'Fr 20.11',
    'European 5',
    '20% deposit',
    'PAY 500 NOW',
    'kr',
    '€',
    'EUR per month',
  ])('%s names none', (text) => {
    expect(read(text)).toEqual([]);
  });

  test('a field needs no currency', () => {
    expect(amountWritten('1.250,00')).toEqual({ thousandths: 1_250_000, currencies: [] });
    expect(amountWritten('1250')).toEqual({ thousandths: 1_250_000, currencies: [] });
    expect(amountWritten('12.5 USD')).toEqual({ thousandths: 12_500, currencies: ['USD'] });
    expect(amountWritten('soon')).toBeNull();
  });

  test('a sign that several currencies share may be any of them, and no other', () => {
    const [dollars] = findAmounts('$5');
    const of = (currency: string) => makeAmount('5', currency);
    const [cad, eur, unsaid] = [of('CAD'), of('EUR'), makeAmount('5', null)];
    if (dollars === undefined || cad === null || eur === null || unsaid === null) throw new Error('no sums');
    expect([sameCurrency(dollars, cad), sameCurrency(dollars, eur), sameCurrency(eur, unsaid)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

test('LAW: a sum that is written as people of six languages write it is read back to the thousandth', () => {
  const ways = [
    (whole: string, cents: string) => `${grouped(whole, '.')},${cents} €`,
    (whole: string, cents: string) => `€ ${grouped(whole, ',')}.${cents}`,
    (whole: string, cents: string) => `${grouped(whole, ' ')},${cents} EUR`,
    (whole: string, cents: string) => `${grouped(whole, "'")}.${cents} EUR`,
    (whole: string, cents: string) => `EUR ${whole}.${cents}`,
  ];
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_999 }), fc.nat(99), fc.constantFrom(...ways), (whole, cents, way) => {
      const text = way(String(whole), String(cents).padStart(2, '0'));
      expect(findAmounts(`Pay ${text} today`).map(({ thousandths }) => thousandths)).toEqual([
        whole * 1000 + cents * 10,
      ]);
    }),
  );
});

test('LAW: whatever a text is, its sums are whole, finite and few', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."0123456789.,' €$EURCHF-—"), maxLength: 200 }), (text) => {
      const sums = findAmounts(text);
      expect(sums.length).toBeLessThanOrEqual(20);
      expect(sums.every(({ thousandths }) => Number.isSafeInteger(thousandths) && thousandths >= 0)).toBe(true);
    }),
  );
});

function grouped(whole: string, sign: string): string {
  return whole.replace(/\B(?=(?:\d{3})+$)/g, sign);
}
