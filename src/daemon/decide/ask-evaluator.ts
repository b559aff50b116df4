import { Unanswered, type Usage } from '../../steward/ports/evaluator.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { releaseLook } from '../budget/guard-place.ts';
import { backOff } from '../budget/provider-backoff.ts';
import type { Refusal } from '../budget/refusal.ts';
import { recordUnanswered, recordUsage, refusalFor, reserveCost } from '../budget/reservation.ts';
import type { ModelAccess } from '../context/ports.ts';
import type { Decision } from './decision.ts';

/** How a decision about a note is come to, and at most what it may cost. */
export interface Decider {
  readonly decide: (note: NoteSnapshot) => Promise<Decision>;
  /** Null where the judge does not say. */
  readonly estimate: (note: NoteSnapshot) => Usage | null;
  /** Whether the evaluator is asked, so that the budget is concerned. */
  readonly asks: boolean;
}

/**
 * Asks for a decision within the budget: set aside before, settled by what it did take, given back where it took nothing.
 * `look` is the place taken with the rate guard, given back where nothing was asked.
 */
export async function askWithinBudget(
  space: ModelAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  judge: Decider,
  look: number,
): Promise<Decision | { readonly refusal: Refusal }> {
  if (!judge.asks) return judge.decide(note);
  const cost = reserveCost(space, target, judge.estimate(note));
  if (!cost.ok) {
    releaseLook(space.context, look);
    return { refusal: cost.refusal };
  }
  try {
    const decision = await judge.decide(note);
    recordUsage(space.context, cost.id, decision.usage ?? null);
    return decision;
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    if (!error.sent) releaseLook(space.context, look);
    recordUnanswered(space.context, cost.id, error);
    if (error.retryAfter !== undefined) backOff(space.context, error.retryAfter);
    const refusal = error.retryAfter === undefined ? null : refusalFor(space, target);
    if (refusal === null) throw error;
    return { refusal };
  }
}
