import { z } from 'zod';
import { runInWorker, WorkerFailure } from '../../vault/worker.ts';
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
    extracts: z.array(citation.extend({ part: z.string().nullable(), lines: z.array(z.string()) })),
    citations: z.array(citation),
    checked: z.array(z.string()),
  })
  .nullable();

/**
 * Runs a lookup in a process of its own that may take 30 seconds and a gigabyte, so that no file can block or crash the
 * program. Returns null where the request needs a model. Rejects with the reason of the abort signal.
 */
export async function lookUpInProcess(
  job: LookupJob,
  abort: AbortSignal,
  seconds: number = MAX_SECONDS,
): Promise<Finding | null> {
  const task = { script: './lookup-worker', from: import.meta.url, data: job, message: finding };
  try {
    return await runInWorker({ ...task, memoryMb: MEMORY_MB, seconds }, abort);
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error;
    return notFound([failureOf(error, seconds)], []);
  }
}

function failureOf({ limit }: WorkerFailure, seconds: number): string {
  if (limit === 'time') return `Looking took longer than ${seconds} s.`;
  return limit === 'memory' ? `Looking took more than ${MEMORY_MB} MB of memory.` : 'Looking failed.';
}
