import fs from 'node:fs';
import path from 'node:path';
import { APART } from '../disk/displaced-list.ts';
import { demandNoLink } from '../disk/own-places.ts';
import { syncFolder } from '../files.ts';
import { isMoved } from '../journal.ts';
import { writeLasting } from '../part-file.ts';
import type { Edition } from './edition.ts';

/** Where a note's former bytes are. */
export interface Former {
  /** The history file that holds them. */
  readonly displaced: string;
  /**
   * Set where the history is on another disk than the note: the file that used to be the note. Whoever holds it open
   * still writes into it, so it stays next to the note until it is quiet, and the history holds a copy.
   */
  readonly apart?: string;
}

/** The folder `.steward/history`: what notes held before an edit, as numbered files under the name of the edit. */
export class History {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Moves a file into the history, from another disk too, and returns its path there. */
  keep(file: string, keepAs: string): string {
    if (path.dirname(file) === this.#folder) return file;
    const { displaced, apart } = this.keepFormer(file, keepAs);
    if (apart === undefined) this.sync();
    else fs.rmSync(apart, { force: true });
    return displaced;
  }

  /**
   * Moves the file that used to be a note out of `tmp` into the history; from another disk it is copied, and stays by its
   * note. A move that a power cut takes back is made again by the next start, whatever has become of the journal.
   */
  keepFormer(file: string, keepAs: string): Former {
    const kept = this.freeName(keepAs);
    if (isMoved(file, kept)) return { displaced: kept };
    fs.copyFileSync(file, kept);
    this.sync();
    const apart = `${file}${APART}`; // no longer a part: a start after a crash does not mistake it for one
    fs.renameSync(file, apart);
    return { displaced: kept, apart };
  }

  /** Copies a file into the history, durably, and returns the path of the copy. */
  copy(file: string, keepAs: string): string {
    const kept = this.freeName(keepAs);
    writeLasting(kept, fs.readFileSync(file));
    this.sync();
    return kept;
  }

  /** Returns the next free path under a name. Throws where the folder has become a link. */
  freeName(keepAs: string): string {
    demandNoLink(this.#folder);
    return this.#file(keepAs, this.#freeNumber(keepAs));
  }

  /** Returns how many files the history holds under a name. */
  count(keepAs: string): number {
    return this.#freeNumber(keepAs) - 1;
  }

  /** Returns the files that were kept for an edition since it was made, newest first. */
  filesOf({ keepAs, keptBefore }: Edition): string[] {
    const numbered = fs.readdirSync(this.#folder).flatMap((name) => {
      const number = name.startsWith(`${keepAs}.`) ? /^(\d+)\.md$/.exec(name.slice(keepAs.length + 1))?.[1] : undefined;
      return number === undefined || Number(number) <= keptBefore ? [] : [Number(number)];
    });
    return numbered.sort((one, other) => other - one).map((number) => this.#file(keepAs, number));
  }

  /** Makes what was moved here survive a power cut. */
  sync(): void {
    syncFolder(this.#folder);
  }

  #freeNumber(keepAs: string): number {
    let number = 1;
    while (fs.existsSync(this.#file(keepAs, number))) number += 1;
    return number;
  }

  #file(keepAs: string, number: number): string {
    return path.join(this.#folder, `${keepAs}.${number}.md`);
  }
}
