import fs from 'node:fs';
import path from 'node:path';
import { sha256 } from '../hash.ts';
import { claimName, isStill, shaOf } from '../journal.ts';
import { type Edition, isBeginning, keepsChange, leftPart, noteOf } from './edition.ts';
import type { Former, History } from './history.ts';

/** What became of an edition whose publishing was interrupted, once its files are in order again. */
export interface Resolution {
  readonly published: boolean;
  /** The history file that holds what the note was, where the edition is published. */
  readonly displaced: string | null;
  /** As in `Former`. */
  readonly apart?: string;
  /** A history file with bytes that a person wrote in those moments, or null. */
  readonly found: string | null;
}

interface InterruptedPublishParts {
  readonly root: string;
  readonly tmp: string;
  readonly history: History;
  /** Puts the bytes of a file back into their note; returns the history file with what could not go back, or null. */
  readonly giveBack: (edition: Edition, note: string, file: string) => string | null;
}

/** Puts in order what a crash or a failing disk left of an edition, judging by the files on disk alone. */
export class InterruptedPublish {
  readonly #parts: InterruptedPublishParts;

  constructor(parts: InterruptedPublishParts) {
    this.#parts = parts;
  }

  /**
   * Returns whether an edition reached its note. The part files tell: after the swap a part holds what the note was,
   * before it what the note was to become. `first`: nothing else was done under this name yet, so that the files in the
   * history are this note's.
   */
  resolve(edition: Edition, first: boolean): Resolution {
    const part = leftPart(edition, this.#parts.root, this.#parts.tmp);
    const displaced = part !== null && !isBeginning(part, edition) ? part : null;
    if (displaced !== null) return this.#resolveDisplaced(edition, displaced);
    // Where the note's name is free, the part is the only sign of why, so it goes last. Otherwise it goes first: it may
    // be a second name of the note, and would get in the way of giving back.
    const isFree = this.#find(edition) === null;
    if (part !== null && !isFree) fs.rmSync(part, { force: true });
    const resolution = this.#resolveKept(edition, part !== null && isFree, first);
    if (part !== null) fs.rmSync(part, { force: true });
    return resolution;
  }

  #resolveDisplaced(edition: Edition, part: string): Resolution {
    const { history, giveBack } = this.#parts;
    if (isStill(part, edition.beforeSha256)) return published(history.keepFormer(part, edition.keepAs), null);
    const note = this.#find(edition);
    if (note !== null && shaOf(note) === sha256(edition.bytes)) {
      // Killed while the new bytes were written into the file itself: a copy of the former ones was kept before that.
      const copy = this.#keptOf(edition).find((file) => isStill(file, edition.beforeSha256));
      if (copy !== undefined) return published({ displaced: copy }, this.#parts.history.keep(part, edition.keepAs));
      return withdrawn(giveBack(edition, note, part));
    }
    const kept = note === null ? this.#keptOf(edition) : [];
    // Killed while their bytes were moved out of the note to make room for what it was before: the newest go back.
    if (kept.length > 0) return this.#putBack(edition, part, kept);
    const isIn = note !== null && keepsChange(edition, part, note);
    const file = history.keep(part, edition.keepAs);
    return isIn ? published({ displaced: file }, file) : withdrawn(file);
  }

  #resolveKept(edition: Edition, movedAside: boolean, first: boolean): Resolution {
    const kept = this.#keptOf(edition);
    const note = this.#find(edition);
    const former = kept.find((file) => isStill(file, edition.beforeSha256));
    if (movedAside && kept.length > 0) return this.#putBack(edition, former, kept);
    if (former !== undefined) return published({ displaced: former }, null);
    const theirs = kept.find((file) => !isStill(file, sha256(edition.bytes)));
    if (!first || theirs === undefined || note === null) return withdrawn(null);
    if (shaOf(note) === sha256(edition.bytes)) return withdrawn(this.#parts.giveBack(edition, note, theirs));
    return keepsChange(edition, theirs, note) ? published({ displaced: theirs }, theirs) : withdrawn(theirs);
  }

  // Killed while the note was moved aside and its name was free: the part was still waiting.
  #putBack(edition: Edition, former: string | undefined, kept: readonly string[]): Resolution {
    const back = former ?? kept[0];
    if (back !== undefined) claimName(back, path.resolve(this.#parts.root, edition.path));
    return withdrawn(kept.find((file) => fs.existsSync(file)) ?? null);
  }

  // What the history holds under the edition's name, newest first. A second name of the note itself is removed.
  #keptOf(edition: Edition): string[] {
    const note = this.#find(edition);
    const inode = note === null ? null : fs.statSync(note).ino;
    const files = this.#parts.history.filesOf(edition);
    const [linked, kept] = [files.filter(isNote), files.filter((file) => !isNote(file))];
    for (const file of linked) fs.rmSync(file, { force: true });
    return kept;

    function isNote(file: string): boolean {
      return fs.statSync(file).ino === inode;
    }
  }

  #find(edition: Edition): string | null {
    return noteOf(edition, this.#parts.root);
  }
}

function published(former: Former, found: string | null): Resolution {
  return { published: true, ...former, found };
}

function withdrawn(found: string | null): Resolution {
  return { published: false, displaced: null, found };
}
