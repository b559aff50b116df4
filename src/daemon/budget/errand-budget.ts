import { greater, recordSpend, releaseSpend, reserveSpend, type Spending } from '../../steward/gates/budget.ts';
import type { Usage } from '../../steward/ports/evaluator.ts';
import { iso } from '../../vault/time.ts';
import type { Context } from '../context/ports.ts';
import { enter, takenOf } from './costs.ts';
import { backOff } from './provider-backoff.ts';
import { whyNoQuestion } from './question-door.ts';
import { capsOf } from './reservation.ts';
import { heldSentence } from './window-words.ts';

/** The state and settings that say whether a model may be asked, and that record it. */
export type LockedState = Pick<Context, 'state' | 'settings' | 'env' | 'now'>;

/**
 * Whether a model may be asked outside of a tick: the cost is reserved under `id`, or `reason` says why not, and `freeAt`
 * until when (epoch ms).
 */
export type ErrandOrder =
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly reason: string; readonly freeAt: number };

/** How an errand ended. */
export interface ErrandCost {
  /** The reservation; null where there is none. */
  readonly id: number | null;
  /** What it took; null where that is unknown and the reserved cost stands, at least; zero where it took nothing. */
  readonly cost: Spending | null;
  /** What it took by model, where one replied. */
  readonly usage?: Usage | undefined;
  /** After a provider's 429: the seconds it asked us to wait, null where it named none; undefined without a 429. */
  readonly retryAfter?: number | null | undefined;
}

/**
 * Reserves from the vault's budget what an errand is expected to take, on disk before it is sent; or returns why it may not be
 * sent. `matter`: the path of the matter whose budget it counts against as well.
 */
export function reserveErrand(account: LockedState, estimate: Usage, matter: string | null = null): ErrandOrder {
  const { state, now } = account;
  const cost = takenOf(account, estimate);
  const held = whyNoQuestion(account);
  if (held !== null) return { ok: false, reason: heldSentence(held, now()), freeAt: held.freeAt };
  const asked = reserveSpend(state.get('budget'), { matter, cost }, capsOf(account), now());
  state.set('budget', asked.state);
  if (!asked.ok) {
    const { freeAt } = asked.refusal;
    return { ok: false, reason: `The budget for models is used up until ${iso(freeAt)}.`, freeAt };
  }
  state.save('budget');
  return { ok: true, id: asked.id };
}

/** Replaces what was reserved for an errand by what it took, and remembers how long the provider asked us to wait. */
export function recordErrand(account: LockedState, { id, cost, usage, retryAfter }: ErrandCost): void {
  const { state } = account;
  const budget = state.get('budget');
  if (usage !== undefined) {
    enter(account, budget.entries.find((one) => one.id === id)?.matter ?? null, usage);
    state.save('ledger');
  }
  const taken = id === null ? null : settledCost(account, id, cost, usage);
  if (id !== null && taken !== null) {
    const nothing = taken.tokens === 0 && taken.usd === 0;
    state.set('budget', nothing ? releaseSpend(budget, id) : recordSpend(budget, id, taken));
    state.save('budget');
  }
  if (retryAfter !== undefined) backOff(account, retryAfter);
}

// Null where what was set aside stands.
function settledCost(
  account: LockedState,
  id: number,
  cost: Spending | null,
  usage: Usage | undefined,
): Spending | null {
  if (usage === undefined) return cost;
  const aside = account.state.get('budget').entries.find((one) => one.id === id);
  const least = cost ?? aside ?? { tokens: 0, usd: 0 };
  return greater({ tokens: least.tokens, usd: least.usd }, takenOf(account, usage));
}
