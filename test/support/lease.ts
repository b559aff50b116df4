import type { Lease } from '../../src/vault/lock.ts';

/** A lease that is never lost. */
export const HELD: Lease = {
  epoch: 1,
  lost: new AbortController().signal,
  demand: () => {},
  release: () => {},
};
