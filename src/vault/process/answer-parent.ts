import process from 'node:process';
import { reasonOf } from '../errors.ts';

type Reply = { readonly ok: true; readonly answer: unknown } | { readonly ok: false; readonly reason: string };

/** What a worker's script calls: answers the one question of whoever started it, and ends. */
export function answerParent(answer: (data: unknown) => unknown): void {
  process.once('message', async (data) => {
    const said: Reply = await replyTo(data, answer);
    process.send?.(said, () => process.disconnect());
  });
}

async function replyTo(data: unknown, answer: (data: unknown) => unknown): Promise<Reply> {
  try {
    return { ok: true, answer: await answer(data) };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}
