import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { systemCode } from '../../vault/errors.ts';
import { type Finding, notFound } from '../files/finding.ts';
import type { Looking } from './looking.ts';

const MEMORY_MB = 1024;
const CUT_SECONDS = 30;

const file = z.object({ path: z.string(), root: z.string() });
export const looking: z.ZodType<Looking> = z.object({
  how: z.enum(['look', 'search']),
  request: z.string(),
  files: z.array(file),
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
 * What is found without a model, in a thread of its own that may take 30 seconds and a gigabyte: no file, whatever stands
 * in it, holds the program up or ends it. Rejects with the signal's reason where it is stopped.
 */
export async function lookUpInThread(
  order: Looking,
  abort: AbortSignal,
  seconds: number = CUT_SECONDS,
): Promise<Finding | null> {
  abort.throwIfAborted();
  const worker = new Worker(new URL(`./look-worker${path.extname(import.meta.filename)}`, import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    env: {},
    execArgv: [],
  });
  const stop = () => void worker.terminate();
  const cut = setTimeout(stop, seconds * 1000);
  abort.addEventListener('abort', stop, { once: true });
  try {
    return await findingOf(worker);
  } catch (error) {
    abort.throwIfAborted();
    return notFound([tooMuch(error, seconds)], []);
  } finally {
    clearTimeout(cut);
    abort.removeEventListener('abort', stop);
  }
}

/** What the thread found, when it has come to its end: it is ended by force only where it takes too much. */
function findingOf(worker: Worker): Promise<Finding | null> {
  return new Promise((resolve, reject) => {
    let said: unknown;
    worker.once('message', (message: unknown) => {
      said = message;
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      const read = finding.safeParse(said);
      if (read.success) resolve(read.data);
      else reject(null);
    });
  });
}

function tooMuch(error: unknown, seconds: number): string {
  if (error === null) return `Looking took longer than ${seconds} s.`;
  const isMemory = systemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory ? `Looking took more than ${MEMORY_MB} MB of memory.` : 'Looking failed.';
}
