import fs from 'node:fs';
import type { SystemCalls } from './system-calls.ts';

/** The bits of the flags of an open file that say whether it was opened to write. */
const ACCESS_MODE = 0o3;

/**
 * Whether any process has a file open for writing; null where this cannot be told. The kernel is asked for this one file.
 * Where it does not answer (a file of another user, some network mounts), the open files of all processes are searched
 * that this user may look into, so that only "yes" is sure. Throws the system error where the file cannot be opened.
 */
export function isBeingWritten(file: string, system: SystemCalls | null): boolean | null {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  const handle = fs.openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    return system?.isBeingWritten(handle) ?? foundInProc(fs.fstatSync(handle));
  } finally {
    fs.closeSync(handle);
  }
}

function foundInProc(file: fs.Stats): true | null {
  const processes = namesIn('/proc').filter((name) => /^\d+$/.test(name));
  const isFound = processes.some((pid) =>
    namesIn(`/proc/${pid}/fd`).some((fd) => isSame(file, `/proc/${pid}/fd/${fd}`) && isForWriting(pid, fd)),
  );
  return isFound ? true : null;
}

function isSame(file: fs.Stats, open: string): boolean {
  try {
    const { dev, ino } = fs.statSync(open);
    return dev === file.dev && ino === file.ino;
  } catch {
    return false; // closed meanwhile
  }
}

function isForWriting(pid: string, fd: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(fs.readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & ACCESS_MODE) !== 0;
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return []; // no /proc, a process of another user, or one that has ended
  }
}
