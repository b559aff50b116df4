import fs from 'node:fs';
import path from 'node:path';
import { StewardError, systemCode } from '../errors.ts';
import { insideVault } from '../files.ts';
import { FOLDER_KINDS, type Layout, OWN_FOLDER } from '../layout.ts';
import { fold } from '../note-names.ts';

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
