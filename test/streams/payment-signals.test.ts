import { describe, expect, test } from 'vitest';
import type { StreamEvent } from '../../src/steward/types.ts';
import { admitted, extract, questionFor } from '../../src/streams/extract.ts';
import { matter, settings, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';
import { ACCOUNT, bankLine, booked, ROOFER, STRANGER, TO_PAY } from './bank-line.ts';

describe('a bank line that settles a task', () => {
  test('is acted upon where the task names the IBAN and the settings name the account', async () => {
    const { vault } = await booked(TO_PAY, bankLine());
    expect(vault.fields('task/pay.md').state).toBe('done');
    const event = vault.read(only(vault.events()));
    expect(event).toContain('1 250.00 EUR went out, as in the task; reference 4711 is in both; the task or its matter');
    expect(event).toContain('Invoice 4711');
  });

  test('is proposed where the settings do not name the account, and the gate says what to do', async () => {
    const files = { ...TO_PAY, 'steward.md': settings({ settle_seconds: 0, trusted_signal_sources: [] }) };
    const { vault, bench, gates } = await booked(files, bankLine());
    expect(vault.fields('task/pay.md').state).toBe('open');
    expect(vault.fields('task/pay.md')).not.toHaveProperty('pending_confirmation');
    expect(gates).toContain(`no statement of an account in trusted_bank_accounts names ${ROOFER}`);
    expect(bench.waiting()).toHaveLength(1);
  });

  test('is acted upon by the sum and the reference where the task does not name the IBAN', async () => {
    const files = {
      ...TO_PAY,
      'task/pay.md': task({ aliases: ['Pay the roof'], amount: '1.250,00 €', invoice: '4711' }),
    };
    const { vault } = await booked(files, bankLine());
    expect(vault.fields('task/pay.md').state).toBe('done');
  });

  test('is proposed where the sum and the words fit, and neither the reference nor the IBAN', async () => {
    const files = { ...TO_PAY, 'task/pay.md': task({ aliases: ['Pay the roof'], amount: '1.250,00 €' }) };
    const { vault } = await booked(files, bankLine({ purpose: 'Pay the roof' }));
    expect(vault.fields('task/pay.md').state).toBe('open');
  });

  test('is acted upon for money that came in, by the sum and the IBAN alone', async () => {
    const refund = task({ amount: '80 EUR', due: today() });
    const files = { ...TO_PAY, 'task/await the refund.md': refund, 'matter/house.md': matter({ senders: [ROOFER] }) };
    const { vault } = await booked(files, bankLine({ amount: '80.00', purpose: 'no words that say anything' }));
    expect(vault.fields('task/await the refund.md').state).toBe('done');
    const { target_evidence } = vault.fields(`signal/${only(vault.names('signal'))}`);
    expect(target_evidence).toEqual(['sender', 'amount']);
  });

  test('closes no matter, though nothing of it is open any more', async () => {
    const { vault } = await booked(TO_PAY, bankLine());
    expect(vault.fields('matter/house.md').state).toBe('open');
  });
});

describe('a bank line that looks like the payment of another task', () => {
  const RENT = { parent_matter: '[[flat]]', amount: '900 EUR' };
  const FLAT = matter({ senders: [ROOFER] });
  const rent = bankLine({ amount: '-900.00', purpose: 'Rent', counterparty: 'Harbour Homes' });

  test('of the month before, dealt with by hand, does not settle the next one', async () => {
    const next = task({ ...RENT, due: day(29) });
    const done = task({ ...RENT, due: today(), state: 'done' });
    const files = { ...TO_PAY, 'matter/flat.md': FLAT, 'task/pay december.md': next, 'task/pay november.md': done };
    const { vault, bench } = await booked(files, rent);
    expect(vault.fields('task/pay december.md').state).toBe('open');
    expect(bench.waiting()).toEqual([]);
  });

  test.each([
    ['is due only next month', { due: day(29) }],
    ['is not due', {}],
  ])('is proposed for a task that %s', async (_, parts) => {
    const files = { ...TO_PAY, 'matter/flat.md': FLAT, 'task/pay the rent.md': task({ ...RENT, ...parts }) };
    const { vault, bench } = await booked(files, rent);
    expect(vault.fields('task/pay the rent.md').state).toBe('open');
    expect(bench.waiting()).toHaveLength(1);
  });

  test('of the same day is proposed where one of two tasks is done', async () => {
    const files = {
      ...TO_PAY,
      'matter/flat.md': FLAT,
      'task/pay the rent.md': task({ ...RENT, due: today() }),
      'task/pay the garage.md': task({ ...RENT, due: today(), state: 'done' }),
    };
    const { vault, bench } = await booked(files, rent);
    expect(vault.fields('task/pay the rent.md').state).toBe('open');
    expect(bench.waiting()).toHaveLength(1);
    const { reasoning } = vault.fields(`signal/${only(vault.names('signal'))}`);
    expect(reasoning).toContain('"pay the garage" is done already, and fits as well');
  });

  test('settles the task where nothing else is like it', async () => {
    const files = { ...TO_PAY, 'matter/flat.md': FLAT, 'task/pay the rent.md': task({ ...RENT, due: day(3) }) };
    expect((await booked(files, rent)).vault.fields('task/pay the rent.md').state).toBe('done');
  });

  test('to another whom the matter names is not taken for that of the painter', async () => {
    const painter = task({ parent_matter: '[[flat]]', amount: '900 EUR', due: today() });
    const files = {
      ...TO_PAY,
      'matter/flat.md': matter({ senders: [ROOFER, STRANGER] }),
      'task/pay the painter.md': painter,
    };
    const { vault } = await booked(files, rent);
    expect(vault.fields('task/pay the painter.md').state).toBe('open');
  });

  test('to the matter’s IBAN is put to the person where the task names one of its own', async () => {
    const painter = task({ parent_matter: '[[flat]]', amount: '900 EUR', due: today(), iban: STRANGER });
    const files = { ...TO_PAY, 'matter/flat.md': FLAT, 'task/pay the painter.md': painter };
    expect((await booked(files, rent)).vault.fields('task/pay the painter.md').state).toBe('open');
  });

  test('that came back is not the refund that is awaited', async () => {
    const refund = task({ amount: '80 EUR', iban: ROOFER, due: today() });
    const files = { ...TO_PAY, 'task/await the refund.md': refund };
    const { vault, bench } = await booked(files, bankLine({ amount: '80.00', isReversal: true }));
    expect(vault.fields('task/await the refund.md').state).toBe('open');
    expect(bench.waiting()).toHaveLength(1);
  });
});

function today(): string {
  return day(0);
}

function day(ahead: number): string {
  return new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
}

describe('a bank line that does not settle it', () => {
  test('a part is put to the person, with what is open', async () => {
    const { vault, bench } = await booked(TO_PAY, bankLine({ amount: '-500.00' }));
    expect(vault.fields('task/pay.md').state).toBe('open');
    expect(bench.waiting()).toHaveLength(1);
    expect(vault.read(only(vault.events()))).toContain('750.00 EUR open');
  });

  test('the part that makes it whole proposes that it is done, and never makes it so', async () => {
    const second = bankLine({ amount: '-750.00' }, { path: 'stream/bank/november.csv#ba9876543210' });
    const { vault, bench } = await booked(TO_PAY, bankLine({ amount: '-500.00' }), second);
    expect(vault.fields('task/pay.md')).toMatchObject({ state: 'open', pending_confirmation: true });
    expect(bench.waiting().some(({ change }) => change?.includes('done') === true)).toBe(true);
    const said = vault.names('signal').map((name) => vault.fields(`signal/${name}`).reasoning);
    expect(said.join('\n')).toContain('750.00 EUR went out, 500.00 EUR before, the task says 1 250.00');
  });

  test('a part that two files tell of is counted once', async () => {
    const half = { amount: '-625.00', day: day(-1) };
    const at = { originAt: `${day(-1)}T00:00:00Z` };
    const again = bankLine(half, { ...at, path: 'stream/bank/november.xml#ba9876543210' });
    const { vault, bench } = await booked(TO_PAY, bankLine(half, at), again);
    expect(vault.fields('task/pay.md').state).toBe('open');
    expect(bench.waiting().some(({ change }) => change?.includes('done') === true)).toBe(false);
  });

  test('a part that came back is no longer paid', async () => {
    const nth = (id: number) => ({ path: `stream/bank/november.csv#${String(id).padStart(12, '0')}` });
    const { vault, bench } = await booked(
      TO_PAY,
      bankLine({ amount: '-500.00' }, nth(1)),
      bankLine({ amount: '500.00', purpose: 'Rückläufer 4711' }, nth(2)),
      bankLine({ amount: '-750.00' }, nth(3)),
    );
    expect(vault.fields('task/pay.md').state).toBe('open');
    expect(bench.waiting().some(({ change }) => change?.includes('done') === true)).toBe(false);
  });

  test('what came back after the task was done is put to the person, and reopens nothing by itself', async () => {
    const files = {
      ...TO_PAY,
      'task/pay.md': task({ state: 'done', amount: 1250, reference: 4711, aliases: ['Pay the roof'] }),
    };
    const { vault, bench } = await booked(files, bankLine({ amount: '1250.00', purpose: 'Rückläufer 4711' }));
    expect(vault.fields('task/pay.md').state).toBe('done');
    expect(bench.waiting()).toHaveLength(1);
  });

  test('what is not booked yet gives no signal, for that reason', async () => {
    const { vault } = await booked(TO_PAY, bankLine({ status: 'pending' }));
    expect(vault.names('signal')).toEqual([]);
    expect(admitted(bankLine({ status: 'pending' }), new Date())).toEqual({ ok: false, reason: 'not booked yet' });
  });

  test('where only the sum fits, the person is asked which task is meant', async () => {
    const other = bankLine({ counterparty: 'Corner shop', iban: null, purpose: 'card' });
    const files = { ...TO_PAY, 'task/pay.md': task({ aliases: ['Pay the roof'], amount: 1250 }) };
    const { vault, bench } = await booked(files, other);
    expect(vault.fields('task/pay.md').state).toBe('open');
    expect(bench.waiting().map(({ kind }) => kind)).toEqual(['choice']);
  });
});

test('fields of other people under these names make no task unreadable', async () => {
  const odd = task({
    amount: { net: 1, gross: 2 },
    reference: [['x']],
    iban: true,
    invoice: 1e30,
    counterparty: [1, null, 'Roof'],
  });
  const { bench } = await booked({ ...TO_PAY, 'task/odd.md': odd });
  expect(bench.status().trouble).toEqual([]);
});

test('a statement of two months ago is read, and one of last year is not', async () => {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const line = (days: number) => bankLine({ day: ago(days) }, { originAt: `${ago(days)}T12:00:00Z` });
  expect((await booked(TO_PAY, line(60))).vault.names('signal')).toHaveLength(1);
  expect((await booked(TO_PAY, line(365))).vault.names('signal')).toEqual([]);
});

describe('a bank line that says nothing of a task', () => {
  test('names the task that it was compared with, and what leads to that', async () => {
    const silence = await silenceOf(bankLine({ amount: '-77.00', purpose: 'small repairs' }));
    expect(silence).toMatchObject({
      kind: 'nothing-said',
      reason: 'it is another sum: pay',
      closest: [{ note: 'task/pay.md', score: 0.95, evidence: ['sender', 'name'] }],
    });
  });

  test('names no note that only has a number or a word of it', async () => {
    const strange = {
      amount: '-77.40',
      iban: null,
      counterparty: 'Payee 12 Example Ltd',
      purpose: 'purchase at shop 3',
    };
    expect(await silenceOf(bankLine(strange, { subject: 'Payee 12 Example Ltd 77.40 out: shop 3' }))).toMatchObject({
      kind: 'no-note',
      closest: [],
    });
  });

  async function silenceOf(line: StreamEvent) {
    const named = { 'task/shop 12.md': task(), 'matter/payee 77.md': matter() };
    const bench = await Bench.open(new TempVault({ ...TO_PAY, ...named }));
    const read = await extract(bench.ports, line, new AbortController().signal);
    return read.kind === 'waits' ? null : read.silence;
  }
});

test('no model is asked about a bank line', async () => {
  const { bench } = await booked(TO_PAY);
  expect(questionFor(bench.ports, bankLine())).toBeNull();
  expect(bench.settings.trusted_bank_accounts).toEqual([ACCOUNT]);
});
