import { setTimeout as wait } from 'node:timers/promises';
import { onceRow, type Row } from '../figures/row.ts';
import { type Block, type Probed, probedNothing, probedSeveral } from '../processes/blocks.ts';
import { type Started, startDaemon, startSeveral } from '../processes/daemon.ts';
import { progress } from '../processes/folder.ts';
import { cpuMs, handles, memoryMb, rested } from '../processes/proc.ts';
import type { Make } from '../vault.ts';
import { type Bench, sizesOf } from '../vaults.ts';

/** What a person has who has just begun. */
const SMALL: Make = { matters: 3, tasks: 10, signals: 4, events: 3, others: 5 };
const MAX_MB = 1.2;
/** How much processor time (ms) a vault may take in a second in which nothing happens. */
const MAX_CPU_MS = 0.3;
/** So many are started in a second at least. */
const LEAST_STARTED = 30;
/** Who asks one of a thousand vaults waits no longer than that for the others, and for the collection of their garbage. */
const MAX_BLOCK_MS = 250;
/** Beside a socket for each vault: what any Node has open, and what is open for a moment. */
const SPARE_HANDLES = 64;
/** Each is looked at by chance of its phase, and what it remembers is written half a minute later. */
const SETTLING_S = 90;

/** What was seen of a process at rest. */
interface Rest {
  /** Its memory, in MB. */
  readonly rss: number;
  /** Its processor time in a second, in ms. */
  readonly cpu: number;
  readonly ticks: number;
}

/** Many small vaults that one `steward run` looks after, beside one such vault that has a process of its own. */
export async function measureMany(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of sizesOf(bench, [1_000], [40])) rows.push(...(await measureCount(bench, count)));
  return rows;
}

async function measureCount(bench: Bench, count: number): Promise<Row[]> {
  const { home, isQuick, vaults } = bench;
  const what = (words: string) => `${words}, ${count.toLocaleString('en')} small vaults`;
  progress(`measuring many: making ${count} vaults …`);
  const folder = vaults.many(count, SMALL);
  const lone = await startDaemon(home, vaults.named('many-alone', SMALL));
  progress(`measuring many: starting ${count} vaults …`);
  const began = performance.now();
  const all = await startSeveral(home, folder);
  await all.heard((said) => said.includes('"code":"keeping"'));
  const startS = (performance.now() - began) / 1000;
  const { of, alone } = await atRest(all, lone, isQuick ? [5, 10] : [SETTLING_S, 60]);
  const open = handles(all.pid);
  const stopS = (await all.stop()) / 1000;
  await lone.stop();
  const id = `many.${count}`;
  return [
    onceRow(`${id}.first`, what('exec until the first is served'), all.ms, {
      floor: { of: 'one vault', value: lone.ms },
    }),
    onceRow(`${id}.start`, '… until all are', startS, {
      floor: { of: `${count.toLocaleString('en')} × one vault`, value: (lone.ms * count) / 1000 },
      ...{ unit: 's', aim: { of: 'value', atMost: Math.max(1, count / LEAST_STARTED) } },
      remark: `${(count / startS).toFixed(0)} a second`,
    }),
    onceRow(`${id}.memory`, '… memory at rest, a vault', of.rss / count, {
      floor: { of: 'a process for each', value: alone.rss },
      ...{
        unit: 'MB',
        aim: isQuick ? null : { of: 'value', atMost: MAX_MB },
        remark: `${of.rss.toFixed(0)} MB in all`,
      },
    }),
    onceRow(`${id}.cpu`, '… processor time in a second at rest, a vault', of.cpu / count, {
      floor: { of: 'a process for each', value: alone.cpu },
      ...{ aim: { of: 'value', atMost: MAX_CPU_MS }, remark: `${of.ticks} ticks` },
    }),
    onceRow(`${id}.handles`, '… files and sockets open', open, {
      floor: { of: 'vaults', value: count },
      ...{ unit: '', aim: { of: 'difference', atMost: SPARE_HANDLES } },
    }),
    onceRow(`${id}.stop`, '… SIGTERM until gone', stopS, { unit: 's' }),
    ...(await blocks(bench, { id, folder, words: what('longest block') })),
  ];
}

async function atRest(all: Started, lone: Started, [settleS, watchS]: readonly [number, number]) {
  progress('measuring many: letting them settle …');
  await rested(lone.pid);
  await wait(settleS * 1000);
  progress('measuring many: watching them …');
  const [before, beforeAlone, ticks] = [cpuMs(all.pid), cpuMs(lone.pid), ticksIn(all)];
  await wait(watchS * 1000);
  const [cpu, cpuAlone] = [cpuMs(all.pid) - before, cpuMs(lone.pid) - beforeAlone];
  const of: Rest = { rss: memoryMb(all.pid).rss, cpu: cpu / watchS, ticks: ticksIn(all) - ticks };
  const alone: Rest = { rss: memoryMb(lone.pid).rss, cpu: cpuAlone / watchS, ticks: 0 };
  return { of, alone };
}

function ticksIn({ said }: Started): number {
  return said().match(/"code":"ticked"/g)?.length ?? 0;
}

/** The longest time in which none of the vaults is answered: beside a Node that does nothing, which the machine keeps waiting too. */
async function blocks({ home, isQuick }: Bench, { id, folder, words }: { id: string; folder: string; words: string }) {
  progress('measuring many: longest blocks …');
  const nothing = await probedNothing(home);
  const began = Date.now();
  const all = await probedSeveral(home, folder);
  await all.heard((said) => said.includes('"code":"keeping"'));
  const kept = Date.now();
  await wait((isQuick ? 5 : SETTLING_S) * 1000);
  const over = Date.now();
  await all.stop();
  await nothing.stop();
  const parts = [
    { key: 'start', of: 'start until all are served', from: began, to: kept },
    { key: 'rest', of: 'at rest', from: kept, to: over },
  ];
  return parts.map(({ key, of, from, to }) => {
    const [daemon, machine] = [all, nothing].map((one) => longest(one, from, to));
    const row = onceRow(`${id}.block.${key}`, `${words}: ${of}`, daemon?.ms ?? 0, {
      floor: { of: 'an idle Node', value: machine?.ms ?? 0 },
      ...{ aim: { of: 'value', atMost: MAX_BLOCK_MS }, remark: `${daemon?.cpu.toFixed(0)} ms computing` },
    });
    return { ...row, ratio: null }; // a Node that does nothing is hardly ever late: so many times that says nothing
  });
}

function longest(probed: Probed, from: number, to: number): Block {
  return probed.longest(from, to) ?? { from, ms: 0, cpu: 0 };
}
