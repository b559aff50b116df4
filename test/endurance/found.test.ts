import { expect, onTestFinished, test } from 'vitest';
import { stem } from '../../src/vault/layout.ts';
import { HOUR } from '../support/clock.ts';
import { matter, settings, weak } from '../support/notes.ts';
import { fieldsOf } from './burst.ts';
import { World } from './world.ts';

// What the simulated months found, each as a test of its own.

test('what is thought in shadow overtakes no live proposal: its flag and its answer stay', async () => {
  const world = new World();
  onTestFinished(() => world.remove());
  world.clock.move(HOUR);
  world.write('steward.md', settings());
  world.write('matter/house.md', matter());
  await world.start();
  await weakly(world, 'one', '2035-12-01');
  const [live] = world.files('event');

  world.write('steward.md', settings({ mode: 'shadow' }));
  await weakly(world, 'two', '2035-12-08');

  expect(world.files('event')).toHaveLength(2);
  expect(fieldsOf(world, 'matter/house.md').pending_confirmation).toBe(true);
  const open = world.daemon.status().proposals.map(({ event }) => event);
  expect(open).toEqual(world.files('event').map(stem));

  world.write(live ?? '', world.read(live ?? '').replace('confirm: false', 'confirm: true'));
  await world.settle();
  expect(fieldsOf(world, 'matter/house.md')).toEqual({ type: 'matter', state: 'open', due: '2035-12-01' });
  expect(world.daemon.status().proposals).toEqual([]);
});

async function weakly(world: World, name: string, due: string): Promise<void> {
  const proposal = { class: 'context_edit', set: { due } };
  const target = { target_kind: 'matter', target_path: 'matter/house.md' };
  world.write(`signal/${name}.md`, weak({ ...target, mutation_proposal: proposal }));
  await world.pass(HOUR);
}
