import { expect } from 'vitest';
import { parseBankFormat } from '../../src/streams/bank-columns.ts';
import { BANK_CSV } from '../../src/streams/kinds.ts';
import { FileRefusal } from '../../src/streams/stream.ts';
import { paymentsOf, readTable, refusalsOf, refusedTable } from '../streams/read-bank-csv.ts';
import { settings } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';
import { attack } from './attack.ts';

// What somebody can do who gives a person a table to import, or who can write `steward.md`.

const SENDER = { attacker: 'a sender' } as const;
const HEADER = 'Datum;Empfänger;IBAN;Verwendungszweck;Betrag;Währung';
const ROW = '13.03.2035;Roof & Sons;DE02500105170137075030;Dach;-5,00;EUR';
const SECOND = 1000;

async function within(most: number, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work().catch((error: unknown) => {
    if (!(error instanceof FileRefusal)) throw error;
  });
  expect(performance.now() - began).toBeLessThan(most);
}

const BOMBS: Readonly<Record<string, string>> = {
  'a row of two million fields': `${HEADER}\n${';'.repeat(2_000_000)}\n${ROW}\n`,
  'a header of a hundred thousand columns': `${'Datum;Betrag;'.repeat(50_000)}\n${ROW}\n`,
  'ten thousand quotes that never close': `${HEADER}\n${`13.03.2035;"Roof;;;-5,00;EUR\n`.repeat(9_999)}`,
  'a line without an end': `${HEADER}\n13.03.2035;${'x'.repeat(4_000_000)}`,
  'a cell of quotes': `${HEADER}\n"${'""'.repeat(1_000_000)}\n${ROW}\n`,
  'a hundred thousand empty lines': `${HEADER}\n${'\n'.repeat(100_000)}${ROW}\n`,
  'sums of thousands of digits': `${HEADER}\n${`13.03.2035;a;;b;${'1'.repeat(5000)},00;EUR\n`.repeat(200)}`,
  'dates of thousands of points': `${HEADER}\n${`${'1.'.repeat(3000)};a;;b;-1,00;EUR\n`.repeat(200)}`,
};
for (const [means, bomb] of Object.entries(BOMBS)) {
  attack(
    { ...SENDER, means, loss: 'the reading never ends', defence: 'every row and every cell has a longest form' },
    async () => {
      await within(20 * SECOND, () => readTable(bomb));
      await within(SECOND, async () => BANK_CSV.recognises(Buffer.from(bomb.slice(0, 65_536))));
    },
  );
}

attack(
  {
    ...SENDER,
    means: 'a quote that does not close, in the middle of a table',
    loss: 'the bookings behind it are swallowed, and nobody notices',
    defence: 'its own line is refused, and the reading goes on with the next one',
  },
  async () => {
    const items = await readTable([HEADER, ROW, '14.03.2035;"Roof;;x;-7,00;EUR', ROW, ROW].join('\n'));
    expect(paymentsOf(items)).toHaveLength(3);
    expect(refusalsOf(items)).toEqual(['line 3: a quote in it does not close, or it is endless']);
  },
);

attack(
  {
    ...SENDER,
    means: 'such a quote before a row that has quotes of its own',
    loss: 'two bookings become one',
    defence: 'rows that cannot be told apart are refused, with their lines',
  },
  async () => {
    for (const next of ['15.03.2035;"Erika";;x;-8,00;EUR', '15.03.2035;Erika";;x;-8,00;EUR']) {
      const items = await readTable([HEADER, ROW, '14.03.2035;"Roof;;x;-7,00;EUR', next, ROW].join('\n'));
      expect(refusalsOf(items)).toEqual([
        "line 3: a quote in it does not close before line 4, so its columns can't be told apart",
      ]);
      expect(paymentsOf(items).map(({ amount }) => amount)).toEqual(['-5.00', '-5.00']);
    }
  },
);

attack(
  {
    ...SENDER,
    means: 'a purpose of several lines that look like bookings',
    loss: 'a payment that was never made settles a task',
    defence: 'what stands between quotes is never a row, and with a date of its own it is refused',
  },
  async () => {
    const lines = 'Dach\n14.03.2035;Northgate Notary;;Rechnung 4711;-1250,00;EUR\n';
    for (const forged of [lines, `""${lines}`, `${lines}""`, `${lines}${'x\n'.repeat(50)}`]) {
      const items = await readTable([HEADER, `13.03.2035;Roof;;"${forged}";-5,00;EUR`, ROW].join('\n'));
      expect(paymentsOf(items).map(({ amount }) => amount)).toEqual(['-5.00']);
      expect(refusalsOf(items)).toHaveLength(1);
    }
  },
);

attack(
  {
    ...SENDER,
    means: 'names of columns that go on as a setting does',
    loss: 'the line that a person pastes into steward.md says more than they were asked',
    defence: 'a name is shown by its letters and digits alone',
  },
  async () => {
    const evil = 'Wann;Wer => sign = turned, account = x;Wieviel"] mode: live\u202E ["';
    const { hint } = await refusedTable(
      `${evil}\n13.03.2035;Roof;-5,00\n14.03.2035;Roof;-5,00\n15.03.2035;Roof;-5,00\n`,
    );
    const line = /bank_formats: \["(.*?)"\]/.exec(hint)?.[1] ?? '';
    expect(line).toMatch(/^[\p{L}\p{N} |]+ => [\p{L}\p{N} ,=]+$/u);
    expect(parseBankFormat(line)).toMatchObject({ turned: null, account: null });
  },
);

attack(
  {
    ...SENDER,
    means: 'invisible characters and a change of direction in the name of a counterparty',
    loss: 'a payment seems to be from somebody else',
    defence: 'every text of a payment is made plain',
  },
  async () => {
    const [payment] = paymentsOf(
      await readTable(`${HEADER}\n13.03.2035;North\u200Bgate\u202E Notary;;a\u0000b\u2066;-5,00;EUR\n`),
    );
    expect(payment).toMatchObject({ counterparty: 'Northgate Notary', purpose: 'ab' });
  },
);

attack(
  {
    attacker: 'a sync peer',
    means: 'bank_formats with ten thousand lines, or one of a megabyte',
    loss: 'every table takes minutes, or the daemon ends',
    defence: 'a line is short and read in one go; what is no format holds nothing up',
  },
  async () => {
    const many = Array.from({ length: 10_000 }, (_, nth) => `A | B${nth} | C => order = dmy`);
    await within(5 * SECOND, () => readTable([HEADER, ROW, ROW].join('\n'), many));
    await within(SECOND, async () => expect(parseBankFormat(`${'A | '.repeat(300_000)} => order = dmy`)).toBeNull());
    const vault = new TempVault({ 'steward.md': settings({ bank_formats: ['order = dmy'] }) });
    const bench = await Bench.open(vault);
    expect(JSON.stringify(bench.status().trouble)).toContain('bank_formats must be a list of lines such as');
  },
);
