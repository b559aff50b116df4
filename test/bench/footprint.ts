import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type Row, startDaemon } from './measure.ts';

const MAX_MB = 120;
const MAX_CPU = 0.3;
/** By then the garbage of the start is collected and its memory returned. */
const SETTLING_MS = 15_000;
/** Watches beyond the folders: the settings note, and some to spare. */
const SPARE_WATCHES = 4;

/** 6: what the real `steward run` takes while nothing happens, measured after a start with and without a cache. */
export async function measureFootprint(home: string, vault: string, idleSeconds: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of ['no cache', 'cache valid'] as const) {
    if (kind === 'no cache') fs.rmSync(`${vault}/.steward/cache`, { recursive: true, force: true });
    const daemon = await startDaemon(home, vault);
    await wait(3_000);
    const started = rssMb(daemon.pid);
    await wait(SETTLING_MS);
    const ticksBefore = cpuTicks(daemon.pid);
    await wait(idleSeconds * 1000);
    const cpu = ((cpuTicks(daemon.pid) - ticksBefore) / TICKS_PER_SECOND / idleSeconds) * 100;
    rows.push(
      ...rowsOf(kind, { started, idle: rssMb(daemon.pid), cpu, watches: watches(daemon.pid), folders: folders(vault) }),
    );
    await daemon.stop();
  }
  return rows;
}

interface Found {
  readonly started: number;
  readonly idle: number;
  readonly cpu: number;
  readonly watches: number;
  readonly folders: number;
}

function rowsOf(kind: string, found: Found): Row[] {
  const row = (what: string, measured: string, aim: string, met: boolean, floor = '') => ({
    what,
    measured,
    floor,
    ratio: '',
    aim,
    met,
  });
  const memory = `${found.idle.toFixed(0)} MB (${found.started.toFixed(0)} after start)`;
  return [
    row(`6  memory, idle, started with ${kind}`, memory, `≤ ${MAX_MB} MB`, found.idle <= MAX_MB),
    row('   … CPU while idle', `${found.cpu.toFixed(2)} %`, `≤ ${MAX_CPU} %`, found.cpu <= MAX_CPU),
    row(
      '   … inotify watches',
      `${found.watches}`,
      `folders + O(1)`,
      found.watches <= found.folders + SPARE_WATCHES,
      `${found.folders} folders`,
    ),
  ];
}

/** Resident memory according to the kernel. */
function rssMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;
}

/** USER_HZ: 100 on every Linux in use. */
const TICKS_PER_SECOND = 100;

function cpuTicks(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

function watches(pid: number): number {
  const infos = fs.readdirSync(`/proc/${pid}/fdinfo`).map((fd) => fs.readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'));
  return infos
    .join('\n')
    .split('\n')
    .filter((line) => line.startsWith('inotify wd:')).length;
}

/** Counts the folders of the vault, including the vault itself, without dot-folders and what is in them. */
function folders(root: string): number {
  let count = 0;
  const left = [root];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    count += 1;
    for (const item of fs.readdirSync(folder, { withFileTypes: true })) {
      if (item.isDirectory() && !item.name.startsWith('.')) left.push(`${folder}/${item.name}`);
    }
  }
  return count;
}
