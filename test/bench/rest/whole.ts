import fs from 'node:fs';
import path from 'node:path';
import { type Aim, atMostTimes, type Row, rowOf } from '../figures/row.ts';
import { Samples } from '../figures/samples.ts';
import { childEnv } from '../processes/child.ts';
import { type Started, startDaemon, startNode } from '../processes/daemon.ts';
import { progress } from '../processes/folder.ts';
import { type Bench, sizesOf } from '../vaults.ts';

const PEER = path.join(import.meta.dirname, '..', 'peers', 'forty-lines.js');
const [MAX_COLD, MAX_CACHED] = [1.1, 0.5];

/** The times and the processor times of all rounds. */
interface Taken {
  readonly ms: number[];
  readonly cpu: number[];
}

/** `steward run` from exec until it listens, compared with forty lines that do the least of it, as whole processes. */
export async function measureWhole(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of sizesOf(bench, [1_000, 10_000, 100_000], [500, 2_000])) {
    progress(`measuring whole: ${size} notes …`);
    rows.push(...(await measureAt(bench, size)));
  }
  return rows;
}

async function measureAt(bench: Bench, size: number): Promise<Row[]> {
  const { home, vaults } = bench;
  const vault = vaults.sized(size);
  const steward = () => startDaemon(home, vault);
  const peer = () => startNode({ args: [PEER, vault], env: childEnv(home), ready: /ready/ });
  const [cold, cached, forty] = [taken(), taken(), taken()];
  for (const start of [peer, steward]) await note(taken(), start); // from now on notes and compiled code are in their caches
  for (let round = 0; round < roundsAt(bench, size); round += 1) {
    fs.rmSync(path.join(vault, '.steward', 'cache'), { recursive: true, force: true });
    await note(cold, steward);
    await note(forty, peer);
    await note(cached, steward);
  }
  const notes = `${size.toLocaleString('en')} notes`;
  return [
    ...rowsOf(`whole.${size}.cold`, `steward run until ready, ${notes}, no cache`, cold, forty, MAX_COLD),
    ...rowsOf(`whole.${size}.cached`, `… ${notes}, with cache`, cached, forty, MAX_CACHED),
  ];
}

function rowsOf(id: string, what: string, measured: Taken, forty: Taken, atMost: number): Row[] {
  const row = (kind: keyof Taken, words: string, aim: Aim | null) => {
    const floor = { of: 'forty lines', samples: new Samples(forty[kind]) };
    return rowOf({
      id: words === what ? id : `${id}.cpu`,
      what: words,
      measured: new Samples(measured[kind]),
      floor,
      aim,
    });
  };
  return [row('ms', what, atMostTimes(atMost)), row('cpu', '… … processor time', null)];
}

async function note({ ms, cpu }: Taken, start: () => Promise<Started>): Promise<void> {
  const started = await start();
  ms.push(started.ms);
  cpu.push(started.cpu);
  await started.stop();
}

function taken(): Taken {
  return { ms: [], cpu: [] };
}

function roundsAt({ isQuick }: Bench, size: number): number {
  if (isQuick || size > 100_000) return 2;
  return size > 10_000 ? 3 : 7;
}
