import path from 'node:path';
import { compose } from '../../../src/daemon/compose.ts';
import type { Workspace } from '../../../src/daemon/context.ts';
import { prepare } from '../../../src/daemon/lease.ts';
import { tick } from '../../../src/daemon/ticker.ts';
import { ownPlaces } from '../../../src/vault/layout.ts';
import { atMostTimes, type Row, rowOf } from '../figures/row.ts';
import { interleaved, type Samples } from '../figures/samples.ts';
import type { Bench } from '../vaults.ts';

const TICKS = 50;
const MAX_GROWTH = 1.5;

/** A tick without signals over a matter of 20 tasks, in vaults of growing size. */
export async function measureTick({ isQuick, vaults }: Bench): Promise<Row[]> {
  const rounds = isQuick ? 5 : 15;
  const spaces: [number, Workspace][] = [];
  for (const size of isQuick ? [500, 2_000] : [1_000, 10_000, 30_000]) {
    spaces.push([size, await spaceOf(vaults.named(`ticked-${size}`, size))]);
  }
  const ticks = await interleaved(
    rounds,
    bySize(spaces, (space) => ticked(space)),
  );
  const flushes = await interleaved(
    rounds,
    bySize(spaces, (space) => flushed(space)),
  );
  return [
    ...rows('tick', 'a tick without signals, 20 tasks,', ticks),
    ...rows('tick.saved', '… its cursors saved, in', flushes),
  ];
}

/** Opens a vault, and ticks each matter once, so that no tick is the first. */
async function spaceOf(root: string): Promise<Workspace> {
  prepare(ownPlaces(root));
  const env = { ceiling: 'live' as const, confidenceThreshold: null, highConfidenceThreshold: null };
  const { space } = await compose({ root, env, now: Date.now, emit: () => {} });
  for (const matter of space.vault.catalogue.matters()) await tickOnce(space, matter.path);
  return space;
}

function bySize(
  spaces: readonly [number, Workspace][],
  measure: (space: Workspace) => Promise<number>,
): Record<string, () => Promise<number>> {
  return Object.fromEntries(spaces.map(([size, space]) => [size.toLocaleString('en'), () => measure(space)]));
}

/** Returns how long a tick takes (ms). */
export async function ticked(space: Workspace): Promise<number> {
  const [matter] = space.vault.catalogue.matters();
  const before = performance.now();
  for (let index = 0; index < TICKS; index += 1) await tickOnce(space, matter?.path ?? '');
  return (performance.now() - before) / TICKS;
}

async function flushed(space: Workspace): Promise<number> {
  const [matter] = space.vault.catalogue.matters();
  await tickOnce(space, matter?.path ?? '');
  const before = performance.now();
  space.context.state.flush();
  return performance.now() - before;
}

/** Ticks one matter. */
export async function tickOnce(space: Workspace, file: string): Promise<void> {
  const matter = space.vault.catalogue.get(file);
  if (matter?.kind !== 'matter') throw new Error(`no matter ${path.basename(file)}`);
  await tick(space, matter, { force: true, mode: null, abort: new AbortController().signal, at: Date.now() });
}

function rows(id: string, what: string, samples: Record<string, Samples>): Row[] {
  const [smallest, ...larger] = Object.entries(samples);
  if (smallest === undefined) return [];
  const floor = { of: `a vault of ${smallest[0]}`, samples: smallest[1] };
  const aim = id === 'tick' ? atMostTimes(MAX_GROWTH) : null;
  return larger.map(([size, measured]) => {
    return rowOf({ id: `${id}.${size.replace(/\D/g, '')}`, what: `${what} ${size} notes`, measured, floor, aim });
  });
}
