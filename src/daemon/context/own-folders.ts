import fs from 'node:fs';
import path from 'node:path';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { fileError } from '../../vault/files.ts';
import type { OwnPlaces } from '../../vault/layout.ts';
import { awayError } from '../../vault/watch/scan.ts';

/** Makes the program's own folders, for whoever is going to write. Throws (exit 75) where the disk does not let it. */
export function prepare(places: OwnPlaces): void {
  realRoot(path.dirname(places.own)); // a vault that is not there is not made
  for (const folder of [places.own, places.journal, places.state, places.cache, places.tmp, places.history]) {
    try {
      // Not recursive: on a read-only disk that says ENOENT, which tells nobody anything.
      if (!fs.existsSync(folder)) fs.mkdirSync(folder);
      fs.accessSync(folder, fs.constants.W_OK);
    } catch (error) {
      throw new StewardError(fileError(error, path.relative(path.dirname(places.own), folder)).trouble, EXIT.tryAgain);
    }
  }
}

/** Where the records lie ready for the next start. */
export function cacheFile(places: OwnPlaces): string {
  return path.join(places.cache, 'records.json');
}

export function realRoot(root: string): string {
  try {
    return fs.realpathSync.native(root);
  } catch (error) {
    throw awayError(root, error instanceof Error ? error.message : String(error));
  }
}
