import fs from 'node:fs';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { compose } from '../../src/daemon/compose.ts';
import { prepare } from '../../src/daemon/context/own-folders.ts';
import type { Workspace } from '../../src/daemon/context/ports.ts';
import { routeSignal } from '../../src/daemon/decide/weigh.ts';
import { undo } from '../../src/undo/undo.ts';
import { ownPlaces } from '../../src/vault/layout.ts';
import { interleaved, type Row, times } from './measure.ts';
import { strongSignal, taskPath } from './vault.ts';

/** 5: taking an action back (note, reversal note, instinct, all durable), compared with writing one file atomically. */
export async function measureUndo(vault: string, rounds: number): Promise<Row[]> {
  const space = await spaceOf(vault);
  const events = await acted(space, rounds + WARM_UP);
  const undoOne = () => {
    const event = events.pop();
    if (event === undefined) throw new Error('no action left to take back');
    return undone(space, event);
  };
  const file = path.join(vault, '.steward', 'state', 'bench.json');
  const write = () => written(file);
  const async_ = () => writtenAsync(file);
  await interleaved(WARM_UP, { undoOne, write, async_ });
  const found = await interleaved(rounds, { undoOne, write, async_ });
  const ratio = found.undoOne.median / found.async_.median;
  const syncRatio = found.undoOne.median / found.write.median;
  return [
    {
      what: `5  undo (median of ${rounds})`,
      measured: found.undoOne.toString(),
      floor: `write-file-atomic ${found.async_}`,
      ratio: times(ratio),
      aim: '≤ 4 ×',
      met: ratio <= 4,
    },
    {
      what: '   … against its sync form',
      measured: found.undoOne.toString(),
      floor: `write-file-atomic.sync ${found.write}`,
      ratio: times(syncRatio),
      aim: '',
      met: null,
    },
  ];
}

const WARM_UP = 20;

async function spaceOf(root: string): Promise<Workspace> {
  prepare(ownPlaces(root));
  let now = Date.now();
  const env = { ceiling: 'live' as const, confidenceThreshold: null, highConfidenceThreshold: null };
  // The clock moves half a second whenever it is read, so that the rate guard's minute never fills up.
  const tell = () => {
    now += 500;
    return now;
  };
  const { space } = await compose({ root, env, now: tell, emit: () => {} });
  return space;
}

async function acted(space: Workspace, count: number): Promise<string[]> {
  const events: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const file = `signal/undo-${index}.md`;
    const task = taskPath(Math.floor(index / 4) * 5 + (index % 4));
    fs.writeFileSync(
      path.join(space.vault.root, file),
      strongSignal(task, `2027-03-${String(1 + (index % 28)).padStart(2, '0')}`, `moved ${index}`),
    );
    space.vault.look([file]);
    const signal = space.vault.catalogue.get(file);
    const settled = signal?.kind === 'signal' ? await routeSignal(space, signal, null) : null;
    if (settled === null || settled.kind !== 'acted')
      throw new Error(`${file} was not acted upon: ${JSON.stringify(settled)}`);
    events.push(settled.event);
  }
  return events;
}

function undone(space: Workspace, file: string): number {
  const event = space.vault.catalogue.get(file);
  if (event?.kind !== 'event') throw new Error(`${file} is no event`);
  const before = performance.now();
  const answer = undo(space, { event, by: 'command', reason: null, force: false, file: null });
  const took = performance.now() - before;
  if (answer.outcome !== 'reversed') throw new Error(`${file}: ${answer.outcome}, ${answer.message}`);
  return took;
}

const TEXT = 'x'.repeat(2_000);

function written(file: string): number {
  const before = performance.now();
  writeFileAtomic.sync(file, TEXT);
  return performance.now() - before;
}

async function writtenAsync(file: string): Promise<number> {
  const before = performance.now();
  await writeFileAtomic(file, TEXT);
  return performance.now() - before;
}
