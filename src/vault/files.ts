import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { EXIT, reasonOf, StewardError, SYSTEM_ERRORS, systemCode } from './errors.ts';
import { type Content, keepModeAndOwner, linkOrCopy, removeFile, writeLasting } from './part-file.ts';

/** The mode of a new file, before the person's umask. */
const NEW_MODE = 0o666;
/** The mode of the program's own files: they hold what was in notes that others may not read. */
const OWN_MODE = 0o600;

/** A file's identity and age, compared to see whether it changed. Times in milliseconds, with fractions. */
export interface FileStat {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly size: number;
  readonly ino: number;
}

export interface FileBytes {
  readonly bytes: Buffer;
  readonly stat: FileStat;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** How many names the file has: more than one where it is hard-linked. */
  readonly links: number;
}

type Look = (handle: number, stat: fs.Stats) => void;

/** Whether two stats are of the same, unchanged file. */
export function sameStat(one: FileStat, other: FileStat): boolean {
  return (
    one.mtimeMs === other.mtimeMs && one.size === other.size && one.ino === other.ino && one.ctimeMs === other.ctimeMs
  );
}

/**
 * Returns the file that a vault-relative path means, as an absolute path with every symlink resolved.
 * Throws `path-outside-vault` where it leads out of `root`, and the system error where it does not exist.
 */
export function insideVault(root: string, file: string): string {
  const lexical = path.resolve(root, file);
  assertInside(root, lexical, file);
  const real = fs.realpathSync.native(lexical);
  assertReallyInside(root, real, file);
  return real;
}

/**
 * Returns the absolute path for a new note and creates its folder. Throws `path-outside-vault` as `insideVault` does.
 */
export function newPlace(root: string, file: string): string {
  const lexical = path.resolve(root, file);
  assertInside(root, lexical, file);
  const folder = path.dirname(lexical);
  const above = existingAbove(folder);
  // Before a folder is made as well: behind a link that leads out, it would be made there.
  assertReallyInside(root, fs.realpathSync.native(above.path), file);
  if (above.path === folder && above.isFolder) return lexical;
  fs.mkdirSync(folder, { recursive: true });
  assertReallyInside(root, fs.realpathSync.native(folder), file);
  return lexical;
}

function existingAbove(folder: string): { readonly path: string; readonly isFolder: boolean } {
  for (let above = folder; ; above = path.dirname(above)) {
    const stat = fs.lstatSync(above, { throwIfNoEntry: false });
    if (stat !== undefined) return { path: above, isFolder: stat.isDirectory() };
  }
}

/** Whether a written path stays inside a folder when resolved, judged by its text alone. */
export function staysInside(file: string): boolean {
  if (file.includes('\0') || path.isAbsolute(file) || /^[A-Za-z]:/.test(file) || file.includes('\\')) return false;
  const normal = path.posix.normalize(file);
  return normal !== '..' && !normal.startsWith('../');
}

/** Whether a text is a bare file name that leads to no other folder. */
export function isFileName(name: string): boolean {
  return staysInside(name) && path.posix.basename(name) === name && name !== '.' && name !== '';
}

/** Whether a path is that of a folder, or of something in it, by the text alone. */
function isWithin(folder: string, absolute: string): boolean {
  return absolute === folder || absolute.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

/**
 * Throws where a path without links on its way leads out of the root. Where it begins with the root, there is no link on the
 * way to the root either, and that need not be resolved.
 */
function assertReallyInside(root: string, real: string, file: string): void {
  if (!isWithin(root, real)) assertInside(fs.realpathSync.native(root), real, file);
}

function assertInside(root: string, absolute: string, file: string): void {
  if (isWithin(root, absolute)) return;
  throw new StewardError({
    code: 'path-outside-vault',
    file,
    message: `The path ${JSON.stringify(file)} leads out of the vault.`,
    hint: 'Only files inside the vault are read or written; a link that leads out is left alone.',
  });
}

/**
 * Returns the bytes and the stat of one regular file, both from one open file. Never blocks on a FIFO. `flags`: further
 * flags for `open`. `opened`: looks at the open file before a byte of it is read, and may throw.
 * Throws the system error, or `not-a-file`, or `note-too-large` above `maxBytes`.
 */
export function readBytes(file: string, maxBytes: number, flags = 0, opened: Look = () => {}): FileBytes {
  const handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | flags);
  try {
    const stat = fs.fstatSync(handle);
    opened(handle, stat);
    if (!stat.isFile()) throw notAFile(file);
    if (stat.size > maxBytes) throw tooLarge(file, stat.size, maxBytes);
    const { uid, gid, nlink: links } = stat;
    return { bytes: readAll(handle, stat.size), stat, mode: stat.mode & 0o7777, uid, gid, links };
  } finally {
    fs.closeSync(handle);
  }
}

/** Returns the first bytes of a regular file, `most` at most. Throws `not-a-file`, or the system error. */
export function readHead(file: string, most: number): Buffer {
  const handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const stat = fs.fstatSync(handle);
    if (!stat.isFile()) throw notAFile(file);
    return readAll(handle, Math.min(stat.size, most));
  } finally {
    fs.closeSync(handle);
  }
}

function readAll(handle: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const read = fs.readSync(handle, bytes, filled, size - filled, filled);
    if (read === 0) break; // truncated while it was read: what is there now counts
    filled += read;
  }
  return filled === size ? bytes : bytes.subarray(0, filled);
}

