import fs from 'node:fs';
import path from 'node:path';
import type { SystemCalls } from '../disk/system-calls.ts';
import { rewrite } from '../disk.ts';
import {
  type Attributes,
  attributesOf,
  attributesRefusal,
  editRefusal,
  giveAttributes,
  sameAttributes,
} from '../disk-readers.ts';
import { readBytes, syncFolder } from '../files.ts';
import { MAX_NOTE_BYTES, readNote } from '../frontmatter-parse.ts';
import { sha256 } from '../hash.ts';
import { bytesOf, claimName, isStill, move, putBehind, shaOf, swap } from '../journal.ts';
import { writeLasting } from '../part-file.ts';
import type { Exchange } from '../transaction.ts';
import { type Edition, noteOf, partFiles } from './edition.ts';
import { type Former, History } from './history.ts';
import { InterruptedPublish, type Resolution } from './interrupted-publish.ts';

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
  /** How attributes are read and given; only mode and owner are kept where it is absent. */
  readonly system?: SystemCalls | null;
  /** Called with our own bytes that stood in a note for a moment: whoever opened them there writes into this file. */
  readonly withdrawn?: (note: string, file: string, sha: string) => void;
}

/** A note's new bytes before they get its name. */
interface Part {
  readonly file: string;
  /** What the note has besides its bytes. */
  readonly like: Attributes;
  /** Whether the part has all of it too. */
  readonly isAlike: boolean;
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
   * what `mayPublish` throws, which is asked last before the note changes, and a refusal, with nothing changed, where the
   * note could not be kept as it was.
   */
  publish(edition: Edition, mayPublish: () => void = () => {}): Published {
    const note = noteOf(edition, this.#parts.root);
    if (note === null) return NOT_DONE;
    const now = readBytes(note, MAX_NOTE_BYTES);
    if (sha256(now.bytes) !== edition.beforeSha256) return NOT_DONE;
    const refusal = editRefusal(edition.path, note, now);
    if (refusal !== null) throw refusal;
    const part = this.#writePart(note, edition);
    const { exchange } = this.#parts;
    // Whether the vault is ours is looked at last: a process may have been frozen in between.
    const isReady = () => isStill(note, edition.beforeSha256) && allows(mayPublish);
    return exchange === null
      ? this.#byMove(edition, note, part.file, isReady)
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

  /** The folder of the history. */
  get history(): string {
    return this.#parts.history;
  }

  /** Returns the text of a note that was kept under a name, by its hash: in the history, or still in `tmp`. */
  formerText(keepAs: string, sha: string): string | null {
    for (const folder of [this.#parts.history, this.#parts.tmp]) {
      for (const file of filesBeginning(folder, `${keepAs}.`)) {
        const bytes = bytesOf(file);
        if (bytes !== null && sha256(bytes) === sha) return bytes.toString('utf8');
      }
    }
    return null;
  }

  // --- the swap ------------------------------------------------------------------------------------------------------

  // Where .steward/tmp is on another file system than the note, the part is written next to the
  // note, under a dot-name that no listing and no editor mistakes for a note.
  #writePart(note: string, edition: Edition): Part {
    const sameDisk = fs.statSync(this.#parts.tmp).dev === fs.statSync(path.dirname(note)).dev;
    const file = this.#partFiles(edition, note)[sameDisk ? 0 : 1];
    const { exchange, system = null } = this.#parts;
    try {
      const like = attributesOf(note, system);
      writeLasting(file, edition.bytes);
      const isAlike = giveAttributes(file, like, system);
      if (!isAlike && exchange === null) throw attributesRefusal(edition.path);
      return { file, like, isAlike };
    } catch (error) {
      fs.rmSync(file, { force: true });
      throw error;
    }
  }

  #byExchange(edition: Edition, note: string, part: Part, isReady: () => boolean, exchange: Exchange): Published {
    const { file } = part;
    const swapped = () => isReady() && swap(exchange, file, note);
    if (!this.#orDrop(edition, file, swapped)) return NOT_DONE;
    // `file` is now the very file that was the note: its name and whoever holds it open.
    if (!isStill(file, edition.beforeSha256)) return notDone(this.#giveBack(edition, note, file));
    if (part.isAlike) this.#giveLate(note, part);
    const former = part.isAlike
      ? this.#history.keepFormer(file, edition.keepAs)
      : this.#intoFormer(edition, note, file, exchange);
    syncFolder(path.dirname(note));
    return { done: true, ...former };
  }

  // What somebody closed to others at the instant of the swap must not be open in the new file.
  #giveLate(note: string, { file, like }: Part): void {
    const { system = null } = this.#parts;
    const late = attributesOf(file, system);
    if (!sameAttributes(late, like)) giveAttributes(note, late, system);
  }

  /**
   * The note's owner or attributes cannot be given to a new file, so the file itself becomes the note again: the new bytes
   * are written into it while another file with the same bytes has its name, and the two are swapped back. Readers find
   * a whole note at every moment, and so does a start after a crash.
   */
  #intoFormer(edition: Edition, note: string, former: string, exchange: Exchange): Former {
    const displaced = this.#history.copy(former, edition.keepAs);
    // Where somebody writes into it at this instant, it is kept as any displaced file is, and looked at again.
    if (!rewrite(former, edition.beforeSha256, edition.bytes)) return this.#history.keepFormer(former, edition.keepAs);
    // Not where the note was deleted meanwhile: a person's decision. What comes out is our own file; or what somebody wrote
    // in its place meanwhile, which is newer and goes back.
    const isBack = swap(exchange, former, note);
    if (isBack && !isStill(former, sha256(edition.bytes))) swap(exchange, former, note);
    this.#withdraw(edition, former);
    return { displaced };
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

function filesBeginning(folder: string, beginning: string): string[] {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names.filter((name) => name.startsWith(beginning)).map((name) => path.join(folder, name));
}
