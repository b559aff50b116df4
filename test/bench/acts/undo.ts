import fs from 'node:fs';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { compose } from '../../../src/daemon/compose.ts';
import type { Workspace } from '../../../src/daemon/context.ts';
import { prepare } from '../../../src/daemon/lease.ts';
import { routeSignal } from '../../../src/steward/decide.ts';
import { undo } from '../../../src/undo/undo.ts';
import { ownPlaces } from '../../../src/vault/layout.ts';
import { LIVE } from '../../support/workspace.ts';
import { type Row, rowOf } from '../figures/row.ts';
import { interleaved } from '../figures/samples.ts';
import { strongSignal, taskPath } from '../vault.ts';
import type { Bench } from '../vaults.ts';

/** Taking an action back (note, reversal note, instinct, all durable), compared with writing one file atomically. */
export async function measureUndo({ isQuick, vaults }: Bench): Promise<Row[]> {
  const rounds = isQuick ? 20 : 100;
  const vault = vaults.named('undone', NOTES);
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
  const undo = { measured: found.undoOne, aim: { of: 'value', atMost: MAX_MS } as const };
  const { async_: wrote, write: wroteSync } = found;
  return [
    rowOf({ id: 'undo', what: 'undo', ...undo, floor: { of: 'write-file-atomic', samples: wrote } }),
    rowOf({
      ...{ id: 'undo.sync', what: '… against its sync form', measured: found.undoOne },
      floor: { of: 'write-file-atomic.sync', samples: wroteSync },
    }),
  ];
}

const NOTES = 1_000;
const MAX_MS = 20;
const WARM_UP = 20;

/** Opens a vault whose clock goes fast. */
export async function spaceOf(root: string): Promise<Workspace> {
  prepare(ownPlaces(root));
  let now = Date.now();
  // The clock moves half a second whenever it is read, so that the rate guard's minute never fills up.
  const tell = () => {
    now += 500;
    return now;
  };
  const { space } = await compose({ root, env: LIVE, now: tell, emit: () => {} });
  return space;
}

/** Acts on so many signals, and returns the events of it. */
export async function acted(space: Workspace, count: number): Promise<string[]> {
  const events: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const file = `signal/undo-${index}.md`;
    const task = taskPath(Math.floor(index / 4) * 5 + (index % 4));
    fs.writeFileSync(
      path.join(space.vault.root, file),
      strongSignal(file, task, `2027-03-${String(1 + (index % 28)).padStart(2, '0')}`, `moved ${index}`),
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

/** Takes an event back, and returns how long that took (ms). */
export function undone(space: Workspace, file: string): number {
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
