import fs from 'node:fs';
import path from 'node:path';
import type { Layout } from '../layout.ts';
import { EventNames } from '../note-text.ts';

/** The time in the names of the program's notes, which begins with its month. */
const MONTH = /(?:^|-)(\d{4}-(?:0[1-9]|1[0-2]))-\d\dT\d\d-\d\d-\d\d(?:-\d{3})?Z/;

/** The kinds of notes that gather, month by month. */
type MonthlyKind = 'signal' | 'event';

/** What must be known of a vault to find a place for a new note. */
export interface NotePlacesVault {
  readonly root: string;
  readonly layout: Layout;
  /** Returns the paths of the records of this name, wherever they lie. */
  named(name: string): readonly string[];
}

/** Where new signals and event notes lie. */
export class NotePlaces {
  readonly #vault: NotePlacesVault;
  readonly #names: EventNames;

  constructor(vault: NotePlacesVault) {
    this.#vault = vault;
    this.#names = new EventNames((name) => vault.named(name).length === 0);
  }

  /** Returns the vault-relative path of a new note of a name. */
  placeOf(kind: MonthlyKind, name: string): string {
    return `${this.folderOf(kind, name)}/${name}.md`;
  }

  /** Returns the folder in which a new note of a name lies, vault-relative. */
  folderOf(kind: MonthlyKind, name: string): string {
    const { root, layout } = this.#vault;
    const folder = layout.folders[kind];
    const month = monthFolder(folder, name);
    return isFolderOrFree(path.join(root, month)) ? month : folder;
  }

  /** Returns the path of a new event note of a type about a target. No note anywhere has its name. `now` in epoch ms. */
  ofEvent(type: string, target: string, now: number): string {
    return this.placeOf('event', this.#names.free(type, target, now));
  }
}

// A file or a link in the place of a month may be anybody's: what belongs there then lies beside it.
function isFolderOrFree(place: string): boolean {
  try {
    const stat = fs.lstatSync(place, { throwIfNoEntry: false });
    return stat === undefined || stat.isDirectory();
  } catch {
    return true; // whoever writes there is told why it cannot be done
  }
}

/**
 * Returns the folder in which a new signal or event note lies: in the folder of its kind, that of the month (UTC) in its
 * own name, so that name and folder never disagree; the folder of its kind itself where the name has no time.
 */
function monthFolder(folder: string, name: string): string {
  const month = MONTH.exec(name)?.[1];
  return month === undefined ? folder : `${folder}/${month}`;
}

/** Returns all places where the program writes a note of this name, or an earlier version of it wrote one. */
export function writtenPlaces(folder: string, name: string): string[] {
  return [...new Set([monthFolder(folder, name), folder])].map((place) => `${place}/${name}.md`);
}
