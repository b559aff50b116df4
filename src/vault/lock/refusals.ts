import { EXIT, LOCK_LOST, StewardError } from '../errors.ts';
import type { LockHolder } from './holder.ts';

const FILE = '.steward/lock';

/** Returns the error `vault-locked` (75): another process holds the vault. */
export function lockedBy(other: LockHolder | null): StewardError {
  return new StewardError(
    {
      code: 'vault-locked',
      file: FILE,
      message: `The vault is held by ${nameOf(other)}.`,
      hint: 'Stop that one first, or let it do the work: commands hand theirs to a running daemon.',
    },
    EXIT.tryAgain,
  );
}

/** Returns the error `vault-locked` (75) for a holder whose process cannot be seen from here; `leftMs`: for how long yet. */
export function unjudged(other: LockHolder | null, leftMs: number): StewardError {
  const seconds = Math.ceil(leftMs / 1000);
  return new StewardError(
    {
      code: 'vault-locked',
      file: FILE,
      message: `The vault is held by ${nameOf(other)}, which cannot be seen from here; its lock is taken over if it stays unchanged for ${seconds} s more.`,
      hint: 'Try again then. If that one runs on another machine or in another container, stop one of the two.',
    },
    EXIT.tryAgain,
  );
}

/** Returns the error `lock-lost` (75): the lock is no longer that of this process. */
export function lostTo(other: LockHolder | null): StewardError {
  const whose = other === null ? 'no longer belongs to this process' : `now belongs to ${nameOf(other)}`;
  return new StewardError(
    {
      code: LOCK_LOST,
      file: FILE,
      message: `The vault’s lock ${whose}. This one writes nothing more.`,
      hint: 'Let one daemon run on this vault: stop the other one, or leave this one stopped.',
    },
    EXIT.tryAgain,
  );
}

/** Returns the error `lock-lost` (75): this process stood still for longer than its lease, and another may have the vault. */
export function ranOut(stillMs: number, leaseMs: number): StewardError {
  const [still, lease] = [stillMs, leaseMs].map((ms) => Math.round(ms / 1000));
  return new StewardError(
    {
      code: LOCK_LOST,
      file: FILE,
      message: `This process stood still for ${still} s, and its lock held for ${lease} s. This one writes nothing more.`,
      hint: 'Start it again: a service does that by itself. It goes on from what is in the vault.',
    },
    EXIT.tryAgain,
  );
}

function nameOf(other: LockHolder | null): string {
  return other === null ? 'another process' : `${other.role} ${other.pid} on ${other.host}, since ${other.since}`;
}
