import fs from 'node:fs';
import { type Place, placeOf, reasonAgainstKind, reasonAgainstReal } from './place.ts';

/**
 * Looks at the places of many files at one moment, and resolves the links on the way to a folder once. LAW: it says what
 * `placeOf` says. It remembers folders: whoever reads a file asks the system where the one lies that was opened.
 */
export class Places {
  /** Whether no link is on the way to a folder, and its path is written in the one plain form. */
  readonly #plain = new Map<string, boolean>();

  /** Returns where a path below a root leads, or why that is not read, as `placeOf` does. */
  of(root: string, file: string): Place {
    const real = `${root}/${file}`;
    const stat = this.#isPlain(real.slice(0, real.lastIndexOf('/'))) ? statOf(real) : null;
    if (stat?.isFile() !== true) return placeOf(root, file);
    const reason = reasonAgainstReal(root, real) ?? reasonAgainstKind(stat);
    return reason === null ? { real, reason } : { real: null, reason };
  }

  #isPlain(folder: string): boolean {
    const known = this.#plain.get(folder) ?? isReal(folder);
    this.#plain.set(folder, known);
    return known;
  }
}

// Of a path that does not begin with `/` nothing is said: it would be taken from where the program runs.
function isReal(folder: string): boolean {
  try {
    return folder.startsWith('/') && folder !== '/' && fs.realpathSync.native(folder) === folder;
  } catch {
    return false;
  }
}

/** Returns what lies at a path itself, be it a link; null where that cannot be looked at. */
function statOf(file: string): fs.Stats | null {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
