import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const NS_PER_MS = 1e6;
/** USER_HZ is 100 on every Linux in use. */
const MS_PER_TICK = 10;
/** A process that used less in so long has nothing left to do. */
const QUIET_MS = 4_000;
const QUIET_CPU_MS = 60;

/** Returns how much processor time (ms) a process has used, with the children that have ended. */
export function cpuMs(pid: number): number {
  const own = fs.readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadMs(pid, thread), 0);
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return own + (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
}

function threadMs(pid: number, thread: string): number {
  try {
    return Number(fs.readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / NS_PER_MS;
  } catch {
    return 0; // it has just ended
  }
}

/** The memory of a process (MB): all that is resident, and its own part where pages are shared with others. */
export function memoryMb(pid: number): { readonly rss: number; readonly pss: number } {
  const figure = (file: string, name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(fs.readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1]) / 1024;
  return { rss: figure('status', 'VmRSS'), pss: figure('smaps_rollup', 'Pss') };
}

/** How many bytes a process has given to write(), to files, pipes and sockets; and how many of them dirtied a disk's pages. */
export function writtenBytes(pid: number): { readonly handed: number; readonly disk: number } {
  const text = fs.readFileSync(`/proc/${pid}/io`, 'utf8');
  const figure = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(text)?.[1]);
  return { handed: figure('wchar'), disk: figure('write_bytes') };
}

/** Returns how many folders a process watches by inotify. */
export function watches(pid: number): number {
  const infos = fs.readdirSync(`/proc/${pid}/fdinfo`).map((fd) => fs.readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'));
  return infos.flatMap((info) => info.split('\n')).filter((line) => line.startsWith('inotify wd:')).length;
}

/** Returns how many files, sockets and the like a process has open. */
export function handles(pid: number): number {
  return fs.readdirSync(`/proc/${pid}/fd`).length;
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
