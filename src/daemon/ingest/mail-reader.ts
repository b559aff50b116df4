import { z } from 'zod';
import { mayCarryCalendar } from '../../stream/invitations.ts';
import type { MailDoor, ParsedMail } from '../../stream/parse-mail.ts';
import { diagnostic, reasonOf } from '../../vault/errors.ts';
import { runInWorker } from '../../vault/worker-answer.ts';
import { carried, identity, streamEvent } from '../item-page.ts';

/**
 * A mail up to this size is parsed in the daemon's own thread. Each line takes time: with more lines 64 KiB may take
 * 700 ms.
 */
const SMALL_BYTES = 64 * 1024;
/** With HTML, which can be made to be slow, a mail is small up to this size. */
const SMALL_HTML_BYTES = 16 * 1024;
const FEW_LINES = 1500;
/** The limits of the worker process: 10 MiB of nothing but line ends would take more than 4 GB. */
const MEMORY_MB = 512;
const LIMIT_SECONDS = 10;

/** What the mail worker is given: the mail's vault-relative path, its bytes, and the door it comes in by. */
export const mailTask = z.object({
  path: z.string(),
  bytes: z.instanceof(Uint8Array),
  sourceType: z.string(),
  trustedServers: z.array(z.string()),
  whole: z.string().optional(),
  calendar: z.object({ zone: z.string(), now: z.number() }).optional(),
});

const problem = z.object({
  code: z.string(),
  file: z.string().nullable(),
  line: z.number().nullable(),
  column: z.number().nullable(),
  message: z.string(),
  hint: z.string(),
});
const parsedMail: z.ZodType<ParsedMail> = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), event: streamEvent, identity, within: z.array(carried).exactOptional() }),
  z.object({ ok: z.literal(false), trouble: problem }),
]);

/**
 * Parses one mail as `parseMail` does. A large one is parsed in a worker process that may take 512 MB and 10 s: no mail,
 * whatever its sender put into it, blocks the daemon or ends it. So is one with an appointment, for its rule may be made to
 * be slow. Never throws.
 */
export async function readMail(file: string, bytes: Buffer, door: MailDoor): Promise<ParsedMail> {
  const isCarrier = door.calendar !== undefined && mayCarryCalendar(bytes);
  if (isCarrier || !isSmall(bytes)) return parseInWorker(file, bytes, door);
  // Loaded with the first mail: most commands read none, and the parser of HTML takes its time.
  const { parseMail } = await import('../../stream/parse-mail.ts');
  return parseMail(file, bytes, door);
}

/** Whether a mail is parsed in well under 100 ms, whatever it holds. */
export function isSmall(bytes: Buffer): boolean {
  if (bytes.length > SMALL_BYTES || (bytes.length > SMALL_HTML_BYTES && bytes.includes('text/html'))) return false;
  let lines = 0;
  for (let at = bytes.indexOf(LINE_END); at >= 0 && lines <= FEW_LINES; at = bytes.indexOf(LINE_END, at + 1))
    lines += 1;
  return lines <= FEW_LINES;
}

const LINE_END = 0x0a;

async function parseInWorker(file: string, bytes: Buffer, door: MailDoor): Promise<ParsedMail> {
  try {
    return await runInWorker({
      script: './mail-worker',
      from: import.meta.url,
      data: { path: file, bytes: new Uint8Array(bytes), ...door },
      message: parsedMail,
      memoryMb: MEMORY_MB,
      seconds: LIMIT_SECONDS,
    });
  } catch (error) {
    return { ok: false, trouble: unreadable(file, error) };
  }
}

function unreadable(file: string, error: unknown) {
  return diagnostic({
    code: 'mail-unreadable',
    file,
    message: `The mail cannot be read: ${reasonOf(error)}.`,
    hint: 'Save it without its attachments, or look at it in a mail program: it may be made to do harm.',
  });
}
