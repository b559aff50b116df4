import { describe, expect, test } from 'vitest';
import { parseBankFormat } from '../../src/streams/bank-columns.ts';
import { fixture, paymentsOf, readTable, refusalsOf, refusedTable } from './read-bank-csv.ts';

const CARD = 'Transaction Date | Description | Amount';

describe('what a file leaves open is asked, with the line that answers it', () => {
  test('which comes first, day or month, and whether a sum without a sign went out', async () => {
    const { message, hint } = await refusedTable(fixture('card-us.csv'));
    expect(message).toBe(
      "The dates of this file can be read in more than one way: 03/02/2035. This file doesn't say whether a sum without a sign went out or came in: 1250.00.",
    );
    expect(hint).toContain(`bank_formats: ["${CARD} => order = dmy, sign = as written"]`);
    expect(paymentsOf(await readTable(fixture('card-us.csv'), [`${CARD} => order = mdy, sign = turned`]))).toEqual([
      expect.objectContaining({ day: '2035-03-02', amount: '-1250.00' }),
      expect.objectContaining({ day: '2035-04-02', amount: '-80.00' }),
      expect.objectContaining({ day: '2035-05-02', amount: '500.00' }),
    ]);
  });

  test('the line that is proposed can be pasted as it stands', async () => {
    for (const name of ['card-us.csv', 'no-names.csv']) {
      const { hint } = await refusedTable(fixture(name));
      const line = /bank_formats: \["([^"]+)"\]/.exec(hint)?.[1] ?? '';
      expect(parseBankFormat(line)).not.toBeNull();
      expect(paymentsOf(await readTable(fixture(name), [line])).length).toBeGreaterThan(1);
    }
  });

  test('columns without names are named by their number', async () => {
    expect((await refusedTable(fixture('no-names.csv'))).hint).toContain(
      '"4 columns without names => date = #1, amount = #3, purpose = #2, sign = as written"',
    );
    const line = '4 columns without names => date = #1, amount = #3, purpose = #2, sign = as written, account = Giro';
    expect(paymentsOf(await readTable(fixture('no-names.csv'), [line]))).toEqual([
      expect.objectContaining({ day: '2035-03-03', amount: '-1250.00', account: 'Giro' }),
      expect.objectContaining({ amount: '80.00' }),
    ]);
  });

  test('names of columns that are not known', async () => {
    const table = 'Wann;Wer;Wieviel\n03.03.2035;Roof;-5,00\n04.03.2035;Robin;80,00\n05.03.2035;Erika;-2,00\n';
    expect((await refusedTable(table)).hint).toContain(
      '"Wann | Wer | Wieviel => date = Wann, amount = Wieviel, purpose = Wer, sign = as written"',
    );
    const line = 'Wann | Wer | Wieviel => date = Wann, amount = Wieviel, counterparty = Wer, sign = as written';
    expect(paymentsOf(await readTable(table, [line]))[0]).toMatchObject({ amount: '-5.00', counterparty: 'Roof' });
  });

  test('what stands before the cents, where every sum can be read both ways', async () => {
    const table = 'Date,Payee,Description,IBAN,Amount\n2035-03-13,Roof,a,DE02500105170137075030,-1.250\n';
    expect((await refusedTable(table)).message).toBe('The sums of this file can be read in more than one way: 1.250.');
    const named = 'Date | Payee | Description | IBAN | Amount';
    const amount = async (decimal: string) =>
      paymentsOf(await readTable(table, [`${named} => decimal = ${decimal}`]))[0]?.amount;
    expect([await amount('comma'), await amount('point')]).toEqual(['-1250.00', '-1.25']);
  });

  test('a word of a person’s own for what went out', async () => {
    const table = 'Date,Text,Amount,Flag\n2035-03-13,Roof,5.00,O\n2035-03-14,Robin,80.00,X\n';
    const line = 'Date | Text | Amount | Flag => direction = Flag, out = O';
    expect(paymentsOf(await readTable(table, [line])).map(({ amount }) => amount)).toEqual(['-5.00', '80.00']);
  });

  test('nothing is guessed: sums that contradict the word beside them', async () => {
    const table = 'Date,Description,Amount,Type\n2035-03-13,Roof,5.00,debit\n2035-03-14,Robin,-80.00,debit\n';
    expect((await refusedTable(table)).message).toContain('went out or came in');
  });
});

