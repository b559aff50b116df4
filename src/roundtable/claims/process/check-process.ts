import { statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { RegisteredFile } from '../../../evidence/files/registered.ts';
import { runInWorker, WorkerFailure } from '../../../vault/process/worker.ts';
import type { Checked } from '../checked.ts';
import { checkCitations, type Message } from '../citations.ts';
import type { Source } from '../source.ts';

/** What is to be checked: all that was said, and what it may rest on. */
interface CheckJob {
  readonly messages: readonly Message[];
  readonly sources: readonly Source[];
  readonly files: readonly RegisteredFile[];
}

/** The result of a check; `unchecked` says why there is none, and is null where there is one. */
type CheckResult =
  | { readonly checked: readonly Checked[]; readonly unchecked: null }
  | { readonly checked: readonly []; readonly unchecked: string };

const MEMORY_MB = 512;
const MAX_SECONDS = 60;
/** What is checked at once, without a process of its own: so many characters, files, and bytes of files. */
const SMALL = { characters: 8_000, files: 20, bytes: 100_000 };

export const checkJob: z.ZodType<CheckJob> = z.object({
  messages: z.array(z.object({ agent: z.string(), text: z.string() })),
  sources: z.array(
    z.object({ file: z.string().nullable(), text: z.string(), beside: z.array(z.number()).exactOptional() }),
  ),
  files: z.array(z.object({ path: z.string(), root: z.string() })),
});

const checked: z.ZodType<readonly Checked[]> = z.array(
  z.object({
    agent: z.string(),
    message: z.number(),
    about: z.enum(['figure', 'place']),
    figure: z.string(),
    at: z.number(),
    sentence: z.string(),
    finding: z.enum(['borne-out', 'derived', 'proposed', 'repeated', 'unsupported']),
    cites: z.boolean(),
    reason: z.string().nullable(),
  }),
);

/**
 * Checks what was said, where that is much in a process of its own that may take a minute and half a gigabyte: neither a
 * long roundtable nor a file blocks or ends the program. A check that fails is no check, and says so. Rejects with the
 * reason of the abort signal.
 */
export async function checkClaims(job: CheckJob, abort: AbortSignal, seconds = MAX_SECONDS): Promise<CheckResult> {
  if (isSmall(job)) return { checked: checkCitations(job.messages, job.sources, job.files), unchecked: null };
  const task = { script: './check-worker', from: import.meta.url, data: plain(job), message: checked };
  try {
    return { checked: await runInWorker({ ...task, memoryMb: MEMORY_MB, seconds }, abort), unchecked: null };
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error;
    return { checked: [], unchecked: reasonOf(error, seconds) };
  }
}

/** Only what is asked for goes to the other process. */
function plain({ messages, sources, files }: CheckJob): z.infer<typeof checkJob> {
  return { messages: messages.map(({ agent, text }) => ({ agent, text })), sources, files };
}

function isSmall({ messages, sources, files }: CheckJob): boolean {
  const characters = [...messages, ...sources].reduce((sum, { text }) => sum + text.length, 0);
  if (characters > SMALL.characters || files.length > SMALL.files) return false;
  return files.reduce((sum, file) => sum + sizeOf(file), 0) <= SMALL.bytes;
}

function sizeOf({ root, path: file }: RegisteredFile): number {
  return statSync(path.join(root, file), { throwIfNoEntry: false })?.size ?? 0;
}

function reasonOf({ limit }: WorkerFailure, seconds: number): string {
  if (limit === 'time') return `not checked: looking up what was said took longer than ${seconds} s`;
  if (limit === 'memory') return `not checked: looking up what was said took more than ${MEMORY_MB} MB of memory`;
  return 'not checked: looking up what was said failed';
}
