import fs from 'node:fs';
import path from 'node:path';
import type { Workspace } from '../../daemon/context/ports.ts';
import { type Diagnostic, systemCode } from '../errors.ts';
import { lockHolder } from './lock.ts';
import { holdUp, resolveIntent } from './transaction.ts';

export interface Recovery {
  readonly finished: readonly string[];
  readonly withdrawn: readonly string[];
  readonly bad: readonly Diagnostic[];
}

/**
 * Settles what a crash left under way: each journalled intent is finished if its deciding step happened, withdrawn
 * if not. Then `.steward/tmp` is empty. May itself be killed at any point and run again. What the disk refuses to have
 * settled is held up, and nothing new is decided before it.
 */
export function recover(space: Workspace): Recovery {
  const { intents, bad } = space.journal.pending();
  const finished: string[] = [];
  const withdrawn: string[] = [];
  const heldUp: Diagnostic[] = [];
  for (const work of intents) {
    try {
      (resolveIntent(space, work) ? finished : withdrawn).push(work.id);
    } catch (error) {
      heldUp.push(holdUp(space, work, error));
    }
  }
  space.displaced.resume();
  // The parts of what is held up tell what became of it.
  if (heldUp.length === 0) sweepTemporary(space);
  return { finished, withdrawn, bad };
}

function sweepTemporary(space: Workspace): void {
  const { tmp, state, journal, cache, own } = space.places;
  for (const file of entries(tmp)) drop(space, file);
  for (const file of [...entries(state), ...entries(journal), ...entries(cache)]) {
    if (/\.\d+$|\.part$/.test(file)) fs.rmSync(file, { force: true });
  }
  for (const file of entries(own)) if (isDeadLock(space, file)) fs.rmSync(file, { force: true });
}

// A note's part that no journal explains may be what a note was: it is kept until the undo window closes.
function drop(space: Workspace, file: string): void {
  const name = path.basename(file);
  const isNotePart = /(-action-|^instinct-).*\.[0-9a-f]{8}\.part$/.test(name);
  if (isNotePart) fs.renameSync(file, path.join(space.places.history, `${name}.${space.now()}.md`));
  else fs.rmSync(file, { force: true, recursive: true });
}

// Of a process that was killed while it took the lock.
function isDeadLock(space: Workspace, file: string): boolean {
  return /^lock\..*\.part$/.test(path.basename(file)) && lockHolder(file, space.now()) === null;
}

function entries(folder: string): string[] {
  try {
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
