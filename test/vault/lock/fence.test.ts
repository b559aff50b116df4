import fs from 'node:fs';
import { expect, test } from 'vitest';
import { compose } from '../../../src/daemon/compose.ts';
import { prepare } from '../../../src/daemon/context/own-folders.ts';
import { routeSignal } from '../../../src/daemon/decide.ts';
import { Lock } from '../../../src/vault/lock.ts';
import { HOUSE, ODD_TASK, signal } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { LIVE } from '../../support/workspace.ts';

/** Acts on a signal, while another process takes the vault just before the look at the lock with this number. */
async function actedUntil(look: number): Promise<{ vault: TempVault; error: unknown; looks: number }> {
  const vault = new TempVault({ ...HOUSE, 'signal/s1.md': signal() });
  prepare(vault.places);
  const lock = Lock.take(vault.places.lock, { role: 'command', socket: null, now: Date.now() });
  let looks = 0;
  const demand = () => {
    looks += 1;
    if (looks === look) vault.write('.steward/lock', JSON.stringify({ ...lock.holder, token: 'theirs' }));
    lock.demand();
  };
  const error = await act(vault, demand).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  lock.release();
  return { vault, error, looks };
}

async function act(vault: TempVault, demand: () => void): Promise<void> {
  const { space } = await compose({ root: vault.root, env: LIVE, now: Date.now, emit: () => {}, demand });
  const found = space.vault.catalogue.get('signal/s1.md');
  if (found?.kind !== 'signal') throw new Error('there is no signal');
  await routeSignal(space, found, null);
}

test('whenever the vault is lost, an action is made whole or not at all, and the note is looked at last before it', async () => {
  const { looks, vault: whole } = await actedUntil(0);
  expect(looks).toBeGreaterThanOrEqual(3);
  expect(whole.events()).toHaveLength(1);
  const ends: string[] = [];
  for (let look = 1; look <= looks; look += 1) {
    const { vault, error } = await actedUntil(look);
    const isMade = vault.read('task/pay.md') !== ODD_TASK;
    expect(vault.events()).toHaveLength(isMade ? 1 : 0);
    if (!isMade) expect(error).toMatchObject({ exit: 75, trouble: { code: 'lock-lost' } });
    expect(fs.readdirSync(vault.places.tmp)).toEqual([]);
    ends.push(isMade ? 'made' : 'not made');
    if (!isMade) expect(fs.readdirSync(vault.places.journal)).toEqual([]);
  }
  // The look that comes last before the note changes is the one at the swap.
  expect(ends.slice(0, 3)).toEqual(['not made', 'not made', 'not made']);
});
