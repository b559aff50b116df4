import fs from 'node:fs';
import path from 'node:path';
import { type Row, rowOf } from '../figures/row.ts';
import { Samples } from '../figures/samples.ts';
import { startDaemon } from '../processes/daemon.ts';
import { progress } from '../processes/folder.ts';
import { rested } from '../processes/proc.ts';
import { type Bench, sizesOf } from '../vaults.ts';

/** A round takes a minute or more above that. */
const MANY = 50_000;
const MAX_STOP_MS = [
  { notes: 100_000, ms: 2_000 },
  { notes: 500_000, ms: 5_000 },
] as const;

/** How long the real `steward run` takes to end, and to start again: after a stop in order, and after SIGKILL. */
export async function measureEnds(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of sizesOf(bench, [10_000, 100_000], [2_000])) {
    progress(`measuring ends: ${size} notes …`);
    rows.push(...(await endsAt(bench, size)));
  }
  return rows;
}

async function endsAt({ home, vaults, isQuick }: Bench, size: number): Promise<Row[]> {
  const vault = vaults.sized(size);
  const cache = path.join(vault, '.steward', 'cache');
  const rounds = isQuick ? 1 : size > MANY ? 2 : 3;
  const found = { stop: [] as number[], save: [] as number[], stopped: [] as number[], killed: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    fs.rmSync(cache, { recursive: true, force: true });
    const first = await startDaemon(home, vault);
    await rested(first.pid);
    found.stop.push(await first.stop());
    found.save.push(copied(cache, path.join(home, `saved-${size}`)));
    const again = await startDaemon(home, vault);
    found.stopped.push(again.ms);
    await again.stop();
    fs.rmSync(cache, { recursive: true, force: true }); // what is killed has only what it saved by itself
    const alive = await startDaemon(home, vault);
    await rested(alive.pid);
    await alive.kill();
    const risen = await startDaemon(home, vault);
    found.killed.push(risen.ms);
    await risen.stop();
  }
  const notes = `${size.toLocaleString('en')} notes`;
  const max = MAX_STOP_MS.find((one) => size <= one.notes);
  return [
    rowOf({
      id: `ends.${size}.stop`,
      what: `SIGTERM until gone, ${notes}`,
      measured: new Samples(found.stop),
      floor: { of: 'cache written and synced', samples: new Samples(found.save) },
      aim: max === undefined ? null : { of: 'value', atMost: max.ms },
    }),
    rowOf({
      id: `ends.${size}.killed`,
      what: `… start after SIGKILL, ${notes}`,
      measured: new Samples(found.killed),
      floor: { of: 'after a stop', samples: new Samples(found.stopped) },
    }),
  ];
}

/** Writes what lies in a folder into one file, durably, and returns how long the writing took (ms). */
function copied(folder: string, to: string): number {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
  const bytes = Buffer.concat(names.filter((file) => fs.statSync(file).isFile()).map((file) => fs.readFileSync(file)));
  const before = performance.now();
  fs.writeFileSync(to, bytes, { flush: true });
  const took = performance.now() - before;
  fs.rmSync(to);
  return took;
}
