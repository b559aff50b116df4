import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onceRow, type Row } from '../figures/row.ts';
import { child, childEnv } from '../processes/child.ts';
import { type Started, startDaemon, startNode } from '../processes/daemon.ts';
import { progress } from '../processes/folder.ts';
import { cpuMs, memoryMb, rested, watches, writtenBytes } from '../processes/proc.ts';
import type { Make } from '../vault.ts';
import { type Bench, sizesOf } from '../vaults.ts';

/** How much memory (MB) a daemon may settle at, up to so many notes. */
const MAX_MB = [
  { notes: 10_000, mb: 120 },
  { notes: 100_000, mb: 250 },
  { notes: 500_000, mb: 500 },
] as const;
const MAX_CPU = 0.2;
/** What is said of a tick is a line or two in files of their own: a few pages of the disk. */
const MAX_PAGES = 4;
const PAGE = 4_096;
/** Watches beyond the folders: the settings note, and some to spare. */
const SPARE_WATCHES = 4;
/** The vault is listed this often at least. */
const SWEEP_S = 60;
const MINUTE_S = 60;

/** A daemon at rest, and what it had used when the minute began. */
interface Resting {
  readonly what: string;
  readonly id: string;
  readonly notes: number | null;
  readonly root: string;
  readonly daemon: Started;
}

/** What a daemon used in the time that it was watched. */
interface Used {
  readonly cpu: number;
  readonly handed: number;
  readonly disk: number;
  readonly ticks: number;
}

/** What the real `steward run` takes while nothing happens: all vaults rest at the same time, each with a process of its own. */
export async function measureRest(bench: Bench): Promise<Row[]> {
  const { home, isQuick } = bench;
  const [settling, seconds] = isQuick ? [5, 15] : [60, 60];
  const resting = await startAll(bench);
  const node = await startNode({ args: ['-e', NOTHING], env: childEnv(home), ready: /ready/ });
  progress('measuring rest: letting them settle …');
  for (const { daemon } of resting) await rested(daemon.pid);
  await wait(settling * 1000);
  progress('measuring rest: watching them …');
  const before = resting.map(({ daemon }) => usedBy(daemon));
  await wait(seconds * 1000);
  const used = resting.map(({ daemon }, nth) => since(usedBy(daemon), before[nth]));
  const bare = memoryMb(node.pid).rss;
  const rows = resting.flatMap((one, nth) => rowsOf(home, one, { used: used[nth] ?? NONE, seconds, bare }));
  await Promise.all([node, ...resting.map(({ daemon }) => daemon)].map((one) => one.stop()));
  return rows;
}

const NOTHING = 'setInterval(() => {}, 1000); console.log("ready")';
const NONE: Used = { cpu: 0, handed: 0, disk: 0, ticks: 0 };

async function startAll(bench: Bench): Promise<Resting[]> {
  const { home, isQuick, vaults } = bench;
  const matters = isQuick ? 1_000 : 10_000;
  const resting: Resting[] = [];
  const add = async (what: string, id: string, notes: number | null, root: string) => {
    progress(`measuring rest: starting on ${what} …`);
    resting.push({ what, id, notes, root, daemon: await startDaemon(home, root) });
  };
  for (const size of sizesOf(bench, [10_000, 100_000], [2_000])) {
    await add(`${size.toLocaleString('en')} notes`, `rest.${size}`, size, vaults.sized(size));
  }
  const many: Make = { matters, tasks: matters, signals: 0, events: 0, others: 0 };
  const what = `${matters.toLocaleString('en')} matters`;
  await add(what, `rest.matters.${matters}`, null, vaults.named(`matters-${matters}`, many));
  return resting;
}

function rowsOf(home: string, one: Resting, found: { used: Used; seconds: number; bare: number }): Row[] {
  const { what, id, notes, root, daemon } = one;
  const { used, seconds, bare } = found;
  const { rss, pss } = memoryMb(daemon.pid);
  const row = (key: string, words: string, value: number, beside: Parameters<typeof onceRow>[3]) =>
    onceRow(`${id}.${key}`, words, value, beside);
  const percent = (ms: number, of: number) => (ms / (of * 1000)) * 100;
  const listing = child<{ cpu: number }>(home, 'peers/list-vault.ts', root).cpu;
  const idle = row('cpu', `… processor time, ${what}`, percent(used.cpu, seconds), {
    floor: { of: 'listing each minute', value: percent(listing, SWEEP_S) },
    ...{ unit: '%', aim: { of: 'value', atMost: MAX_CPU }, remark: `${used.ticks} ticks` },
  });
  const perMinute = MINUTE_S / seconds / 1024;
  const bytes = row('written', `… written to disk in a minute, ${what}`, used.disk * perMinute, {
    ...(notes === null && {
      floor: { of: 'a page for each tick', value: Math.max(1, used.ticks) * PAGE * perMinute },
      aim: { of: 'ratio', atMost: MAX_PAGES },
    }),
    ...{ unit: 'kB', remark: `${(used.handed * perMinute).toFixed(0)} kB by write()` },
  });
  if (notes === null) return [idle, bytes];
  const max = MAX_MB.find((one) => notes <= one.notes);
  const memory = row('memory', `memory at rest, ${what}`, rss, {
    floor: { of: 'an idle Node', value: bare },
    ...{ unit: 'MB', remark: `PSS ${pss.toFixed(0)} MB` },
    aim: max === undefined ? null : { of: 'value', atMost: max.mb },
  });
  const held = row('watches', `… watches held, ${what}`, watches(daemon.pid), {
    floor: { of: 'folders', value: folders(root) },
    ...{ unit: '', aim: { of: 'difference', atMost: SPARE_WATCHES } },
  });
  return [memory, idle, bytes, held];
}

function usedBy({ pid, said }: Started): Used {
  const ticks = said().match(/"code":"ticked"/g)?.length ?? 0;
  return { cpu: cpuMs(pid), ...writtenBytes(pid), ticks };
}

function since(now: Used, before: Used = NONE): Used {
  return {
    ...{ cpu: now.cpu - before.cpu, ticks: now.ticks - before.ticks },
    ...{ handed: now.handed - before.handed, disk: now.disk - before.disk },
  };
}

/** Counts the folders of the vault, including the vault itself, without dot-folders and what is in them. */
function folders(root: string): number {
  let count = 0;
  const left = [root];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    count += 1;
    for (const item of fs.readdirSync(folder, { withFileTypes: true })) {
      if (item.isDirectory() && !item.name.startsWith('.')) left.push(path.join(folder, item.name));
    }
  }
  return count;
}
