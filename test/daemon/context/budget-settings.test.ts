import { expect, test } from 'vitest';
import { readEnvironment } from '../../../src/daemon/environment.ts';
import { readSettings } from '../../../src/daemon/settings.ts';
import { UNKNOWN_SETTINGS } from '../../../src/steward/settings.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, LIVE } from '../../support/workspace.ts';

const note = (line: string) => ({ 'steward.md': `---\ntype: steward\n${line}\n---\n` });

test.each([
  ['', 1],
  ['budget_usd_per_day:', 1],
  ['budget_usd_per_day: null', 1],
  ['budget_usd_per_day: 0', 0],
  ['budget_usd_per_day: 2.5', 2.5],
  ['budget_usd_per_day: unlimited', null],
])('“%s”: that there is no limit must be said in so many words', (line, cap) => {
  const vault = new TempVault(note(line));
  expect(readSettings(vault.root, UNKNOWN_SETTINGS)).toMatchObject({
    settings: { budget_usd_per_day: cap },
    troubles: [],
  });
});

test.each(['-1', 'lots', '.inf', '[1]'])(
  'budget_usd_per_day: %s is refused, and nothing is spent at a start',
  (written) => {
    const vault = new TempVault(note(`budget_usd_per_day: ${written}`));
    const { settings, troubles } = readSettings(vault.root, UNKNOWN_SETTINGS);
    expect(settings.budget_usd_per_day).toBe(0);
    expect(troubles).toMatchObject([{ code: 'settings-invalid', message: expect.stringContaining('or unlimited') }]);
  },
);

test.each([
  ['', undefined, 1],
  ['', '0.25', 0.25],
  ['', '5', 1],
  ['budget_usd_per_day: 9', '5', 5],
  ['budget_usd_per_day: unlimited', '5', 5],
  ['budget_usd_per_day: unlimited', '0', 0],
  ['budget_usd_per_day: unlimited', ' ', null],
])('“%s” under an environment of %s: the lower of both holds', async (line, written, cap) => {
  const { budgetUsdPerDay = null } = readEnvironment({ STEWARD_BUDGET_USD_PER_DAY: written });
  const bench = await Bench.open(new TempVault(note(line)), { env: { ...LIVE, budgetUsdPerDay } });
  expect(bench.status().gates.budget.vault.caps.usd).toBe(cap);
});

test.each(['-1', 'many', 'NaN', 'Infinity'])('an environment of %s is exit 78', (written) => {
  expect(() => readEnvironment({ STEWARD_BUDGET_USD_PER_DAY: written })).toThrow(
    expect.objectContaining({ exit: 78, trouble: expect.objectContaining({ code: 'settings-budget' }) }),
  );
});
