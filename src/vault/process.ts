import { type ChildProcess, type Serializable, type SpawnOptions, spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { reasonOf } from './errors.ts';

type Reply = { readonly ok: true; readonly answer: unknown } | { readonly ok: false; readonly reason: string };

/** What a worker's script calls: answers the one question of whoever started it, and ends. */
export function answerParent(answer: (data: unknown) => unknown): void {
  process.once('message', async (data) => {
    const said: Reply = await replyTo(data, answer);
    process.send?.(said, () => process.disconnect());
  });
}

async function replyTo(data: unknown, answer: (data: unknown) => unknown): Promise<Reply> {
  try {
    return { ok: true, answer: await answer(data) };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

/** Which process is started, and what it may take. */
export interface WorkerPlace {
  /** The worker's file without its extension, relative to `from`: the `import.meta.url` of whoever starts it. */
  readonly script: string;
  readonly from: string;
  readonly memoryMb: number;
  readonly seconds: number;
  /** An open file that it may read, as its handle `GIVEN_FILE`. */
  readonly file?: number;
}

/** A worker, and what it is asked first. */
export interface WorkerStart extends WorkerPlace {
  readonly data: Serializable;
}

/** The handle under which a worker finds the file that it was given. */
export const GIVEN_FILE = 4;

/** Who has lost its parent is stopped by the system when it has computed for this much longer than it may. */
const GRACE_SECONDS = 5;

/** The shell sets the limits, since only a process can give them to itself: processor time, and no core file. */
const LIMITED = 'ulimit -t "$1"; ulimit -c 0; shift; exec "$@"';

/**
 * Starts a process that may read files, but neither write any, nor start another process, nor load native code; `seconds`
 * of processor time and a few more end it, even where its parent is gone.
 */
export function startWorker({ data, ...place }: WorkerStart): ChildProcess {
  const worker = spawnWorker(place);
  // Whether it took the question is seen by its answer, or by its end.
  worker.send(data, () => undefined);
  return worker;
}

/** A worker that runs before it is known what it will be asked: it takes as long to start as most questions take. */
export class WorkerAhead {
  readonly process: ChildProcess;
  /** The signal that ended it, or why it could not be started. Never rejects. */
  readonly ended: Promise<NodeJS.Signals | Error | null>;

  constructor(place: WorkerPlace) {
    const worker = spawnWorker(place);
    this.process = worker;
    this.ended = new Promise((resolve) => {
      worker.once('error', resolve);
      worker.once('exit', (_, signal) => resolve(signal));
    });
  }

  [Symbol.dispose](): void {
    this.process.kill('SIGKILL');
  }
}

function spawnWorker({ script, from, memoryMb, seconds, file: given }: WorkerPlace): ChildProcess {
  const file = fileURLToPath(new URL(`${script}${path.extname(new URL(from).pathname)}`, from));
  const node = [process.execPath, `--max-old-space-size=${memoryMb}`, '--permission', '--allow-fs-read=*', file];
  const stdio: SpawnOptions['stdio'] = ['ignore', 'ignore', 'ignore', 'ipc', ...(given === undefined ? [] : [given])];
  // In a group of its own: Ctrl-C on a terminal is meant for the program, which ends the worker itself.
  const options: SpawnOptions = { env: {}, stdio, serialization: 'advanced', detached: true };
  return spawn('/bin/sh', ['-c', LIMITED, 'sh', String(Math.ceil(seconds) + GRACE_SECONDS), ...node], options);
}
