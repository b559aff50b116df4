import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../errors.ts';
import { insideVault } from '../files.ts';
import { readNote } from '../frontmatter-parse.ts';
import { sha256 } from '../hash.ts';
import { bytesOf } from '../journal.ts';
import { same } from '../parsed-note.ts';
import type { Frontmatter } from '../records/values.ts';

/** A note's new bytes, and the bytes they were judged on. */
export interface Edition {
  /** Vault-relative path of a note that exists. */
  readonly path: string;
  readonly beforeSha256: string;
  readonly bytes: Buffer;
  /** The name under which the history keeps the former bytes: `<keepAs>.<n>.md`. */
  readonly keepAs: string;
  /** How many files the history held under that name before this edition was made. */
  readonly keptBefore: number;
}

/**
 * Returns the name of an edition's part file: one for each note an intent edits, so that recovery knows whose it is.
 */
export function partName(keepAs: string, file: string): string {
  return `${keepAs}.${sha256(file).slice(0, 8)}.part`;
}

/** Returns the two paths an edition's part file can have, in `tmp` and in the folder of the note. */
export function partFiles(edition: Edition, tmp: string, folder: string): [inTmp: string, besideNote: string] {
  const name = partName(edition.keepAs, edition.path);
  return [path.join(tmp, name), path.join(folder, `.${name}`)];
}

/** Returns the absolute path of an edition's note, or null where the note is gone. */
export function noteOf(edition: Edition, root: string): string | null {
  try {
    return insideVault(root, edition.path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the part file that an edition left behind, or null where it left none. */
export function leftPart(edition: Edition, root: string, tmp: string): string | null {
  const folder = path.dirname(path.resolve(root, edition.path));
  return partFiles(edition, tmp, folder).find((file) => fs.existsSync(file)) ?? null;
}

/** Whether a part holds our new text or the beginning of it, and not the file that was displaced. */
export function isBeginning(part: string, edition: Edition): boolean {
  const bytes = bytesOf(part);
  return (
    bytes !== null && bytes.length <= edition.bytes.length && edition.bytes.subarray(0, bytes.length).equals(bytes)
  );
}

/**
 * Whether a note still holds our change after both we and somebody else wrote: theirs (the file `theirs`) was
 * displaced, and the note was written again since. It does if each field that differs between ours and theirs is as
 * ours has it.
 */
export function keepsChange(edition: Edition, theirs: string, note: string): boolean {
  const [ours, other, now] = [edition.bytes, bytesOf(theirs), bytesOf(note)].map((bytes) =>
    dataOf(edition.path, bytes),
  );
  if (!ours || !other || !now) return false;
  const differing = Object.keys({ ...ours, ...other }).filter((key) => !same(ours[key] ?? null, other[key] ?? null));
  return differing.every((key) => same(now[key] ?? null, ours[key] ?? null));
}

function dataOf(file: string, bytes: Buffer | null): Frontmatter | null {
  const read = bytes === null ? null : readNote(file, bytes);
  return read?.ok ? read.note.data : null;
}
