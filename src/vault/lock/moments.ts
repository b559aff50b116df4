import { setTimeout as wait } from 'node:timers/promises';
import { StewardError } from '../errors.ts';
import { holderOf, standingOf } from './holder.ts';
import type { Lock } from './lock.ts';
import { readLockText } from './lock-file.ts';

/** For how long one waits for a command that has the lock: many have it for a moment only. */
const PATIENCE_MS = 2_000;
const BETWEEN_MS = 50;

/**
 * Takes a lock, and waits a moment where a command of this machine has it: to reserve a question’s cost takes milliseconds.
 * Throws what `take` throws, at once where a daemon has it, or a process that cannot be seen from here.
 */
export async function takeSoon(file: string, take: () => Lock | Promise<Lock>): Promise<Lock> {
  for (let left = PATIENCE_MS / BETWEEN_MS; ; left -= 1) {
    try {
      return await take();
    } catch (error) {
      const isLocked = error instanceof StewardError && error.trouble.code === 'vault-locked';
      if (!isLocked || left <= 0 || !mayBeMoment(file)) throw error;
      await wait(BETWEEN_MS);
    }
  }
}

// Also where it has been given back since.
function mayBeMoment(file: string): boolean {
  const held = readLockText(file);
  const holder = held === null ? null : holderOf(held.text);
  return held === null || (holder?.role === 'command' && standingOf(holder, false) === 'running');
}
