import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { EXIT, StewardError, systemCode } from './errors.ts';
import { type FileStat, readBytes, sameStat } from './files.ts';

// The file itself: read without ever waiting for it or following it, made and taken away without replacing another's.
// Loads no schema: a command that only asks a daemon reads the lock too.

/** No lock is longer: the rest is a path and some names. */
const MAX_BYTES = 16_384;

/** What lies in the lock's place, and the very file it lies in. */
export interface LockText {
  readonly text: string;
  readonly stat: FileStat;
}

/**
 * Returns what a lock file holds, or null where there is none. Throws `lock-no-file` (75) where something else is in its
 * place, and the system's error where the disk refuses.
 */
export function readLockText(file: string): LockText | null {
  try {
    const { bytes, stat } = readBytes(file, MAX_BYTES, fs.constants.O_NOFOLLOW);
    return { text: bytes.toString('utf8'), stat };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    // A link is not followed (ELOOP), a socket cannot be opened (ENXIO).
    if (error instanceof StewardError || ['ELOOP', 'ENXIO'].includes(systemCode(error) ?? '')) throw noLockFile(error);
    throw error;
  }
}

/** Whether the lock is still the very file that was read or written before, untouched. */
export function isUntouched(file: string, before: FileStat): boolean {
  let handle: number | null = null;
  try {
    // Opened, and not only looked at: a network disk asks its server when a file is opened.
    handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOFOLLOW);
    return sameStat(fs.fstatSync(handle), before);
  } catch {
    return false; // the reader after this one tells why
  } finally {
    if (handle !== null) fs.closeSync(handle);
  }
}

/** Makes the lock, whole, unless there is one: false where there is. */
export function createLock(file: string, text: string): boolean {
  const part = partOf(file);
  try {
    fs.writeFileSync(part, text, { flag: 'wx', mode: 0o600 });
    fs.linkSync(part, file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (!isWithoutLinks(error)) throw error;
    return createExclusive(file, text);
  } finally {
    fs.rmSync(part, { force: true });
  }
}

/**
 * Writes a text of the same length into the lock, if it is still this very file. In place: whoever has put another
 * lock there meanwhile keeps it. Returns the file as it is then, or null where it is another.
 */
export function rewriteLock(file: string, before: FileStat, text: string): FileStat | null {
  const handle = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_NONBLOCK | fs.constants.O_NOFOLLOW);
  try {
    if (!sameStat(fs.fstatSync(handle), before)) return null;
    fs.writeSync(handle, text, 0, 'utf8');
    return fs.fstatSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/**
 * Takes a dead lock away, if it still holds exactly `text`. Several may find the same one: each moves it to a name of
 * its own, so that the others find nothing to move, and what another has taken or refreshed meanwhile goes back.
 */
export function removeLock(file: string, text: string): void {
  const aside = partOf(file);
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  let isDead = false;
  try {
    isDead = readLockText(aside)?.text === text;
  } finally {
    // Also where the disk refuses to tell what was moved: it may be alive.
    if (!isDead) putBack(aside, file);
    fs.rmSync(aside, { force: true });
  }
}

function putBack(aside: string, file: string): void {
  try {
    fs.linkSync(aside, file);
  } catch (error) {
    if (isWithoutLinks(error)) fs.renameSync(aside, file);
    else if (systemCode(error) !== 'EEXIST') throw error;
  }
}

function createExclusive(file: string, text: string): boolean {
  try {
    fs.writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function isWithoutLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'ENOSYS'].includes(systemCode(error) ?? '');
}

function partOf(file: string): string {
  return `${file}.${randomUUID()}.part`;
}

function noLockFile(cause: unknown): StewardError {
  return new StewardError(
    {
      code: 'lock-no-file',
      file: '.steward/lock',
      message: 'In the place of the lock lies something else: a folder, a pipe, a link, or a large file.',
      hint: 'Look at what it is, make sure that no daemon runs on this vault, and move it away.',
    },
    EXIT.tryAgain,
    { cause },
  );
}
