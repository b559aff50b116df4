import fs from 'node:fs';
import path from 'node:path';
import { StewardError, systemCode } from '../errors.ts';
import { insideVault } from '../files.ts';
import { OWN_FOLDER, ownPlaces } from '../layout.ts';

/**
 * Returns why the program's own folders must not be used, or null where they may. What lies in them is deleted in time, so
 * a link in their place would delete what lies elsewhere: `.steward` may be a link inside the vault, its folders none.
 */
export function ownPlacesRefusal(root: string): StewardError | null {
  const { own, journal, state, cache, tmp, history, tables } = ownPlaces(root);
  if (isLink(own)) {
    const refusal = outside(root);
    if (refusal !== null) return refusal;
  }
  const link = [journal, state, cache, tmp, history, tables].find(isLink);
  return link === undefined ? null : refused(path.relative(root, link), 'is a link.');
}

/** Throws where a folder of `.steward` is a link: asked at the last moment before a file is moved into it. */
export function demandNoLink(folder: string): void {
  if (isLink(folder)) throw refused(`${OWN_FOLDER}/${path.basename(folder)}`, 'is a link.');
}

function outside(root: string): StewardError | null {
  try {
    insideVault(root, OWN_FOLDER);
    return null;
  } catch (error) {
    if (error instanceof StewardError) return refused(OWN_FOLDER, 'is a link that leads out of the vault.');
    return refused(
      OWN_FOLDER,
      systemCode(error) === 'ELOOP' ? 'is a link that leads round in a circle.' : 'is a link that leads nowhere.',
    );
  }
}

function refused(file: string, what: string): StewardError {
  return new StewardError({
    code: 'own-folder-link',
    file,
    message: `${file} ${what}`,
    hint: 'Remove the link and let the folder itself lie there; to keep it out of a sync, tell the sync tool to leave .steward out.',
  });
}

// Where the disk refuses to say, the work that follows is refused by it too, and says why.
function isLink(place: string): boolean {
  try {
    return fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}
