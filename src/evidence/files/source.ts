import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { StewardError } from '../../vault/errors.ts';
import { fileError, insideVault, readBytes } from '../../vault/files.ts';
import { type RegisteredFile, reasonAgainst } from './registered.ts';

/** Larger files are refused. */
const MAX_SOURCE_BYTES = 16 * 1024 * 1024;

/** The text of a registered file, as it was when it was read. */
export interface Source {
  readonly path: string;
  /** Without a byte order mark. */
  readonly text: string;
  /** Without line ends; line 1 is `lines[0]`. */
  readonly lines: readonly string[];
}

/**
 * Reads a registered file. Throws a `StewardError` where it is gone, leads out of its root by now, is too large, or is
 * not text.
 */
export function readSource(file: RegisteredFile): Source {
  const reason = reasonAgainst(file.root, file.path);
  if (reason !== null) throw notRead(file, reason);
  return sourceOf(file.path, readInside(file));
}

/** Reads a registered file. Returns null where `readSource` throws a `StewardError`. */
export function tryRead(file: RegisteredFile): Source | null {
  try {
    return readSource(file);
  } catch (error) {
    if (error instanceof StewardError) return null;
    throw error;
  }
}

/** Returns bytes as a source. Throws a `StewardError` where they are not text in UTF-8. */
export function sourceOf(path: string, bytes: Buffer): Source {
  if (bytes.includes(0)) throw notRead({ path }, 'is no text: it holds NUL bytes');
  if (!isUtf8(bytes)) throw notRead({ path }, 'is no text in UTF-8');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  return { path, text, lines: linesOf(text) };
}

/** Returns the extension of a source's path in lower case, without the dot. */
export function extensionOf({ path }: Source): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

/** Splits a text as editors do: a line ends with `\n` or `\r\n`. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

// A folder may be replaced by a link between the check and the opening. So the path is resolved again afterwards: what
// was read counts only if it is the same file, inside the root.
function readInside(file: RegisteredFile): Buffer {
  try {
    const read = readBytes(insideVault(file.root, file.path), MAX_SOURCE_BYTES, fs.constants.O_NOFOLLOW);
    const now = fs.statSync(insideVault(file.root, file.path));
    if (now.ino === read.stat.ino) return read.bytes;
  } catch (error) {
    if (error instanceof StewardError && error.trouble.code === 'note-too-large')
      throw notRead(file, `is larger than the ${MAX_SOURCE_BYTES / 1024 / 1024} MiB that are read`);
    throw fileError(error, path.posix.basename(file.path));
  }
  throw notRead(file, 'was exchanged while it was read');
}

function notRead({ path }: Pick<RegisteredFile, 'path'>, reason: string): StewardError {
  return new StewardError({
    code: 'evidence-not-read',
    file: path,
    message: `${JSON.stringify(path)} ${reason}.`,
    hint: 'Only text files below the registered folder are read.',
  });
}
