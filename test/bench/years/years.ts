import { atMostTimes, onceRow, type Row, rowOf } from '../figures/row.ts';
import { interleaved, Samples } from '../figures/samples.ts';
import { child, type Helper, helper, processMs, STEWARD } from '../processes/child.ts';
import { startDaemon } from '../processes/daemon.ts';
import { memoryMb, rested } from '../processes/proc.ts';
import type { Make } from '../vault.ts';
import type { Bench } from '../vaults.ts';

const MAX_MB = 200;
const [MAX_LOG, MAX_GROWTH] = [5, 1.5];
/** Of what a vault has behind it, so much are events; the rest are signals. */
const EVENTS = 2 / 7;
const YOUNG = 3_500;
const LIVED = 70_000;
const SETTLING_MS = 15_000;
/** By then a daemon has written its cache: a stop waits only a moment for it. */
const SAVED_MS = 35_000;

/** What a vault of many years takes, beside one with the same matters and tasks that has hardly begun. `--size`: how many events and signals lie behind it. */
export async function measureYears(bench: Bench): Promise<Row[]> {
  const { home, isQuick, vaults } = bench;
  const lived = bench.size ?? (isQuick ? 2 * YOUNG : LIVED);
  const old = vaults.named('years', lifeOf(lived));
  const what = `${lived.toLocaleString('en')} events and signals`;
  const rounds = isQuick ? 5 : 15;
  const started = await startedOn(home, old, rounds);
  const acts = await actsOn(home, { old, young: vaults.named('young', lifeOf(YOUNG)) }, rounds);
  const grown = (id: string, words: string, measured: Samples, young: Samples) => ({
    ...{ id: `years.${id}`, what: `… ${words}`, measured, aim: atMostTimes(MAX_GROWTH) },
    floor: { of: `after ${YOUNG.toLocaleString('en')}`, samples: young },
  });
  return [
    onceRow('years.memory', `memory at rest, ${what}`, started.memory, {
      unit: 'MB',
      aim: bench.size === null ? { of: 'value', atMost: MAX_MB } : null,
    }),
    rowOf({
      ...{ id: 'years.start', what: '… steward run until ready, with cache', measured: started.start },
      floor: { of: 'listing it', samples: started.listing },
    }),
    rowOf({
      ...{ id: 'years.log', what: '… steward log -n 20, a daemon runs', measured: started.log },
      ...{ floor: { of: 'node -e 0', samples: started.node }, aim: atMostTimes(MAX_LOG) },
    }),
    rowOf(grown('tick', 'a tick without signals, 20 tasks', acts.oldTick, acts.youngTick)),
    rowOf(grown('undo', 'undo', acts.oldUndo, acts.youngUndo)),
  ];
}

function lifeOf(count: number): Make {
  const events = Math.round(count * EVENTS);
  return { matters: 250, tasks: 5_000, signals: count - events, events, others: 1_000 };
}

/** Starts of the real program on the old vault, and what it answers while it runs. */
async function startedOn(home: string, vault: string, rounds: number) {
  const first = await startDaemon(home, vault);
  await rested(first.pid, SAVED_MS);
  await first.stop();
  const [start, listing]: [number[], number[]] = [[], []];
  for (let round = 0; round < 3; round += 1) {
    listing.push(child<{ ms: number }>(home, 'peers/list-vault.ts', vault).ms);
    const again = await startDaemon(home, vault);
    start.push(again.ms);
    await again.stop();
  }
  const daemon = await startDaemon(home, vault);
  await rested(daemon.pid, SETTLING_MS);
  const memory = memoryMb(daemon.pid).rss;
  const node = () => processMs(home, ['-e', '0']);
  const log = () => processMs(home, [STEWARD, 'log', '-n', '20', '--vault', vault]);
  await interleaved(2, { node, log });
  const found = await interleaved(rounds, { node, log });
  await daemon.stop();
  return { ...found, memory, start: new Samples(start), listing: new Samples(listing) };
}

/** Ticks and undos in both vaults, in turn, each vault in a process of its own. */
async function actsOn(home: string, { old, young }: { readonly old: string; readonly young: string }, rounds: number) {
  const helpers: Helper[] = [];
  try {
    for (const vault of [old, young]) helpers.push(await helper(home, 'years/child-acts.ts', vault, String(rounds)));
    const ask = (nth: number, what: string) => () => helpers[nth]?.ask(what) ?? Number.NaN;
    return await interleaved(rounds, {
      ...{ oldTick: ask(0, 'tick'), youngTick: ask(1, 'tick') },
      ...{ oldUndo: ask(0, 'undo'), youngUndo: ask(1, 'undo') },
    });
  } finally {
    await Promise.all(helpers.map((one) => one.end()));
  }
}
