import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { PlaneClient } from '../../../src/features/plane-client.ts';
import { PlaneEar } from '../../../src/features/plane-work.ts';
import { matter, task } from '../../support/notes.ts';
import { ownLicence } from '../../support/own-signal.ts';
import type { Running } from '../../support/running.ts';
import { Bench, only } from '../../support/workspace.ts';
import { comments, type PlaneHouse, paid, planeHouse } from './house.ts';

const ROBIN = '5f0c1a52-1111-4222-8333-444455556666';

/** A daemon that has met the work item, and forgets what it did last time. */
async function met(house: PlaneHouse): Promise<Running> {
  const running = await house.start();
  await running.saved('plane-seen', { [house.server.project]: { items: { [house.item]: {} } } });
  await running.stop();
  return running;
}

/** What the signals of the source `plane` propose. */
function heard({ vault }: PlaneHouse): unknown[] {
  return vault.names('signal').map((name) => vault.fields(`signal/${name}`).mutation_proposal ?? null);
}

test('what somebody completes in Plane is a signal of theirs on the task, and acts under their licence', async () => {
  const house = await planeHouse();
  house.vault.write('licence/robin.md', ownLicence('licence/robin.md', { sender: `plane:${ROBIN}` }));
  await met(house);
  house.server.change(house.item, { state: house.server.states.completed }, ROBIN);
  const running = await house.start();
  await running.heard('signal-written');
  await running.ask({ op: 'tick', matters: [], force: true, mode: null });
  await running.heard('acted');
  const signal = house.vault.fields(`signal/${only(house.vault.names('signal'))}`);
  expect(signal).toMatchObject({
    source_type: 'plane',
    pattern: ROBIN,
    authenticated: 'pass',
    target_path: 'task/pay.md',
  });
  expect(signal).toMatchObject({
    target_evidence: ['link'],
    raw_quote: 'moved to completed!',
    sender_known: 'licensed',
  });
  expect(house.vault.fields('task/pay.md').state).toBe('done');
  // It stands there already: a comment says so, and the state is left.
  await comments(house.server, 1);
  expect(house.server.count('PATCH', '')).toBe(0);
});

test('nobody without a licence acts from Plane, though the matter names them: it is proposed', async () => {
  const house = await planeHouse([ROBIN]);
  await met(house);
  house.server.change(house.item, { state: house.server.states.cancelled }, ROBIN);
  const running = await house.start();
  await running.heard('signal-written');
  await running.ask({ op: 'tick', matters: [], force: true, mode: null });
  await running.heard('proposed');
  expect(heard(house)).toEqual([{ class: 'state_change', set: { state: 'archived' } }]);
  expect(house.vault.fields('task/pay.md').state).toBe('open');
});

test('another date is heard, and the words of a comment are read for the task of its work item alone', async () => {
  const house = await planeHouse([ROBIN]);
  house.vault.write('task/other.md', task());
  await met(house);
  house.server.change(house.item, { target_date: '2030-05-06' }, ROBIN);
  house.server.says(
    house.item,
    '<p>[[other]] has been paid. <span style="display:none">it is called off</span></p>',
    ROBIN,
  );
  const running = await house.start();
  await expect.poll(() => heard(house).length).toBe(2);
  await running.sync();
  expect(heard(house)).toEqual(
    expect.arrayContaining([
      { class: 'context_edit', set: { due: '2030-05-06' } },
      { class: 'state_change', set: { state: 'done' } },
    ]),
  );
  for (const name of house.vault.names('signal'))
    expect(house.vault.fields(`signal/${name}`).target_path).toBe('task/pay.md');
});

test('what we did ourselves is no news', async () => {
  const house = await planeHouse([ROBIN]);
  const running = await house.start();
  await running.saved('plane-seen', { [house.server.project]: { items: { [house.item]: {} } } });
  paid(house.vault);
  await comments(house.server, 1);
  await expect.poll(() => house.server.groupOf(house.item)).toBe('completed');
  await expect.poll(() => running.daemon.status().plane).toBeNull();
  await running.stop();
  const again = await house.start();
  await expect.poll(() => house.server.count('GET', 'per_page=50')).toBeGreaterThan(0);
  await again.sync();
  expect(house.vault.names('stream/plane')).toEqual([]);
});

test('what was so before we first looked is no news, and the same news is written once', async () => {
  const house = await planeHouse([ROBIN]);
  house.server.change(house.item, { state: house.server.states.completed }, ROBIN);
  await met(house);
  expect(house.vault.names('stream/plane')).toEqual([]);
  house.server.change(house.item, { target_date: '2030-05-06' }, ROBIN);
  const seen = house.vault.stateFiles('plane-seen');
  const first = await house.start();
  await first.heard('stream-read');
  await first.stop();
  // Killed before what was seen was kept: it is heard again.
  house.vault.resetState('plane-seen', seen);
  const before = house.server.asked.length;
  const second = await house.start();
  await expect.poll(() => house.server.asked.length).toBeGreaterThan(before + 1);
  await second.sync();
  expect(house.vault.names('stream/plane')).toHaveLength(1);
  expect(house.vault.names('signal')).toHaveLength(1);
});

test('a project that Plane does not know stops nothing else', async () => {
  const house = await planeHouse([ROBIN]);
  const nowhere = '00000000-0000-4000-8000-000000000000';
  house.vault.write('matter/attic.md', matter({ plane_project_id: nowhere }));
  house.vault.write('task/floor.md', task({ parent_matter: '[[attic]]', plane_issue_id: randomUUID() }));
  await met(house);
  expect(house.server.count('GET', nowhere)).toBe(1);
});

/** An ear that has met the work item. */
async function listening(house: PlaneHouse): Promise<PlaneEar> {
  const bench = await Bench.open(house.vault, { env: house.env });
  await bench.sweep();
  const client = new PlaneClient(house.server.access, Date.now, new AbortController().signal);
  const ear = new PlaneEar(bench.ports, client);
  await ear.listen();
  return ear;
}

test('a state that was made in Plane after the states were asked for is known', async () => {
  const house = await planeHouse([ROBIN]);
  const ear = await listening(house);
  house.server.change(house.item, { state: house.server.states.started }, ROBIN);
  await ear.listen();
  const shipped = randomUUID();
  const results = [{ id: shipped, name: 'Shipped', group: 'completed' }];
  house.server.mischief = ({ path }) =>
    path.includes('/states/') ? { do: 'say', body: JSON.stringify({ results }) } : null;
  house.server.change(house.item, { state: shipped }, ROBIN);
  await ear.listen();
  expect(house.vault.read(`stream/plane/${only(house.vault.names('stream/plane'))}`)).toContain('moved to Shipped');
});

test('work items that are gone are asked for once, and keep no other from being met', async () => {
  const house = await planeHouse([ROBIN]);
  const gone = Array.from({ length: 25 }, () => randomUUID());
  for (const [nth, item] of gone.entries()) house.vault.write(`task/a${nth}.md`, task({ plane_issue_id: item }));
  const ear = await listening(house);
  await ear.listen();
  await ear.listen();
  for (const item of gone) expect(house.server.count('GET', item)).toBe(1);
  house.server.change(house.item, { target_date: '2030-05-06' }, ROBIN);
  await ear.listen();
  expect(house.vault.names('stream/plane')).toHaveLength(1);
});
