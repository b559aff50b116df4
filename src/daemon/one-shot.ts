import { awayRefusal, StewardError, systemCode } from '../vault/errors.ts';
import { plainError } from '../vault/files.ts';
import { atOnce } from '../vault/time.ts';
import type { Vault } from '../vault/vault.ts';
import { meetVault } from './adoption.ts';
import { compose, type Parts } from './compose.ts';
import type { Workspace } from './context.ts';
import { commandLease } from './lease.ts';
import { followAllFlags, keepFrontPage } from './managed-notes.ts';
import { onExit } from './process.ts';

/**
 * Works on a vault where no daemon runs, under the lock: brings what a crash left to its end, does the work, and saves the
 * state. Returns what the work returns. A signal ends the process with the lock given back and the state saved; work that
 * hears signals itself (`hearsSignals`) ends itself. Throws `vault-locked`, `lock-lost` and `vault-away` (75), what the work throws, and (75) in plain
 * words what the disk refuses.
 */
export async function oneShot<Result>(
  parts: Parts,
  work: (space: Workspace) => Promise<Result>,
  hearsSignals = false,
): Promise<Result> {
  const last: (() => void)[] = [];
  const endInOrder = () => {
    for (const act of last) act();
  };
  using _ending = hearsSignals ? null : onExit(endInOrder);
  try {
    const lease = await commandLease({ root: parts.root, memories: parts.env.lockMemories, now: parts.now });
    try {
      last.unshift(() => lease.release());
      return await underLease({ ...parts, demand: () => lease.demand() }, work, last);
    } finally {
      lease.release();
    }
  } catch (error) {
    throw plainError(error, parts.root);
  }
}

async function underLease<Result>(
  parts: Parts,
  work: (space: Workspace) => Promise<Result>,
  last: (() => void)[],
): Promise<Result> {
  const { space, recovery, displaced } = await compose(parts);
  // A paid reply is remembered even if the terminal closes.
  last.unshift(() => asFarAsTheDiskLets(() => space.context.state.flush()));
  // Actions that a crash interrupted are finished only if the notes concerned can be read.
  const reason = space.vault.away ?? unlistedFolder(space.vault);
  if (reason !== null) throw awayRefusal(reason);
  space.problems.recovery = recovery.run().bad;
  asFarAsTheDiskLets(() => atOnce(meetVault(space)));
  let result: Result;
  try {
    result = await work(space);
    asFarAsTheDiskLets(() => followAllFlags(space));
    asFarAsTheDiskLets(() => keepFrontPage(space));
  } finally {
    // Else its timers would ask for the lock, which is released also if the work throws.
    asFarAsTheDiskLets(() => displaced.close());
  }
  asFarAsTheDiskLets(() => space.ingest.known.flush());
  space.context.state.flush();
  asFarAsTheDiskLets(() => space.ingest.trail.flush());
  return result;
}

// If the disk refuses, the next command or start does it: it doesn't delay the requested work.
function asFarAsTheDiskLets(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (systemCode(error) === null && !(error instanceof StewardError)) throw error;
  }
}

// A daemon lists the vault again and waits; a command would act on half of it.
function unlistedFolder(vault: Vault): string | null {
  const folder = Object.values(vault.layout.folders).find((name) => vault.unreadable.has(name));
  return folder === undefined ? null : `the folder ${folder} cannot be read (${vault.unreadable.get(folder)})`;
}
