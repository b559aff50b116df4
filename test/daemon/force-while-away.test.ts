import { expect, test } from 'vitest';
import { HOUSE, settings, signal, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';

/** A vault in which a person has decided otherwise than the program, and has ticked `undo` all the same: a conflict. */
async function conflicting() {
  const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ settle_seconds: 0 }), 'task/pay.md': task() });
  const running = await Running.start(vault);
  vault.write('signal/s1.md', signal());
  const { event } = await running.heard('acted');
  const action = vault.events().find((name) => name.includes(event)) ?? '';
  vault.edit('task/pay.md', 'state: done', 'state: archived');
  await running.sync();
  vault.edit(action, 'undo: false', 'undo: true');
  await running.heard('reversed', ({ outcome }) => outcome === 'conflict');
  await running.sync();
  const reversal = vault.events().find((name) => name.includes('reversed')) ?? '';
  return { vault, running, reversal };
}

test('force that is ticked while the program is away is heard at the next start, and once', async () => {
  const { vault, running, reversal } = await conflicting();
  expect(vault.read(reversal)).toContain('Tick `force` above');
  await running.stop();
  vault.edit(reversal, 'force: false', 'force: true');
  const again = await Running.start(vault);
  await again.heard('reversed', ({ outcome }) => outcome === 'reversed');
  await again.sync();
  expect(vault.fields('task/pay.md').state).toBe('open');
  expect(vault.read(reversal)).not.toContain('Tick `force` above');
  const notes = vault.events().length;
  await again.stop();
  const third = await Running.start(vault);
  await third.sync();
  await third.daemon.idle();
  expect(vault.events()).toHaveLength(notes);
  expect(third.count('reversed')).toBe(0);
});
