import { expect, test } from 'vitest';
import { sweepEvery } from '../../../src/daemon/timers.ts';
import { Layout } from '../../../src/vault/layout.ts';
import { DEFAULT_MAPPING } from '../../../src/vault/record.ts';
import { Seal } from '../../../src/vault/seal.ts';
import { Vault } from '../../../src/vault/vault.ts';
import { MINUTE, SECOND } from '../../support/clock.ts';
import { matter } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';

test.each<[string, Parameters<typeof sweepEvery>[0], boolean, number]>([
  ['a small vault', { isSure: true, files: 12, cost: null }, false, MINUTE],
  ['3 000 files', { isSure: true, files: 3_000, cost: null }, false, MINUTE],
  ['30 000 files that were not listed yet', { isSure: true, files: 30_000, cost: null }, false, 10 * MINUTE],
  ['a million files', { isSure: true, files: 1_000_000, cost: null }, false, 30 * MINUTE],
  ['a listing of 300 ms', { isSure: true, files: 1_000_000, cost: 300 }, false, 10 * MINUTE],
  ['a listing that took nothing', { isSure: true, files: 1_000_000, cost: 0 }, false, MINUTE],
  ['a listing of ten seconds', { isSure: true, files: 12, cost: 10_000 }, false, 30 * MINUTE],
  ['on a network disk, or with a watcher in trouble', { isSure: false, files: 1e6, cost: 10_000 }, false, MINUTE],
  ['a vault that is away', { isSure: true, files: 1e6, cost: 10_000 }, true, 2 * SECOND],
])('%s', (_, vault, isAway, expected) => {
  expect(sweepEvery(vault, isAway)).toBe(expected);
});

test('what a sweep takes is known after it', async () => {
  const temp = new TempVault({ 'matter/rent.md': matter() });
  const vault = new Vault(temp.root, new Layout(), DEFAULT_MAPPING);
  await vault.open(temp.at('.steward/cache/records'), new Seal(Buffer.alloc(32)));
  expect(vault.watched.cost).toBeNull();
  await vault.sweep();
  expect(vault.watched.cost).toBeGreaterThan(0);
});
