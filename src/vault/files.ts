import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Options as WriteOptions } from 'write-file-atomic';
import { EXIT, errorReason, isOurs, StewardError, SYSTEM_ERRORS, systemCode } from './errors.ts';
import { listPlaceholders, OWN_FOLDER, ownPlaces } from './layout.ts';

// Reads and writes files inside a vault: whole, durable, and with the owner and attributes that they had.

// New bytes before they get their name. A part that cannot be written whole must never be given one.

/**
 * Writes a new file that survives a power cut before anything else is done with it. Throws the system error if not
 * every byte could be written: on a full disk, `fs.writeSync` alone only returns a short count.
 */
export function writeLasting(part: string, content: Uint8Array | string, mode = 0o600): void {
  const handle = openNew(part, mode);
  try {
    fs.writeFileSync(handle, content);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

function openNew(part: string, mode: number): number {
  try {
    return fs.openSync(part, 'wx', mode);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    fs.rmSync(part, { force: true }); // left over from a failed attempt
    return fs.openSync(part, 'wx', mode);
  }
}

/**
 * Gives a file a second name, which must be free. A hard link refuses a taken name; rename would replace it. File
 * systems without links (FAT, some network mounts) get an exclusive copy: readers may see it half written, but it never
 * replaces a file either. Throws the system error, `EEXIST` if the name is taken.
 */
export function linkOrCopy(file: string, name: string): void {
  try {
    fs.linkSync(file, name);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EXDEV', 'ENOSYS', 'EMLINK'].includes(systemCode(error) ?? '')) throw error;
    fs.copyFileSync(file, name, fs.constants.COPYFILE_EXCL);
  }
}

/** Removes a file if it is there. One call; `rmSync` makes two more before the same one. */
export function removeFile(file: string): void {
  try {
    fs.unlinkSync(file);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/** The mode of a new file, before the person's umask. */
const NEW_MODE = 0o666;
/** The mode of the program's own files: they contain what was in notes that others may not read. */
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
  /** How many names the file has: more than one if it is hard-linked. */
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
 * Returns the file that a vault-relative path means, as an absolute path with every symlink resolved. Throws
 * `path-outside-vault` if it leads out of `root`, and the system error if it does not exist.
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

/** Whether a path is that of a folder, or of something in it, by the text alone. */
export function isWithin(folder: string, absolute: string): boolean {
  return absolute === folder || absolute.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

/**
 * Throws if a path without links on its way leads out of the root. If it begins with the root, there is no link on the
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

/** Makes changes in a folder survive a power cut. Has no effect if the file system cannot do that. */
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
 * Replaces one of the program's own files (state, journal, settings) atomically and durably: it is whole or as it was,
 * and no other user can read it. Throws with its name.
 */
export function writeState(file: string, text: string): void {
  try {
    replaceChecked(file, text, { mode: OWN_MODE });
  } catch (error) {
    throw fileError(error, file.slice(file.lastIndexOf('/.steward/') + 1));
  }
}

/**
 * Replaces the text of a file that isn't a note of a person's, atomically and durably; it keeps its mode and owner.
 * `former`: the file as it was read. `dress` gives the new file what else it needs, while it has no bytes and another
 * name. Returns false, and changes no byte, if the file has other bytes by now.
 */
export function replaceWhole(
  file: string,
  text: string,
  former?: FileBytes,
  dress: (part: string) => void = () => {},
): boolean {
  const isFormer = (place: string) =>
    former === undefined || readBytes(place, former.bytes.length + 1).bytes.equals(former.bytes);
  return isFormer(file) && replaceChecked(file, text, { tmpfileCreated: dress }, isFormer);
}

/**
 * Replaces a file by write-file-atomic. On a full disk the package publishes as much as there was room for, without an
 * error: so a second name keeps the former file until the length is checked. It comes back, too, if `isFormer` says
 * that somebody wrote into it in the meantime: then the result is false.
 */
function replaceChecked(
  file: string,
  text: string,
  options: WriteOptions,
  isFormer: (place: string) => boolean = () => true,
): boolean {
  const bytes = Buffer.from(text);
  const former = `${file}.part`; // in .steward the next start removes it if a crash leaves it, elsewhere the next replacement
  const hasFormer = isKeptAs(file, former);
  let isDone = false;
  try {
    createRequire(import.meta.url)('write-file-atomic').sync(file, bytes, options);
    try {
      if (fs.statSync(file).size !== bytes.length)
        throw Object.assign(new Error(`ENOSPC: ${file}`), { code: 'ENOSPC', path: file });
      isDone = !hasFormer || isFormer(former);
    } finally {
      if (!isDone && hasFormer) fs.renameSync(former, file);
      else if (!isDone) fs.rmSync(file, { force: true });
    }
  } finally {
    if (hasFormer) removeFile(former);
  }
  syncFolder(path.dirname(file));
  return isDone;
}

/** Gives a file a second name. A link in its place is removed instead: the package would write into what it leads to. */
function isKeptAs(file: string, former: string): boolean {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink()) fs.rmSync(file);
  if (!stat?.isFile()) return false;
  removeFile(former);
  try {
    linkOrCopy(file, former);
    return true;
  } catch (error) {
    removeFile(former); // half a copy
    if (systemCode(error) === 'ENOSPC') throw error;
    return false;
  }
}

/**
 * Creates a file that is complete when it appears under its name, and never replaces another. `ready` is called when
 * all but the name is there: it gives the part its attributes (`folder` is the later place), and may throw. Returns
 * false if the name is taken. Throws the system error if it cannot be written, and what `ready` throws.
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
    // The part first: if the vault has gone away, so has its .steward, and no folder is created in its empty place.
    writeLasting(part, bytes, NEW_MODE);
    nameWhole(part, { root, file, ready });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    removeFile(part);
  }
}

/**
 * Makes sure that `createWhole` can create a file, and makes its folder: it is in the vault, may be written to, and has
 * room. Returns false if the name is taken. Throws what prevents it.
 */
export function canCreate(root: string, tmp: string, file: string, bytes: Uint8Array | string): boolean {
  const target = newPlace(root, file);
  const folder = path.dirname(target);
  fs.accessSync(folder, fs.constants.W_OK);
  if (fs.lstatSync(target, { throwIfNoEntry: false }) !== undefined) return false;
  // On the disk of `tmp`, the journal has shown that there is room.
  if (fs.statSync(folder).dev !== fs.statSync(tmp).dev) demandSpace(folder, Buffer.byteLength(bytes));
  return true;
}

/** Throws the system's error if a disk has no room for a new file. */
function demandSpace(folder: string, bytes: number): void {
  const { bavail, bsize, files, ffree } = fs.statfsSync(folder);
  if (bavail * bsize >= bytes + bsize && (files === 0 || ffree > 0)) return; // some systems count no files
  throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
}

/** Whether a sync tool keeps a file of the vault elsewhere: its placeholder is here, and the file itself isn't. */
export function isElsewhere(root: string, file: string): boolean {
  const folder = path.dirname(path.join(root, file));
  const isThere = (name: string) => fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false }) !== undefined;
  return listPlaceholders(path.basename(file)).some(isThere) && !isThere(path.basename(file));
}

/** Returns the stat of a regular file, through a symlink that stays in the vault; null for anything else. */
export function statInside(root: string, file: string): FileStat | null {
  try {
    // Not path.join: a sweep does this for every file, and joining took as long as the stat itself.
    const stat = fs.lstatSync(`${root}/${file}`, { throwIfNoEntry: false });
    if (stat?.isFile()) return slim(stat);
    if (!stat?.isSymbolicLink()) return null;
    const target = fs.statSync(insideVault(root, file));
    return target.isFile() ? slim(target) : null;
  } catch {
    return null; // gone in the meantime, or a link that leads nowhere or out of the vault
  }
}

/** Returns only the fields that are compared: `fs.Stats` has eighteen, which at ten thousand notes costs megabytes. */
export function slim(stat: FileStat): FileStat {
  return { mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, size: stat.size, ino: stat.ino };
}

/**
 * Returns an error that ends a command or a start in a form for people: a system error in plain words (exit 75) with
 * the file it names, relative to `root` if it is below it. Any other error is returned as it is.
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
      message: known === undefined ? `${file}: ${errorReason(error)}` : `${file} ${known.says}`,
      hint: known?.hint ?? 'Check the file and its folder; Steward tries again automatically.',
    },
    1,
    { cause: error },
  );
}

/**
 * Reads the file that a vault-relative path means, as `readBytes` does. Between the look at the path and its opening a
 * folder on the way may be replaced by a link; so the opened file must still be in the vault before a byte of it is
 * read. Throws `path-outside-vault` if it does not.
 */
export function readInside(root: string, file: string, maxBytes: number): FileBytes {
  const real = insideVault(root, file);
  return readBytes(real, maxBytes, fs.constants.O_NOFOLLOW, (handle) => {
    if (!isStillInside(root, real, openedAt(handle))) throw swapped(file);
  });
}

/**
 * Opens the file that a vault-relative path means, with the same care. The caller closes the handle. Throws as
 * `readInside` does.
 */
export function openInside(root: string, file: string): { readonly handle: number; readonly stat: fs.Stats } {
  const real = insideVault(root, file);
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  const handle = fs.openSync(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stat = fs.fstatSync(handle);
    if (!isStillInside(root, real, openedAt(handle))) throw swapped(file);
    if (!stat.isFile()) throw notAFile(real);
    return { handle, stat };
  } catch (error) {
    fs.closeSync(handle);
    throw error;
  }
}

// If it was opened under the path that was judged, the root need not be resolved once more.
function isStillInside(root: string, real: string, at: string | null): boolean {
  return at === null || at === real || at.startsWith(`${fs.realpathSync.native(root)}/`);
}

/** Returns the path of an open file by the system's own account; null if the system gives no path. */
export function openedAt(handle: number): string | null {
  try {
    return fs.readlinkSync(`/proc/self/fd/${handle}`);
  } catch {
    return null;
  }
}

function swapped(file: string): StewardError {
  return new StewardError({
    code: 'path-outside-vault',
    file,
    message: `The path ${JSON.stringify(file)} led out of the vault at the moment when it was opened.`,
    hint: 'Only files inside the vault are read; find out what puts links into it.',
  });
}

/**
 * Returns why the program's own folders must not be used, or null if they may. Their files are deleted in time, so a
 * link in their place would delete files elsewhere. `.steward` may be a link inside the vault; its folders may not be
 * links.
 */
export function ownPlacesRefusal(root: string): StewardError | null {
  const { own, journal, state, cache, tmp, history, tables } = ownPlaces(root);
  if (isLink(own)) {
    const refusal = outside(root);
    if (refusal !== null) return refusal;
  }
  const link = [journal, state, cache, tmp, history, tables].find(isLink);
  return link === undefined ? null : refused(path.relative(root, link), 'is a link.');
}

/** Throws if a folder of `.steward` is a link: asked at the last moment before a file is moved into it. */
export function demandNoLink(folder: string): void {
  if (isLink(folder)) throw refused(`${OWN_FOLDER}/${path.basename(folder)}`, 'is a link.');
}

function outside(root: string): StewardError | null {
  try {
    insideVault(root, OWN_FOLDER);
    return null;
  } catch (error) {
    if (error instanceof StewardError) return refused(OWN_FOLDER, 'is a link that leads out of the vault.');
    return refused(OWN_FOLDER, systemCode(error) === 'ELOOP' ? 'is a circular link.' : 'is a link that leads nowhere.');
  }
}

function refused(file: string, what: string): StewardError {
  return new StewardError({
    code: 'own-folder-link',
    file,
    message: `${file} ${what}`,
    hint: 'Remove the link and put the folder itself there. To keep it out of a sync, exclude .steward in the sync tool.',
  });
}

// If the disk refuses to say, it refuses the work that follows too, whose error says why.
export function isLink(place: string): boolean {
  try {
    return fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

/** Errors by which this user, or this file system, is refused the call. Everything else is an error of the disk. */
const REFUSALS: ReadonlySet<string | null> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENODATA', 'EINVAL']);

/** Makes a call that changes whose a file is, and returns whether it was allowed. Throws any other error. */
function isAllowed(call: () => void): boolean {
  try {
    call();
    return true;
  } catch (error) {
    if (!REFUSALS.has(systemCode(error))) throw error;
    return false;
  }
}

/** The attributes of a file, which an edit must not change. */
export interface Attributes {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Extended attributes by name: the ACL, labels, whatever another program has put there. */
  readonly extended: ReadonlyMap<string, Buffer>;
}

/** These are the system's own, made from the bytes; copied, they would be wrong. */
const OF_THE_BYTES = ['security.ima', 'security.evm', 'security.capability'];

/** Returns a file's attributes; the extended ones only if the system has calls for them. Throws the system error. */
export function readAttributes(file: string, system: SystemCalls | null): Attributes {
  const { mode, uid, gid } = fs.lstatSync(file);
  const extended = [...(system?.attributes(file) ?? [])].filter(([name]) => !OF_THE_BYTES.includes(name));
  return { mode: mode & 0o7777, uid, gid, extended: new Map(extended) };
}

/** Whether two files have the same attributes. */
export function sameAttributes(one: Attributes, other: Attributes): boolean {
  const { extended } = one;
  return (
    one.mode === other.mode &&
    one.uid === other.uid &&
    one.gid === other.gid &&
    extended.size === other.extended.size &&
    [...extended].every(([name, value]) => other.extended.get(name)?.equals(value) === true)
  );
}

/**
 * Gives a file the attributes of another, and takes away those that the other does not have. Returns whether it has
 * them all: only root may give a file away, and some attributes belong to the system. Throws what the disk refuses.
 */
export function giveAttributes(file: string, like: Attributes, system: SystemCalls | null): boolean {
  const made = readAttributes(file, system);
  if (sameAttributes(made, like)) return true;
  if (made.uid !== like.uid || made.gid !== like.gid) giveOwner(file, like);
  if (system !== null) giveExtended(file, made, like, system);
  // Last: a change of owner takes bits away, and an ACL sets them.
  if ((fs.lstatSync(file).mode & 0o7777) !== like.mode) isAllowed(() => fs.chmodSync(file, like.mode));
  return sameAttributes(readAttributes(file, system), like);
}

// A group can be given by whoever is in it, even if the owner cannot.
function giveOwner(file: string, { uid, gid }: Attributes): void {
  if (!isAllowed(() => fs.chownSync(file, uid, gid))) isAllowed(() => fs.chownSync(file, -1, gid));
}

function giveExtended(file: string, made: Attributes, like: Attributes, system: SystemCalls): void {
  for (const name of made.extended.keys()) {
    if (!like.extended.has(name)) isAllowed(() => system.removeAttribute(file, name));
  }
  for (const [name, value] of like.extended) {
    if (made.extended.get(name)?.equals(value) !== true) isAllowed(() => system.setAttribute(file, name, value));
  }
}

/**
 * Returns why a note must not be edited, judged by how it is on the disk, or null if it may. `file`: its vault-relative
 * path; `place`: the file itself.
 */
export function editRefusal(file: string, place: string, { links, uid }: FileBytes): StewardError | null {
  if (links > 1) return linked(file, links);
  const isForeign = uid !== process.geteuid?.();
  return isForeign && !isWritable(place) ? foreign(file) : null;
}

/** Returns the refusal of a note whose attributes can neither be given to a new file nor be left in their place. */
export function attributesRefusal(file: string): StewardError {
  return new StewardError({
    code: 'attributes-lost',
    file,
    message: `${file} has an owner or attributes that an edit on this file system would remove.`,
    hint: 'Let the note belong to the user who runs the daemon, or edit it by hand.',
  });
}

// A rename would part the names, and writing in place would write into a file that may be outside the vault.
function linked(file: string, links: number): StewardError {
  return new StewardError({
    code: 'note-linked',
    file,
    message: `${file} has ${links} names on this disk (a hard link), and an edit would change or separate them.`,
    hint: `Make it a separate file (cp -p NOTE NOTE.new && mv NOTE.new NOTE), or use a symbolic link.`,
  });
}

// Replacing it would be possible, since that asks only for the folder; but it would go round what its owner has said.
function foreign(file: string): StewardError {
  return new StewardError({
    code: 'note-not-ours',
    file,
    message: `${file} belongs to another user, and this user may not write into it.`,
    hint: 'Give the group of the user who runs the daemon write permission (chmod g+w), or leave it as it is.',
  });
}

function isWritable(place: string): boolean {
  try {
    fs.accessSync(place, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const ACCESS = 'system.posix_acl_access';
const DEFAULT = 'system.posix_acl_default';
const SET_GID = 0o2000;
/** The kernel's form of an ACL: a version of 4 bytes, then 8 for each entry: tag, permission, id. */
const ENTRY_BYTES = 8;
const VERSION_BYTES = 4;
const GROUP_TAG = 0x04;

/**
 * Lets a new file be read as one that was made in `folder` by hand: by the folder's group if it passes its group on,
 * and by its default ACL. Only users who may read each of `sources`, the files that its text is about, can read it: it
 * repeats what they say. Throws the system error.
 */
export function openAsFolderAndSources(
  part: string,
  folder: string,
  sources: readonly string[],
  system: SystemCalls | null,
): void {
  asMadeIn(part, folder, system);
  for (const source of sources) {
    const stat = fs.statSync(source, { throwIfNoEntry: false });
    if (stat !== undefined) closeAs(part, source, stat, system);
  }
}

function asMadeIn(part: string, folder: string, system: SystemCalls | null): void {
  const { mode, gid } = fs.statSync(folder);
  const made = fs.statSync(part);
  if ((mode & SET_GID) !== 0 && made.gid !== gid) isAllowed(() => fs.chownSync(part, -1, gid));
  if (system === null) return;
  const acl = system.attributes(folder).get(DEFAULT);
  if (acl === undefined) return;
  isAllowed(() => system.setAttribute(part, ACCESS, acl));
  isAllowed(() => fs.chmodSync(part, fs.statSync(part).mode & 0o666));
}

function closeAs(part: string, source: string, like: fs.Stats, system: SystemCalls | null): void {
  const made = fs.statSync(part);
  if (made.uid !== like.uid && !isAllowed(() => fs.chownSync(part, like.uid, like.gid))) giveGroup(part, like.gid);
  else if (made.gid !== like.gid) giveGroup(part, like.gid);
  const others = like.mode & 0o7;
  // Who is in the new file's group and not in that of the source is one of the others there.
  const group = fs.statSync(part).gid === like.gid ? groupOf(part, source, like, system) : others;
  const { mode } = fs.statSync(part);
  const closed = mode & (0o600 | (group << 3) | others);
  if (closed !== mode) fs.chmodSync(part, closed & 0o777);
}

function giveGroup(part: string, gid: number): void {
  isAllowed(() => fs.chownSync(part, -1, gid));
}

// Under an ACL the mode shows the mask in the place of the group: more than the group itself may have.
function groupOf(part: string, source: string, like: fs.Stats, system: SystemCalls | null): number {
  const shown = (like.mode >> 3) & 0o7;
  const acl = system?.attributes(source).get(ACCESS);
  if (acl === undefined || system?.attributes(part).get(ACCESS)?.equals(acl) === true) return shown;
  return shown & permissionOf(acl, GROUP_TAG);
}

function permissionOf(acl: Buffer, tag: number): number {
  for (let at = VERSION_BYTES; at + ENTRY_BYTES <= acl.length; at += ENTRY_BYTES) {
    if (acl.readUInt16LE(at) === tag) return acl.readUInt16LE(at + 2);
  }
  return 0;
}

/** So much of a file is in memory at once, however large it is. */
const CHUNK_BYTES = 1024 * 1024;

/** A regular file that is open to be read, and its size and times when it was opened. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly stat: FileStat;
}

interface CopyOrder {
  readonly root: string;
  /** The vault's own folder for parts: leftovers of a crash are removed at the next start. */
  readonly tmp: string;
  /** The name in the vault that the copy gets. */
  readonly file: string;
  /** Gives the part its attributes; `folder` is its later place. */
  readonly ready: (part: string, folder: string) => void;
  /** Throws if the vault is no longer this process's to write to. */
  readonly demand: () => void;
  readonly copied: (bytes: number) => void;
  /** Ends the copying, and removes the partial copy. */
  readonly abort: AbortSignal;
}

/** Opens a regular file. Never blocks on a pipe. Throws the system error, or `not-a-file`. The caller closes it. */
export async function openFile(file: string, flags = 0): Promise<OpenFile> {
  const handle = await open(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | flags);
  try {
    const stat = await handle.stat();
    if (stat.isFile()) return { handle, stat };
    throw notAFile(file);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Copies an open file into the vault, a part at a time: it is whole when it appears under its name, and never replaces
 * another. Bytes that were added to the file since it was opened are left out. Returns false if the name is taken.
 * Throws the system error, `lock-lost`, `changed-meanwhile` if the file was rewritten, and the signal's reason if it is
 * aborted.
 */
export async function copyWhole(source: OpenFile, order: CopyOrder): Promise<boolean> {
  const part = path.join(order.tmp, `${randomUUID()}.part`);
  try {
    await writePart(source, part, order);
    if (await isRewritten(source)) throw rewritten(order.file);
    order.abort.throwIfAborted();
    order.demand();
    nameWhole(part, order);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    // If another process has the vault by now, the part stays too: a start empties the folder for parts.
    if (isOurs(order.demand)) fs.rmSync(part, { force: true });
  }
}

// A hard link refuses a taken name; a rename would replace it.
function nameWhole(part: string, { root, file, ready }: Pick<CopyOrder, 'root' | 'file' | 'ready'>): void {
  const target = newPlace(root, file);
  ready(part, path.dirname(target));
  linkOrCopy(part, target);
  syncFolder(path.dirname(target));
}

async function writePart(source: OpenFile, part: string, { copied, abort, demand }: CopyOrder): Promise<void> {
  demand();
  const target = await open(part, 'wx', NEW_MODE);
  try {
    let done = 0;
    for await (const bytes of chunksOf(source)) {
      abort.throwIfAborted();
      demand();
      await writeAll(target, bytes);
      done += bytes.length;
      copied(done);
    }
    await target.sync();
  } finally {
    await target.close();
  }
}

// A full disk takes less than it is given, and says so only at the next write.
async function writeAll(target: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await target.write(bytes, at, bytes.length - at)).bytesWritten;
}

async function* chunksOf({ handle, stat }: OpenFile): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, stat.size));
  for (let at = 0; at < stat.size; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, stat.size - at), at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

// A mail program may add to a mailbox in the meantime: the copy is as the mailbox was when it was opened.
async function isRewritten({ handle, stat }: OpenFile): Promise<boolean> {
  const now = await handle.stat();
  return now.size < stat.size || (now.size === stat.size && now.mtimeMs !== stat.mtimeMs);
}

function rewritten(file: string): StewardError {
  return new StewardError({
    code: 'changed-meanwhile',
    message: `${path.posix.basename(file)} was rewritten while it was copied.`,
    hint: 'No part of it is in the vault; try again when no other program writes to it.',
  });
}

/**
 * Whether a vault-relative path means a file with the very bytes of an open one. A pipe, which never ends, or a link
 * out of the vault may be there: those count as other files.
 */
export async function hasSameBytes(root: string, file: string, source: OpenFile): Promise<boolean> {
  const there = await openVaultFile(root, file);
  if (there === null) return false;
  try {
    return there.stat.size === source.stat.size && (await areEqual(there, source));
  } finally {
    await there.handle.close();
  }
}

async function areEqual(one: OpenFile, other: OpenFile): Promise<boolean> {
  const others = chunksOf(other);
  for await (const bytes of chunksOf(one)) {
    const next = await others.next();
    if (next.done === true || !bytes.equals(next.value)) return false;
  }
  return (await others.next()).done === true;
}

async function openVaultFile(root: string, file: string): Promise<OpenFile | null> {
  let opened: OpenFile | null = null;
  try {
    const real = insideVault(root, file);
    opened = await openFile(real, fs.constants.O_NOFOLLOW);
    // Between the look at the path and its opening a folder on the way may be replaced by a link.
    const at = openedAt(opened.handle.fd);
    if (at === null || at === real) return opened;
  } catch {
    return null;
  }
  await opened.handle.close();
  return null;
}

/**
 * The calls of Linux that Node lacks, and an edit needs. The calls throw an error with the system's code, as Node's do.
 */
export interface SystemCalls {
  /** Returns a file's extended attributes by name, its ACL among them; empty if the file system has no attributes. */
  attributes(file: string): ReadonlyMap<string, Buffer>;
  setAttribute(file: string, name: string, value: Buffer): void;
  removeAttribute(file: string, name: string): void;
  /**
   * Whether anybody has the file of this open handle (opened to read only) open for writing; null if the system does
   * not tell. The kernel itself answers, for processes of every user and every container.
   */
  isBeingWritten(handle: number): boolean | null;
  /** Gives memory that this process no longer uses, and its allocator keeps, back to the system, if the libc can. */
  returnMemory(): void;
}

const F_SETSIG = 10;
const F_SETLEASE = 1024;
const F_RDLCK = 0;
const F_UNLCK = 2;
/** A signal that is ignored unless handled, in place of SIGIO, which ends the process. */
const SIGURG = 23;
/** The kernel's own limit for the names of all attributes, and for the value of one. */
const MOST_BYTES = 65_536;

/** Returns the calls, or null if this system does not have them. Loading them takes some milliseconds. */
export function loadSystemCalls(): SystemCalls | null {
  return process.platform === 'linux' ? optional(linuxCalls) : null;
}

type Koffi = typeof import('koffi');

function loadKoffi(): Koffi {
  return createRequire(import.meta.url)('koffi');
}

function lastError(koffi: Koffi, what: string): NodeJS.ErrnoException {
  const errno = koffi.errno();
  const code = Object.entries(koffi.os.errno).find(([, value]) => value === errno)?.[0] ?? 'EIO';
  return Object.assign(new Error(`${code}: ${what}`), { code, errno: -errno });
}

function linuxCalls(): SystemCalls {
  const koffi = loadKoffi();
  const libc = koffi.load(null);
  const list = libc.func('intptr_t llistxattr(const char *, void *, size_t)');
  const get = libc.func('intptr_t lgetxattr(const char *, const char *, void *, size_t)');
  const set = libc.func('int lsetxattr(const char *, const char *, const void *, size_t, int)');
  const remove = libc.func('int lremovexattr(const char *, const char *)');
  const fcntl = libc.func('int fcntl(int, int, ...)');
  const scratch = Buffer.alloc(MOST_BYTES);
  const trim = optional(() => libc.func('int malloc_trim(size_t)'));

  const bytesOf = (length: number, what: string): Buffer => {
    if (length < 0) throw lastError(koffi, what);
    return Buffer.from(scratch.subarray(0, length));
  };
  const namesOf = (file: string): string[] => {
    const length = Number(list(file, scratch, MOST_BYTES));
    if (length === 0 || (length < 0 && koffi.errno() === koffi.os.errno.ENOTSUP)) return [];
    const names = bytesOf(length, `attributes of '${file}'`).toString('utf8');
    return names.split('\0').filter((name) => name !== '');
  };
  return {
    attributes: (file) =>
      new Map(
        namesOf(file).map((name) => [
          name,
          bytesOf(Number(get(file, name, scratch, MOST_BYTES)), `attribute ${name} of '${file}'`),
        ]),
      ),
    setAttribute(file, name, value) {
      if (set(file, name, value, value.length, 0) !== 0) throw lastError(koffi, `set attribute ${name} of '${file}'`);
    },
    removeAttribute(file, name) {
      if (remove(file, name) !== 0) throw lastError(koffi, `remove attribute ${name} of '${file}'`);
    },
    // A lease to read is given only while no process writes. It is given back at once; a process that opens the file in
    // between is blocked for microseconds, and this process gets a signal that it ignores.
    isBeingWritten(handle) {
      fcntl(handle, F_SETSIG, 'int', SIGURG);
      if (fcntl(handle, F_SETLEASE, 'int', F_RDLCK) === 0) {
        fcntl(handle, F_SETLEASE, 'int', F_UNLCK);
        return false;
      }
      return koffi.errno() === koffi.os.errno.EAGAIN ? true : null;
    },
    returnMemory() {
      trim?.(0);
    },
  };
}

function optional<Call>(load: () => Call): Call | null {
  try {
    return load();
  } catch {
    return null; // a libc without these calls, or a platform without a build of koffi
  }
}

/** Swaps two files of one file system in one step, so that neither name is ever free. */
export type Exchange = (one: string, other: string) => void;

const AT_FDCWD = -100;
const RENAME_EXCHANGE = 2;

/**
 * Returns the system's atomic exchange (`renameat2(…, RENAME_EXCHANGE)`, Linux), or null if the system lacks it. The
 * exchange throws an error with the system's code, as Node's own calls do.
 */
export function systemExchange(): Exchange | null {
  return process.platform === 'linux' ? optional(linuxExchange) : null;
}

function linuxExchange(): Exchange {
  const koffi = loadKoffi();
  const libc = koffi.load(null);
  const renameat2 = libc.func('int renameat2(int, const char *, int, const char *, unsigned int)');
  return (one, other) => {
    const result: unknown = renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
    if (result !== 0) throw lastError(koffi, `exchange '${one}'`);
  };
}

/** Whether the file system under `folder` supports the exchange: tried on two files of our own. */
export function canExchange(exchange: Exchange, folder: string): boolean {
  const one = `${folder}/exchange-a.part`;
  const other = `${folder}/exchange-b.part`;
  try {
    fs.writeFileSync(one, 'a');
    fs.writeFileSync(other, 'b');
    exchange(one, other);
    return fs.readFileSync(one, 'utf8') === 'b';
  } catch {
    return false;
  } finally {
    fs.rmSync(one, { force: true });
    fs.rmSync(other, { force: true });
  }
}
