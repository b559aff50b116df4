import fs from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { FileLeaseProvider } from '../../../src/daemon/lease.ts';
import { oneShot } from '../../../src/daemon/one-shot.ts';
import { Clock, HOUR, MINUTE } from '../../support/clock.ts';
import { everythingIn } from '../../support/everything.ts';
import { HOUSE } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { LIVE } from '../../support/workspace.ts';

const NEVER = new AbortController().signal;

function keeperOf(vault: TempVault, clock = new Clock(), leaseMs?: number): FileLeaseProvider {
  const parts = { root: vault.root, env: LIVE, paths: vault.outside, now: clock.now, emit: () => {} };
  return new FileLeaseProvider(leaseMs === undefined ? parts : { ...parts, leaseMs });
}

test('a vault is taken by its lock, one after the other, and given back', async () => {
  const vault = new TempVault(HOUSE);
  const first = await keeperOf(vault, new Clock(), 5_000).take(NEVER);
  expect(JSON.parse(vault.read('.steward/lock'))).toMatchObject({ role: 'daemon', epoch: 1, lease_ms: 5_000 });
  await expect(keeperOf(vault).take(NEVER)).rejects.toMatchObject({ exit: 75, trouble: { code: 'vault-locked' } });
  first.release();
  const second = await keeperOf(vault).take(NEVER);
  expect([first.epoch, second.epoch]).toEqual([1, 2]);
  expect(() => first.demand()).toThrow(/now belongs to/);
  expect(first.lost.reason).toMatchObject({ trouble: { code: 'lock-lost' } });
  second.demand();
  second.release();
});

describe('a rest', () => {
  /** A rest, and whether it is over. */
  function resting(keeper: FileLeaseProvider, until: number | null, stop: AbortSignal = NEVER) {
    let isOver = false;
    const over = keeper.rest(until, stop).then(() => {
      isOver = true;
    });
    return { over, isOver: () => isOver };
  }

  test('ends at its moment, and at once where that has passed', async () => {
    const keeper = keeperOf(new TempVault());
    const { over, isOver } = resting(keeper, Date.now() + 50);
    await new Promise(setImmediate);
    expect(isOver()).toBe(false);
    await over;
    await keeper.rest(Date.now() - HOUR, NEVER);
  });

  test.each([null, Date.now() + HOUR])('ends when it is nudged, and when it is stopped (%s)', async (until) => {
    const keeper = keeperOf(new TempVault());
    const nudged = resting(keeper, until);
    await new Promise(setImmediate);
    expect(nudged.isOver()).toBe(false);
    keeper.nudge();
    await nudged.over;
    const stop = new AbortController();
    const stopped = resting(keeper, until, stop.signal);
    await new Promise(setImmediate);
    expect(stopped.isOver()).toBe(false);
    stop.abort();
    await stopped.over;
  });

  test('a nudge that comes before it ends it at once, and no other', async () => {
    const keeper = keeperOf(new TempVault());
    keeper.nudge();
    keeper.nudge();
    await keeper.rest(null, NEVER);
    const next = resting(keeper, Date.now() + MINUTE);
    await new Promise(setImmediate);
    expect(next.isOver()).toBe(false);
    keeper.nudge();
    await next.over;
  });
});

test('a command that stood still for longer than its lease writes nothing more, and says why', async () => {
  const vault = new TempVault(HOUSE);
  const parts = { root: vault.root, env: LIVE, now: Date.now, emit: () => {} };
  let before: unknown = null;
  const { hrtime } = process;
  onTestFinished(() => void vi.restoreAllMocks());
  const standing = oneShot(parts, async (space) => {
    space.context.state.set('identity', { id: 'new' });
    const ahead = hrtime.bigint() + 91_000_000_000n;
    vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => ahead);
    before = everythingIn(vault.root);
    return 'worked';
  });
  await expect(standing).rejects.toMatchObject({ exit: 75, trouble: { code: 'lock-lost' } });
  expect(everythingIn(vault.root)).toEqual(before);
  expect(fs.existsSync(vault.places.lock)).toBe(true);
});
