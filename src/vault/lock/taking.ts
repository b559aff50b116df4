import { randomUUID } from 'node:crypto';
import { EXIT, StewardError, systemCode } from '../errors.ts';
import { type FileStat, fileError } from '../files.ts';
import { isPassed, readEpoch, writeEpoch } from './epoch.ts';
import { holderOf, type LockHolder, leaseOf, MAX_EPOCH, standingOf, thisProcess } from './holder.ts';
import { createLock, readLockText, removeLock } from './lock-file.ts';
import type { LockMemory } from './lock-memory.ts';
import { lockedBy, unjudged } from './refusals.ts';

/** How often a lock may change hands while it is being taken. */
const ATTEMPTS = 5;

/** Who would take a lock. */
export interface Taker {
  readonly role: LockHolder['role'];
  readonly socket: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
  /** For how long (ms) the lock may stay unrefreshed. */
  readonly leaseMs: number;
  /** The tokens of all locks that this process holds, where it says so: what it took and holds no longer is free. */
  readonly holds?: Set<string>;
}

/** A lock that was taken, and the file it lies in. */
export interface Taken {
  readonly holder: LockHolder;
  readonly stat: FileStat;
}

/** Why a lock was not taken; `watch`: what it holds, where it is taken over if it stays just that for long enough. */
export interface Refusal {
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
  const refusal = isLeft(held.text, taker) ? null : refusalOf(held.text, memory);
  if (refusal !== null) return refusal;
  removeLock(file, held.text);
  return takeFree(file, taker, memory, holderOf(held.text)?.epoch ?? 0);
}

// A lock that this very process took and holds no longer: the vault was moved away under it, and is found elsewhere.
function isLeft(text: string, { holds }: Taker): boolean {
  const other = holderOf(text);
  if (holds === undefined || other?.pid !== process.pid || holds.has(other.token)) return false;
  return standingOf(other, false) === 'running';
}

function refusalOf(text: string, memory: LockMemory): Refusal | null {
  const other = holderOf(text);
  const standing = other === null ? 'unknown' : standingOf(other, memory.isOwn(other.token));
  if (standing === 'gone') return null;
  if (standing === 'running') return { refused: lockedBy(other), watch: null };
  const left = leaseOf(other) - memory.unchangedFor(text);
  return left <= 0 ? null : { refused: unjudged(other, left), watch: text };
}

function takeFree(
  file: string,
  { role, socket, now, leaseMs, holds }: Taker,
  memory: LockMemory,
  former: number,
): Taken | null {
  const epoch = Math.min(Math.max(former, readEpoch(file)?.epoch ?? 0) + 1, MAX_EPOCH);
  const holder: LockHolder = { ...thisProcess(role, socket, now), token: randomUUID(), epoch, lease_ms: leaseMs };
  const text = JSON.stringify(holder);
  if (!createLock(file, text)) return null;
  memory.took(holder.token);
  writeEpoch(file, holder);
  // Whoever was stopped on the way here may come after others who have taken the vault and given it back: they try anew.
  if (isPassed(file, holder)) {
    removeLock(file, text);
    return null;
  }
  holds?.add(holder.token);
  // Whoever was stopped for long just now finds another's lock, or none.
  const held = readLockText(file);
  return held?.text === text ? { holder, stat: held.stat } : null;
}
