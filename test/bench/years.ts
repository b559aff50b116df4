import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { interleaved, processMs, type Row, STEWARD, startDaemon, times } from './measure.ts';

const MAX_MB = 200;
/** By then the garbage of the start is collected and its memory returned. */
const SETTLING_MS = 25_000;

/** 8: what a vault of many years takes: the memory of an idle daemon, and how long the newest events are looked for. */
export async function measureYears(home: string, vault: string, what: string, rounds: number): Promise<Row[]> {
  const daemon = await startDaemon(home, vault);
  await wait(SETTLING_MS);
  const rss = rssMb(daemon.pid);
  const node = () => processMs(home, ['-e', '0']);
  const log = () => processMs(home, [STEWARD, 'log', '-n', '5', '--vault', vault]);
  await interleaved(2, { node, log });
  const found = await interleaved(rounds, { node, log });
  await daemon.stop();
  const ratio = found.log.median / found.node.median;
  return [
    {
      what: `8  memory, idle, ${what}`,
      measured: `${rss.toFixed(0)} MB`,
      floor: '',
      ratio: '',
      aim: `≤ ${MAX_MB} MB`,
      met: rss <= MAX_MB,
    },
    {
      what: '   … steward log -n 5, daemon running',
      measured: found.log.toString(),
      floor: `node -e 0 ${found.node}`,
      ratio: times(ratio),
      aim: '≤ 5 ×',
      met: ratio <= 5,
    },
  ];
}

function rssMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;
}
