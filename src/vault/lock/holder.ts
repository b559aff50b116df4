import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { systemCode } from '../errors.ts';
import { LEASE_MS } from './lease.ts';

/** More takings than any vault will see; a larger figure was not counted. */
export const MAX_EPOCH = 2 ** 50;

/** A longer lease (ms) was not given by this program: its lock counts as one that cannot be read. */
const MAX_LEASE_MS = 60 * 60 * 1000;

const holder = z.object({
  host: z.string(),
  pid: z.number().int().positive(),
  boot: z.string(),
  /** In which PID and time namespace `pid` and `birth` were counted; empty where the system has none. */
  pid_namespace: z.string().default(''),
  time_namespace: z.string().default(''),
  role: z.enum(['daemon', 'command']),
  /** The process's start as the kernel counts it, so that a reused pid is not mistaken for the holder. */
  birth: z.string(),
  since: z.string(),
  refreshed_at: z.string(),
  token: z.string(),
  /** How often the lock has been taken: it only grows, so that of two holders the later one is known. */
  epoch: z.number().int().min(0).max(MAX_EPOCH).default(0),
  /** For how long (ms) it may stay unrefreshed; earlier versions did not say so. */
  lease_ms: z.number().int().positive().max(MAX_LEASE_MS).default(LEASE_MS),
  /** Where a daemon listens for commands; null for a command. */
  socket: z.string().nullable().catch(null),
});
/** Who holds a vault, as the lock says it. */
export type LockHolder = z.infer<typeof holder>;

/** What is known of a holder's process: `unknown` where it cannot be seen from here. */
export type Standing = 'running' | 'gone' | 'unknown';

/** Returns what a lock's text says, or null where it is no lock's. */
export function holderOf(text: string): LockHolder | null {
  try {
    return holder.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Returns for how long (ms) a holder may stay unrefreshed, as it says itself; null stands for a lock that cannot be read. */
export function leaseOf(other: LockHolder | null): number {
  return other?.lease_ms ?? LEASE_MS;
}

/** Returns this process as a holder. `now` in epoch ms. */
export function thisProcess(role: LockHolder['role'], socket: string | null, now: number) {
  const since = new Date(now).toISOString();
  const birth = birthOf(process.pid) ?? '';
  return { ...place(), pid: process.pid, role, birth, since, refreshed_at: since, socket };
}

/** Where this process runs: what must be the same for another's pid to mean the same process. */
export function place() {
  return {
    host: os.hostname(),
    boot: bootId(),
    pid_namespace: namespace('pid'),
    time_namespace: namespace('time'),
  };
}

/**
 * Returns what is known of the process behind a lock. `isOwn`: this machine remembers that it took this lock itself.
 * A pid says something only where it was counted as it is here: on this host, in this boot, in this PID namespace.
 * Containers share the boot, machines may share a name.
 */
export function standingOf(other: LockHolder, isOwn: boolean): Standing {
  const here = place();
  if (other.host !== here.host) return 'unknown';
  if (other.boot !== here.boot) return isOwn ? 'gone' : 'unknown';
  const isSeen = here.boot === '' ? isOwn : here.pid_namespace !== '' && other.pid_namespace === here.pid_namespace;
  if (!isSeen) return 'unknown';
  if (!isThere(other.pid)) return 'gone';
  // Another time namespace counts a process's start from another moment.
  const birth = other.time_namespace === here.time_namespace ? birthOf(other.pid) : null;
  if (birth === null || other.birth === '') return 'unknown';
  return birth === other.birth ? 'running' : 'gone';
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}

function bootId(): string {
  try {
    return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return ''; // not Linux
  }
}

function namespace(kind: 'pid' | 'time'): string {
  try {
    return fs.readlinkSync(`/proc/self/ns/${kind}`);
  } catch {
    return '';
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
