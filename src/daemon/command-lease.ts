import { ownPlaces } from '../vault/layout.ts';
import { type Lease, Lock, takeSoon } from '../vault/lock.ts';
import { lockMemoryFile, prepare } from './context/own-folders.ts';

interface CommandParts {
  readonly root: string;
  /** The folder where this machine keeps what it knows of the locks of vaults. */
  readonly memories: string | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Takes a vault for one command. Waits for another command for two seconds at most, and for nobody else: throws
 * `vault-locked` (75), and what the disk refuses (75).
 */
export function commandLease({ root, memories, now }: CommandParts): Promise<Lease> {
  const places = ownPlaces(root);
  prepare(places);
  const taker = { role: 'command', socket: null, now: now(), memory: lockMemoryFile(root, memories) } as const;
  return takeSoon(places.lock, () => Lock.take(places.lock, taker));
}
