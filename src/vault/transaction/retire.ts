import fs from 'node:fs';
import path from 'node:path';
import { StewardError, systemCode } from '../errors.ts';
import { readBytes } from '../files.ts';
import { sha256 } from '../hash.ts';
import { claimName } from '../journal.ts';
import type { OwnPlaces } from '../layout.ts';
import { openedAt } from '../slices.ts';
import { History } from './history.ts';

/** A file that is to leave the vault, as it was when that was decided. */
interface Leaving {
  /** Vault-relative path. */
  readonly file: string;
  /** Whether these bytes may go. */
  readonly fits: (sha256: string) => boolean;
  readonly maxBytes: number;
  /** Whether it is deleted at once; absent where the history keeps it. */
  readonly isForGood?: true;
}

/**
 * Moves a file of the vault into the history, where it stays until the undo window is over, or deletes it. False where it is not as it
 * was decided about, and for anything but a plain file with one name, in folders that are no links: it stays where it is.
 * The folder is held open, so that none that is swapped in meanwhile is reached. Throws what the disk refuses.
 */
export function retire(root: string, { history }: Pick<OwnPlaces, 'history'>, leaving: Leaving): boolean {
  const place = path.join(fs.realpathSync.native(root), leaving.file);
  const handle = openFolder(path.dirname(place));
  if (handle === null) return false;
  try {
    const held = openedAt(handle);
    if (held !== null && held !== path.dirname(place)) return false; // a link is on the way
    const file = held === null ? place : `/proc/self/fd/${handle}/${path.basename(place)}`;
    return isFit(file, leaving) && isMovedAway(new History(history), file, leaving);
  } finally {
    fs.closeSync(handle);
  }
}

function openFolder(folder: string): number | null {
  try {
    if (fs.realpathSync.native(folder) !== folder) return null;
    return fs.openSync(folder, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}

function isFit(file: string, { fits, maxBytes }: Leaving): boolean {
  try {
    const { bytes, links } = readBytes(file, maxBytes, fs.constants.O_NOFOLLOW);
    return links === 1 && fits(sha256(bytes));
  } catch (error) {
    if (error instanceof StewardError || ['ENOENT', 'ELOOP'].includes(systemCode(error) ?? '')) return false;
    throw error;
  }
}

// What somebody put there since it was compared goes back, or stays in the history under a name of its own.
function isMovedAway(history: History, file: string, leaving: Leaving): boolean {
  const kept = history.keep(file, nameInHistory(leaving.file));
  if (isFit(kept, leaving)) {
    if (leaving.isForGood) fs.rmSync(kept, { force: true });
    return true;
  }
  claimName(kept, file);
  return false;
}

/** The longest name that leaves room for what the history puts around it. */
const MOST_LETTERS = 60;

function nameInHistory(file: string): string {
  const name = path.basename(file);
  return `removed-${name.slice(0, MOST_LETTERS)}-${sha256(file).slice(0, 8)}`;
}
