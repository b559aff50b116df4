import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../errors.ts';
import { insideVault, readBytes, syncFolder } from '../files.ts';
import { same } from '../frontmatter/equal.ts';
import { MAX_NOTE_BYTES, readNote } from '../frontmatter/parse.ts';
import { sha256 } from '../hash.ts';
import type { Exchange } from './atomic-exchange.ts';
import {
  bytesOf,
  isMoved,
  isStill,
  keepOwner,
  move,
  place,
  putBehind,
  shaOf,
  swap,
  writeLasting,
} from './rename-ops.ts';

/** A note's new bytes, and the bytes they were judged on. */
export interface Edition {
  /** Vault-relative path of a note that exists. */
  readonly path: string;
  readonly beforeSha256: string;
  readonly bytes: Buffer;
  /** What the former bytes are kept under in the history: `<keepAs>.<n>.md`. */
  readonly keepAs: string;
  /** How many files lay there under that name before this edition was made. */
  readonly keptBefore: number;
}

type Published =
  | ({ readonly done: true } & Former)
  /**
   * Somebody wrote to the note in between: nothing of ours stayed in it, nothing of theirs was lost. `found`: history
   * files with bytes of theirs that are not in the note.
   */
  | { readonly done: false; readonly found: readonly string[] };

/** Where a note's former bytes are. */
interface Former {
  /** The history file that holds them. */
  readonly displaced: string;
  /**
   * Where the history is another disk than the note: the very file that the note was. Whoever holds it open still writes
   * into it, so that it stays beside the note until it is quiet, and the history holds a copy.
   */
  readonly apart?: string;
}

/** What was found of an edition whose publishing was cut off, after it was put in order. */
interface Left {
  readonly published: boolean;
  /** The history file that holds what the note was, where the edition is published. */
  readonly displaced: string | null;
  /** As in `Former`. */
  readonly apart?: string;
  /** A history file with bytes that a person wrote in those moments, or null. */
  readonly found: string | null;
}

const NOT_DONE: Published = { done: false, found: [] };
/** How the name of a displaced file ends that stays beside its note. */
export const APART = '.former';
/** How often somebody may write again while theirs is being given back, before it is kept in the history instead. */
const SWAPS = 8;

export interface PublishPlaces {
  readonly root: string;
  readonly tmp: string;
  readonly history: string;
  readonly exchange: Exchange | null;
  /** Told of our own bytes that stood in a note for a moment: whoever opened them there writes into this file. */
  readonly withdrawn?: (note: string, file: string, sha: string) => void;
}

/**
 * Puts new bytes in the place of a note that others may be writing at the same instant (contract, section 9).
 *
 * The law: whatever was in the note when ours came is found again. Compare, write beside, compare again, swap, and
 * look at what the swap displaced: if it is not what was judged, a write slipped in, and it goes back. Where the disk
 * refuses half way, `publish` throws and leaves everything for `settle`, which is also what a start after a crash calls.
 */
export class Publisher {
  readonly #places: PublishPlaces;

  constructor(places: PublishPlaces) {
    this.#places = places;
  }

  /** Publishes one edition. Throws the system error where the disk refuses; `settle` then tells what came of it. */
  publish(edition: Edition): Published {
    const note = this.#find(edition.path);
    if (note === null) return NOT_DONE;
    const now = readBytes(note, MAX_NOTE_BYTES);
    if (sha256(now.bytes) !== edition.beforeSha256) return NOT_DONE;
    const part = this.#writeBeside(note, edition, now);
    const { exchange } = this.#places;
    return exchange === null ? this.#byMove(edition, note, part) : this.#byExchange(edition, note, part, exchange);
  }

