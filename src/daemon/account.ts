import { setTimeout as wait } from 'node:timers/promises';
import { ownPlaces } from '../vault/layout.ts';
import { StewardError } from '../vault/trouble.ts';
import { prepare } from './compose.ts';
import { Lock } from './lock.ts';
import { readSettings, UNKNOWN_SETTINGS } from './settings.ts';
import type { Account } from './spending.ts';
import { State } from './state.ts';

const TRIES = 20;
const BETWEEN_MS = 100;

/**
 * A moment's work on what the program remembers, where no daemon runs: under the lock, without reading the vault. Another
 * command is waited for, two seconds at most; then it throws `vault-locked` (75).
 */
export async function withAccount<Result>(root: string, now: () => number, work: (account: Account) => Result) {
  const places = ownPlaces(root);
  prepare(places);
  const lock = await taken(places.lock, now);
  try {
    const { settings } = readSettings(root, UNKNOWN_SETTINGS);
    return work({ state: new State(places.state), settings, now });
  } finally {
    lock.release();
  }
}

async function taken(file: string, now: () => number): Promise<Lock> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return Lock.take(file, { role: 'command', socket: null }, now());
    } catch (error) {
      const held = error instanceof StewardError && error.trouble.code === 'vault-locked';
      if (!held || left === 0) throw error;
      await wait(BETWEEN_MS);
    }
  }
}
