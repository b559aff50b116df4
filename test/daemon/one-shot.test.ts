import fs from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { oneShot } from '../../src/daemon/one-shot.ts';
import { HOUSE, signal } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { LIVE } from '../support/workspace.ts';

test('a command does not act on half a vault: a record folder that cannot be listed is waited for (75)', async () => {
  const vault = new TempVault({ ...HOUSE, 'signal/s1.md': signal() });
  const { opendirSync } = fs;
  const refusing = (folder: string, options: never) => {
    if (!folder.endsWith('/task')) return opendirSync(folder, options);
    throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
  };
  const spy = vi.spyOn(fs, 'opendirSync').mockImplementation(refusing as never);
  onTestFinished(() => spy.mockRestore());
  const parts = { root: vault.root, env: LIVE, now: Date.now, emit: () => {} };
  await expect(oneShot(parts, async () => 'worked')).rejects.toMatchObject({
    exit: 75,
    trouble: { code: 'vault-away' },
  });
  spy.mockRestore();
  expect(await oneShot(parts, async () => 'worked')).toBe('worked');
});
