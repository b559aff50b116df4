import {
  type BudgetCaps,
  type BudgetRefusal,
  type BudgetWindow,
  budgetGate,
  costOf,
  greater,
  maxSpend,
  recordSpend,
  releaseSpend,
  reserveSpend,
  type Spending,
} from '../../steward/gates/budget.ts';
import { type Gate, rateGate } from '../../steward/gates/gate.ts';
import { backoff, type GuardTarget, type GuardWindow, release, reserve } from '../../steward/gates/rate-guard.ts';
import type { Unanswered, Usage } from '../../steward/ports/evaluator.ts';
import type { Skip } from '../../steward/schedule/skip.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { Context, ModelAccess } from '../context/ports.ts';
import type { Settings } from '../context/settings.ts';
import { enter } from './costs.ts';

/** Why nothing may be judged just now, and when it may be again (epoch ms). */
export interface Refusal extends Skip {
  readonly window: GuardWindow | BudgetWindow;
  readonly gate: Gate;
  readonly freeAt: number;
}

export type Reserved =
  | { readonly ok: true; readonly id: number; readonly gate: Gate }
  | { readonly ok: false; readonly refusal: Refusal };

type CostReserved =
  | { readonly ok: true; readonly id: number | null }
  | { readonly ok: false; readonly refusal: Refusal };

/** Takes one place for a look at a note with the rate guard, lasting before anything is asked or done. */
export function reserveLook(space: ModelAccess, target: TargetRecord): Reserved {
  const asked = reserve(space.context.state.get('rate-guard'), guardTarget(space, target), space.context.now());
  space.context.state.set('rate-guard', asked.state);
  // A crash must not give the place back. A refusal spends nothing, and of a burst most are refused.
  if (asked.ok) space.context.state.save('rate-guard');
  const gate = rateGate(asked);
  return asked.ok ? { ok: true, id: asked.id, gate } : { ok: false, refusal: lookRefusal(asked, gate) };
}

/** Gives the place of a look back whose evaluation was never asked for. */
export function releaseLook(context: Context, id: number): void {
  context.state.set('rate-guard', release(context.state.get('rate-guard'), id));
}

/** A provider asked us to wait: nothing is asked of it before, whatever restarts in between. */
export function backOff(context: Context, retryAfterSeconds: number | null): void {
  context.state.set('rate-guard', backoff(context.state.get('rate-guard'), retryAfterSeconds, context.now()));
  context.state.save('rate-guard');
}

/**
 * Sets aside from the budget what a question may cost, lasting before it is asked. Null as an id where the evaluator asks
 * no model, which costs nothing.
 */
export function reserveCost(space: ModelAccess, target: TargetRecord, estimate: Usage | null): CostReserved {
  if (!space.models.evaluator.asksModel) return { ok: true, id: null };
  return reserveFor(space.context, matterPathOf(space.vault, target), estimate);
}

/** The same for a question that is asked for a matter, by path, or for none in particular. */
export function reserveFor(context: Context, matter: string | null, estimate: Usage | null): CostReserved {
  const asked = spendFor(context, matter, estimate);
  context.state.set('budget', asked.state);
  if (!asked.ok) return { ok: false, refusal: costRefusal(asked.refusal) };
  context.state.save('budget');
  return { ok: true, id: asked.id };
}

/** Puts what a question did cost in the place of what was set aside; what nobody reports stays as it was expected. */
export function recordUsage(context: Context, id: number | null, usage: Usage | null): void {
  if (id === null || usage === null) return;
  const budget = context.state.get('budget');
  const matter = budget.entries.find((one) => one.id === id)?.matter ?? null;
  context.state.set('budget', recordSpend(budget, id, costOf(usage)));
  enter(context, matter, usage);
}

/**
 * What a question cost that was not answered in the end: nothing where it was not taken; what was set aside where that is
 * not known; and never less than the replies took that came before it failed.
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
  const cost = refused || aside === undefined ? costOf(took) : greater(costOf(took), aside);
  context.state.set('budget', recordSpend(budget, id, cost));
  enter(context, aside?.matter ?? null, took);
}

/** Gives back what was set aside for a question that cost nothing. */
export function releaseCost(context: Context, id: number | null): void {
  if (id !== null) context.state.set('budget', releaseSpend(context.state.get('budget'), id));
}

/** Why a look at a note would be refused now, or null where there is room. Reserves nothing. */
export function refusalFor(space: ModelAccess, target: TargetRecord): Refusal | null {
  const look = reserve(space.context.state.get('rate-guard'), guardTarget(space, target), space.context.now());
  if (!look.ok) return lookRefusal(look, rateGate(look));
  if (!space.models.evaluator.asksModel) return null;
  const cost = spendFor(space.context, matterPathOf(space.vault, target), null);
  return cost.ok ? null : costRefusal(cost.refusal);
}

/** The caps that the settings set. */
export function capsOf(settings: Settings): BudgetCaps {
  return {
    vaultTokens: settings.budget_tokens_per_day,
    vaultUsd: settings.budget_usd_per_day,
    matterTokens: settings.budget_tokens_per_matter_per_day,
    matterUsd: settings.budget_usd_per_matter_per_day,
  };
}

function spendFor(context: Context, matter: string | null, estimate: Usage | null) {
  const state = context.state.get('budget');
  const cost: Spending = estimate === null ? maxSpend(state, context.now()) : costOf(estimate);
  return reserveSpend(state, { matter, cost }, capsOf(context.settings), context.now());
}

function lookRefusal({ window, freeAt }: { window: GuardWindow; freeAt: number }, gate: Gate): Refusal {
  return { code: 'rate-guarded', reason: reasonOf(gate, 'rate guarded'), window, gate, freeAt };
}

function costRefusal(refusal: BudgetRefusal): Refusal {
  const gate = budgetGate(refusal);
  return { code: 'budget', reason: reasonOf(gate, 'budget'), window: refusal.window, gate, freeAt: refusal.freeAt };
}

function reasonOf({ sentence }: Gate, word: string): string {
  return sentence.replace(/^[a-z ]+:/, `${word}:`).replace(/\.$/, '');
}

function guardTarget(space: ModelAccess, target: TargetRecord): GuardTarget {
  const matter = matterPathOf(space.vault, target);
  return { kind: target.kind, path: target.path, matter, asksModel: space.models.evaluator.asksModel };
}

function matterPathOf(vault: Vault, target: TargetRecord): string | null {
  return (target.kind === 'matter' ? target : vault.catalogue.matterOf(target))?.path ?? null;
}
