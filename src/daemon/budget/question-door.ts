import type { Door } from '../../model/provider/door.ts';
import { noRoom } from '../../model/provider/provider-error.ts';
import { questionGate, questionRefusal, roomForQuestions, takeQuestions } from '../../steward/gates/questions.ts';
import type { Context } from '../context/ports.ts';
import { backOff } from './provider-backoff.ts';
import { type Refusal, refusalBy } from './refusal.ts';
import { heldSentence } from './window-words.ts';

type Clocked = Pick<Context, 'state' | 'now'>;

/** Whether questions may be put to a provider now; if not, why, in a sentence, and until when (epoch ms). */
export type QuestionOrder =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly freeAt: number };

/** Returns the door to a provider for whoever keeps the vault's state: the daemon, or a command that has the lock. */
export function questionDoor(account: Clocked): Door {
  return {
    async pass(questions) {
      const order = orderQuestions(account, questions);
      if (!order.ok) throw noRoom(order.reason);
    },
    async heldOff(retryAfterSeconds) {
      backOff(account, retryAfterSeconds);
    },
  };
}

/** Takes a place with the rate guard for each question, on disk before any is put; or says why there is none. */
export function orderQuestions({ state, now }: Clocked, count: number): QuestionOrder {
  const asked = takeQuestions(state.get('rate-guard'), count, now());
  state.set('rate-guard', asked.state);
  if (asked.refusal !== null)
    return { ok: false, reason: heldSentence(asked.refusal, now()), freeAt: asked.refusal.freeAt };
  if (count > 0) state.save('rate-guard');
  return { ok: true };
}

/** Why no question may be put to a provider now, or null where one may. Takes no place. */
export function whyNoQuestion({ state, now }: Clocked): Refusal | null {
  const refusal = questionRefusal(state.get('rate-guard'), now());
  return refusal === null ? null : refusalBy(refusal, questionGate(refusal));
}

/** How many questions may be put to a provider now. */
export function questionRoom({ state, now }: Clocked): number {
  return roomForQuestions(state.get('rate-guard'), now());
}
