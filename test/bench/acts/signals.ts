import { type ChildProcess, fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type Aim, atMostTimes, type Row, rowOf } from '../figures/row.ts';
import { interleaved, Samples } from '../figures/samples.ts';
import { childEnv } from '../processes/child.ts';
import { strongSignal, taskPath } from '../vault.ts';
import type { Bench } from '../vaults.ts';

const NOTES = 1_000;
const MAX_RATIO = 4;
/** A person who looks at the note sees it change at once. */
const MAX_LATE_MS = 40;

/** From a complete signal on disk until the daemon reports that the task is changed and the event written. */
export async function measureSignals({ home, isQuick, vaults }: Bench): Promise<Row[]> {
  const vault = vaults.named('live', NOTES);
  const count = isQuick ? 60 : 300;
  const folder = path.join(home, 'rival');
  fs.mkdirSync(path.join(folder, 'inbox'), { recursive: true });
  const daemon = await listener(home, 'daemon', vault);
  const rival = await listener(home, 'rival', folder);
  let index = 0;
  const act = async () => {
    index += 1;
    const task = taskPath(openTask(index));
    const file = `signal/bench-${index}.md`;
    const took = await answered(daemon, vault, file, strongSignal(file, task, dueOf(index), `moved ${index}`));
    demandDone(vault, task, dueOf(index));
    return took;
  };
  const rivalAct = () => answered(rival, folder, `inbox/${index}.md`, 'x'.repeat(600));
  await interleaved(20, { act, rivalAct });
  const found = await interleaved(count, { act, rivalAct });
  await Promise.all([daemon, rival].map(ended));
  const late = (samples: Samples) => new Samples([samples.at(0.99)]);
  const row = (what: string, aim: Aim, of: (samples: Samples) => Samples) => ({
    ...{ what, aim, measured: of(found.act) },
    floor: { of: 'chokidar and 3 synced files', samples: of(found.rivalAct) },
  });
  const aims = { usual: atMostTimes(MAX_RATIO), late: { of: 'value', atMost: MAX_LATE_MS } as const };
  return [
    rowOf({ id: 'signals', ...row('a strong signal on disk → note and event', aims.usual, (samples) => samples) }),
    rowOf({ id: 'signals.late', ...row(`… the 99th of a hundred (${count} signals)`, aims.late, late) }),
  ];
}

// Skips every fifth task, which is done. No task may be acted on more than six times a day.
function openTask(index: number): number {
  const nth = (index * 3) % 400;
  return Math.floor(nth / 4) * 5 + (nth % 4);
}

function dueOf(index: number): string {
  return `2027-${String(1 + (index % 12)).padStart(2, '0')}-${String(1 + (index % 27)).padStart(2, '0')}`;
}

/** Writes a file elsewhere, moves it into place, and waits for the answer. */
async function answered(process: ChildProcess, root: string, file: string, text: string): Promise<number> {
  const place = path.join(root, file);
  const part = path.join(root, '.part');
  fs.writeFileSync(part, text);
  const done = next(process);
  const before = performance.now();
  fs.renameSync(part, place);
  await done;
  return performance.now() - before;
}

function demandDone(vault: string, task: string, due: string): void {
  if (!fs.readFileSync(path.join(vault, task), 'utf8').includes(`due: ${due}`))
    throw new Error(`${task} was not changed`);
}

async function listener(home: string, what: string, folder: string): Promise<ChildProcess> {
  const script = path.join(import.meta.dirname, 'child-live.ts');
  const process = fork(script, [what, folder], { env: childEnv(home, { STEWARD_LIVE_MODE: 'live' }) });
  await next(process);
  return process;
}

function ended(process: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    process.once('exit', () => resolve());
    process.kill();
  });
}

function next(process: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('no answer within 60 s')), 60_000);
    process.once('message', () => {
      clearTimeout(late);
      resolve();
    });
  });
}
