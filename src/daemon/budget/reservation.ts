import {
  type BudgetCaps,
  greater,
  maxSpend,
  recordSpend,
  releaseSpend,
  reserveSpend,
  type Spending,
} from '../../steward/gates/budget.ts';
import type { Unanswered, Usage } from '../../steward/ports/evaluator.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import type { Context, ModelAccess } from '../context/ports.ts';
import { enter, takenOf } from './costs.ts';
import { lookRefusal, matterPathOf } from './guard-place.ts';
import { whyNoQuestion } from './question-door.ts';
import { costRefusal, type Refusal } from './refusal.ts';

/** What was set aside for a question, under `id`; null where the question costs nothing. Or why nothing was. */
type Reservation =
  | { readonly ok: true; readonly id: number | null }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * Sets aside from the budget what a question to the evaluator may cost; that is on disk before the question is asked.
 * `estimate`: null where nobody can say. An evaluator that asks no model costs nothing.
 */
export function reserveCost(space: ModelAccess, target: TargetRecord, estimate: Usage | null): Reservation {
  if (!space.models.evaluator.asksModel) return { ok: true, id: null };
  return reserveFor(space.context, matterPathOf(space.vault, target), estimate);
}

/** Does the same for a question that is asked for a matter, by path, or for none in particular. */
export function reserveFor(context: Context, matter: string | null, estimate: Usage | null): Reservation {
  const asked = spendFor(context, matter, estimate);
  context.state.set('budget', asked.state);
  if (!asked.ok) return { ok: false, refusal: costRefusal(asked.refusal) };
  context.state.save('budget');
  return { ok: true, id: asked.id };
}

/** Replaces what was set aside by what the question did cost; where no usage was reported, the estimate stays. */
export function recordUsage(context: Context, id: number | null, usage: Usage | null): void {
  if (id === null || usage === null) return;
  const budget = context.state.get('budget');
  const matter = budget.entries.find((one) => one.id === id)?.matter ?? null;
  context.state.set('budget', recordSpend(budget, id, takenOf(context, usage)));
  enter(context, matter, usage);
}

/**
 * Records what a question cost that got no answer in the end: nothing where it was not accepted; what was set aside
 * where the cost is unknown; and never less than the replies that came before it failed.
 */
export function recordUnanswered(context: Context, id: number | null, { sent, took, retryAfter }: Unanswered): void {
  const refused = !sent || retryAfter !== undefined;
  if (id === null) return;
  if (took === null) {
    if (refused) releaseCost(context, id);
    return;
  }
  const budget = context.state.get('budget');
  const aside = budget.entries.find((one) => one.id === id);
  const taken = takenOf(context, took);
  const cost = refused || aside === undefined ? taken : greater(taken, aside);
  context.state.set('budget', recordSpend(budget, id, cost));
  enter(context, aside?.matter ?? null, took);
}

/** Gives back what was set aside for a question that cost nothing. */
export function releaseCost(context: Context, id: number | null): void {
  if (id !== null) context.state.set('budget', releaseSpend(context.state.get('budget'), id));
}

/** Why the evaluator would not be asked about a note now, or null where there is room. Reserves nothing. */
export function refusalFor(space: ModelAccess, target: TargetRecord): Refusal | null {
  const { asksModel } = space.models.evaluator;
  const refusal = (asksModel ? whyNoQuestion(space.context) : null) ?? lookRefusal(space, target);
  if (refusal !== null || !asksModel) return refusal;
  const cost = spendFor(space.context, matterPathOf(space.vault, target), null);
  return cost.ok ? null : costRefusal(cost.refusal);
}

/** The caps that hold: those of the settings, and of money the environment's where that is lower. */
export function capsOf({ settings, env }: Pick<Context, 'settings' | 'env'>): BudgetCaps {
  return {
    vaultTokens: settings.budget_tokens_per_day,
    vaultUsd: lower(settings.budget_usd_per_day, env.budgetUsdPerDay ?? null),
    matterTokens: settings.budget_tokens_per_matter_per_day,
    matterUsd: settings.budget_usd_per_matter_per_day,
  };
}

function lower(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

function spendFor(context: Context, matter: string | null, estimate: Usage | null) {
  const state = context.state.get('budget');
  const cost: Spending = estimate === null ? maxSpend(state, context.now()) : takenOf(context, estimate);
  return reserveSpend(state, { matter, cost }, capsOf(context), context.now());
}
