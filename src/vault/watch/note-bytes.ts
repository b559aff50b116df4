import fs from 'node:fs';
import { readInside } from '../disk/read-inside.ts';
import { systemCode } from '../errors.ts';
import { type FileBytes, readBytes } from '../files.ts';
import { MAX_NOTE_BYTES } from '../frontmatter/parse.ts';

/** Returns the bytes of the note that a vault-relative path leads to, through links that stay in the vault. */
export function resolvedBytes(root: string, file: string): FileBytes {
  return readInside(root, file, MAX_NOTE_BYTES);
}

/**
 * The same for a path that a listing has just found by walking real folders: only its last part can be a link, and
 * `open` itself detects that. Resolving every path took as long as reading the notes.
 */
export function plainBytes(root: string, file: string): FileBytes {
  try {
    return readBytes(`${root}/${file}`, MAX_NOTE_BYTES, fs.constants.O_NOFOLLOW);
  } catch (error) {
    if (systemCode(error) !== 'ELOOP') throw error;
    return resolvedBytes(root, file);
  }
}
