import fs from 'node:fs';
import { expect, test } from 'vitest';
import { type VisitResult, visit } from '../../src/daemon/daemon.ts';
import { FileLeaseProvider } from '../../src/daemon/lease.ts';
import { Clock } from '../support/clock.ts';
import { HOUSE, ODD_TASK, settings, signal } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { LIVE } from '../support/workspace.ts';

/** A house whose notes come to rest in a second. */
const QUICK = { ...HOUSE, 'steward.md': settings({ settle_seconds: 1 }) };
const NEVER = new AbortController().signal;

/** Visits a vault once. */
async function visited(vault: TempVault, clock = new Clock(), stop: AbortSignal = NEVER): Promise<VisitResult> {
  const parts = { root: vault.root, env: LIVE, now: clock.now, emit: () => {} };
  return visit(parts, vault.outside, new FileLeaseProvider({ ...parts, paths: vault.outside }), stop);
}

test('a visit does what is due, says until when nothing is, and leaves the vault to the next', async () => {
  const vault = new TempVault({ ...QUICK, 'signal/s1.md': signal() });
  const before = Date.now();
  const first = await visited(vault);
  expect(vault.read('task/pay.md')).not.toBe(ODD_TASK);
  expect(vault.events()).toHaveLength(1);
  expect(fs.existsSync(vault.places.lock)).toBe(false);
  expect(first.epoch).toBe(1);
  expect(first.until).toBeGreaterThan(before);
  expect(await visited(vault)).toMatchObject({ epoch: 2 });
  expect(vault.events()).toHaveLength(1);
});

test('who is asked to stop leaves at once, and says that something may be left to do', async () => {
  const vault = new TempVault({ ...QUICK, 'signal/s1.md': signal() });
  const stop = new AbortController();
  stop.abort();
  const clock = new Clock();
  const { until } = await visited(vault, clock, stop.signal);
  expect(until).toBeLessThanOrEqual(clock.now());
  expect(fs.existsSync(vault.places.lock)).toBe(false);
});
