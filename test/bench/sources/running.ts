import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const NS_PER_MS = 1e6;
/** A process that used less in so long has nothing left to do. */
const QUIET_MS = 4_000;
const QUIET_CPU_MS = 60;

/** Returns how much processor time (ms) a process has used, with the children that have ended. */
export function cpuMs(pid: number): number {
  const own = fs.readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadMs(pid, thread), 0);
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return own + (Number(fields[13]) + Number(fields[14])) * 10;
}

function threadMs(pid: number, thread: string): number {
  try {
    return Number(fs.readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / NS_PER_MS;
  } catch {
    return 0; // it has just ended
  }
}

/** Returns the resident memory (MB) of a process. */
export function rssMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;
}

/** Returns how many connections a process holds to ports of this machine. */
export function connections(pid: number, port: number): number {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = fs.readdirSync(`/proc/${pid}/fd`).flatMap((fd) => socketOf(`/proc/${pid}/fd/${fd}`));
  const lines = fs
    .readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return lines.filter((line) => line[2]?.endsWith(`:${hex}`) && line[3] === '01' && sockets.includes(line[9] ?? ''))
    .length;
}

function socketOf(link: string): string[] {
  try {
    return /^socket:\[(\d+)\]$/.exec(fs.readlinkSync(link))?.slice(1) ?? [];
  } catch {
    return [];
  }
}

/** Waits until a process has done what there was to do; `least` (ms) at least. */
export async function rested(pid: number, least = 0): Promise<void> {
  await wait(least);
  for (let before = cpuMs(pid); ; ) {
    await wait(QUIET_MS);
    const now = cpuMs(pid);
    if (now - before < QUIET_CPU_MS) return;
    before = now;
  }
}
