import { type Diagnostic, diagnostic, StewardError } from '../errors.ts';
import { holderOf, leaseOf, type Standing, standingOf } from './holder.ts';
import { readLockText, removeLock } from './lock-file.ts';
import { LockMemory } from './lock-memory.ts';

/** Clocks of machines that are kept by a time server differ by less (ms). */
const FUTURE_MS = 60_000;

/** What is wrong with a lock: `mended` where it was taken away, else what a person should know. */
type LockFinding = { readonly mended: string } | { readonly trouble: Diagnostic };

/**
 * Looks at a vault's lock, and takes away one that is stamped in the future where its process is gone, or cannot be seen
 * from here and has not refreshed it for as long as a start would wait. Returns null where nothing is wrong. `now` in
 * epoch ms; `memory`: where this machine keeps what it knows of the lock.
 */
export function mendLock(file: string, now: number, memory: string | null): LockFinding | null {
  try {
    const text = readLockText(file)?.text;
    const other = text === undefined ? null : holderOf(text);
    if (text === undefined || other === null || Date.parse(other.refreshed_at) <= now + FUTURE_MS) return null;
    const known = new LockMemory(memory);
    const standing = standingOf(other, known.isOwn(other.token));
    const left = standing === 'unknown' ? leaseOf(other) - known.unchangedFor(text) : 0;
    if (standing === 'running' || left > 0) return { trouble: stamped(other.refreshed_at, standing, left) };
    removeLock(file, text);
    return { mended: `taken away: it was stamped in the future (${other.refreshed_at}), and nobody refreshes it` };
  } catch (error) {
    if (error instanceof StewardError) return { trouble: error.trouble };
    throw error;
  }
}

function stamped(at: string, standing: Standing, leftMs: number): Diagnostic {
  return diagnostic({
    code: 'lock-in-future',
    file: '.steward/lock',
    message: `The lock is stamped in the future (${at}).`,
    hint:
      standing === 'running'
        ? 'Its process runs and stamps it anew within 15 s; look at the clock of this machine.'
        : `Its process cannot be seen from here. Run \`steward doctor\` again in ${Math.ceil(leftMs / 1000)} s: if nobody refreshes the lock until then, it is taken away.`,
  });
}
