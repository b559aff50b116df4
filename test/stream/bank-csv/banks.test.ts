import { describe, expect, test } from 'vitest';
import { BANK_CSV } from '../../../src/stream/bank-csv-kind.ts';
import { fixture, paymentsOf, readTable, refusalsOf } from './read.ts';

// The ways in which banks write their tables, each by a small one of our own.

const OUT = { amount: '-1250.00', counterparty: 'Northgate Notary' };
const IN = { amount: '80.00', counterparty: 'Robin Example' };

describe('a bank writes', () => {
  test('with quotes, short years, words for what is only announced, and references in the purpose', async () => {
    const [announced, booked] = paymentsOf(await readTable(fixture('sparkasse.csv')));
    expect(announced).toEqual({
      account: 'DE02120300000000202051',
      status: 'pending',
      day: '2035-03-05',
      amount: '-99.80',
      currency: 'EUR',
      counterparty: 'Stadtwerke Musterort',
      iban: 'DE02500105170137075030',
      references: ['MREF-77', 'E2E-901'],
      purpose: 'Strom Maerz',
    });
    expect(booked).toMatchObject({ status: 'booked', amount: '1250.00', references: ['RE 4711'] });
  });

  test('lines about the account above, the newest first, a cell over two lines', async () => {
    const items = await readTable(fixture('ing-de.csv'));
    expect(items.map(({ place }) => place)).toEqual(['line 11', 'line 12', 'line 13']);
    expect(refusalsOf(items)).toEqual([]);
    expect(paymentsOf(items)).toEqual([
      expect.objectContaining({ ...IN, account: 'DE02120300000000202051', currency: 'EUR', day: '2035-03-04' }),
      expect.objectContaining({ ...OUT, day: '2035-03-03', purpose: 'Rechnung 4711' }),
      expect.objectContaining({ amount: '-50.00', purpose: 'Dach\nzweite Rate' }),
    ]);
  });

  test('sums without a sign, and in another column whether they went out', async () => {
    expect(paymentsOf(await readTable(fixture('ing-nl.csv')))).toEqual([
      expect.objectContaining({ ...OUT, iban: 'NL20INGB0001234567', account: 'NL02ABNA0123456789' }),
      expect.objectContaining({ ...IN, currency: 'EUR' }),
    ]);
  });

  test('one column for what went out and one for what came in', async () => {
    expect(paymentsOf(await readTable(fixture('boi.csv')))).toEqual([
      expect.objectContaining({ amount: '-512.50', day: '2035-03-01', purpose: 'Northgate Notary' }),
      expect.objectContaining({ amount: '80.00', day: '2035-03-14' }),
    ]);
    expect(paymentsOf(await readTable(fixture('ubs.csv')))).toEqual([
      expect.objectContaining({ amount: '-1250.00', currency: 'CHF' }),
      expect.objectContaining({ amount: '80.00', purpose: 'Compte personnel Virement Robin Example' }),
    ]);
  });

  test('the balance between the bookings, in the column of what came in', async () => {
    const items = await readTable(fixture('posta.csv'));
    expect(paymentsOf(items).map(({ amount }) => amount)).toEqual(['-2.90', '1250.00']);
    expect(items.filter(({ content }) => content.what === 'nothing')).toHaveLength(2);
  });

  test('what is still under way, and what came to nothing', async () => {
    const items = await readTable(fixture('revolut.csv'));
    expect(paymentsOf(items).map(({ day, status, amount }) => [day, status, amount])).toEqual([
      ['2035-03-03', 'booked', '-38.71'],
      ['2035-03-04', 'pending', '-250.00'],
      ['2035-03-05', 'booked', '100.00'],
    ]);
    expect(refusalsOf(items)).toEqual([]);
  });

  test('spaces between the thousands, its own delimiter in the first line, Swedish names', async () => {
    expect(paymentsOf(await readTable(fixture('nordea.csv')))).toEqual([
      expect.objectContaining({ ...OUT, account: '1234 56 78901', purpose: 'Faktura 4711' }),
      expect.objectContaining(IN),
    ]);
  });

  test('who pays and who is paid in two columns: the other one is the counterparty', async () => {
    expect(paymentsOf(await readTable(fixture('dkb.csv')))).toEqual([
      expect.objectContaining({ ...IN, currency: 'EUR', account: 'DE02120300000000202051' }),
      expect.objectContaining({ ...OUT, references: ['M-1', 'K-2'] }),
    ]);
  });
});

describe('of which files it is the kind', () => {
  test.each(['sparkasse.csv', 'ing-de.csv', 'nordea.csv', 'posta.csv', 'card-us.csv', 'no-names.csv'])('%s', (name) => {
    expect(BANK_CSV.takes(`stream/${name}`)).toBe(true);
    expect(BANK_CSV.recognises(fixture(name))).toBe(true);
  });

  test('not another table, a text, or bytes', () => {
    expect(BANK_CSV.recognises(fixture('expenses.csv'))).toBe(false);
    expect(BANK_CSV.recognises(Buffer.from('Dear Robin,\nthe 2.3.2035 suits me.\n'))).toBe(false);
    expect(BANK_CSV.recognises(Buffer.from([0x50, 0x4b, 3, 4, 0, 0]))).toBe(false);
    expect(BANK_CSV.recognises(Buffer.from(''))).toBe(false);
    expect(BANK_CSV.takes('stream/a.txt')).toBe(false);
  });

  test('a table in UTF-16, as spreadsheets save it', async () => {
    const wide = Buffer.from(
      `\uFEFFDatum\tEmpfänger\tIBAN\tBetrag\n02.03.2035\tRoof\tDE02500105170137075030\t-5,00\n`,
      'utf16le',
    );
    expect(BANK_CSV.recognises(wide)).toBe(true);
    expect(paymentsOf(await readTable(wide))).toEqual([
      expect.objectContaining({ amount: '-5.00', counterparty: 'Roof' }),
    ]);
  });
});
