import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { EXIT, errorReason, StewardError } from '../steward.ts';
import { aborted, type Daemon, type LastResort, type Lease, type LeaseProvider, LOCK_LOST } from '../steward-daemon.ts';

/** A daemon that was given up ends in this time (ms), or is left behind. */
const END_WITHIN_MS = 15_000;
/** File handles that are left to the vaults that are kept already: each opens a few for a moment, again and again. */
const SPARE_HANDLES = 64;

/**
 * Throws `too-many-open` (75) if this process has hardly any file handles left: one more vault would take them from all
 * the others. Does nothing if the system doesn't report the limit.
 */
export function demandHandles(limit: number | null = limitOfHandles(), used: number | null = usedHandles()): void {
  if (limit === null || used === null || used + SPARE_HANDLES <= limit) return;
  throw new StewardError(
    {
      code: 'too-many-open',
      message: `This process may have ${limit} files open: ${used} are, and ${SPARE_HANDLES} are left to the vaults that it looks after.`,
      hint: 'Raise the limit (LimitNOFILE= of the service, `ulimit -n`), or keep some vaults by another process.',
    },
    EXIT.tryAgain,
  );
}

function limitOfHandles(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null; // not Linux
  }
}

function usedHandles(): number | null {
  try {
    return fs.readdirSync('/proc/self/fd').length;
  } catch {
    return null;
  }
}

/**
 * The work on one vault in a process that keeps several. An error that no code caught ends this work alone: the vault is given
 * back without another write, since its state in memory can't be trusted. Whoever takes it next recovers, as after a crash.
 */
export class FaultScope {
  readonly #lastResort: LastResort;
  readonly #revoking = new AbortController();
  #daemon: Daemon | null = null;

  constructor(lastResort: LastResort) {
    this.#lastResort = lastResort;
  }

  /** Returns a provider whose leases are also lost after such an error. */
  provider(leases: LeaseProvider): LeaseProvider {
    return new RevocableLeaseProvider(leases, this.#revoking.signal);
  }

  /** Aborted with `vault-fault` after such an error. */
  get revoked(): AbortSignal {
    return this.#revoking.signal;
  }

  /** Is called with the daemon of this work before it begins: it decides which errors it can continue after. */
  follow(daemon: Daemon): void {
    this.#daemon = daemon;
    daemon.broken.addEventListener('abort', () => this.#revoke(daemon.broken.reason.cause), { once: true });
  }

  /** Does the work. Rejects with `vault-fault` (75) after such an error, and with what the work throws. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#lastResort.within(
        ({ component, error }) =>
          this.#daemon === null ? this.#revoke(error) : this.#daemon.meet({ component, error }),
        () => this.#unlessRevoked(work()),
      );
    } finally {
      this.#daemon = null;
    }
  }

  #revoke(error: unknown): void {
    this.#revoking.abort(vaultFault(error));
  }

  // The daemon is ended first, so that its lock is free. What it waits for may never come after an error.
  async #unlessRevoked<Result>(working: Promise<Result>): Promise<Result> {
    const revoked = aborted(this.revoked).then(async () => {
      await Promise.race([working.catch(() => {}), pause(END_WITHIN_MS, undefined, { ref: false })]);
      throw this.revoked.reason;
    });
    try {
      return await Promise.race([working, revoked]);
    } catch (error) {
      throw this.revoked.aborted ? this.revoked.reason : error; // and not that it lost the lock, which follows from it
    }
  }
}

/** Returns the error `vault-fault` (75) for an error of a kind that no code expected. */
export function vaultFault(error: unknown): StewardError {
  return new StewardError(
    {
      code: 'vault-fault',
      message: `The work on this vault failed in a way that is a fault of the program: ${errorReason(error)}`,
      hint: 'Steward starts again on it automatically, as after a crash. Please report it, with what STEWARD_DEBUG=1 adds.',
    },
    EXIT.tryAgain,
    { cause: error },
  );
}

class RevocableLeaseProvider implements LeaseProvider {
  readonly #leases: LeaseProvider;
  readonly #revoked: AbortSignal;

  constructor(leases: LeaseProvider, revoked: AbortSignal) {
    this.#leases = leases;
    this.#revoked = revoked;
  }

  async take(stop: AbortSignal): Promise<Lease> {
    return new RevocableLease(await this.#leases.take(AbortSignal.any([stop, this.#revoked])), this.#revoked);
  }

  rest(until: number | null, stop: AbortSignal): Promise<void> {
    return this.#leases.rest(until, stop);
  }

  nudge(): void {
    this.#leases.nudge();
  }
}

class RevocableLease implements Lease {
  readonly #lease: Lease;
  readonly #revoked: AbortSignal;
  readonly lost: AbortSignal;

  constructor(lease: Lease, revoked: AbortSignal) {
    this.#lease = lease;
    this.#revoked = revoked;
    this.lost = AbortSignal.any([lease.lost, revoked]);
  }

  get epoch(): number {
    return this.#lease.epoch;
  }

  demand(): void {
    if (this.#revoked.aborted) throw givenUp(this.#revoked.reason);
    this.#lease.demand();
  }

  release(): void {
    this.#lease.release();
  }
}

// To code that would write, it is a lost vault, whatever the reason.
function givenUp(cause: unknown): StewardError {
  return new StewardError(
    {
      code: LOCK_LOST,
      file: '.steward/lock',
      message: 'The work on this vault has failed. Nothing more is written.',
      hint: 'Steward starts again on it automatically.',
    },
    EXIT.tryAgain,
    { cause },
  );
}
