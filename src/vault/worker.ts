import { type ChildProcess, type Serializable, type SpawnOptions, spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { reasonOf } from './errors.ts';

/** Which process is started, what it is asked first, and what it may take. */
interface WorkerStart {
  /** The worker's file without its extension, relative to `from`: the `import.meta.url` of whoever starts it. */
  readonly script: string;
  readonly from: string;
  /** What the worker is asked. */
  readonly data: Serializable;
  readonly memoryMb: number;
  readonly seconds: number;
  /** An open file that it may read, as its handle `GIVEN_FILE`. */
  readonly file?: number;
}

/** The handle under which a worker finds the file that it was given. */
export const GIVEN_FILE = 4;

/** What a worker process is started for. */
interface WorkerTask<Message> extends WorkerStart {
  /** What the worker answers. */
  readonly message: z.ZodType<Message>;
}

/** A worker that gave no usable answer; `limit` names what it had too little of, null where it failed by itself. */
export class WorkerFailure extends Error {
  readonly limit: 'memory' | 'time' | null;

  constructor(limit: 'memory' | 'time' | null, message: string) {
    super(message);
    this.limit = limit;
  }
}

type Reply = { readonly ok: true; readonly answer: unknown } | { readonly ok: false; readonly reason: string };

/** Who has lost its parent is stopped by the system when it has computed for this much longer than it may. */
const GRACE_SECONDS = 5;

/** The shell sets the limits, since only a process can give them to itself: processor time, and no core file. */
const LIMITED = 'ulimit -t "$1"; ulimit -c 0; shift; exec "$@"';

/**
 * Runs one task in a process of its own with a memory and a time limit, and returns what it answers: no input, whatever
 * it holds, blocks the program or ends it, not even where it crashes the runtime. The process may read files, but
 * neither write any, nor start another process, nor load native code. Rejects with a `WorkerFailure`, or with the
 * signal's reason where it is aborted.
 */
export async function runInWorker<Message>(task: WorkerTask<Message>, abort?: AbortSignal): Promise<Message> {
  abort?.throwIfAborted();
  const worker = startWorker(task);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), task.seconds * 1000);
  const stop = () => void worker.kill('SIGKILL');
  abort?.addEventListener('abort', stop, { once: true });
  limit.signal.addEventListener('abort', stop, { once: true });
  try {
    return await answerOf(worker, task, limit.signal);
  } catch (error) {
    abort?.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    abort?.removeEventListener('abort', stop);
    stop();
  }
}

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

/**
 * Starts a process that may read files, but neither write any, nor start another process, nor load native code; `seconds`
 * of processor time and a few more end it, even where its parent is gone.
 */
export function startWorker({ script, from, data, memoryMb, seconds, file: given }: WorkerStart): ChildProcess {
  const file = fileURLToPath(new URL(`${script}${path.extname(new URL(from).pathname)}`, from));
  const node = [process.execPath, `--max-old-space-size=${memoryMb}`, '--permission', '--allow-fs-read=*', file];
  const stdio: SpawnOptions['stdio'] = ['ignore', 'ignore', 'ignore', 'ipc', ...(given === undefined ? [] : [given])];
  // In a group of its own: Ctrl-C on a terminal is meant for the program, which ends the worker itself.
  const options: SpawnOptions = { env: {}, stdio, serialization: 'advanced', detached: true };
  const worker = spawn('/bin/sh', ['-c', LIMITED, 'sh', String(Math.ceil(seconds) + GRACE_SECONDS), ...node], options);
  // Whether it took the question is seen by its answer, or by its end.
  worker.send(data, () => undefined);
  return worker;
}

function answerOf<Message>(worker: ChildProcess, task: WorkerTask<Message>, limit: AbortSignal): Promise<Message> {
  const reply = z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), answer: task.message }),
    z.object({ ok: z.literal(false), reason: z.string() }),
  ]);
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new WorkerFailure(null, reason));
    worker.once('error', (error) => fail(reasonOf(error)));
    worker.once('message', (said: unknown) => {
      const { data, error } = reply.safeParse(said);
      if (data === undefined) fail(reasonOf(error));
      else if (data.ok) resolve(data.answer);
      else fail(data.reason);
    });
    worker.once('exit', (_, signal) => reject(endOf(task, limit.aborted, signal)));
  });
}

/** Returns why a worker ended before it answered. V8 aborts a process that has used up its heap. */
export function endOf(
  { memoryMb, seconds }: Pick<WorkerStart, 'memoryMb' | 'seconds'>,
  late: boolean,
  signal: NodeJS.Signals | null,
): WorkerFailure {
  if (late) return new WorkerFailure('time', `it takes longer than ${seconds} s`);
  if (signal === 'SIGABRT' || signal === 'SIGTRAP')
    return new WorkerFailure('memory', `it takes more than ${memoryMb} MB of memory`);
  return new WorkerFailure(null, `its process ended early${signal === null ? '' : ` (${signal})`}`);
}
