import { awayRefusal } from '../vault/errors.ts';
import { plainError } from '../vault/files.ts';
import { ownPlaces } from '../vault/layout.ts';
import { Lock } from '../vault/transaction/lock.ts';
import type { Vault } from '../vault/watch/vault.ts';
import { compose, type Parts } from './compose.ts';
import { prepare } from './context/own-folders.ts';
import type { Workspace } from './context/ports.ts';

/**
 * Work on a vault where no daemon runs, under the lock: what a crash left is settled, the work done, what is remembered
 * saved. Throws `vault-locked` and `vault-away` (75), what the work throws, and (75) in plain words what the disk refuses.
 */
export async function oneShot<Result>(parts: Parts, work: (space: Workspace) => Promise<Result>): Promise<Result> {
  try {
    const places = ownPlaces(parts.root);
    prepare(places);
    const lock = Lock.take(places.lock, { role: 'command', socket: null }, parts.now());
    try {
      return await underLock(parts, work);
    } finally {
      lock.release();
    }
  } catch (error) {
    throw plainError(error, parts.root);
  }
}

async function underLock<Result>(parts: Parts, work: (space: Workspace) => Promise<Result>): Promise<Result> {
  const { space, recovery, displaced } = await compose(parts);
  // Also what a crash left is settled only where the notes it is about can be seen.
  const reason = space.vault.away ?? unlistedFolder(space.vault);
  if (reason !== null) throw awayRefusal(reason);
  space.problems.recovery = recovery.run().bad;
  const result = await work(space);
  displaced.close();
  space.context.state.flush();
  return result;
}

// A daemon lists again and goes on where it knows more; a command would act on half of what there is.
function unlistedFolder(vault: Vault): string | null {
  const folder = Object.values(vault.layout.folders).find((name) => vault.unreadable.has(name));
  return folder === undefined ? null : `the folder ${folder} cannot be read (${vault.unreadable.get(folder)})`;
}
