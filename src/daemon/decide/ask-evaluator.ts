import { ProviderError } from '../../model/provider/provider-error.ts';
import { Unanswered, type Usage } from '../../steward/ports/evaluator.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { releaseLook } from '../budget/guard-place.ts';
import { backOff } from '../budget/provider-backoff.ts';
import type { Refusal } from '../budget/refusal.ts';
import { recordUnanswered, recordUsage, refusalFor, reserveCost } from '../budget/reservation.ts';
import type { ModelAccess } from '../context/ports.ts';
import type { Decision } from './decision.ts';

/** How a decision about a note is made, and what it may cost at most. */
export interface Decider {
  readonly decide: (note: NoteSnapshot) => Promise<Decision>;
  /** Null where the evaluator does not say. */
  readonly estimate: (note: NoteSnapshot) => Usage | null;
  /** Whether the evaluator is asked, which the budget limits. */
  readonly asks: boolean;
}

/**
 * Asks for a decision within the budget: the estimate is set aside, then replaced by the real cost, or given back where
 * there was none. `look` is the place taken with the rate guard, given back where nothing was asked. Throws
 * `Unanswered` where the model could not be asked.
 */
export async function askWithinBudget(
  space: ModelAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  decider: Decider,
  look: number,
): Promise<Decision | { readonly refusal: Refusal }> {
  if (!decider.asks) return decider.decide(note);
  const cost = reserveCost(space, target, decider.estimate(note));
  if (!cost.ok) {
    releaseLook(space.context, look);
    return { refusal: cost.refusal };
  }
  try {
    const decision = await decider.decide(note);
    recordUsage(space.context, cost.id, decision.usage ?? null);
    return decision;
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    if (!error.sent) releaseLook(space.context, look);
    recordUnanswered(space.context, cost.id, error);
    if (error.retryAfter !== undefined) backOff(space.context, error.retryAfter);
    const refusal = isToWait(error) ? refusalFor(space, target) : null;
    if (refusal === null) throw error;
    return { refusal };
  }
}

// The provider asked us to wait, or others took the last place after this look had begun.
function isToWait(error: Unanswered): boolean {
  return error.retryAfter !== undefined || (error instanceof ProviderError && error.failure === 'no-room');
}
