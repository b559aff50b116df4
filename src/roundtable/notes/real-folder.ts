import fs from 'node:fs';
import path from 'node:path';
import { StewardError, systemCode } from '../../vault/errors.ts';
import { insideVault } from '../../vault/files.ts';
import { fold } from '../../vault/note-names.ts';

/**
 * The folder of all roundtables as it really lay when the work began. Below it no link is followed: whoever puts one
 * there would choose which notes are read to a model, and where what it says is written.
 */
export class RealFolder {
  readonly #root: string;
  readonly #home: string;
  #real: string | null = null;

  /** `root`: absolute, links resolved. `home`: vault-relative; it may be a link, as long as it leads into the vault. */
  constructor(root: string, home: string) {
    this.#root = root;
    this.#home = home;
  }

  /** Returns the absolute path of a file or folder that is there. Throws `roundtable-link`, or the system's error. */
  existing(file: string): string {
    return this.#unlinked(file, file);
  }

  /** Returns the absolute path for a file, and makes its folder. Throws `roundtable-link`, or the system's error. */
  place(file: string): string {
    const folder = path.posix.dirname(file);
    this.#make(folder);
    return path.join(this.#unlinked(folder, file), path.posix.basename(file));
  }

  // One after the other, so that nothing is made behind a link.
  #make(folder: string): void {
    if (folder === this.#home || folder === '.') {
      fs.mkdirSync(path.join(this.#root, folder), { recursive: true });
      return;
    }
    this.#make(path.posix.dirname(folder));
    try {
      fs.mkdirSync(path.join(this.#unlinked(path.posix.dirname(folder), folder), path.posix.basename(folder)));
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }

  #unlinked(way: string, file: string): string {
    this.#real ??= insideVault(this.#root, this.#home);
    const real = insideVault(this.#root, way);
    // Folded, since some disks keep names in another form than they were asked for.
    if (fold(real) === fold(path.join(this.#real, path.posix.relative(this.#home, way)))) return real;
    throw new StewardError({
      code: 'roundtable-link',
      file,
      message: `A link lies on the way to ${file}, and a roundtable follows no links.`,
      hint: 'Put the folder itself in the place of the link.',
    });
  }
}
