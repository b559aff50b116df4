import { setTimeout as wait } from 'node:timers/promises';
import { StewardError } from '../../vault/errors.ts';
import { ownPlaces } from '../../vault/layout.ts';
import { Lock } from '../../vault/lock/lock.ts';
import type { Environment } from '../context/environment.ts';
import { lockMemoryFile, prepare } from '../context/own-folders.ts';
import { UNKNOWN_SETTINGS } from '../context/settings.ts';
import { readSettings } from '../context/settings-file.ts';
import { State } from '../context/state.ts';
import type { LockedState } from './errand-budget.ts';

interface LockedVault {
  readonly root: string;
  readonly env: Environment;
  /** The folder where this machine keeps what it knows of the locks of vaults. */
  readonly memories: string;
  readonly now: () => number;
}

const TRIES = 20;
const BETWEEN_MS = 100;

/**
 * Does a moment's work on the state where no daemon runs: under the lock, without reading the vault. Waits for another
 * command for two seconds at most; then it throws `vault-locked` (75).
 */
export async function withLockedState<Result>(
  { root, env, memories, now }: LockedVault,
  work: (account: LockedState) => Result,
) {
  const places = ownPlaces(root);
  prepare(places);
  const lock = await takeLock(places.lock, now, lockMemoryFile(root, memories));
  try {
    const { settings } = readSettings(root, UNKNOWN_SETTINGS);
    return work({ state: new State(places.state, () => lock.demand()), settings, env, now });
  } finally {
    lock.release();
  }
}

async function takeLock(file: string, now: () => number, memory: string | null): Promise<Lock> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return Lock.take(file, { role: 'command', socket: null, now: now(), memory });
    } catch (error) {
      const isLocked = error instanceof StewardError && error.trouble.code === 'vault-locked';
      if (!isLocked || left === 0) throw error;
      await wait(BETWEEN_MS);
    }
  }
}
