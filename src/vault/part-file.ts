import fs from 'node:fs';
import { systemCode } from './errors.ts';

// New bytes before they get their name. A part that cannot be written whole must never be given one.

/** What a file is to hold; a long one in slices. */
export type Content = Uint8Array | string | readonly Uint8Array[];

/**
 * Writes a new file that survives a power cut before anything else is done with it. Throws the system error where not
 * every byte could be written: `fs.writeSync` alone returns a short count on a full disk, and says nothing.
 */
export function writeLasting(part: string, content: Content, mode = 0o600): void {
  const handle = openNew(part, mode);
  try {
    for (const slice of slicesOf(content)) fs.writeFileSync(handle, slice);
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
 * Gives a file a second name, which must be free. A hard link refuses a taken name, where rename would replace it. File
 * systems without links (FAT, some network mounts) get an exclusive copy: readers may see it half written, but it
 * replaces nothing either. Throws the system error, `EEXIST` where the name is taken.
 */
export function linkOrCopy(file: string, name: string): void {
  try {
    fs.linkSync(file, name);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EXDEV', 'ENOSYS', 'EMLINK'].includes(systemCode(error) ?? '')) throw error;
    fs.copyFileSync(file, name, fs.constants.COPYFILE_EXCL);
  }
}

/** Removes a file where it is there. One call, where `rmSync` looks twice before it makes the same. */
export function removeFile(file: string): void {
  try {
    fs.unlinkSync(file);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

function slicesOf(content: Content): readonly (Uint8Array | string)[] {
  return typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
}

/** Gives a new file the mode of the one it replaces, and its owner as far as the system allows. */
export function keepModeAndOwner(part: string, like: { mode: number; uid: number; gid: number }): void {
  const made = fs.statSync(part);
  if (made.uid !== like.uid || made.gid !== like.gid) keepOwner(part, like);
  if ((made.mode & 0o7777) !== like.mode) fs.chmodSync(part, like.mode);
}

function keepOwner(part: string, like: { uid: number; gid: number }): void {
  try {
    fs.chownSync(part, like.uid, like.gid);
  } catch (error) {
    // Only root may give files away; a file of another owner in a shared vault keeps at least its group and mode.
    if (systemCode(error) !== 'EPERM') throw error;
    keepGroup(part, like.gid);
  }
}

function keepGroup(part: string, gid: number): void {
  try {
    fs.chownSync(part, -1, gid);
  } catch (error) {
    if (systemCode(error) !== 'EPERM') throw error; // a group that this user is not in
  }
}
