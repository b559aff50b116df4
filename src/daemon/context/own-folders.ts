import fs from 'node:fs';
import path from 'node:path';
import { ownPlacesRefusal } from '../../vault/disk/own-places.ts';
import { EXIT, StewardError, systemCode } from '../../vault/errors.ts';
import { fileError } from '../../vault/files.ts';
import { sha256 } from '../../vault/hash.ts';
import type { OwnPlaces } from '../../vault/layout.ts';
import { awayError } from '../../vault/watch/away.ts';

/** The program's own folders hold what was in notes that others may not read. */
const OWN_MODE = 0o700;

/**
 * Makes the program's own folders before anything is written, and closes them to other users. Throws `vault-away`, or what
 * the disk refuses (exit 75); also where one of them is a link.
 */
export function prepare(places: OwnPlaces): void {
  const root = realRoot(path.dirname(places.own)); // throws rather than making a vault that is missing
  const refusal = ownPlacesRefusal(root);
  if (refusal !== null) throw new StewardError(refusal.trouble, EXIT.tryAgain);
  for (const folder of [places.own, places.journal, places.state, places.cache, places.tmp, places.history]) {
    try {
      // Not recursive: on a read-only disk that fails with ENOENT, which explains nothing.
      if (!fs.existsSync(folder)) makeFolder(folder);
      fs.accessSync(folder, fs.constants.W_OK);
    } catch (error) {
      throw new StewardError(fileError(error, path.relative(path.dirname(places.own), folder)).trouble, EXIT.tryAgain);
    }
  }
  closeToOthers(places.own);
}

// Two commands may begin in a new vault at once.
function makeFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { mode: OWN_MODE });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

// An earlier version made it by the umask alone.
function closeToOthers(folder: string): void {
  try {
    const { mode } = fs.statSync(folder);
    if ((mode & 0o077) !== 0) fs.chmodSync(folder, mode & 0o7700);
  } catch {
    // The folder of another user, or a disk without modes.
  }
}

/** Returns the file where this machine keeps what it knows of a vault's lock, or null where it keeps nothing. */
export function lockMemoryFile(root: string, folder: string | undefined): string | null {
  return folder === undefined ? null : path.join(folder, `${sha256(realRoot(root)).slice(0, 16)}.json`);
}

/** Returns the vault's root without symbolic links. Throws `vault-away` where it cannot be read. */
export function realRoot(root: string): string {
  try {
    return fs.realpathSync.native(root);
  } catch (error) {
    throw awayError(root, error instanceof Error ? error.message : String(error));
  }
}
