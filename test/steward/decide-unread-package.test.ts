import { afterEach, expect, test, vi } from 'vitest';
import * as packages from '../../src/vault/data.ts';
import { EXIT, StewardError } from '../../src/vault/errors.ts';
import { HOUSE, ODD_TASK, signal } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

vi.mock(import('../../src/vault/data.ts'), { spy: true });
afterEach(() => vi.restoreAllMocks());

test('what cannot be edited because a package cannot be loaded is no refusal: nothing is written, and the next try acts', async () => {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': ODD_TASK, 'signal/s1.md': signal() });
  const bench = await Bench.open(vault);
  const unread = new StewardError({ code: 'program-unread', message: 'No.', hint: 'None.' }, EXIT.tryAgain);
  const yaml = vi.mocked(packages.yaml).mockImplementation(() => {
    throw unread;
  });
  await expect(bench.tick('house')).rejects.toMatchObject({ trouble: { code: 'program-unread' } });
  expect(vault.read('task/pay.md')).toBe(ODD_TASK);
  expect(vault.events()).toEqual([]);
  yaml.mockRestore();
  await bench.tick('house');
  expect(vault.read('task/pay.md')).not.toBe(ODD_TASK);
  expect(vault.events()).toHaveLength(1);
});
