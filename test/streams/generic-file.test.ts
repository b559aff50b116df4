import { describe, expect, test } from 'vitest';
import { type GenericEvent, genericEvent, genericName, genericText } from '../../src/streams/generic-event.ts';
import { utc } from '../../src/vault/time.ts';
import { matter, settings, task } from '../support/notes.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';
import { ACCOUNT, ROOFER, TO_PAY } from './bank-line.ts';
import { sweepAndRead } from './read-unread.ts';

const NOW = utc(Date.now() - 3_600_000);
const TASK = 'task/Renew the passport.md';
const VAULT: Files = {
  'steward.md': settings({ settle_seconds: 0 }),
  'matter/house.md': matter({ senders: ['anna (tickets)'] }),
  [TASK]: task(),
};
const DONE = { id: 'ticket-17', from: 'Anna', time: NOW, title: 'Renew the passport' };

async function live(files: Files) {
  const vault = new TempVault(files);
  const bench = await Bench.open(vault);
  await bench.sweep();
  return { vault, bench };
}

/** Puts an event where its source does, and reads it. */
async function handed({ vault, bench }: Awaited<ReturnType<typeof live>>, source: string, event: GenericEvent) {
  const file = `stream/${source}/${genericName(source, event)}`;
  vault.write(file, genericText(event, source, file, bench.ports.context.seal));
  await sweepAndRead(bench);
  await bench.tick();
  return file;
}

describe('an event that a source handed in', () => {
  test('speaks as its source, and proposes: nobody vouches for its sender, though the matter names them', async () => {
    const house = await live(VAULT);
    await handed(house, 'tickets', genericEvent.parse({ ...DONE, text: 'The passport has been renewed.' }));
    const signal = house.vault.fields(`signal/${only(house.vault.names('signal'))}`);
    expect(signal).toMatchObject({ source_type: 'other', pattern: 'anna (tickets)', authenticated: 'none' });
    expect(house.vault.fields(TASK)).not.toHaveProperty('pending_confirmation');
    expect(house.bench.waiting()).toHaveLength(1);
  });

  test('of a source with the name of a channel speaks in that channel', async () => {
    const house = await live(VAULT);
    await handed(house, 'slack', genericEvent.parse({ ...DONE, text: 'The passport has been renewed.' }));
    expect(house.vault.fields(`signal/${only(house.vault.names('signal'))}`).source_type).toBe('slack');
  });

  test('that is a payment from a trusted account acts by the rules of payments', async () => {
    const payment = { amount: -1250, currency: 'EUR', date: NOW.slice(0, 10), account: ACCOUNT, iban: ROOFER };
    const house = await live({ ...TO_PAY, 'matter/house.md': matter({ senders: [ROOFER] }) });
    await handed(house, 'bank', genericEvent.parse({ ...DONE, title: 'Invoice 4711', payment }));
    expect(house.vault.fields('task/pay.md').state).toBe('done');
  });

  test('that is an appointment gives a task its date, and moves it along', async () => {
    const house = await live({ ...VAULT, 'task/Dentist.md': task() });
    const at = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
    const dentist = (id: string, time: string, day: string) =>
      genericEvent.parse({ id, time, title: 'Dentist', appointment: { start: day, uid: 'dentist' } });
    await handed(house, 'phone', dentist('1', utc(Date.now() - 7_200_000), at(9)));
    const first = house.vault.fields(`signal/${only(house.vault.names('signal'))}`);
    expect(first.mutation_proposal).toEqual({ class: 'context_edit', set: { due: at(9) } });
    house.vault.edit('task/Dentist.md', 'state: open', `state: open\ndue: ${at(9)}`);
    await handed(house, 'phone', dentist('2', NOW, at(11)));
    const proposed = house.vault.names('signal').map((name) => house.vault.fields(`signal/${name}`).mutation_proposal);
    expect(proposed).toContainEqual({ class: 'context_edit', set: { due: at(11) } });
  });

  test('is read once, though its source hands it in again under another name', async () => {
    const house = await live(VAULT);
    const event = genericEvent.parse({ ...DONE, text: 'The passport has been renewed.' });
    await handed(house, 'tickets', event);
    const again = 'stream/tickets/again.event.json';
    house.vault.write(again, genericText({ ...event, title: 'x' }, 'tickets', again, house.bench.ports.context.seal));
    await sweepAndRead(house.bench);
    expect(house.vault.names('signal')).toHaveLength(1);
  });
});

describe('an event that a person drops', () => {
  test('is read as other, in whatever folder it lies', async () => {
    const { vault, bench } = await live(VAULT);
    vault.write('stream/bank/mine.event.json', JSON.stringify({ ...DONE, text: 'The passport has been renewed.' }));
    await sweepAndRead(bench);
    const signal = vault.fields(`signal/${only(vault.names('signal'))}`);
    expect(signal).toMatchObject({ source_type: 'other', pattern: 'anna (a dropped file)' });
  });

  test('and that is none, is refused with the field', async () => {
    const { vault, bench } = await live(VAULT);
    vault.write('stream/mine.event.json', JSON.stringify({ ...DONE, when: 'now' }));
    await sweepAndRead(bench);
    const [refused] = bench.status().streams.refused;
    expect(refused?.reason).toMatch(/^It has no event: it has a field that no event has; its fields are id, from/);
  });
});
