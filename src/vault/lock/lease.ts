/**
 * How long (ms) a holder may stand still before another may take its vault: six refreshes, and longer than a sync tool
 * holds back a file that changes often.
 */
export const LEASE_MS = 90_000;
/** How often a lease is refreshed while it lasts. */
export const REFRESHES = 6;

/** A vault that is this process's to write to, until it is given back, runs out, or another has it. */
export interface Lease {
  /** How often the vault has been taken: it only grows, and stands in the vault's lock. */
  readonly epoch: number;
  /** Aborted when the vault is no longer this process's; its reason is the `StewardError` that says why. */
  readonly lost: AbortSignal;
  /**
   * To be called before each act, and last of all before the step that decides. Throws `lock-lost` (75) once the lease
   * has run out or another has the vault, from then on always.
   */
  demand(): void;
  /** Gives the vault back, where it is still this process's. */
  release(): void;
}

/** Whether a lease is lost by now; one that nobody has looked at since it ran out is found out. */
export function isLost(lease: Lease): boolean {
  try {
    lease.demand();
  } catch {
    // The vault may also be away, or the disk may refuse to tell: then it is still ours.
  }
  return lease.lost.aborted;
}
