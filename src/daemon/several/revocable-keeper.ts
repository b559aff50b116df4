import { EXIT, LOCK_LOST, StewardError } from '../../vault/errors.ts';
import type { Lease } from '../../vault/lock.ts';
import type { Keeper } from '../keeper.ts';

/**
 * A keeper whose leases are also lost where the work on the vault has failed in a way that nobody foresaw: what is in
 * memory is not to be trusted then, and nothing more is written. The vault is given back, and whoever takes it next brings
 * to an end what the journal says, as after a crash.
 */
export class RevocableKeeper implements Keeper {
  readonly #keeper: Keeper;
  readonly #revoked: AbortSignal;

  /** `revoked`: aborted with the `StewardError` that says why. */
  constructor(keeper: Keeper, revoked: AbortSignal) {
    this.#keeper = keeper;
    this.#revoked = revoked;
  }

  async take(stop: AbortSignal): Promise<Lease> {
    return new RevocableLease(await this.#keeper.take(AbortSignal.any([stop, this.#revoked])), this.#revoked);
  }

  rest(until: number | null, stop: AbortSignal): Promise<void> {
    return this.#keeper.rest(until, stop);
  }

  nudge(): void {
    this.#keeper.nudge();
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

// To whoever would write it is a lost vault, whatever the reason.
function givenUp(cause: unknown): StewardError {
  return new StewardError(
    {
      code: LOCK_LOST,
      file: '.steward/lock',
      message: 'The work on this vault has failed, and was given up. Nothing more is written.',
      hint: 'It begins anew by itself.',
    },
    EXIT.tryAgain,
    { cause },
  );
}
