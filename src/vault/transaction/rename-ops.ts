import fs from 'node:fs';
import { StewardError, systemCode } from '../errors.ts';
import { readBytes } from '../files.ts';
import { MAX_NOTE_BYTES } from '../frontmatter/parse.ts';
import { sha256 } from '../hash.ts';
import { linkOrCopy } from '../part-file.ts';
import type { Exchange } from './atomic-exchange.ts';

// The single steps in which files change names. A name that is gone is a person's decision, not an error.

/** The most bytes read of a displaced file, which may grow while somebody writes into it. */
export const MAX_DISPLACED = 8 * MAX_NOTE_BYTES;

/** Exchanges two files; false where the note is gone. */
export function swap(exchange: Exchange, part: string, note: string): boolean {
  return unlessGone(() => exchange(part, note));
}

/** Renames a file; false where it is gone. */
export function move(from: string, to: string): boolean {
  return unlessGone(() => fs.renameSync(from, to));
}

function unlessGone(call: () => void): boolean {
  try {
    call();
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Renames a file to a name that must be free; false where the name is taken. */
export function claimName(file: string, name: string): boolean {
  try {
    linkOrCopy(file, name);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  fs.rmSync(file, { force: true });
  return true;
}

/** Moves a file unless its new folder is on another disk, and returns whether it was moved. */
export function isMoved(file: string, to: string): boolean {
  try {
    fs.renameSync(file, to);
    return true;
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    return false;
  }
}

/** Restores a note and appends what somebody wrote under its free name. Returns the history files to report. */
export function putBehind(note: string, kept: string, appended: string): string[] {
  if (!move(note, appended)) return [kept];
  if (!claimName(kept, note)) return [kept, appended]; // somebody created it once more
  fs.appendFileSync(note, bytesOf(appended) ?? '');
  return [appended];
}

/** Whether a file is there and holds these bytes. */
export function isStill(file: string, sha: string): boolean {
  return shaOf(file) === sha;
}

/** Returns the SHA-256 of a file's bytes, or null where it is gone. */
export function shaOf(file: string): string | null {
  const bytes = bytesOf(file);
  return bytes === null ? null : sha256(bytes);
}

/** Returns a file's bytes; null where it is gone, or no file: what somebody put in its place holds no text of theirs. */
export function bytesOf(file: string): Buffer | null {
  try {
    return readBytes(file, MAX_DISPLACED).bytes;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || isNoFile(error)) return null;
    throw error;
  }
}

function isNoFile(error: unknown): boolean {
  return error instanceof StewardError && error.trouble.code === 'not-a-file';
}
