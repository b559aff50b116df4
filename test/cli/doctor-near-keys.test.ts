import { expect, test } from 'vitest';
import { nearKeys } from '../../src/features/examination.ts';
import { atOnce } from '../../src/vault/time.ts';
import { matter, settings, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

async function saidOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const bench = await Bench.open(new TempVault({ 'steward.md': settings(), 'matter/house.md': matter(), ...files }));
  return atOnce(nearKeys(bench.ports)).map(({ file, key, meant }) => `${file}: ${key} → ${meant}`);
}

test('a key of a matter or task that is almost one of ours is named with what was meant', async () => {
  const house = matter({ surface_clas: 'high', steward_shedule: 'every 1d', sender: ['anna@notary.example'] });
  expect(await saidOf({ 'matter/house.md': house, 'task/pay.md': task({ snoozed_untill: '2026-12-01' }) })).toEqual([
    ...['surface_clas → surface_class', 'steward_shedule → steward_schedule', 'sender → senders'].map(
      (said) => `matter/house.md: ${said}`,
    ),
    'task/pay.md: snoozed_untill → snoozed_until',
  ]);
});

test('people’s own keys are nobody’s business', async () => {
  const own = {
    tags: ['a'],
    cssclasses: [],
    priority: 'high',
    dateCreated: 1,
    timeEstimate: 2,
    contexts: [],
    colour: 'red',
  };
  const more = {
    title: 'x',
    area: 'y',
    rating: 5,
    cover: 'z',
    created: 1,
    modified: 2,
    publish: true,
    location: 'Ghent',
  };
  expect(
    await saidOf({ 'task/pay.md': task({ ...own, ...more }), 'matter/boat.md': matter({ ...own, ...more }) }),
  ).toEqual([]);
});

test('a key that the settings map or let be edited is ours', async () => {
  const mapped = settings({ field_mapping: ['owners = owner'], editable_fields: ['summaryy'] });
  expect(await saidOf({ 'steward.md': mapped, 'task/pay.md': task({ owners: 'Robin', summaryy: 'x' }) })).toEqual([]);
});
