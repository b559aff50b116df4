import fs from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isLost, LEASE_MS, Lock, lockHolder } from '../../src/vault/lock.ts';
import { everythingIn } from '../support/everything.ts';
import { TempVault } from '../support/temp-vault.ts';

const REFRESH_MS = 15_000;

/** A lock whose steady clock and whose timer are moved by hand. */
function held(leaseMs?: number) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const vault = new TempVault();
  fs.mkdirSync(vault.places.own);
  let at = 5_000;
  const taker = { role: 'daemon', socket: null, now: Date.now(), steady: () => at } as const;
  const lock = Lock.take(vault.places.lock, leaseMs === undefined ? taker : { ...taker, leaseMs });
  onTestFinished(() => lock.release());
  /** The process stands still, or is busy: no timer of it goes off. */
  const still = (ms: number) => {
    at += ms;
  };
  /** Time passes, and its timers go off. */
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      at += Math.min(1_000, left);
      vi.advanceTimersByTime(Math.min(1_000, left));
    }
  };
  const stamp = () => JSON.parse(vault.read('.steward/lock')).refreshed_at;
  return { vault, lock, still, pass, stamp };
}

describe('a lock runs out for a process that stood still', () => {
  test('for longer than it says: nothing is written any more, by whatever goes off first', () => {
    for (const first of ['demand', 'refresh', 'release', 'look'] as const) {
      const { vault, lock, still } = held();
      still(LEASE_MS + 1);
      const before = everythingIn(vault.root);
      const acts = {
        demand: () =>
          expect(() => lock.demand()).toThrow('This process was suspended for 90 s, and its lock was valid for 90 s'),
        refresh: () => vi.advanceTimersByTime(REFRESH_MS),
        release: () => lock.release(),
        look: () => expect(isLost(lock)).toBe(true),
      };
      acts[first]();
      expect(lock.lost.aborted).toBe(true);
      expect(lock.lost.reason).toMatchObject({ exit: 75, trouble: { code: 'lock-lost' } });
      for (const act of Object.values(acts)) act();
      expect(everythingIn(vault.root)).toEqual(before);
    }
  });

  test('also where its lock was deleted meanwhile: it is not made anew', () => {
    const { vault, lock, still } = held();
    still(LEASE_MS + 1);
    fs.rmSync(vault.places.lock);
    expect(() => lock.demand()).toThrow(/was suspended/);
    expect(vault.has('.steward/lock')).toBe(false);
  });

  test('not for one that stood still for less, or whose timers go off', () => {
    const { lock, still, pass } = held();
    still(LEASE_MS);
    lock.demand();
    pass(10 * LEASE_MS);
    lock.demand();
    expect(lock.lost.aborted).toBe(false);
  });

  test('not for one that is busy and looks at it all the while: each look refreshes it when that is due', () => {
    const { lock, still, stamp } = held();
    const stamps = new Set<string>();
    for (let looks = 0; looks < 20; looks += 1) {
      still(REFRESH_MS / 2);
      vi.setSystemTime(Date.now() + 1_000);
      lock.demand();
      stamps.add(stamp());
    }
    expect(stamps.size).toBe(11); // every other look, and as it was taken
  });

  test('not where the vault was away for longer, as long as the process runs', () => {
    const { vault, lock, pass } = held();
    vault.rename('.steward', '.elsewhere');
    pass(3 * LEASE_MS);
    expect(() => lock.demand()).toThrow(/away/);
    vault.rename('.elsewhere', '.steward');
    lock.demand();
    expect(lock.lost.aborted).toBe(false);
  });

  test('where the disk itself held it up, as soon as the disk lets it go', () => {
    const { vault, lock, still } = held();
    const { openSync } = fs;
    const hanging = (...given: Parameters<typeof openSync>) => {
      still(LEASE_MS + 1);
      return openSync(...given);
    };
    const spy = vi.spyOn(fs, 'openSync').mockImplementation(hanging);
    onTestFinished(() => spy.mockRestore());
    const before = vault.read('.steward/lock');
    expect(() => lock.demand()).toThrow(/was suspended/);
    spy.mockRestore();
    expect(vault.read('.steward/lock')).toBe(before);
  });
});

describe('a lock says how long it may stay unrefreshed', () => {
  const lockIn = (vault: TempVault) => JSON.parse(vault.read('.steward/lock'));

  test('it is refreshed six times in that, and stamped for whoever looks', () => {
    const { vault, pass, stamp } = held(6_000);
    expect(lockIn(vault)).toMatchObject({ lease_ms: 6_000 });
    const before = stamp();
    vi.setSystemTime(Date.now() + 60_000);
    pass(1_000);
    expect(stamp()).not.toBe(before);
  });

  test.each([
    [2_000, 2_000],
    [600_000, 600_000],
  ])('a taker waits for as long as the holder says (%s)', async (leaseMs, waits) => {
    const { vault, lock } = held();
    const { lease_ms: _, ...holder } = lock.holder;
    const theirs = { ...holder, host: 'elsewhere.example', ...(leaseMs === undefined ? {} : { lease_ms: leaseMs }) };
    vault.write('.steward/lock', JSON.stringify(theirs));
    const take = () => Lock.take(vault.places.lock, { role: 'command', socket: null, now: Date.now() });
    expect(take).toThrow(`unchanged for ${waits / 1000} s more`);
    const at = Date.parse(theirs.refreshed_at);
    expect(lockHolder(vault.places.lock, at + waits - 1)).toMatchObject({ epoch: 1 });
    expect(lockHolder(vault.places.lock, at + waits)).toBeNull();
  });

  test('one that says what no program of ours would say is watched as one that says nothing', () => {
    const { vault, lock } = held();
    for (const lease_ms of [0, -1, 1e12, 'long', 1.5]) {
      vault.write('.steward/lock', JSON.stringify({ ...lock.holder, host: 'elsewhere.example', lease_ms }));
      const take = () => Lock.take(vault.places.lock, { role: 'command', socket: null, now: Date.now() });
      expect(take).toThrow(`unchanged for ${LEASE_MS / 1000} s more`);
    }
  });
});
