import fs from 'node:fs';
import path from 'node:path';
import { readBytes, syncFolder } from '../files.ts';
import { MAX_NOTE_BYTES, readNote } from '../frontmatter/parse.ts';
import { sha256 } from '../hash.ts';
import { keepModeAndOwner, writeLasting } from '../part-file.ts';
import type { Exchange } from './atomic-exchange.ts';
import { type Edition, noteOf, partFiles } from './edition.ts';
import { type Former, History } from './history.ts';
import { InterruptedPublish, type Resolution } from './interrupted-publish.ts';
import { bytesOf, claimName, isStill, move, putBehind, shaOf, swap } from './rename-ops.ts';

type Published =
  | ({ readonly done: true } & Former)
  /**
   * Somebody wrote to the note in between: nothing of ours stayed in it, nothing of theirs was lost. `found`: history
   * files with bytes of theirs that are not in the note.
   */
  | { readonly done: false; readonly found: readonly string[] };

const NOT_DONE: Published = { done: false, found: [] };
/** How often a person may write again while their bytes are given back, before the history keeps them instead. */
const SWAPS = 8;

export interface PublisherParts {
  readonly root: string;
  readonly tmp: string;
  /** The folder of the history. */
  readonly history: string;
  readonly exchange: Exchange | null;
  /** Called with our own bytes that stood in a note for a moment: whoever opened them there writes into this file. */
  readonly withdrawn?: (note: string, file: string, sha: string) => void;
}

/**
 * Replaces the bytes of a note that others may be writing at the same instant (contract, section 9).
 *
 * The law: whatever was in the note when ours came is found again. Compare, write the new bytes to a part file, compare
 * again, swap, and look at what the swap displaced: if it is not what was judged, a write slipped in, and it goes back.
 * Where the disk refuses half way, `publish` throws and leaves everything to `resolve`, which a start after a crash
 * calls too.
 */
export class Publisher {
  readonly #parts: PublisherParts;
  readonly #history: History;
  readonly #interrupted: InterruptedPublish;

