import { UNKNOWN_SETTINGS } from '../steward/settings.ts';
import type { LockedState } from '../steward/spending.ts';
import { ownPlaces } from '../vault/layout.ts';
import type { Environment } from './environment.ts';
import { commandLease } from './lease.ts';
import { readSettings } from './settings.ts';
import { StateStore } from './state.ts';

interface LockedVault {
  readonly root: string;
  readonly env: Environment;
  /** The folder where this machine keeps what it knows of the locks of vaults. */
  readonly memories: string | undefined;
  readonly now: () => number;
}

/**
 * Does a moment's work on the state if no daemon runs: under the lock, without reading the vault. Waits for another
 * command for two seconds at most; then it throws `vault-locked` (75). Also throws (75) where the disk refuses a file
 * that limits what is spent.
 */
export async function withLockedState<Result>(
  { root, env, memories, now }: LockedVault,
  work: (account: LockedState & { readonly state: StateStore }) => Result,
) {
  const places = ownPlaces(root);
  const lease = await commandLease({ root, memories, now });
  try {
    const { settings } = readSettings(root, UNKNOWN_SETTINGS);
    const state = new StateStore(places.state, () => lease.demand(), [], now);
    state.demandRead('rate-guard', 'budget', 'ledger');
    // One that couldn't be read is replaced at once: otherwise each command would find it unreadable again.
    if (state.get('rate-guard').fullUntil !== null) state.save('rate-guard');
    if (state.get('budget').spentUntil !== null) state.save('budget');
    return work({ state, settings, env, now });
  } finally {
    lease.release();
  }
}
