import { randomUUID } from 'node:crypto';
import { EXIT, StewardError, systemCode } from '../errors.ts';
import { type FileStat, fileError } from '../files.ts';
import { readEpoch, writeEpoch } from './epoch.ts';
import { holderOf, type LockHolder, MAX_EPOCH, standingOf, thisProcess } from './holder.ts';
import { createLock, readLockText, removeLock } from './lock-file.ts';
import type { LockMemory } from './lock-memory.ts';
import { lockedBy, unjudged } from './refusals.ts';

/**
 * For how long (ms) a lock whose process cannot be seen from here must not have changed before it is taken over: six
 * refreshes, and longer than a sync tool holds back a file that changes often.
 */
export const UNREFRESHED_MS = 90_000;
/** How often a lock may change hands while it is being taken. */
const ATTEMPTS = 5;

/** Who would take a lock. */
export interface Taker {
  readonly role: LockHolder['role'];
  readonly socket: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A lock that was taken, and the file it lies in. */
export interface Taken {
  readonly holder: LockHolder;
  readonly stat: FileStat;
}

/** Why a lock was not taken; `watch`: what it holds, where it is taken over if it stays just that for long enough. */
interface Refusal {
  readonly refused: StewardError;
  readonly watch: string | null;
}

/**
 * Takes a lock if it is free, if its process is surely gone, or if it cannot be judged and is known not to have changed
 * for long enough. Throws `lock-no-file`, and (75) where the disk refuses.
 */
export function tryToTake(file: string, taker: Taker, memory: LockMemory): Taken | Refusal {
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const tried = tryOnce(file, taker, memory);
      if (tried !== null) return tried;
    }
    return { refused: lockedBy(null), watch: null };
  } catch (error) {
    throw error instanceof StewardError || systemCode(error) === null
      ? error
      : new StewardError(fileError(error, '.steward/lock').trouble, EXIT.tryAgain, { cause: error });
  }
}

// Null where somebody else was faster.
function tryOnce(file: string, taker: Taker, memory: LockMemory): Taken | Refusal | null {
  const held = readLockText(file);
  if (held === null) return takeFree(file, taker, memory, 0);
  const refusal = refusalOf(held.text, memory);
  if (refusal !== null) return refusal;
  removeLock(file, held.text);
  return takeFree(file, taker, memory, holderOf(held.text)?.epoch ?? 0);
}

function refusalOf(text: string, memory: LockMemory): Refusal | null {
  const other = holderOf(text);
  const standing = other === null ? 'unknown' : standingOf(other, memory.isOwn(other.token));
  if (standing === 'gone') return null;
  if (standing === 'running') return { refused: lockedBy(other), watch: null };
  const left = UNREFRESHED_MS - memory.unchangedFor(text);
  return left <= 0 ? null : { refused: unjudged(other, left), watch: text };
}

function takeFree(file: string, { role, socket, now }: Taker, memory: LockMemory, former: number): Taken | null {
  const epoch = Math.min(Math.max(former, readEpoch(file)?.epoch ?? 0) + 1, MAX_EPOCH);
  const holder: LockHolder = { ...thisProcess(role, socket, now), token: randomUUID(), epoch };
  const text = JSON.stringify(holder);
  if (!createLock(file, text)) return null;
  memory.took(holder.token);
  writeEpoch(file, holder);
  // Whoever was stopped for long just now finds another's lock, or none.
  const held = readLockText(file);
  return held?.text === text ? { holder, stat: held.stat } : null;
}
