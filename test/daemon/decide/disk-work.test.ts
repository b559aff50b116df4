import fs from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import type { TempVault } from '../../support/temp-vault.ts';
import { Bench } from '../../support/workspace.ts';
import { acted, SIGNAL, vaultWithAction } from '../../undo/acted.ts';

afterEach(() => vi.restoreAllMocks());

/** How often the disk is asked for what takes long: to write something down for good, to open, to follow links. */
interface DiskWork {
  readonly synced: number;
  readonly opened: number;
  readonly resolved: number;
}

async function workOf(vault: TempVault, act: () => Promise<unknown>): Promise<DiskWork> {
  const inVault = (file: unknown) => String(file).startsWith(vault.root);
  const synced = vi.spyOn(fs, 'fsyncSync');
  const opened = vi.spyOn(fs, 'openSync');
  const resolved = vi.spyOn(fs.realpathSync, 'native');
  await act();
  return {
    synced: synced.mock.calls.length,
    // Timers look into the history whenever they come round.
    opened: opened.mock.calls.filter(([file]) => inVault(file) && !String(file).startsWith(vault.places.history))
      .length,
    resolved: resolved.mock.calls.filter(([file]) => inVault(file)).length,
  };
}

function expectAtMost(work: DiskWork, most: DiskWork): void {
  expect(work.synced).toBeGreaterThan(0);
  expect({
    synced: Math.max(work.synced, most.synced),
    opened: Math.max(work.opened, most.opened),
    resolved: Math.max(work.resolved, most.resolved),
  }).toEqual(most);
}

// docs/decisions/0032 says of each what it is for. Who adds one says so there, and which promise asks for it.
test('a strong signal: what it writes for good, opens and resolves', async () => {
  const vault = vaultWithAction();
  const bench = await Bench.open(vault);
  expectAtMost(await workOf(vault, () => bench.route(SIGNAL)), { synced: 10, opened: 24, resolved: 10 });
  expect(vault.fields(SIGNAL).status).toBe('applied');
});

test('an undo: what it writes for good, opens and resolves', async () => {
  const vault = vaultWithAction();
  const { bench, name } = await acted(vault);
  expectAtMost(await workOf(vault, () => bench.undo(name)), { synced: 8, opened: 23, resolved: 10 });
});
