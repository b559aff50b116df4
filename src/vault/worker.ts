import { type ChildProcess, type Serializable, type SpawnOptions, spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { errorReason } from './errors.ts';

type Reply = { readonly ok: true; readonly answer: unknown } | { readonly ok: false; readonly reason: string };

function isReply(message: unknown): message is Reply {
  if (typeof message !== 'object' || message === null || !('ok' in message)) return false;
  return message.ok === true ? 'answer' in message : 'reason' in message && typeof message.reason === 'string';
}

/** Called by a worker's script: answers the one question of the parent process, and ends. */
export function answerParent(answer: (data: unknown) => unknown): void {
  process.once('message', async (data) => {
    const said: Reply = await replyTo(data, answer);
    process.send?.(said, () => process.disconnect());
  });
}

/** The same for a script that may be asked more than once: its parent ends it. */
export function answerParentAgain(answer: (data: unknown) => unknown): void {
  process.on('message', async (data) => {
    const said: Reply = await replyTo(data, answer);
    process.send?.(said);
  });
}

async function replyTo(data: unknown, answer: (data: unknown) => unknown): Promise<Reply> {
  try {
    return { ok: true, answer: await answer(data) };
  } catch (error) {
    return { ok: false, reason: errorReason(error) };
  }
}

interface WorkerPlace {
  /** The worker's file without its extension, relative to `from`: the `import.meta.url` of whoever starts it. */
  readonly script: string;
  readonly from: string;
  readonly memoryMb: number;
  readonly seconds: number;
  /** An open file that it may read, as its handle `GIVEN_FILE`. */
  readonly file?: number;
}

interface WorkerStart extends WorkerPlace {
  readonly data: Serializable;
}

/** The handle under which a worker finds the file that it was given. */
export const GIVEN_FILE = 4;

/** Who has lost its parent is stopped by the system when it has computed for this much longer than it may. */
const GRACE_SECONDS = 5;

/** The shell sets the limits, since only a process can give them to itself: processor time, and no core file. */
const LIMITED = 'ulimit -t "$1"; ulimit -c 0; shift; exec "$@"';

/**
 * Starts a process that may read files, but neither write any, nor start another process, nor load native code. After
 * `seconds` of processor time and a few more it ends, also if its parent is gone.
 */
export function startWorker({ data, ...place }: WorkerStart): ChildProcess {
  const worker = spawnWorker(place);
  // Whether it took the question is seen by its answer, or by its end.
  worker.send(data, () => undefined);
  return worker;
}

/** A process that runs a worker's script. */
class WorkerProcess {
  readonly process: ChildProcess;
  /** The signal that ended it, or why it could not be started. Never rejects. */
  readonly ended: Promise<NodeJS.Signals | Error | null>;

  constructor(place: WorkerPlace) {
    const worker = spawnWorker(place);
    this.process = worker;
    this.ended = new Promise((resolve) => {
      worker.once('error', resolve);
      // On a busy machine the process is gone before its last message has been read: that is so once the channel is closed.
      const drained = new Promise<void>((done) => worker.once('disconnect', done));
      worker.once('exit', (_, signal) => void drained.then(() => resolve(signal)));
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

interface WorkerTask<Message> extends WorkerStart {
  readonly message: z.ZodType<Message>;
}

/** A worker that gave no usable answer; `limit` names what it had too little of, null if it failed by itself. */
export class WorkerFailure extends Error {
  readonly limit: 'memory' | 'time' | null;

  constructor(limit: 'memory' | 'time' | null, message: string) {
    super(message);
    this.limit = limit;
  }
}

/**
 * Runs one task in a process of its own with a memory and a time limit, and returns its answer. No input blocks the
 * program or ends it, not even if it crashes the runtime. The process may read files, but neither write any, nor start
 * another process, nor load native code. Rejects with a `WorkerFailure`, or with the signal's reason if aborted.
 */
export async function runInWorker<Message>(task: WorkerTask<Message>, abort?: AbortSignal): Promise<Message> {
  abort?.throwIfAborted();
  const worker = new WorkerProcess(task);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), task.seconds * 1000);
  const stop = () => worker[Symbol.dispose]();
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

/** After this many questions, another process takes its place. */
const MOST_QUESTIONS = 500;
/** How much processor time a process may take for all of its questions, in seconds. */
const LASTING_SECONDS = 900;

/**
 * A worker that is asked one question after another: to start a process takes longer than most answers. A question that ends
 * the process, or takes too long, fails alone; the next one starts another process.
 */
export class LastingWorker implements Disposable {
  readonly #place: WorkerPlace;
  #worker: WorkerProcess | null = null;
  #asked = 0;

  /** `seconds`: for how long it may work on one question. */
  constructor(place: WorkerPlace) {
    this.#place = place;
  }

  /** Returns what the worker answers. Rejects with a `WorkerFailure`. Asked again before that, it has two questions at once. */
  async ask<Message>(data: Serializable, message: z.ZodType<Message>): Promise<Message> {
    if (this.#asked >= MOST_QUESTIONS) this[Symbol.dispose]();
    this.#worker ??= new WorkerProcess({ ...this.#place, seconds: LASTING_SECONDS });
    this.#asked += 1;
    const limit = new AbortController();
    const timer = setTimeout(() => {
      limit.abort();
      this[Symbol.dispose]();
    }, this.#place.seconds * 1000);
    try {
      return await answerOf(this.#worker, { ...this.#place, data, message }, limit.signal);
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  [Symbol.dispose](): void {
    this.#worker?.[Symbol.dispose]();
    this.#worker = null;
    this.#asked = 0;
  }
}

function answerOf<Message>(
  { process: worker, ended }: WorkerProcess,
  task: WorkerTask<Message>,
  limit: AbortSignal,
): Promise<Message> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new WorkerFailure(null, reason));
    worker.once('message', (reply: unknown) => {
      if (!isReply(reply)) return fail('its answer has an unexpected form');
      if (!reply.ok) return fail(reply.reason);
      const { data, error } = task.message.safeParse(reply.answer);
      if (error !== undefined) fail(errorReason(error));
      else resolve(data);
    });
    void ended.then((end) =>
      end instanceof Error ? fail(errorReason(end)) : reject(classifyWorkerEnd(task, limit.aborted, end)),
    );
    // Whether it took the question is seen by its answer, or by its end.
    worker.send(task.data, () => undefined);
  });
}

/** Returns why a worker ended before it answered. V8 aborts a process that has used up its heap. */
export function classifyWorkerEnd(
  { memoryMb, seconds }: Pick<WorkerPlace, 'memoryMb' | 'seconds'>,
  late: boolean,
  signal: NodeJS.Signals | null,
): WorkerFailure {
  if (late) return new WorkerFailure('time', `it takes longer than ${seconds} s`);
  if (signal === 'SIGABRT' || signal === 'SIGTRAP')
    return new WorkerFailure('memory', `it takes more than ${memoryMb} MB of memory`);
  return new WorkerFailure(null, `its process ended early${signal === null ? '' : ` (${signal})`}`);
}
