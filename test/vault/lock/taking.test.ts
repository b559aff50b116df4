import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { lockMemoryFile } from '../../../src/daemon/context/own-folders.ts';
import { Lock, readEpoch } from '../../../src/vault/lock.ts';
import { HOUSE } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';

/** What a taking asks of the disk. */
const CALLS = [
  'openSync',
  'readdirSync',
  'mkdirSync',
  'writeFileSync',
  'linkSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
] as const;

function take(vault: TempVault): Lock {
  const memory = lockMemoryFile(vault.root, path.join(vault.home, 'locks'));
  return Lock.take(vault.places.lock, { role: 'command', socket: null, now: Date.now(), memory });
}

/** Takes a vault; `meanwhile` happens just before the nth call to the disk. Returns the lock, and whether it came to that call. */
function interrupted(vault: TempVault, nth: number, meanwhile: () => void): { lock: Lock; isDone: boolean } {
  let left = nth;
  for (const call of CALLS) {
    const real = fs[call] as (...given: unknown[]) => unknown;
    vi.spyOn(fs, call).mockImplementation((...given: unknown[]) => {
      left -= 1;
      if (left === 0) meanwhile();
      return real(...given) as never;
    });
  }
  try {
    return { lock: take(vault), isDone: left <= 0 };
  } finally {
    vi.restoreAllMocks();
  }
}

test('wherever a process is stopped while it takes a vault, which others take and give back, the epoch only grows', () => {
  let calls = 0;
  for (let isDone = true; isDone; calls += 1) {
    const vault = new TempVault(HOUSE);
    fs.mkdirSync(vault.places.own);
    const epochs: number[] = [];
    const others = () => {
      fs.rmSync(vault.places.lock, { force: true }); // its lease has run out
      for (let nth = 0; nth < 2; nth += 1) {
        const lock = take(vault);
        epochs.push(lock.epoch);
        lock.release();
      }
    };
    others();
    const taken = interrupted(vault, calls + 1, others);
    isDone = taken.isDone;
    epochs.push(taken.lock.epoch);
    expect(readEpoch(vault.places.lock)).toEqual({ epoch: taken.lock.epoch, token: taken.lock.holder.token });
    taken.lock.release();
    epochs.push(take(vault).epoch);
    const grown = epochs.every((epoch, nth) => nth === 0 || epoch > (epochs[nth - 1] ?? 0));
    expect(grown, `stopped before call ${calls + 1}: ${epochs.join(', ')}`).toBe(true);
  }
  expect(calls).toBeGreaterThan(10);
});

test('a folder in the place of a former mark hinders nobody', () => {
  const vault = new TempVault(HOUSE);
  fs.mkdirSync(path.join(vault.places.state, 'epoch-5-theirs'), { recursive: true });
  const epochs = [take, take].map((taken) => {
    const lock = taken(vault);
    lock.release();
    return lock.epoch;
  });
  expect(epochs).toEqual([6, 7]);
});
