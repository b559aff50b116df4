import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { z } from 'zod';
import { reasonOf, systemCode } from './errors.ts';

/** What a worker thread is started for. */
interface WorkerTask<Message> {
  /** The worker's file without its extension, relative to `from`: the `import.meta.url` of whoever starts it. */
  readonly script: string;
  readonly from: string;
  /** What the worker finds in its `workerData`. */
  readonly data: unknown;
  /** The one message that the worker posts. */
  readonly message: z.ZodType<Message>;
  readonly memoryMb: number;
  readonly seconds: number;
}

/** A worker that posted no usable message; `limit` names what it had too little of, null where it failed by itself. */
export class WorkerFailure extends Error {
  readonly limit: 'memory' | 'time' | null;

  constructor(limit: 'memory' | 'time' | null, message: string) {
    super(message);
    this.limit = limit;
  }
}

/**
 * Runs one task in a worker thread with a memory and a time limit, and returns the message it posted once it has ended:
 * no input, whatever it holds, blocks the program or ends it. Rejects with a `WorkerFailure`, or with the signal's
 * reason where it is aborted.
 */
export async function runInWorker<Message>(task: WorkerTask<Message>, abort?: AbortSignal): Promise<Message> {
  abort?.throwIfAborted();
  const worker = new Worker(new URL(`${task.script}${path.extname(new URL(task.from).pathname)}`, task.from), {
    workerData: task.data,
    resourceLimits: { maxOldGenerationSizeMb: task.memoryMb },
    env: {},
    execArgv: [],
  });
  const stop = () => void worker.terminate();
  const timer = setTimeout(stop, task.seconds * 1000);
  abort?.addEventListener('abort', stop, { once: true });
  try {
    return await messageOf(worker, task);
  } catch (error) {
    abort?.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    abort?.removeEventListener('abort', stop);
  }
}

function messageOf<Message>(worker: Worker, { message, memoryMb, seconds }: WorkerTask<Message>): Promise<Message> {
  return new Promise((resolve, reject) => {
    let posted: { readonly message: unknown } | null = null;
    worker.once('message', (said: unknown) => {
      posted = { message: said };
    });
    worker.once('error', (error) => {
      const isMemory = systemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY';
      reject(
        isMemory
          ? new WorkerFailure('memory', `it takes more than ${memoryMb} MB of memory`)
          : new WorkerFailure(null, reasonOf(error)),
      );
    });
    worker.once('exit', () => {
      if (posted === null) return reject(new WorkerFailure('time', `it takes longer than ${seconds} s`));
      const parsed = message.safeParse(posted.message);
      if (parsed.success) resolve(parsed.data);
      else reject(new WorkerFailure(null, reasonOf(parsed.error)));
    });
  });
}
