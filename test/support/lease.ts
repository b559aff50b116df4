import type { Lease } from '../../src/vault/lock/lease.ts';

/** A lease that is never lost. */
export const HELD: Lease = {
  epoch: 1,
  lost: new AbortController().signal,
  demand: () => {},
  release: () => {},
};