  constructor(parts: PublisherParts) {
    this.#parts = parts;
    this.#history = new History(parts.history);
    this.#interrupted = new InterruptedPublish({
      root: parts.root,
      tmp: parts.tmp,
      history: this.#history,
      giveBack: (edition, note, file) => this.#giveBack(edition, note, file),
    });
  }

  /**
   * Publishes one edition. Throws the system error where the disk refuses; `resolve` then tells what became of it. Throws
   * what `mayPublish` throws, which is asked last before the note changes.
   */
  publish(edition: Edition, mayPublish: () => void = () => {}): Published {
    const note = noteOf(edition, this.#parts.root);
    if (note === null) return NOT_DONE;
    const now = readBytes(note, MAX_NOTE_BYTES);
    if (sha256(now.bytes) !== edition.beforeSha256) return NOT_DONE;
    const part = this.#writePart(note, edition, now);
    const { exchange } = this.#parts;
    // Whether the vault is ours is looked at last: a process may have been frozen in between.
    const isReady = () => isStill(note, edition.beforeSha256) && allows(mayPublish);
    return exchange === null
      ? this.#byMove(edition, note, part, isReady)
      : this.#byExchange(edition, note, part, isReady, exchange);
  }

  /**
   * Puts in order what a crash or a failing disk left of an edition, and returns whether it reached its note. `first`:
   * nothing else was done under this name yet. May be cut off at any point and called again.
   */
  resolve(edition: Edition, first: boolean): Resolution {
    return this.#interrupted.resolve(edition, first);
  }

  /** Returns how many files the history holds under a name. */
  keptUnder(keepAs: string): number {
    return this.#history.count(keepAs);
  }

  // --- the swap ------------------------------------------------------------------------------------------------------

  // Keeps mode and owner. Where .steward/tmp is on another file system than the note, the part is written next to the
  // note, under a dot-name that no listing and no editor mistakes for a note.
  #writePart(note: string, edition: Edition, like: { mode: number; uid: number; gid: number }): string {
    const sameDisk = fs.statSync(this.#parts.tmp).dev === fs.statSync(path.dirname(note)).dev;
    const part = this.#partFiles(edition, note)[sameDisk ? 0 : 1];
    try {
      writeLasting(part, edition.bytes);
      keepModeAndOwner(part, like);
      return part;
    } catch (error) {
      fs.rmSync(part, { force: true });
      throw error;
    }
  }

  #byExchange(edition: Edition, note: string, part: string, isReady: () => boolean, exchange: Exchange): Published {
    const swapped = () => isReady() && swap(exchange, part, note);
    if (!this.#orDrop(edition, part, swapped)) return NOT_DONE;
    // `part` is now the very file that was the note: its name and whoever holds it open.
    if (!isStill(part, edition.beforeSha256)) return notDone(this.#giveBack(edition, note, part));
    const former = this.#history.keepFormer(part, edition.keepAs);
    syncFolder(path.dirname(note));
    return { done: true, ...former };
  }

  // Without an exchange the note is moved aside, and ours gets its name only if nobody has taken it meanwhile: for an
  // instant the name is free. Renaming over it would leave no such instant, but would bury whatever was written last.
  #byMove(edition: Edition, note: string, part: string, isReady: () => boolean): Published {
    const kept = this.#history.freeName(edition.keepAs);
    const moved = () => isReady() && move(note, kept);
    if (!this.#orDrop(edition, part, moved)) return NOT_DONE;
    const ours = this.#takeName(part, note, kept);
    syncFolder(path.dirname(note));
    this.#history.sync();
    if (!ours) return this.#recreated(edition, note, part, kept);
    if (isStill(kept, edition.beforeSha256)) return { done: true, displaced: kept };
    return notDone(this.#giveBack(edition, note, kept));
  }

  // A disk that refuses the name to the new file still gives it back to the old one.
  #takeName(part: string, note: string, kept: string): boolean {
    try {
      return claimName(part, note);
    } catch (error) {
      if (!fs.existsSync(note)) fs.renameSync(kept, note);
      fs.rmSync(part, { force: true });
      throw error;
    }
  }

  /**
   * Somebody created the note again in the instant when its name was free. If theirs is a whole note it stays, and the
   * history keeps the former one. If theirs has no frontmatter where the note had some, it was appended to a note that
   * was missing: the note comes back, with their bytes after it.
   */
  #recreated(edition: Edition, note: string, part: string, kept: string): Published {
    const [former, theirs] = [kept, note].map((file) => hasFrontmatter(edition.path, bytesOf(file)));
    const isAppended = former === true && theirs === false;
    const found = isAppended ? putBehind(note, kept, this.#history.freeName(edition.keepAs)) : [kept];
    fs.rmSync(part, { force: true }); // last: while the note's name is free, it is the only sign of why
    return { done: false, found };
  }

  // Up to the swap the part is ours to throw away; a disk that reports an error may have swapped all the same.
  #orDrop(edition: Edition, part: string, swapped: () => boolean): boolean {
    let done = false;
    try {
      done = swapped();
      return done;
    } finally {
      if (!done && isStill(part, sha256(edition.bytes))) fs.rmSync(part, { force: true });
    }
  }

  // --- giving back ---------------------------------------------------------------------------------------------------

  /**
   * A write slipped in before the swap: `aside` holds it, the note holds ours. Whatever comes out of the note is newer
   * than what goes in, so the swaps continue until what comes out is what went in the time before. Returns the history
   * file with what could not go back, or null.
   */
  #giveBack(edition: Edition, note: string, aside: string): string | null {
    const { exchange } = this.#parts;
    if (exchange === null) return this.#moveBack(edition, note, aside);
    const ours = sha256(edition.bytes);
    let inNote = ours;
    for (let swaps = 0; swaps < SWAPS; swaps += 1) {
      const theirs = shaOf(aside);
      if (!swap(exchange, aside, note)) break; // deleted meanwhile: a person's decision
      syncFolder(path.dirname(note));
      if (isStill(aside, inNote)) {
        if (inNote !== ours) break; // an older text of theirs, which they overwrote themselves
        this.#withdraw(edition, aside);
        return null;
      }
      inNote = theirs ?? '';
    }
    return this.#history.keep(aside, edition.keepAs);
  }

  #moveBack(edition: Edition, note: string, aside: string): string | null {
    const out = this.#partFiles(edition, note)[0];
    if (!move(note, out)) return this.#history.keep(aside, edition.keepAs);
    const ours = isStill(out, sha256(edition.bytes));
    const back = claimName(ours ? aside : out, note);
    syncFolder(path.dirname(note));
    if (ours) this.#withdraw(edition, out);
    else if (!back) this.#history.keep(out, edition.keepAs);
    return ours && back ? null : this.#history.keep(aside, edition.keepAs);
  }

  #withdraw(edition: Edition, file: string): void {
    const { withdrawn } = this.#parts;
    if (withdrawn === undefined) fs.rmSync(file, { force: true });
    else withdrawn(edition.path, this.#history.keep(file, edition.keepAs), sha256(edition.bytes));
  }

  #partFiles(edition: Edition, note: string): [inTmp: string, besideNote: string] {
    return partFiles(edition, this.#parts.tmp, path.dirname(note));
  }
}

function allows(mayPublish: () => void): true {
  mayPublish();
  return true;
}

function notDone(found: string | null): Published {
  return found === null ? NOT_DONE : { done: false, found: [found] };
}

/** Whether a note has frontmatter; null where it cannot be read. */
function hasFrontmatter(file: string, bytes: Buffer | null): boolean | null {
  const read = bytes === null ? null : readNote(file, bytes);
  return read?.ok ? read.note.block !== null : null;
}
