import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { systemCode } from '../../vault/errors.ts';
import { type Finding, notFound } from '../files/finding.ts';
import type { LookupJob } from './lookup-job.ts';

const MEMORY_MB = 1024;
const MAX_SECONDS = 30;

const registeredFile = z.object({ path: z.string(), root: z.string() });
export const lookupJob: z.ZodType<LookupJob> = z.object({
  how: z.enum(['look', 'search']),
  request: z.string(),
  files: z.array(registeredFile),
});

const citation = z.object({ path: z.string(), first: z.number(), last: z.number() });
const finding: z.ZodType<Finding | null> = z
  .object({
    found: z.boolean(),
    statements: z.array(z.string()),
    extracts: z.array(citation.extend({ lines: z.array(z.string()) })),
    citations: z.array(citation),
    checked: z.array(z.string()),
  })
  .nullable();

/**
 * Runs a lookup in a thread of its own that may take 30 seconds and a gigabyte, so that no file can block or crash the
 * program. Returns null where the request needs a model. Rejects with the reason of the abort signal.
 */
export async function lookUpInThread(
  job: LookupJob,
  abort: AbortSignal,
  seconds: number = MAX_SECONDS,
): Promise<Finding | null> {
  abort.throwIfAborted();
  const worker = new Worker(new URL(`./lookup-worker${path.extname(import.meta.filename)}`, import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    env: {},
    execArgv: [],
  });
  const stop = () => void worker.terminate();
  const timer = setTimeout(stop, seconds * 1000);
  abort.addEventListener('abort', stop, { once: true });
  try {
    return await findingOf(worker);
  } catch (error) {
    abort.throwIfAborted();
    return notFound([failureOf(error, seconds)], []);
  } finally {
    clearTimeout(timer);
    abort.removeEventListener('abort', stop);
  }
}

/**
 * Resolves with the finding when the thread has exited. Rejects with null where it was stopped before it posted one.
 */
function findingOf(worker: Worker): Promise<Finding | null> {
  return new Promise((resolve, reject) => {
    let posted: unknown;
    worker.once('message', (message: unknown) => {
      posted = message;
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      const read = finding.safeParse(posted);
      if (read.success) resolve(read.data);
      else reject(null);
    });
  });
}

function failureOf(error: unknown, seconds: number): string {
  if (error === null) return `Looking took longer than ${seconds} s.`;
  const isMemory = systemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory ? `Looking took more than ${MEMORY_MB} MB of memory.` : 'Looking failed.';
}
