import type { StewardError } from '../vault/errors.ts';
import { ownPlaces } from '../vault/layout.ts';
import { Lock } from '../vault/lock/lock.ts';
import { takeSoon } from '../vault/lock/moments.ts';
import type { Parts } from './compose.ts';
import { lockMemoryFile, prepare } from './context/own-folders.ts';
import type { RuntimePaths } from './server/runtime-paths.ts';

/** The lock of a vault, and when it is lost. */
export interface HeldVault {
  readonly lock: Lock;
  readonly lost: Promise<StewardError>;
}

/** Takes the lock of a vault; waits, until `stop`, for one that cannot be judged from here. Throws `vault-locked` (75). */
export async function holdVault(parts: Parts, paths: RuntimePaths, stop: AbortSignal): Promise<HeldVault> {
  const places = ownPlaces(parts.root);
  prepare(places);
  const lost = Promise.withResolvers<StewardError>();
  const memory = lockMemoryFile(parts.root, parts.env.lockMemories);
  const taker = { role: 'daemon', socket: paths.socket, now: parts.now(), memory, lost: lost.resolve } as const;
  const waiting = ({ trouble }: StewardError) => parts.emit({ what: 'trouble', trouble });
  const take = () => Lock.takeOrWatch(places.lock, taker, { stop, waiting });
  return { lock: await takeSoon(places.lock, take), lost: lost.promise };
}
