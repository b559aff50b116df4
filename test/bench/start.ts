import fs from 'node:fs';
import path from 'node:path';
import { child, interleaved, type Row, Samples, startDaemon, times } from './measure.ts';

interface Start {
  readonly ms: number;
  readonly listening: number;
}

const ASIDE = path.join('.steward', 'cache');

/** 1 and 2: a start with and without the cache, compared with walking the vault and reading the same notes. */
export async function measureStart(home: string, vault: string, size: number, rounds: number): Promise<Row[]> {
  const listening: { cold: number[]; cached: number[] } = { cold: [], cached: [] };
  const start = (kind: 'cold' | 'cached') => {
    if (kind === 'cold') fs.rmSync(path.join(vault, ASIDE), { recursive: true, force: true });
    const one = child<Start>(home, 'child-start.ts', 'start', vault);
    listening[kind].push(one.listening);
    return one.ms;
  };
  const floorNow = () => child<Start>(home, 'child-start.ts', 'floor', vault).ms;
  floorNow(); // from now on the notes are in the page cache for all three
  const { floor, cold, cached } = await interleaved(rounds, {
    floor: floorNow,
    cold: () => start('cold'),
    cached: () => start('cached'),
  });
  const whole = await interleaved(Math.ceil(rounds / 2), { cached: () => wholeProcess(home, vault) });
  const notes = size.toLocaleString('en');
  const row = (what: string, measured: Samples, aim: number | null): Row => ({
    what,
    measured: measured.toString(),
    floor: `walk + read ${floor}`,
    ratio: times(measured.median / floor.median),
    aim: aim === null ? '' : `≤ ${aim} ×`,
    met: aim === null ? null : measured.median / floor.median <= aim,
  });
  return [
    row(`1  start to all schedules ready, ${notes} notes, no cache`, cold, 3.5),
    row('   … and listening for changes', new Samples(listening.cold), null),
    row(`2  the same, started again (cache valid)`, cached, 1.3),
    row('   … and listening for changes', new Samples(listening.cached), null),
    { ...row('   … as a process, from exec to its `started` line', whole.cached, null) },
  ];
}

async function wholeProcess(home: string, vault: string): Promise<number> {
  const daemon = await startDaemon(home, vault);
  await daemon.stop();
  return daemon.ms;
}
