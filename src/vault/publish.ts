import fs from 'node:fs';
import path from 'node:path';
import type { Exchange } from './exchange.ts';
import { insideVault, readBytes, syncFolder } from './files.ts';
import { MAX_NOTE_BYTES } from './frontmatter.ts';
import { sha256 } from './hash.ts';
import { systemCode } from './trouble.ts';

/** A note's new bytes, and the bytes they were judged on. */
export interface Edition {
  /** Vault-relative path of a note that exists. */
  readonly path: string;
  readonly beforeSha256: string;
  readonly bytes: Buffer;
  /** What the former bytes are kept under in the history: `<keepAs>.<n>.md`. */
  readonly keepAs: string;
}

export type Published =
  /** `displaced`: the history file that holds what the note was. */
  | { readonly done: true; readonly displaced: string }
  /** Somebody wrote to the note in between: nothing of ours stayed in it, nothing of theirs was lost. */
  | { readonly done: false; readonly displaced: string | null };

/**
 * Puts new bytes in the place of a note that others may be writing at the same instant (contract, section 9).
 *
 * The law: whatever was in the note when ours came is found again. Compare, write beside, compare again, swap, and
 * look at what the swap displaced: if it is not what was judged, a write slipped in, and it goes back.
 */
export class Publisher {
  readonly #root: string;
  readonly #tmp: string;
  readonly #history: string;
  readonly #exchange: Exchange | null;

  constructor(places: { root: string; tmp: string; history: string; exchange: Exchange | null }) {
    this.#root = places.root;
    this.#tmp = places.tmp;
    this.#history = places.history;
    this.#exchange = places.exchange;
  }

  /** Publishes one edition. Throws the system error where the disk refuses; the note is then as it was. */
  publish(edition: Edition): Published {
    const note = this.#find(edition.path);
    if (note === null) return { done: false, displaced: null };
    const now = readBytes(note, MAX_NOTE_BYTES);
    if (sha256(now.bytes) !== edition.beforeSha256) return { done: false, displaced: null };
    const part = this.#writeBeside(note, edition, now);
    try {
      return this.#exchange === null
        ? this.#byRename(edition, note, part)
        : this.#byExchange(edition, note, part, this.#exchange);
    } finally {
      fs.rmSync(part, { force: true });
    }
  }

  #find(file: string): string | null {
    try {
      return insideVault(this.#root, file);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  // Mode and owner are kept. Where .steward/tmp is another file system than the note, the part lies beside the note
  // under a dot-name that no listing and no editor takes for a note.
  #writeBeside(note: string, edition: Edition, like: { mode: number; uid: number; gid: number }): string {
    const sameDisk = fs.statSync(this.#tmp).dev === fs.statSync(path.dirname(note)).dev;
    const name = partName(edition.keepAs, edition.path);
    const part = sameDisk ? path.join(this.#tmp, name) : path.join(path.dirname(note), `.${name}`);
    writeLasting(part, edition.bytes);
    const made = fs.statSync(part);
    if (made.uid !== like.uid || made.gid !== like.gid) keepOwner(part, like);
    if ((made.mode & 0o7777) !== like.mode) fs.chmodSync(part, like.mode);
    return part;
  }

  #byExchange(edition: Edition, note: string, part: string, exchange: Exchange): Published {
    if (!this.#stillIs(note, edition.beforeSha256)) return { done: false, displaced: null };
    if (!tryExchange(exchange, part, note)) return { done: false, displaced: null };
    syncFolder(path.dirname(note));
    // `part` is now the very file that was the note: its name and whoever holds it open.
    if (this.#stillIs(part, edition.beforeSha256)) return { done: true, displaced: this.#keep(part, edition.keepAs) };
    const back = tryExchange(exchange, part, note);
    syncFolder(path.dirname(note));
    // What came back must be ours; if it is not, somebody wrote in those microseconds, and that is kept too.
    const ours = back && this.#stillIs(part, sha256(edition.bytes));
    return { done: false, displaced: ours ? null : this.#keep(part, edition.keepAs) };
  }

  // Without an exchange: a hard link holds on to the note that the rename is about to displace.
  #byRename(edition: Edition, note: string, part: string): Published {
    const kept = this.#keepName(edition.keepAs);
    fs.linkSync(note, kept);
    const sameFile = fs.statSync(note).ino === fs.statSync(kept).ino;
    if (!sameFile || !this.#stillIs(note, edition.beforeSha256)) {
      fs.rmSync(kept, { force: true });
      return { done: false, displaced: null };
    }
    fs.renameSync(part, note);
    syncFolder(path.dirname(note));
    if (this.#stillIs(kept, edition.beforeSha256)) return { done: true, displaced: kept };
    return this.#putBack(edition, note, kept);
  }

  // A write in place slipped in before the rename: the person's file goes back under its name; ours is dropped,
  // unless somebody has already written into ours, which is then kept.
  #putBack(edition: Edition, note: string, kept: string): Published {
    const ours = this.#stillIs(note, sha256(edition.bytes));
    if (!ours) return { done: false, displaced: kept };
    fs.renameSync(kept, note);
    syncFolder(path.dirname(note));
    return { done: false, displaced: null };
  }

  #stillIs(file: string, sha: string): boolean {
    try {
      return sha256(readBytes(file, 8 * MAX_NOTE_BYTES).bytes) === sha;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return false;
      throw error;
    }
  }

  #keep(part: string, keepAs: string): string {
    const kept = this.#keepName(keepAs);
    try {
      fs.renameSync(part, kept);
    } catch (error) {
      if (systemCode(error) !== 'EXDEV') throw error;
      fs.copyFileSync(part, kept);
    }
    syncFolder(this.#history);
    return kept;
  }

  #keepName(keepAs: string): string {
    for (let count = 1; ; count += 1) {
      const file = path.join(this.#history, `${keepAs}.${count}.md`);
      if (!fs.existsSync(file)) return file;
    }
  }
}

/** What an edition's part file is called: one for each note an intent edits, so that recovery knows whose it is. */
export function partName(keepAs: string, file: string): string {
  return `${keepAs}.${sha256(file).slice(0, 8)}.part`;
}

function writeLasting(part: string, bytes: Buffer): void {
  fs.rmSync(part, { force: true }); // a leftover of a try that failed
  const handle = fs.openSync(part, 'wx', 0o600);
  try {
    fs.writeFileSync(handle, bytes);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

function keepOwner(part: string, like: { uid: number; gid: number }): void {
  try {
    fs.chownSync(part, like.uid, like.gid);
  } catch (error) {
    // Only root may give files away; a note of another owner in a shared vault keeps at least its group and mode.
    if (systemCode(error) !== 'EPERM') throw error;
  }
}

function tryExchange(exchange: Exchange, part: string, note: string): boolean {
  try {
    exchange(part, note);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false; // deleted meanwhile: a person's decision
    throw error;
  }
}
