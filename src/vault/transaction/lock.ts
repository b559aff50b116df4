import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { EXIT, StewardError, systemCode } from '../errors.ts';
import { fileError } from '../files.ts';

const holder = z.object({
  host: z.string(),
  pid: z.number().int(),
  boot: z.string(),
  role: z.enum(['daemon', 'command']),
  /** The process's start as the kernel counts it, so that a reused pid is not mistaken for the holder. */
  birth: z.string(),
  since: z.string(),
  refreshed_at: z.string(),
  token: z.string(),
  /** Where a daemon listens for commands; null for a command. */
  socket: z.string().nullable().catch(null),
});
export type LockHolder = z.infer<typeof holder>;

const REFRESH_MS = 15_000;
/** A lock from another host counts as held while it was refreshed within this time (ms). */
const FOREIGN_STALE_MS = 90_000;

/** The vault's lock, held until `release`. */
export class Lock {
  readonly holder: LockHolder;
  readonly #file: string;
  readonly #timer: NodeJS.Timeout;

  private constructor(file: string, mine: LockHolder) {
    this.#file = file;
    this.holder = mine;
    this.#timer = setInterval(() => this.#refresh(), REFRESH_MS);
    this.#timer.unref();
  }

  /**
   * Takes the lock of a vault. A lock whose process is gone is taken over.
   * Throws `vault-locked` (exit 75), naming the holder, where another process holds it, and (exit 75) where the disk
   * refuses.
   */
  static take(file: string, holder: { role: LockHolder['role']; socket: string | null }, now: number): Lock {
    try {
      return Lock.#take(file, describe(holder.role, holder.socket, now), now);
    } catch (error) {
      throw error instanceof StewardError || systemCode(error) === null
        ? error
        : new StewardError(fileError(error, '.steward/lock').trouble, EXIT.tryAgain, { cause: error });
    }
  }

  static #take(file: string, mine: LockHolder, now: number): Lock {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      if (create(file, mine)) return new Lock(file, mine);
      const other = readHolder(file);
      if (other !== null && isAlive(other, now)) throw lockedBy(other);
      setAside(file, other);
    }
    throw lockedBy(readHolder(file));
  }

  /** Releases the lock if it is still ours. */
  release(): void {
    clearInterval(this.#timer);
    try {
      if (readHolder(this.#file)?.token === this.holder.token) fs.rmSync(this.#file, { force: true });
    } catch {
      // The disk refuses: the work is done nevertheless, and the end of this process frees the lock.
    }
  }

  #refresh(): void {
    try {
      if (readHolder(this.#file)?.token !== this.holder.token) return;
      const part = `${this.#file}.${this.holder.token}.part`;
      fs.writeFileSync(part, JSON.stringify({ ...this.holder, refreshed_at: new Date().toISOString() }));
      fs.renameSync(part, this.#file);
    } catch {
      // The vault is away: the lock is refreshed when it is back.
    }
  }
}

/** Returns the process that holds the lock and is alive, or null. */
export function lockHolder(file: string, now: number): LockHolder | null {
  const current = readHolder(file);
  return current !== null && isAlive(current, now) ? current : null;
}

function describe(role: LockHolder['role'], socket: string | null, now: number): LockHolder {
  const since = new Date(now).toISOString();
  return {
    host: os.hostname(),
    pid: process.pid,
    boot: bootId(),
    role,
    birth: birthOf(process.pid) ?? '',
    since,
    refreshed_at: since,
    token: randomUUID(),
    socket,
  };
}

// Written whole under another name and then linked: a reader never sees half a lock, and only one linker wins.
function create(file: string, mine: LockHolder): boolean {
  const part = `${file}.${mine.token}.part`;
  fs.writeFileSync(part, JSON.stringify(mine));
  try {
    fs.linkSync(part, file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error;
    return createExclusive(file, mine);
  } finally {
    fs.rmSync(part, { force: true });
  }
}

function createExclusive(file: string, mine: LockHolder): boolean {
  try {
    fs.writeFileSync(file, JSON.stringify(mine), { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

// Two processes may find the same dead lock: each moves it to a name of its own, so one of them finds nothing to move,
// and one that moved a lock which the other had just taken puts it back.
function setAside(file: string, dead: LockHolder | null): void {
  const aside = `${file}.${randomUUID()}.part`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  const moved = readHolder(aside);
  if (moved !== null && moved.token !== dead?.token) fs.renameSync(aside, file);
  else fs.rmSync(aside, { force: true });
}

function readHolder(file: string): LockHolder | null {
  try {
    return holder.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

function isAlive(other: LockHolder, now: number): boolean {
  if (other.host !== os.hostname()) return now - Date.parse(other.refreshed_at) < FOREIGN_STALE_MS;
  if (other.boot !== bootId()) return false;
  try {
    process.kill(other.pid, 0);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false;
  }
  const birth = birthOf(other.pid);
  return birth === null || other.birth === '' || birth === other.birth;
}

function bootId(): string {
  try {
    return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return ''; // not Linux: the pid alone has to do
  }
}

// Field 22 of /proc/<pid>/stat, counted after the command name, which may itself contain spaces and brackets.
function birthOf(pid: number): string | null {
  try {
    const stat = fs.readFileSync(path.join('/proc', String(pid), 'stat'), 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function lockedBy(other: LockHolder | null): StewardError {
  const who = other === null ? 'another process' : `${other.role} ${other.pid} on ${other.host}, since ${other.since}`;
  return new StewardError(
    {
      code: 'vault-locked',
      file: '.steward/lock',
      message: `The vault is held by ${who}.`,
      hint: 'Stop that one first, or let it do the work: commands hand theirs to a running daemon.',
    },
    EXIT.tryAgain,
  );
}
