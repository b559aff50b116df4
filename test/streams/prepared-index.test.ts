import { expect, test } from 'vitest';
import { syncTargets } from '../../src/streams/target-sync.ts';
import { matter, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

test('what changes while the index is being made is in it', async () => {
  const vault = new TempVault({
    'matter/house.md': matter(),
    'task/roof.md': task({ title: 'Mend the roof' }),
    'task/door.md': task({ title: 'Paint the door' }),
  });
  const bench = await Bench.open(vault);
  const targets = syncTargets(bench.ports);
  const work = targets.prepare?.();
  work?.next(); // the first note is in the index
  vault.write('task/fence.md', task({ title: 'Build the fence' }));
  vault.remove('task/door.md');
  const { catalogue } = bench;
  const before = { door: catalogue.get('task/door.md') ?? null, fence: null };
  await bench.sweep();
  const after = { door: null, fence: catalogue.get('task/fence.md') ?? null };
  targets.follow([
    { path: 'task/door.md', before: before.door, after: after.door },
    { path: 'task/fence.md', before: before.fence, after: after.fence },
  ]);
  for (const _ of work ?? []);
  const paths = ['task/roof.md', 'task/door.md', 'task/fence.md'];
  expect(paths.filter((path) => targets.index.get(path) !== null)).toEqual(['task/roof.md', 'task/fence.md']);
});

test('an index that is asked for while it is being made is whole', async () => {
  const vault = new TempVault({ 'matter/house.md': matter(), 'task/roof.md': task(), 'task/door.md': task() });
  const targets = syncTargets((await Bench.open(vault)).ports);
  const work = targets.prepare?.();
  work?.next();
  const asked = targets.index;
  expect(asked.get('task/door.md')).not.toBeNull();
  for (const _ of work ?? []);
  expect(targets.index).toBe(asked);
});
