import { describe, expect, test } from 'vitest';
import { type Asking, askedFormat } from '../../../src/cli/commands/import.ts';
import { fixture, paymentsOf, readTable } from '../../streams/read-bank-csv.ts';

/** A person who answers with the first choice whose label has one of their words; null where none has. */
function person(words: readonly string[], name: string | null = ''): Asking & { readonly heard: string[] } {
  const heard: string[] = [];
  return {
    heard,
    choose: async (message, choices) => {
      heard.push(`${message} [${choices.map(({ label, hint }) => `${label}${hint ? ` (${hint})` : ''}`).join(' / ')}]`);
      return choices.find(({ label }) => words.some((word) => label.includes(word)))?.value ?? null;
    },
    name: async (message) => {
      heard.push(message);
      return name;
    },
  };
}

describe('a person is asked how a bank writes', () => {
  test('only what the file leaves open, with the days and the row that show it', async () => {
    const asked = person(['month comes first', 'It went out'], 'Card, of "Erika"');
    const line = await askedFormat(fixture('card-us.csv'), [], asked);
    expect(line).toBe('Transaction Date | Description | Amount => order = mdy, sign = turned, account = Card of Erika');
    expect(asked.heard).toEqual([
      'Which day is 03/02/2035? [2035-02-03: the day comes first / 2035-03-02: the month comes first]',
      'Did this money go out, or come in? 03/02/2035 · NORTHGATE NOTARY · 1250.00 [It went out / It came in]',
      'What is this account called? (leave it empty if it is your only one)',
    ]);
    expect(paymentsOf(await readTable(fixture('card-us.csv'), [line ?? '']))[0]).toMatchObject({
      ...{ day: '2035-03-02', amount: '-1250.00', account: 'Card of Erika' },
    });
  });

  test('by columns without names, shown by their first values', async () => {
    const asked = person(['Column', 'went out']);
    const line = await askedFormat(fixture('no-names.csv'), [], asked);
    expect(line).toBe('4 columns without names => date = #1, amount = #3, purpose = #2, sign = as written');
    expect(asked.heard[0]).toBe('Which column has the day of a booking? [Column 1 (03.03.2035 · 04.03.2035)]');
    expect(paymentsOf(await readTable(fixture('no-names.csv'), [line ?? ''])).map(({ amount }) => amount)).toEqual([
      '-1250.00',
      '80.00',
    ]);
  });

  test('two columns of sums', async () => {
    const table = 'Wann;Wer;Weg;Her\n13.03.2035;Roof;5,00;\n14.03.2035;Robin;;80,00\n';
    const choices = ['There are two', 'Wann', 'Wer', 'Weg', 'Her'];
    const asked: Asking = {
      choose: async (message, offered) => {
        const wanted = message.includes('day')
          ? 'Wann'
          : message.includes('sum')
            ? 'There are two'
            : message.includes('out')
              ? 'Weg'
              : message.includes('in?')
                ? 'Her'
                : 'Wer';
        return offered.find(({ label }) => choices.includes(wanted) && label.startsWith(wanted))?.value ?? null;
      },
      name: async () => '',
    };
    const line = await askedFormat(Buffer.from(table), [], asked);
    expect(line).toBe('Wann | Wer | Weg | Her => date = Wann, debit = Weg, credit = Her, purpose = Wer');
    expect(paymentsOf(await readTable(table, [line ?? ''])).map(({ amount }) => amount)).toEqual(['-5.00', '80.00']);
  });

  test('what an earlier line says stays, and only the rest is asked', async () => {
    const before = 'Transaction Date | Description | Amount => order = dmy';
    const asked = person(['It went out']);
    expect(await askedFormat(fixture('card-us.csv'), [before], asked)).toBe(`${before}, sign = turned`);
    expect(asked.heard).toHaveLength(2);
  });

  test('nothing, where the file says all; and nothing is kept where they break it off', async () => {
    expect(await askedFormat(fixture('sparkasse.csv'), [], person([]))).toBeNull();
    expect(await askedFormat(fixture('card-us.csv'), [], person(['day comes first']))).toBeNull();
    expect(await askedFormat(fixture('card-us.csv'), [], person(['first', 'went out'], null))).toBeNull();
    expect(await askedFormat(fixture('expenses.csv'), [], person([]))).toBeNull();
  });
});
