import { z } from 'zod';
import { reasonOf } from './errors.ts';
import { WorkerAhead, type WorkerPlace, type WorkerStart } from './process.ts';

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

/**
 * Runs one task in a process of its own with a memory and a time limit, and returns what it answers: no input, whatever
 * it holds, blocks the program or ends it, not even where it crashes the runtime. The process may read files, but
 * neither write any, nor start another process, nor load native code. Rejects with a `WorkerFailure`, or with the
 * signal's reason where it is aborted. `ahead`: its process, where that was started already.
 */
export async function runInWorker<Message>(
  task: WorkerTask<Message>,
  abort?: AbortSignal,
  ahead?: WorkerAhead,
): Promise<Message> {
  abort?.throwIfAborted();
  const worker = ahead ?? new WorkerAhead(task);
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

function answerOf<Message>(
  { process: worker, ended }: WorkerAhead,
  task: WorkerTask<Message>,
  limit: AbortSignal,
): Promise<Message> {
  const reply = z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), answer: task.message }),
    z.object({ ok: z.literal(false), reason: z.string() }),
  ]);
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new WorkerFailure(null, reason));
    worker.once('message', (said: unknown) => {
      const { data, error } = reply.safeParse(said);
      if (data === undefined) fail(reasonOf(error));
      else if (data.ok) resolve(data.answer);
      else fail(data.reason);
    });
    void ended.then((end) => (end instanceof Error ? fail(reasonOf(end)) : reject(endOf(task, limit.aborted, end))));
    // Whether it took the question is seen by its answer, or by its end.
    worker.send(task.data, () => undefined);
  });
}

/** Returns why a worker ended before it answered. V8 aborts a process that has used up its heap. */
export function endOf(
  { memoryMb, seconds }: Pick<WorkerPlace, 'memoryMb' | 'seconds'>,
  late: boolean,
  signal: NodeJS.Signals | null,
): WorkerFailure {
  if (late) return new WorkerFailure('time', `it takes longer than ${seconds} s`);
  if (signal === 'SIGABRT' || signal === 'SIGTRAP')
    return new WorkerFailure('memory', `it takes more than ${memoryMb} MB of memory`);
  return new WorkerFailure(null, `its process ended early${signal === null ? '' : ` (${signal})`}`);
}
