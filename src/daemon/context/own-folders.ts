import fs from 'node:fs';
import path from 'node:path';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { fileError } from '../../vault/files.ts';
import { sha256 } from '../../vault/hash.ts';
import type { OwnPlaces } from '../../vault/layout.ts';
import { awayError } from '../../vault/watch/scan.ts';

/**
 * Makes the program's own folders before anything is written. Throws `vault-away`, or what the disk refuses (exit 75).
 */
export function prepare(places: OwnPlaces): void {
  realRoot(path.dirname(places.own)); // throws rather than making a vault that is missing
  for (const folder of [places.own, places.journal, places.state, places.cache, places.tmp, places.history]) {
    try {
      // Not recursive: on a read-only disk that fails with ENOENT, which explains nothing.
      if (!fs.existsSync(folder)) fs.mkdirSync(folder);
      fs.accessSync(folder, fs.constants.W_OK);
    } catch (error) {
      throw new StewardError(fileError(error, path.relative(path.dirname(places.own), folder)).trouble, EXIT.tryAgain);
    }
  }
}

/** Returns the file that holds the records for the next start. */
export function cacheFile(places: OwnPlaces): string {
  return path.join(places.cache, 'records.json');
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
