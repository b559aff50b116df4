import { expect, test } from 'vitest';
import { auditLog } from '../../src/features/audit-log.ts';
import { HOUSE, signal, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

test('a conflict is logged with the note that it is about, and for its matter', async () => {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), 'signal/s1.md': signal() });
  const bench = await Bench.open(vault);
  await bench.route('signal/s1.md');
  const event = only(vault.events());
  vault.edit('task/pay.md', 'state: done', 'state: archived');
  await bench.sweep();
  expect((await bench.undo(event)).outcome).toBe('conflict');
  await bench.sweep();
  const [conflict] = auditLog(bench.ports, 5, 'house');
  expect(conflict).toMatchObject({ outcome: 'conflict', target: 'task/pay.md', candidates: [] });
});

test('a choice is logged with all notes that could be meant, and for the matter of each', async () => {
  const odd = signal({ target_ambiguous: true, target_candidates: ['task/pay.md', 'task/other.md'] });
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), 'task/other.md': task(), 'signal/s1.md': odd });
  const bench = await Bench.open(vault);
  await bench.tick();
  await bench.sweep();
  const asked = auditLog(bench.ports, 5, 'house').filter(({ outcome }) => outcome === 'asked');
  expect(asked).toMatchObject([{ target: null, candidates: ['pay', 'other'] }]);
});
