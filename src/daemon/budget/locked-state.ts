import { ownPlaces } from '../../vault/layout.ts';
import type { LockedState } from '../budget.ts';
import { commandLease } from '../command-lease.ts';
import { State } from '../context/state.ts';
import { readSettings, UNKNOWN_SETTINGS } from '../context.ts';
import type { Environment } from '../environment.ts';

interface LockedVault {
  readonly root: string;
  readonly env: Environment;
  /** The folder where this machine keeps what it knows of the locks of vaults. */
  readonly memories: string | undefined;
  readonly now: () => number;
}

/**
 * Does a moment's work on the state where no daemon runs: under the lock, without reading the vault. Waits for another
 * command for two seconds at most; then it throws `vault-locked` (75).
 */
export async function withLockedState<Result>(
  { root, env, memories, now }: LockedVault,
  work: (account: LockedState) => Result,
) {
  const places = ownPlaces(root);
  const lease = await commandLease({ root, memories, now });
  try {
    const { settings } = readSettings(root, UNKNOWN_SETTINGS);
    return work({ state: new State(places.state, () => lease.demand()), settings, env, now });
  } finally {
    lease.release();
  }
}