/** Returns the error of something that is no regular file, `not-a-file`. */
export function notAFile(file: string): StewardError {
  return new StewardError({
    code: 'not-a-file',
    message: `${path.basename(file)} is not a regular file.`,
    hint: 'Folders, pipes and sockets are left alone; move it elsewhere if it is in the way.',
  });
}

function tooLarge(file: string, size: number, max: number): StewardError {
  return new StewardError({
    code: 'note-too-large',
    message: `${path.basename(file)} has ${size} bytes; notes over ${max} bytes are not records.`,
    hint: 'Move the long text into a note outside the record folders and link to it.',
  });
}

/** Makes changes in a folder survive a power cut. Does nothing where the file system cannot do that. */
export function syncFolder(folder: string): void {
  let handle: number | null = null;
  try {
    handle = fs.openSync(folder, 'r');
    fs.fsyncSync(handle);
  } catch (error) {
    if (!['EINVAL', 'EPERM', 'EISDIR', 'ENOTSUP'].includes(systemCode(error) ?? '')) throw error;
  } finally {
    if (handle !== null) fs.closeSync(handle);
  }
}

/**
 * Replaces one of the program's own files (state, journal, cache) atomically and durably: it is whole or as it was, and
 * nobody else reads it. Throws with its name.
 */
export function writeState(file: string, text: Content): void {
  try {
    // Not by write-file-atomic: on a disk that has room for half of it, its sync form publishes that half.
    replaceBy(`${file}.part`, file, text, { mode: OWN_MODE });
  } catch (error) {
    throw fileError(error, file.slice(file.lastIndexOf('/.steward/') + 1));
  }
}

/**
 * Creates a file that is complete when it appears under its name, and never replaces another. `ready` is called when all
 * but the name is there: it gives the part what it needs beside its bytes (`folder` is where it will lie), and may throw.
 * Returns false where the name is taken. Throws the system error where it cannot be written, and what `ready` throws.
 */
export function createWhole(
  root: string,
  tmp: string,
  file: string,
  bytes: Uint8Array | string,
  ready: (part: string, folder: string) => void = () => {},
): boolean {
  const part = path.join(tmp, `${randomUUID()}.part`);
  try {
    // The part first: where the vault has gone away, so has its .steward, and no folder is created in its empty place.
    writeLasting(part, bytes, NEW_MODE);
    const target = newPlace(root, file);
    ready(part, path.dirname(target));
    linkOrCopy(part, target);
    syncFolder(path.dirname(target));
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    removeFile(part);
  }
}

/**
 * Replaces a file's text atomically and durably. A crash can leave a part in `tmp`, which the next start removes.
 * `former`: the file as it was read, which gives its mode and owner to the new one. `dress` gives the new one what else it
 * needs, while it has no name yet. Returns false, with nothing changed, where the file holds other bytes by now.
 */
export function replaceWhole(
  tmp: string,
  file: string,
  text: string,
  former?: FileBytes,
  dress: (part: string) => void = () => {},
): boolean {
  const from = { mode: NEW_MODE, former, dress };
  try {
    return replaceBy(path.join(tmp, `${randomUUID()}.part`), file, text, from);
  } catch (error) {
    // Another file system: the replacement can only be atomic from the same folder.
    if (systemCode(error) !== 'EXDEV') throw error;
    return replaceBy(path.join(path.dirname(file), `.${randomUUID()}.part`), file, text, from);
  }
}

interface Replacement {
  readonly mode: number;
  readonly former?: FileBytes | undefined;
  readonly dress?: (part: string) => void;
}

function replaceBy(part: string, file: string, text: Content, { mode, former, dress }: Replacement): boolean {
  let isRenamed = false;
  try {
    writeLasting(part, text, mode);
    if (former !== undefined) keepModeAndOwner(part, former);
    dress?.(part);
    if (former !== undefined && !readBytes(file, former.bytes.length + 1).bytes.equals(former.bytes)) return false;
    fs.renameSync(part, file);
    isRenamed = true;
  } finally {
    if (!isRenamed) removeFile(part);
  }
  syncFolder(path.dirname(file));
  return true;
}

/**
 * Returns an error that ends a command or a start in a form for people: a system error in plain words (exit 75) with
 * the file it names, relative to `root` where it is below it. Any other error is returned as it is.
 */
export function plainError(error: unknown, root: string): unknown {
  if (error instanceof StewardError || !isOfTheSystem(error)) return error;
  const named = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : root;
  const file = named.startsWith(`${root}/`) ? path.relative(root, named) : named;
  return new StewardError(fileError(error, file).trouble, EXIT.tryAgain, { cause: error });
}

// Node's own errors (ERR_…) are mistakes of the program.
function isOfTheSystem(error: unknown): boolean {
  return /^E(?!RR_)/.test(systemCode(error) ?? '');
}

/** Returns a system error in plain words, with the file it is about; a `StewardError` is returned as it is. */
export function fileError(error: unknown, file: string): StewardError {
  if (error instanceof StewardError) return error;
  const known = SYSTEM_ERRORS[systemCode(error) ?? ''];
  return new StewardError(
    {
      code: known?.code ?? 'file-error',
      file,
      message: known === undefined ? `${file}: ${reasonOf(error)}` : `${file} ${known.says}`,
      hint: known?.hint ?? 'Look at the file and its folder; the program tries again by itself.',
    },
    1,
    { cause: error },
  );
}
