import fs from 'node:fs';

/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Returns the processor time (ms) that a process has taken so far, with all its threads. */
export function processorMs(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Returns how much memory (MB) a process holds now. */
export function memoryMb(pid: number): number {
  const [, kb = '0'] = /^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1_024;
}

/** Returns the size (bytes) of a database of SQLite with what is not yet put into it. */
export function databaseBytes(file: string): number {
  return [file, `${file}-wal`].reduce((sum, one) => sum + (fs.statSync(one, { throwIfNoEntry: false })?.size ?? 0), 0);
}
