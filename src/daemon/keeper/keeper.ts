import type { Lease } from '../../vault/lock/lease.ts';

/** Who decides when a vault is this process's to look after: on one machine its lock, in a fleet an engine as well. */
export interface Keeper {
  /**
   * Takes the vault. Waits, until `stop`, for a lease that cannot be judged from here. Throws `vault-locked` (75), and
   * what the disk refuses (75).
   */
  take(stop: AbortSignal): Promise<Lease>;
  /**
   * Resolves when the vault is to be looked after again: at `until` (epoch ms; null: only when nudged), when it is nudged,
   * or at `stop`.
   */
  rest(until: number | null, stop: AbortSignal): Promise<void>;
  /** Ends a rest, now or, where none is under way, the next one at once. */
  nudge(): void;
}
