import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { type ParsedMail, parseMail } from '../../stream/mail/mail.ts';
import { diagnostic, reasonOf, systemCode } from '../../vault/errors.ts';

/** Up to here a mail is read where the daemon runs. Each line takes its time: with more of them 64 KiB may take 700 ms. */
const SMALL_BYTES = 64 * 1024;
const FEW_LINES = 1500;
/** A mail of 10 MiB that is nothing but line ends would take more than 4 GB. */
const MEMORY_MB = 512;
const CUT_MS = 10_000;

export const mailOrder = z.object({ path: z.string(), bytes: z.instanceof(Uint8Array), sourceType: z.string() });

const event = z.object({
  path: z.string(),
  sourceType: z.string(),
  originAt: z.string().nullable(),
  from: z.string().nullable(),
  fromName: z.string().nullable(),
  to: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  quoted: z.string(),
  bulk: z.boolean(),
  bulkReason: z.string().nullable(),
  ownNote: z.boolean(),
}) satisfies z.ZodType<StreamEvent>;
const problem = z.object({
  code: z.string(),
  file: z.string().nullable(),
  line: z.number().nullable(),
  column: z.number().nullable(),
  message: z.string(),
  hint: z.string(),
});
const parsedMail: z.ZodType<ParsedMail> = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), event }),
  z.object({ ok: z.literal(false), trouble: problem }),
]);

/**
 * Reads one mail as `parseMail` does. A large one is read beside the daemon, in a thread that may take 512 MB and 10 s:
 * no mail, whatever its sender made of it, holds the daemon up or ends it. Never throws.
 */
export function readMail(file: string, bytes: Buffer, sourceType: string): Promise<ParsedMail> {
  return isSmall(bytes) ? parseMail(file, bytes, sourceType) : parseBeside(file, bytes, sourceType);
}

/** Whether reading a mail takes well under 100 ms, whatever stands in it. */
export function isSmall(bytes: Buffer): boolean {
  if (bytes.length > SMALL_BYTES) return false;
  let lines = 0;
  for (let at = bytes.indexOf(LINE_END); at >= 0 && lines <= FEW_LINES; at = bytes.indexOf(LINE_END, at + 1))
    lines += 1;
  return lines <= FEW_LINES;
}

const LINE_END = 0x0a;

async function parseBeside(file: string, bytes: Buffer, sourceType: string): Promise<ParsedMail> {
  const worker = new Worker(new URL(`./mail-worker${path.extname(import.meta.filename)}`, import.meta.url), {
    workerData: { path: file, bytes: new Uint8Array(bytes), sourceType },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    env: {},
    execArgv: [],
  });
  const cut = setTimeout(() => void worker.terminate(), CUT_MS);
  try {
    return await answerOf(worker);
  } catch (error) {
    return { ok: false, trouble: tooMuch(file, error) };
  } finally {
    clearTimeout(cut);
    await worker.terminate();
  }
}

function answerOf(worker: Worker): Promise<ParsedMail> {
  return new Promise((resolve, reject) => {
    worker.once('message', (message: unknown) => {
      const read = parsedMail.safeParse(message);
      if (read.success) resolve(read.data);
      else reject(read.error);
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error(`it takes longer than ${CUT_MS / 1000} s`)));
  });
}

function tooMuch(file: string, error: unknown) {
  const isMemory = systemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY';
  return diagnostic({
    code: 'mail-unreadable',
    file,
    message: `The mail cannot be read: ${isMemory ? `it takes more than ${MEMORY_MB} MB of memory` : reasonOf(error)}.`,
    hint: 'Save it without its attachments, or look at it in a mail program: it may be made to do harm.',
  });
}
