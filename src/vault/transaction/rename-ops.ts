import fs from 'node:fs';
import { systemCode } from '../errors.ts';
import { linkOrCopy, readBytes } from '../files.ts';
import { MAX_NOTE_BYTES } from '../frontmatter/parse.ts';
import { sha256 } from '../hash.ts';
import type { Exchange } from './atomic-exchange.ts';

// The single steps by which files change places. A name that is gone is a person's decision, and no error.

/** A displaced file may grow while somebody writes into it. */
const MAX_DISPLACED = 8 * MAX_NOTE_BYTES;

/** A new file, lasting before anything else is done with it. */
export function writeLasting(part: string, bytes: Buffer): void {
  fs.rmSync(part, { force: true }); // a leftover of a try that failed
  const handle = fs.openSync(part, 'wx', 0o600);
  try {
    fs.writeFileSync(handle, bytes);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Gives a new file the owner of the one it stands for, as far as the system lets. */
export function keepOwner(part: string, like: { uid: number; gid: number }): void {
  try {
    fs.chownSync(part, like.uid, like.gid);
  } catch (error) {
    // Only root may give files away; a note of another owner in a shared vault keeps at least its group and mode.
    if (systemCode(error) !== 'EPERM') throw error;
  }
}

/** Lets two files change places; false where the note is gone. */
export function swap(exchange: Exchange, part: string, note: string): boolean {
  return unlessGone(() => exchange(part, note));
}

/** Gives a file another name; false where it is gone. */
export function move(from: string, to: string): boolean {
  return unlessGone(() => fs.renameSync(from, to));
}

// Deleted meanwhile: a person's decision.
function unlessGone(call: () => void): boolean {
  try {
    call();
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Gives a file a name that nobody has, and takes its own; false where somebody has it. */
export function place(file: string, name: string): boolean {
  try {
    linkOrCopy(file, name);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  fs.rmSync(file, { force: true });
  return true;
}

/** Moves a file, unless the new place is on another disk: whether it was moved. */
export function isMoved(file: string, to: string): boolean {
  try {
    fs.renameSync(file, to);
    return true;
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    return false;
  }
}

/** The note comes back, and behind it what was appended where it was not; gives the files that hold what is not in it. */
export function putBehind(note: string, kept: string, appended: string): string[] {
  if (!move(note, appended)) return [kept];
  if (!place(kept, note)) return [kept, appended]; // somebody made it anew once more
  fs.appendFileSync(note, bytesOf(appended) ?? '');
  return [appended];
}

/** Whether a file is there and holds these bytes. */
export function isStill(file: string, sha: string): boolean {
  return shaOf(file) === sha;
}

/** The hash of a file's bytes, or null where it is gone. */
export function shaOf(file: string): string | null {
  const bytes = bytesOf(file);
  return bytes === null ? null : sha256(bytes);
}

/** A file's bytes, or null where it is gone. */
export function bytesOf(file: string): Buffer | null {
  try {
    return readBytes(file, MAX_DISPLACED).bytes;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
