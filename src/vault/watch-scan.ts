import fs from 'node:fs';
import path from 'node:path';
import { StewardError, systemCode } from './errors.ts';
import { type FileStat, insideVault } from './files.ts';
import { FOLDER_KINDS, type Layout, OWN_FOLDER } from './layout.ts';
import { fold } from './note-names.ts';

/**
 * The links to folders that one listing meets. A link in the place of a record folder, or in one, is entered where it
 * leads to a folder of the vault that is not listed already; its notes are known by the path that goes through the link.
 */
export class LinkedFolders {
  /** The folders that links lead to, by the vault-relative path of the link. */
  readonly entered = new Map<string, string>();
  readonly #root: string;
  readonly #layout: Layout;

  constructor(root: string, layout: Layout) {
    this.#root = root;
    this.#layout = layout;
  }

  /** Whether a link at this path is in the place of a record folder, or leads to one. */
  static isPlace(layout: Layout, file: string): boolean {
    const folded = fold(file);
    return FOLDER_KINDS.map((kind) => fold(layout.folders[kind])).some(
      (folder) => folder === folded || folder.startsWith(`${folded}/`),
    );
  }

  /**
   * Returns whether a link is to be listed as a folder; or why not, in words, where it is a folder's place and nothing can
   * be listed there. Null: it is a link to a file, or lies where no records are.
   */
  enter(file: string): true | string | null {
    const isPlace = LinkedFolders.isPlace(this.#layout, file);
    if (!isPlace && this.#layout.folderKindOf(file) === null) return null;
    try {
      const real = insideVault(this.#root, file);
      if (!fs.statSync(real).isDirectory()) return isPlace ? 'it is a link to something that is no folder' : null;
      const reason = this.#reasonAgainst(real);
      if (reason !== null) return reason;
      this.entered.set(file, real);
      return true;
    } catch (error) {
      if (error instanceof StewardError) return this.#outside(file, isPlace);
      if (!isPlace) return null; // told of as any other file that cannot be read
      return systemCode(error) === 'ELOOP'
        ? 'it is a link that leads round in a circle'
        : 'it is a link that leads nowhere';
    }
  }

  // A link to a file out of the vault is told of by the name it has; any folder is worth a word.
  #outside(file: string, isPlace: boolean): string | null {
    const isFolder = fs.statSync(path.join(this.#root, file), { throwIfNoEntry: false })?.isDirectory() === true;
    return isPlace || isFolder ? 'it is a link that leads out of the vault' : null;
  }

  #reasonAgainst(real: string): string | null {
    const folder = path.relative(this.#root, real).split(path.sep).join('/');
    if (folder === '' || isIn(folder, OWN_FOLDER)) return 'it is a link to a folder that is no place for notes';
    const records = FOLDER_KINDS.map((kind) => fold(this.#layout.folders[kind]));
    const isListed = records.some((record) => isIn(fold(folder), record) || isIn(record, fold(folder)));
    const isEntered = [...this.entered.values()].some((other) => isIn(real, other) || isIn(other, real));
    return isListed || isEntered ? 'it is a link to a folder that is read already, or leads round in a circle' : null;
  }
}

function isIn(folder: string, other: string): boolean {
  return folder === other || folder.startsWith(`${other}/`);
}

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
