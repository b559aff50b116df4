import path from 'node:path';
import { compose } from '../../src/daemon/compose.ts';
import { prepare } from '../../src/daemon/context/own-folders.ts';
import type { Workspace } from '../../src/daemon/context/ports.ts';
import { tick } from '../../src/daemon/schedule/tick.ts';
import { ownPlaces } from '../../src/vault/layout.ts';
import { interleaved, type Row, type Samples, times } from './measure.ts';

const TICKS = 50;

/** 4: a tick without signals over a matter of 20 tasks, in vaults of growing size. */
export async function measureTick(vaults: ReadonlyMap<number, string>, rounds: number): Promise<Row[]> {
  const spaces: [number, Workspace][] = [];
  for (const [size, root] of vaults) spaces.push([size, await spaceOf(root)]);
  const ticks = await interleaved(
    rounds,
    bySize(spaces, (space) => ticked(space)),
  );
  const flushes = await interleaved(
    rounds,
    bySize(spaces, (space) => flushed(space)),
  );
  return [
    ...rows('4  no-signal tick, 20 tasks, in a vault of', ticks, true),
    ...rows('   … its cursors saved (once a second at most), in', flushes, false),
  ];
}

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

async function ticked(space: Workspace): Promise<number> {
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

async function tickOnce(space: Workspace, file: string): Promise<void> {
  const matter = space.vault.catalogue.get(file);
  if (matter?.kind !== 'matter') throw new Error(`no matter ${path.basename(file)}`);
  await tick(space, matter, { force: true, mode: null, abort: new AbortController().signal, at: Date.now() });
}

function rows(what: string, samples: Record<string, Samples>, aimed: boolean): Row[] {
  const [smallest] = Object.values(samples);
  const floor = smallest?.median ?? Number.NaN;
  return Object.entries(samples).map(([size, sample]) => {
    const ratio = sample.median / floor;
    const same = sample === smallest;
    return {
      what: `${what} ${size}`,
      measured: sample.toString(),
      floor: same ? 'itself' : `the smallest ${smallest}`,
      ratio: times(ratio),
      aim: aimed && !same ? 'does not grow (≤ 1.5 ×)' : '',
      met: aimed && !same ? ratio <= 1.5 : null,
    };
  });
}
