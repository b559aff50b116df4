import fs from 'node:fs';
import path from 'node:path';
import { atMostTimes, type Row, rowOf } from '../figures/row.ts';
import { interleaved } from '../figures/samples.ts';
import { child } from '../processes/child.ts';
import type { Bench } from '../vaults.ts';

const CACHE = path.join('.steward', 'cache');
const MAX_COLD = 4;
const MAX_CACHED = 2;

/** A start until ready, with and without the cache, compared with walking the vault and reading the same notes. */
export async function measureStart({ home, isQuick, vaults }: Bench): Promise<Row[]> {
  const size = isQuick ? 2_000 : 10_000;
  const vault = vaults.sized(size);
  const start = () => child<{ ms: number }>(home, 'start/child-start.ts', 'start', vault).ms;
  const cold = () => {
    fs.rmSync(path.join(vault, CACHE), { recursive: true, force: true });
    return start();
  };
  const floor = () => child<{ ms: number }>(home, 'start/child-start.ts', 'read', vault).ms;
  floor(); // from now on the notes are in the page cache for all three
  const found = await interleaved(isQuick ? 3 : 9, { floor, cold, cached: start });
  const walked = { of: 'walk + read', samples: found.floor };
  const notes = size.toLocaleString('en');
  return [
    rowOf({
      id: 'start.cold',
      what: `start until ready, ${notes} notes, no cache`,
      measured: found.cold,
      floor: walked,
      aim: atMostTimes(MAX_COLD),
    }),
    rowOf({
      id: 'start.cached',
      what: '… started again, with cache',
      measured: found.cached,
      floor: walked,
      aim: atMostTimes(MAX_CACHED),
    }),
  ];
}
