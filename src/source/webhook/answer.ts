import type { HttpAnswer } from '../http/http-answer.ts';

/** What a sender is answered: a status, and JSON that says it. */
export type Answer = HttpAnswer;

/** Returns the answer to a request that is refused. `message`: one sentence, with nothing in it that was sent. */
export function refusal(status: number, message: string, headers: Answer['headers'] = {}): Answer {
  return { status, content: json({ message }), headers };
}

/** Returns the same where the sender is asked to come again after some ms. */
export function later(status: number, message: string, waitMs: number): Answer {
  return refusal(status, message, { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) });
}

/** Returns the answer to a request whose events are on disk. */
export function accepted(taken: number, known: number): Answer {
  const said = { message: takenWords(taken, known), taken, known };
  return { status: taken > 0 ? 202 : 200, content: json(said), headers: {} };
}

/** That it is there, and no more. */
export const HEALTHY: Answer = { status: 200, content: null, headers: {} };

function json(said: Readonly<Record<string, string | number>>): Answer['content'] {
  return { type: 'application/json', text: `${JSON.stringify(said)}\n` };
}

function takenWords(taken: number, known: number): string {
  if (taken === 0) return 'Known already: an event with that id was taken before.';
  return known === 0 ? 'Taken.' : 'Taken, but for what was known already.';
}
