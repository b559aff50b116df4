import { z } from 'zod';
import type { WorkerAhead } from '../../../vault/process.ts';
import { runInWorker, WorkerFailure } from '../../../vault/worker-answer.ts';
import { type Finding, notFound } from '../../files.ts';
import type { LookupJob } from '../../lookup.ts';
import { LOOKUP_PLACE } from './lookup-place.ts';

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

interface LookupProcess {
  /** How long it may take. */
  readonly seconds?: number;
  /** The process, where it was started already. */
  readonly ahead?: WorkerAhead | undefined;
}

/**
 * Runs a lookup in a process of its own that may take 30 seconds and a gigabyte, so that no file can block or crash the
 * program. Returns null where the request needs a model. Rejects with the reason of the abort signal.
 */
export async function lookUpInProcess(
  job: LookupJob,
  abort: AbortSignal,
  { seconds = LOOKUP_PLACE.seconds, ahead }: LookupProcess = {},
): Promise<Finding | null> {
  try {
    return await runInWorker({ ...LOOKUP_PLACE, data: job, message: finding, seconds }, abort, ahead);
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error;
    return notFound([failureOf(error, seconds)], []);
  }
}

function failureOf({ limit }: WorkerFailure, seconds: number): string {
  if (limit === 'time') return `Looking took longer than ${seconds} s.`;
  return limit === 'memory' ? `Looking took more than ${LOOKUP_PLACE.memoryMb} MB of memory.` : 'Looking failed.';
}
