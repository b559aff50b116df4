import { recordSpend, releaseSpend, reserveSpend, type Spending } from '../../steward/gates/budget.ts';
import type { Usage } from '../../steward/ports/evaluator.ts';
import { iso } from '../../vault/time.ts';
import type { Context } from '../context/ports.ts';
import { enter } from './costs.ts';
import { backOff, heldOffUntil } from './provider-backoff.ts';
import { capsOf } from './reservation.ts';

/** What is needed to know whether a model may be asked, and to remember that it was. */
export type LockedState = Pick<Context, 'state' | 'settings' | 'now'>;

/** Whether a model may be asked outside of a tick: set aside under `id`, or why not. */
export type ErrandOrder = { readonly ok: true; readonly id: number } | { readonly ok: false; readonly reason: string };

/** How an asking ended. */
export interface ErrandCost {
  /** Null where nothing was set aside. */
  readonly id: number | null;
  /** What it took; null where that is not known and what was set aside stands; zero where nothing was taken. */
  readonly cost: Spending | null;
  /** The same by model, where one was heard. */
  readonly usage?: Usage | undefined;
  /** A provider's 429: for how long it asked us to wait, in seconds, null where it did not say; undefined for none. */
  readonly retryAfter?: number | null | undefined;
}

/**
 * Sets aside from the vault's budget what an errand may cost, lasting before it is sent; or says why it may not go.
 * `matter`: whose budget it is as well, by its note's path.
 */
export function reserveErrand(account: LockedState, cost: Spending, matter: string | null = null): ErrandOrder {
  const { state, settings, now } = account;
  const until = heldOffUntil(account);
  if (until !== null) return { ok: false, reason: `The provider asked us to wait until ${iso(until)}.` };
  const asked = reserveSpend(state.get('budget'), { matter, cost }, capsOf(settings), now());
  state.set('budget', asked.state);
  if (!asked.ok) return { ok: false, reason: `The budget for models is used up until ${iso(asked.refusal.freeAt)}.` };
  state.save('budget');
  return { ok: true, id: asked.id };
}

/**
 * Puts what an errand took in the place of what was set aside, and remembers how long a provider wants to be left
 * alone.
 */
export function recordErrand(account: LockedState, { id, cost, usage, retryAfter }: ErrandCost): void {
  const { state } = account;
  const budget = state.get('budget');
  if (usage !== undefined) {
    enter(account, budget.entries.find((one) => one.id === id)?.matter ?? null, usage);
    state.save('ledger');
  }
  if (id !== null && cost !== null) {
    const nothing = cost.tokens === 0 && cost.usd === 0;
    state.set('budget', nothing ? releaseSpend(budget, id) : recordSpend(budget, id, cost));
    state.save('budget');
  }
  if (retryAfter !== undefined) backOff(account, retryAfter);
}
