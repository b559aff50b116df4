import { expect, test } from 'vitest';
import { findInstinct } from '../../src/steward/instinct.ts';
import { HOUSE, instinct, task } from '../support/notes.ts';
import { ANNA, ownLicence, ownSignal } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

test('what was taken back, given back and taken back again counts as if it had been taken back once', async () => {
  const known = { pattern: ANNA, confidence: 1, observations: 60 };
  const licence = { 'licence/anna.md': ownLicence('licence/anna.md') };
  const files = { ...licence, [`instinct/mail/${ANNA}.md`]: instinct('mail', known), 'task/pay.md': task() };
  const vault = new TempVault({ ...HOUSE, ...files, 'signal/s.md': ownSignal('signal/s.md') });
  const bench = await Bench.open(vault);
  await bench.tick();
  expect(vault.fields('task/pay.md').state).toBe('done');
  let last: string = only(vault.events());
  const figures: [confidence: number, reversals: number][] = [];
  for (let times = 0; times < 5; times += 1) {
    const { note } = await bench.undo(last);
    if (note === null) throw new Error('it was not taken back');
    last = note;
    await bench.sweep();
    const { confidence, reversals } = findInstinct(bench.ports, `mail:${ANNA}`);
    figures.push([confidence, reversals]);
  }
  const [taken, given] = [
    [0.9, 1],
    [1, 0],
  ];
  expect(figures).toEqual([taken, given, taken, given, taken]);
});