  /**
   * Puts in order what a crash or a failing disk left of an edition, and tells whether it reached its note. The part
   * files tell: after the swap a part holds what the note was, before it what the note was to become.
   * `first`: nothing else was done under this name yet, so that what lies in the history is this note's.
   */
  resolve(edition: Edition, first: boolean): Left {
    const part = this.#leftPart(edition);
    const displaced = part !== null && !isBeginning(part, edition.bytes) ? part : null;
    if (displaced !== null) return this.#settleDisplaced(edition, displaced);
    // Of a note whose name is free the part is the only sign of why, so it goes last; else first, since it may be a
    // second name of the note, and would stand in the way of giving back.
    const isFree = this.#find(edition.path) === null;
    if (part !== null && !isFree) fs.rmSync(part, { force: true });
    const left = this.#settleKept(edition, part !== null && isFree, first);
    if (part !== null) fs.rmSync(part, { force: true });
    return left;
  }

  /** How many files the history holds under a name. */
  keptUnder(keepAs: string): number {
    return this.#freeCount(keepAs) - 1;
  }

  #find(file: string): string | null {
    try {
      return insideVault(this.#places.root, file);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  // --- the swap ------------------------------------------------------------------------------------------------------

  // Mode and owner are kept. Where .steward/tmp is another file system than the note, the part lies beside the note
  // under a dot-name that no listing and no editor takes for a note.
  #writeBeside(note: string, edition: Edition, like: { mode: number; uid: number; gid: number }): string {
    const sameDisk = fs.statSync(this.#places.tmp).dev === fs.statSync(path.dirname(note)).dev;
    const part = this.#partPlaces(edition, path.dirname(note))[sameDisk ? 0 : 1];
    try {
      writeLasting(part, edition.bytes);
      const made = fs.statSync(part);
      if (made.uid !== like.uid || made.gid !== like.gid) keepOwner(part, like);
      if ((made.mode & 0o7777) !== like.mode) fs.chmodSync(part, like.mode);
      return part;
    } catch (error) {
      fs.rmSync(part, { force: true });
      throw error;
    }
  }

  #byExchange(edition: Edition, note: string, part: string, exchange: Exchange): Published {
    const swapped = () => isStill(note, edition.beforeSha256) && swap(exchange, part, note);
    if (!this.#orDrop(edition, part, swapped)) return NOT_DONE;
    // `part` is now the very file that was the note: its name and whoever holds it open.
    if (!isStill(part, edition.beforeSha256)) return notDone(this.#giveBack(edition, note, part));
    const former = this.#keepFormer(part, edition.keepAs);
    syncFolder(path.dirname(note));
    return { done: true, ...former };
  }

  // Without an exchange the note is moved aside, and ours gets its name only if nobody has taken it meanwhile: for an
  // instant the name is free. Renaming over it would have no such instant, but would bury whatever came there last.
  #byMove(edition: Edition, note: string, part: string): Published {
    const kept = this.#keepName(edition.keepAs);
    const moved = () => isStill(note, edition.beforeSha256) && move(note, kept);
    if (!this.#orDrop(edition, part, moved)) return NOT_DONE;
    const ours = this.#takeName(part, note, kept);
    syncFolder(path.dirname(note));
    syncFolder(this.#places.history);
    if (!ours) return this.#madeAnew(edition, note, part, kept);
    if (isStill(kept, edition.beforeSha256)) return { done: true, displaced: kept };
    return notDone(this.#giveBack(edition, note, kept));
  }

  // A disk that refuses the name to the new file still gives it back to the old one.
  #takeName(part: string, note: string, kept: string): boolean {
    try {
      return place(part, note);
    } catch (error) {
      if (!fs.existsSync(note)) fs.renameSync(kept, note);
      fs.rmSync(part, { force: true });
      throw error;
    }
  }

  /**
   * Somebody made the note anew in the instant when its name was free. A whole note stays, and what it was before is the
   * history's. What has no frontmatter where the note had one was appended to a note that was not there: the note comes
   * back, and it goes behind it.
   */
  #madeAnew(edition: Edition, note: string, part: string, kept: string): Published {
    const [former, theirs] = [kept, note].map((file) => blockOf(edition.path, bytesOf(file)));
    const isAppended = former === true && theirs === false;
    const found = isAppended ? putBehind(note, kept, this.#keepName(edition.keepAs)) : [kept];
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
   * A write slipped in before the swap: `held` holds it, the note holds ours. Whatever comes out of the note is newer
   * than what is put in, so it goes on until what comes out is what was put in the time before. Gives the history file
   * with what could not go back, or null.
   */
  #giveBack(edition: Edition, note: string, held: string): string | null {
    const { exchange } = this.#places;
    if (exchange === null) return this.#moveBack(edition, note, held);
    const ours = sha256(edition.bytes);
    let inNote = ours;
    for (let swaps = 0; swaps < SWAPS; swaps += 1) {
      const theirs = shaOf(held);
      if (!swap(exchange, held, note)) break; // deleted meanwhile: a person's decision
      syncFolder(path.dirname(note));
      if (isStill(held, inNote)) {
        if (inNote !== ours) break; // an older writing of theirs, written over by themselves
        this.#withdraw(edition, held);
        return null;
      }
      inNote = theirs ?? '';
    }
    return this.#keep(held, edition.keepAs);
  }

  #moveBack(edition: Edition, note: string, held: string): string | null {
    const out = this.#partPlaces(edition, path.dirname(note))[0];
    if (!move(note, out)) return this.#keep(held, edition.keepAs);
    const ours = isStill(out, sha256(edition.bytes));
    const back = place(ours ? held : out, note);
    syncFolder(path.dirname(note));
    if (ours) this.#withdraw(edition, out);
    else if (!back) this.#keep(out, edition.keepAs);
    return ours && back ? null : this.#keep(held, edition.keepAs);
  }

  #withdraw(edition: Edition, file: string): void {
    const { withdrawn } = this.#places;
    if (withdrawn === undefined) fs.rmSync(file, { force: true });
    else withdrawn(edition.path, this.#keep(file, edition.keepAs), sha256(edition.bytes));
  }

  // --- after a crash -------------------------------------------------------------------------------------------------

  #settleDisplaced(edition: Edition, part: string): Left {
    if (isStill(part, edition.beforeSha256)) return published(this.#keepFormer(part, edition.keepAs), null);
    const note = this.#find(edition.path);
    if (note !== null && shaOf(note) === sha256(edition.bytes)) {
      return withdrawn(this.#giveBack(edition, note, part));
    }
    const aside = note === null ? this.#keptOf(edition) : [];
    // Killed while theirs was moved out of the note to make room for what it was before: the newest goes back.
    if (aside.length > 0) return this.#putBack(edition, part, aside);
    const isIn = note !== null && keepsChange(edition, part, note);
    const kept = this.#keep(part, edition.keepAs);
    return isIn ? published({ displaced: kept }, kept) : withdrawn(kept);
  }

  #settleKept(edition: Edition, movedAside: boolean, first: boolean): Left {
    const kept = this.#keptOf(edition);
    const note = this.#find(edition.path);
    const former = kept.find((file) => isStill(file, edition.beforeSha256));
    if (movedAside && kept.length > 0) return this.#putBack(edition, former, kept);
    if (former !== undefined) return published({ displaced: former }, null);
    const theirs = kept.find((file) => !isStill(file, sha256(edition.bytes)));
    if (!first || theirs === undefined || note === null) return withdrawn(null);
    if (shaOf(note) === sha256(edition.bytes)) return withdrawn(this.#giveBack(edition, note, theirs));
    return keepsChange(edition, theirs, note) ? published({ displaced: theirs }, theirs) : withdrawn(theirs);
  }

  // Killed while the note was moved aside and its name was free: the part was still waiting.
  #putBack(edition: Edition, former: string | undefined, kept: readonly string[]): Left {
    const back = former ?? kept[0];
    if (back !== undefined) place(back, path.resolve(this.#places.root, edition.path));
    return withdrawn(kept.find((file) => fs.existsSync(file)) ?? null);
  }

  // What lies in the history under the edition's name, newest first. A second name of the note itself is taken away.
  #keptOf(edition: Edition): string[] {
    const note = this.#find(edition.path);
    const inode = note === null ? null : fs.statSync(note).ino;
    const files = this.#historyOf(edition);
    const [linked, kept] = [files.filter(isNote), files.filter((file) => !isNote(file))];
    for (const file of linked) fs.rmSync(file, { force: true });
    return kept;

    function isNote(file: string): boolean {
      return fs.statSync(file).ino === inode;
    }
  }

  // --- names ---------------------------------------------------------------------------------------------------------

  #leftPart(edition: Edition): string | null {
    const folder = path.dirname(path.resolve(this.#places.root, edition.path));
    return this.#partPlaces(edition, folder).find((file) => fs.existsSync(file)) ?? null;
  }

  #partPlaces(edition: Edition, folder: string): [inTmp: string, besideNote: string] {
    const name = partName(edition.keepAs, edition.path);
    return [path.join(this.#places.tmp, name), path.join(folder, `.${name}`)];
  }

  #keep(file: string, keepAs: string): string {
    if (path.dirname(file) === this.#places.history) return file;
    const { displaced, apart } = this.#keepFormer(file, keepAs);
    if (apart !== undefined) fs.rmSync(apart, { force: true });
    return displaced;
  }

  #keepFormer(file: string, keepAs: string): Former {
    const kept = this.#keepName(keepAs);
    const moved = isMoved(file, kept);
    if (!moved) fs.copyFileSync(file, kept);
    syncFolder(this.#places.history);
    if (moved) return { displaced: kept };
    const apart = `${file}${APART}`; // no part any more: a start after a crash does not take it for one
    fs.renameSync(file, apart);
    return { displaced: kept, apart };
  }

  #keepName(keepAs: string): string {
    return this.#historyFile(keepAs, this.#freeCount(keepAs));
  }

  #freeCount(keepAs: string): number {
    let count = 1;
    while (fs.existsSync(this.#historyFile(keepAs, count))) count += 1;
    return count;
  }

  #historyOf({ keepAs, keptBefore }: Edition): string[] {
    const numbered = fs.readdirSync(this.#places.history).flatMap((name) => {
      const count = name.startsWith(`${keepAs}.`) ? /^(\d+)\.md$/.exec(name.slice(keepAs.length + 1))?.[1] : undefined;
      return count === undefined || Number(count) <= keptBefore ? [] : [Number(count)];
    });
    return numbered.sort((one, other) => other - one).map((count) => this.#historyFile(keepAs, count));
  }

  #historyFile(keepAs: string, count: number): string {
    return path.join(this.#places.history, `${keepAs}.${count}.md`);
  }
}

/** What an edition's part file is called: one for each note an intent edits, so that recovery knows whose it is. */
export function partName(keepAs: string, file: string): string {
  return `${keepAs}.${sha256(file).slice(0, 8)}.part`;
}

function notDone(found: string | null): Published {
  return found === null ? NOT_DONE : { done: false, found: [found] };
}

function published(former: Former, found: string | null): Left {
  return { published: true, ...former, found };
}

function withdrawn(found: string | null): Left {
  return { published: false, displaced: null, found };
}

/** Whether a part is our new text or a beginning of it, and not the file that was displaced. */
function isBeginning(part: string, ours: Buffer): boolean {
  const bytes = bytesOf(part);
  return bytes !== null && bytes.length <= ours.length && ours.subarray(0, bytes.length).equals(bytes);
}

// Both wrote: theirs was displaced, and the note was written again since. Ours is in it if each field that ours and
// theirs hold differently is as ours has it.
function keepsChange(edition: Edition, theirs: string, note: string): boolean {
  const [ours, other, now] = [edition.bytes, bytesOf(theirs), bytesOf(note)].map((bytes) =>
    dataOf(edition.path, bytes),
  );
  if (!ours || !other || !now) return false;
  const differing = Object.keys({ ...ours, ...other }).filter((key) => !same(ours[key] ?? null, other[key] ?? null));
  return differing.every((key) => same(now[key] ?? null, ours[key] ?? null));
}

/** Whether a note has frontmatter; null where it cannot be told. */
function blockOf(file: string, bytes: Buffer | null): boolean | null {
  const read = bytes === null ? null : readNote(file, bytes);
  return read?.ok ? read.note.block !== null : null;
}

function dataOf(file: string, bytes: Buffer | null) {
  const read = bytes === null ? null : readNote(file, bytes);
  return read?.ok ? read.note.data : null;
}