describe('what decides it without a question', () => {
  const table = (dates: readonly string[], header: string) =>
    `${header}\n${dates.map((date, nth) => `${date};Roof;-${nth + 1},00`).join('\n')}\n`;
  const days = async (text: string) => paymentsOf(await readTable(text)).map(({ day }) => day);

  test('one day after the 12th tells the order of the whole column', async () => {
    const header = 'Date;Description;Amount';
    expect(await days(table(['01/02/2035', '01/13/2035', '02/03/2035'], header))).toEqual([
      '2035-01-02',
      '2035-01-13',
      '2035-02-03',
    ]);
    expect(await days(table(['01/02/2035', '13/02/2035', '02/03/2035'], header))).toEqual([
      '2035-02-01',
      '2035-02-13',
      '2035-03-02',
    ]);
  });

  test('the language of the names, points between the parts', async () => {
    expect(await days(table(['01/02/2035', '02/02/2035', '03/02/2035'], 'Datum;Omschrijving;Bedrag'))).toContain(
      '2035-02-01',
    );
    expect(await days(table(['01.02.2035', '02.02.2035', '03.02.2035'], 'Date;Description;Amount'))).toContain(
      '2035-02-01',
    );
  });

  test('Portuguese names do not: Brazilian banks write the month first as well', async () => {
    expect(
      (await refusedTable(table(['01/02/2035', '02/02/2035', '03/02/2035'], 'Data;Historico;Valor'))).message,
    ).toContain('dates');
  });

  test('the balance tells that a card counts the other way round', async () => {
    const card =
      'Date,Description,Amount,Balance\n2035-03-13,Roof,5.00,95.00\n2035-03-14,Erika,7.00,88.00\n2035-03-15,Paid,-20.00,108.00\n';
    expect(paymentsOf(await readTable(card)).map(({ amount }) => amount)).toEqual(['-5.00', '-7.00', '20.00']);
  });

  test('the balance of a row that is missing is told once, with its line, and the rows are read', async () => {
    const gap =
      'Datum;Text;Betrag;Saldo\n13.03.2035;a;-5,00;95,00\n14.03.2035;b;-5,00;90,00\n16.03.2035;d;-5,00;70,00\n17.03.2035;e;-5,00;65,00\n18.03.2035;f;-5,00;50,00\n19.03.2035;g;-5,00;45,00\n20.03.2035;h;-5,00;40,00\n';
    const items = await readTable(gap);
    expect(refusalsOf(items)).toEqual(['line 4: the balance does not add up; a row may be missing']);
    expect(paymentsOf(items)).toHaveLength(7);
  });
});

describe('a bad row costs no other', () => {
  test('each is refused with its line', async () => {
    const table = [
      'Datum;Empfänger;IBAN;Betrag;Währung',
      '13.03.2035;Roof;;-5,00;EUR',
      '31.02.2035;Roof;;-5,00;EUR',
      '14.03.2035;Roof;;viel;EUR',
      '15.03.2035;Roof;;-5,00;euros',
      '16.03.2035;Roof; Sons;;-5,00;EUR',
      '17.03.2035;"Zum Adler;;-5,00;EUR',
      ';Roof;;-5,00;EUR',
      'Datum;Empfänger;IBAN;Betrag;Währung',
      'Kontostand;;;90,00;EUR',
      '18.03.2035;Erika;;-6,00;EUR',
    ].join('\r\n');
    const items = await readTable(table);
    expect(paymentsOf(items).map(({ amount }) => amount)).toEqual(['-5.00', '-6.00']);
    expect(refusalsOf(items)).toEqual([
      "line 3: 31.02.2035 isn't a date like the others",
      'line 4: its sum cannot be read',
      'line 5: its currency cannot be read',
      'line 6: it has 6 columns where 5 are named, so they cannot be told apart',
      'line 7: a quote in it does not close, or it is endless',
      'line 8: it has no date',
    ]);
  });
});
