import fs from 'node:fs';
import { StewardError, systemCode } from '../errors.ts';
import { type FileStat, insideVault } from '../files.ts';

/** Why nothing under such a name is read. */
export const NO_TEXT = 'its name is not valid UTF-8';

/** Node decodes the bytes of a name that are not UTF-8 as U+FFFD, and no file can be opened under that name. */
export function isNoText(file: string): boolean {
  return file.includes('\uFFFD');
}

/** Returns why a path is not read, or null where it is gone meanwhile. */
export function reasonAgainst(root: string, file: string): string | null {
  try {
    const stat = fs.lstatSync(`${root}/${file}`, { throwIfNoEntry: false });
    if (stat === undefined) return isNoText(file) ? NO_TEXT : null;
    if (stat.isFile()) return null; // it has just become one: the next listing finds it
    if (!stat.isSymbolicLink()) return 'it is a pipe, a socket or a device';
    insideVault(root, file);
    return 'it is a link to something that is no file';
  } catch (error) {
    if (error instanceof StewardError) return 'it is a link that leads out of the vault';
    return systemCode(error) === 'ELOOP'
      ? 'it is a link that leads round in a circle'
      : 'it is a link that leads nowhere';
  }
}

/** Returns the stat of a regular file, through a symlink that stays in the vault; null for anything else. */
export function statInside(root: string, file: string): FileStat | null {
  try {
    // Not path.join: a sweep does this for every file, and joining took as long as the stat itself.
    const stat = fs.lstatSync(`${root}/${file}`, { throwIfNoEntry: false });
    if (stat?.isFile()) return slim(stat);
    if (!stat?.isSymbolicLink()) return null;
    const target = fs.statSync(insideVault(root, file));
    return target.isFile() ? slim(target) : null;
  } catch {
    return null; // gone meanwhile, or a link that leads nowhere or out of the vault
  }
}

/** Returns only the fields that are compared: `fs.Stats` has eighteen, which at ten thousand notes costs megabytes. */
export function slim(stat: FileStat): FileStat {
  return { mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, size: stat.size, ino: stat.ino };
}
