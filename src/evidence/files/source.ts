import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { openedAt } from '../../vault/disk/read-inside.ts';
import { StewardError } from '../../vault/errors.ts';
import { type FileBytes, fileError, readBytes } from '../../vault/files.ts';
import { type Place, placeOf, reasonAgainstKind, reasonAgainstReal } from './place.ts';
import type { Places } from './places.ts';
import type { RegisteredFile } from './registered.ts';
import { holdsSecret } from './secret-text.ts';

/** Larger files are refused. */
const MAX_SOURCE_BYTES = 16 * 1024 * 1024;
const EXCHANGED = 'was exchanged while it was read';

/** The text of a registered file, as it was when it was read. */
export interface Source {
  readonly path: string;
  /** Without a byte order mark. */
  readonly text: string;
  /** Without line ends; line 1 is `lines[0]`. */
  readonly lines: readonly string[];
}

/**
 * Reads a registered file. Throws a `StewardError` where it is gone, leads out of its root by now, is too large, is
 * not text, or holds a key or passwords.
 */
export function readSource(file: RegisteredFile, place: Place = placeOf(file.root, file.path)): Source {
  if (place.real === null) throw notRead(file, place.reason);
  const source = sourceOf(file.path, readAt(file, place.real));
  if (holdsSecret(source.text)) throw notRead(file, 'holds a private key or passwords; such files are never read');
  return source;
}

/** Reads a registered file. Returns null where `readSource` throws a `StewardError`. `places`: for many files at once. */
export function tryRead(file: RegisteredFile, places?: Places): Source | null {
  try {
    return readSource(file, places?.of(file.root, file.path));
  } catch (error) {
    if (error instanceof StewardError) return null;
    throw error;
  }
}

/** Returns bytes as a source. Throws a `StewardError` where they are not text in UTF-8. */
export function sourceOf(path: string, bytes: Buffer): Source {
  if (bytes.includes(0)) throw notRead({ path }, 'is no text: it holds NUL bytes');
  if (!isUtf8(bytes)) throw notRead({ path }, 'is no text in UTF-8');
  return new TextSource(path, bytes.toString('utf8').replace(/^\uFEFF/, ''));
}

/** Most files of a search are looked at as a whole, and never taken apart. */
class TextSource implements Source {
  readonly path: string;
  readonly text: string;
  #lines: readonly string[] | null = null;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
  }

  get lines(): readonly string[] {
    this.#lines ??= linesOf(this.text);
    return this.#lines;
  }
}

/** Returns the extension of a source's path in lower case, without the dot. */
export function extensionOf({ path }: Source): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

/** Splits a text as editors do: a line ends with `\n` or `\r\n`. */
function linesOf(text: string): readonly string[] {
  const split = text.split('\n');
  // Most files have no `\r`: to look for one in all of the text is quicker than at the end of each line.
  const lines = text.includes('\r') ? split.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)) : split;
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function readAt(file: RegisteredFile, real: string): Buffer {
  try {
    return readOnlyThat(file, real).bytes;
  } catch (error) {
    if (error instanceof StewardError && error.trouble.code === 'note-too-large')
      throw notRead(file, `is larger than the ${MAX_SOURCE_BYTES / 1024 / 1024} MiB that are read`);
    throw fileError(error, path.posix.basename(file.path));
  }
}

// Between the look at a path and its opening a folder may be replaced by a link, or the file by another. So what was
// opened is looked at once more, by where the system says that it lies, before a byte of it is read.
function readOnlyThat(file: RegisteredFile, real: string): FileBytes {
  return readBytes(real, MAX_SOURCE_BYTES, fs.constants.O_NOFOLLOW, (handle, stat) => {
    const at = openedAt(handle);
    // Of the path under which it was to be opened, all is known already.
    const reason = at === null ? reasonAgainstSwap(file, stat) : at === real ? null : reasonAgainstReal(file.root, at);
    if (reason !== null || (at !== null && at !== real)) throw notRead(file, reason ?? EXCHANGED);
    const kind = reasonAgainstKind(stat);
    if (kind !== null) throw notRead(file, kind);
  });
}

// Without such an account the path is resolved again: what was opened counts only if it is the file that lies there.
function reasonAgainstSwap(file: RegisteredFile, opened: fs.Stats): string | null {
  const { real, reason } = placeOf(file.root, file.path);
  if (real === null) return reason;
  const now = fs.statSync(real);
  return now.ino === opened.ino && now.dev === opened.dev ? null : EXCHANGED;
}

function notRead({ path }: Pick<RegisteredFile, 'path'>, reason: string): StewardError {
  return new StewardError({
    code: 'evidence-not-read',
    file: path,
    message: `${JSON.stringify(path)} ${reason}.`,
    hint: 'Only text files below the registered folder are read.',
  });
}
