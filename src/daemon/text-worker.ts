import { z } from 'zod';
import { textMail } from '../stream/mail/text-mail.ts';
import { answerParent } from '../vault/process.ts';

const task = z.object({ bytes: z.instanceof(Uint8Array) });

// Makes the text of one large mail in a process of its own; `sources-stream-files.ts` starts it and limits what it may take.
answerParent(async (data) => {
  const text = await textMail(Buffer.from(task.parse(data).bytes));
  return text === null ? null : { ...text, bytes: new Uint8Array(text.bytes) };
});
