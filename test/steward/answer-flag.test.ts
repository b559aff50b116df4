import { expect, test } from 'vitest';
import { HOUSE, task, weak } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

test('a flag that cannot be taken away exactly holds up no other note of the matter', async () => {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), 'task/z.md': task(), 'signal/a.md': weak() });
  const bench = await Bench.open(vault);
  await bench.tick();
  vault.write(
    'task/pay.md',
    '---\n{type: task, state: done, parent_matter: "[[house]]", pending_confirmation: true}\n---\n',
  );
  vault.write('signal/z.md', weak({ target_path: 'task/z.md', raw_quote: 'z' }));
  const [result] = await bench.tick();
  expect(result?.events).toHaveLength(1);
});

test('a tick in shadow leaves a flag, whatever the vault allows', async () => {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), 'signal/a.md': weak() });
  const bench = await Bench.open(vault);
  await bench.tick();
  vault.edit('task/pay.md', 'state: open', 'state: done');
  const before = vault.read('task/pay.md');
  await bench.tickAs({ matters: [], force: true, mode: 'shadow' });
  expect(vault.read('task/pay.md')).toBe(before);
});
