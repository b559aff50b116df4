import { z } from 'zod';
import { answerParentAgain } from '../vault/worker.ts';
import { readMailFile, textMail } from './mail.ts';

/** A mail's vault-relative path, its bytes, and the context that it is read in. */
const mailTask = z.object({
  task: z.literal('parse'),
  path: z.string(),
  bytes: z.instanceof(Uint8Array),
  sourceType: z.string(),
  trustedServers: z.array(z.string()),
  whole: z.string().optional(),
  calendar: z.object({ zone: z.string(), now: z.number() }).optional(),
  sentFolder: z.string().optional(),
});
const textTask = z.object({ task: z.literal('text'), bytes: z.instanceof(Uint8Array) });
const anyTask = z.discriminatedUnion('task', [mailTask, textTask]);

// Parses large mails, or those with an appointment, in a process of its own, or makes their text; `items.ts` and
// `fetched-mail.ts` start it and limit what it may take.
answerParentAgain((data) => {
  const asked = anyTask.parse(data);
  if (asked.task === 'text') return textOf(asked.bytes);
  const { task, path, bytes, ...context } = asked;
  return readMailFile(path, bytes, context);
});

async function textOf(bytes: Uint8Array): Promise<{ readonly bytes: Uint8Array; readonly whole: string } | null> {
  const text = await textMail(Buffer.from(bytes));
  return text === null ? null : { ...text, bytes: new Uint8Array(text.bytes) };
}
