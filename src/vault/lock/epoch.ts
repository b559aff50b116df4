import fs from 'node:fs';
import path from 'node:path';
import { syncFolder } from '../files.ts';
import { MAX_EPOCH } from './holder.ts';

/** How often a vault's lock had been taken, and by whom. Outlives the lock, which goes when it is given back. */
interface Epoch {
  readonly epoch: number;
  readonly token: string;
}

const OWN_MODE = 0o700;
const MARK = /^epoch-(?<epoch>\d{1,16})-(?<token>[\w-]{1,64})$/;

// Each taking leaves an empty file of its own, and the highest counts: whoever was stopped in the middle of a taking, and
// goes on after others, can add a lower one, but never take a higher one back.

/** Returns the highest epoch of a lock, or null where none is known. */
export function readEpoch(lock: string): Epoch | null {
  return marks(lock).reduce<Epoch | null>((most, one) => (most === null || one.epoch > most.epoch ? one : most), null);
}

/** Whether somebody else has left a mark as high as this one, or higher. */
export function isPassed(lock: string, { epoch, token }: Epoch): boolean {
  return marks(lock).some((other) => other.token !== token && other.epoch >= epoch);
}

/** Writes down who has taken a lock. Throws the system's error. */
export function writeEpoch(lock: string, taken: Epoch): void {
  const folder = folderOf(lock);
  fs.mkdirSync(folder, { recursive: true, mode: OWN_MODE });
  fs.closeSync(fs.openSync(path.join(folder, nameOf(taken)), 'w', 0o600));
  syncFolder(folder);
  for (const one of marks(lock)) if (one.epoch < taken.epoch) letGo(path.join(folder, nameOf(one)));
}

// One that cannot be removed, a folder of that name as well, is lower than the highest and does no harm.
function letGo(mark: string): void {
  try {
    fs.unlinkSync(mark);
  } catch {}
}

function marks(lock: string): Epoch[] {
  return namesIn(folderOf(lock)).flatMap((name) => {
    const { epoch, token } = MARK.exec(name)?.groups ?? {};
    // What is not below the highest of all was not counted by this program.
    return epoch === undefined || token === undefined || Number(epoch) >= MAX_EPOCH
      ? []
      : [{ epoch: Number(epoch), token }];
  });
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function nameOf({ epoch, token }: Epoch): string {
  return `epoch-${epoch}-${token}`;
}

function folderOf(lock: string): string {
  return path.join(path.dirname(lock), 'state');
}
