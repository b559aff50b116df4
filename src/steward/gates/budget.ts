import { z } from 'zod';
import type { Usage } from '../ports/evaluator.ts';
import type { Gate } from './gate.ts';
import { lastDay } from './sliding-window.ts';

const DAY = 24 * 60 * 60 * 1000;
/** More than a day of judgements, and of questions about what comes in; the file stays bounded whatever is read from it. */
const MOST_ENTRIES = 20_000;

const entry = z.object({
  id: z.number().int(),
  /** Epoch milliseconds. */
  at: z.number(),
  /** The matter it was spent for; null for a task without one. */
  matter: z.string().nullable(),
  tokens: z.number().min(0),
  /** US dollars. */
  usd: z.number().min(0),
  /** False while it is what the call was expected to cost. */
  settled: z.boolean(),
});

/** `.steward/state/budget.json`: what was spent on models in the last day, oldest first. */
export const budgetState = z.object({
  nextId: z.number().int().catch(0),
  entries: z
    .array(entry)
    .transform((entries) => entries.toSorted((one, other) => one.at - other.at).slice(-MOST_ENTRIES)),
});
export type BudgetState = z.infer<typeof budgetState>;

/** What may be spent in any 24 hours; null for as much as asked for. */
export interface BudgetCaps {
  readonly vaultTokens: number | null;
  readonly vaultUsd: number | null;
  readonly matterTokens: number | null;
  readonly matterUsd: number | null;
}

export interface Spending {
  readonly tokens: number;
  readonly usd: number;
}

/** The windows of the budget, as the event note of a refusal names them. */
const BUDGET_WINDOWS = [
  'budget_tokens_per_day',
  'budget_usd_per_day',
  'budget_tokens_per_matter_per_day',
  'budget_usd_per_matter_per_day',
] as const;
export type BudgetWindow = (typeof BUDGET_WINDOWS)[number];

export interface BudgetRefusal {
  readonly window: BudgetWindow;
  readonly used: number;
  readonly cap: number;
  /** What the call was expected to cost, in the window's own unit. */
  readonly asked: number;
  /** Epoch milliseconds: the first moment at which the call fits. */
  readonly freeAt: number;
}

type Allowance =
  | { readonly ok: true; readonly state: BudgetState; readonly id: number }
  | { readonly ok: false; readonly state: BudgetState; readonly refusal: BudgetRefusal };

export function emptyBudget(): BudgetState {
  return { nextId: 0, entries: [] };
}

/**
 * Sets aside what a call is expected to cost, before it is made, or names the window of 24 hours that it does not fit in.
 * A window that is used up refuses a call that is expected to cost nothing, too.
 */
export function reserveSpend(
  state: BudgetState,
  call: { readonly matter: string | null; readonly cost: Spending },
  caps: BudgetCaps,
  now: number,
): Allowance {
  const settled = { ...state, entries: lastDay(state.entries, now) };
  const refusal = refusalOf(settled, call, caps, now);
  if (refusal !== null) return { ok: false, state: settled, refusal };
  const id = settled.nextId;
  const taken = { id, at: now, matter: call.matter, ...call.cost, settled: false };
  return { ok: true, id, state: { nextId: id + 1, entries: [...settled.entries, taken] } };
}

/** Puts what a call did cost in the place of what was set aside for it. */
export function recordSpend(state: BudgetState, id: number, cost: Spending): BudgetState {
  return { ...state, entries: state.entries.map((one) => (one.id === id ? { ...one, ...cost, settled: true } : one)) };
}

/** Gives back what was set aside for a call that was never made, or that cost nothing. */
export function releaseSpend(state: BudgetState, id: number): BudgetState {
  return { ...state, entries: state.entries.filter((one) => one.id !== id) };
}

/** What was spent in the last 24 hours, what is set aside included: by one matter, or by all together. */
export function spent(state: BudgetState, now: number, matter: string | null = null): Spending {
  const entries = lastDay(state.entries, now).filter((one) => matter === null || one.matter === matter);
  return { tokens: sumOf(entries, 'tokens'), usd: sumOf(entries, 'usd') };
}

/** The matters that something was spent for in the last 24 hours. */
export function spenders(state: BudgetState, now: number): string[] {
  const matters = lastDay(state.entries, now).flatMap((one) => one.matter ?? []);
  return [...new Set(matters)].sort();
}

/** What a call is expected to cost where the evaluator does not say: as much as the dearest of the last 24 hours. */
export function maxSpend(state: BudgetState, now: number): Spending {
  const entries = lastDay(state.entries, now);
  return {
    tokens: Math.max(0, ...entries.map((one) => one.tokens)),
    usd: Math.max(0, ...entries.map((one) => one.usd)),
  };
}

/** What a usage comes to. A model without a price costs tokens alone. */
export function costOf({ tokens_in, tokens_out, usd }: Usage): Spending {
  return { tokens: tokens_in + tokens_out, usd: usd ?? 0 };
}

/** Enough for either of two costs. */
export function greater(one: Spending, other: Spending): Spending {
  return { tokens: Math.max(one.tokens, other.tokens), usd: Math.max(one.usd, other.usd) };
}

/** The budget's refusal as a gate, as the event note and `explain` name it. */
export function budgetGate({ window, used, cap, asked, freeAt }: BudgetRefusal): Gate {
  const unit = window.includes('usd') ? 'USD' : 'tokens';
  const whose = window.includes('matter') ? 'by this matter in a day' : 'in a day';
  const until = new Date(freeAt).toISOString().replace(/\.\d{3}Z$/, 'Z');
  const next = asked > 0 ? `, and the next call may take ${rounded(asked)}` : '';
  const sentence = `budget: ${rounded(used)} of ${rounded(cap)} ${unit} used ${whose}${next}; free at ${until}.`;
  return { name: 'budget', held: false, figure: used, threshold: cap, sentence };
}

type Call = Parameters<typeof reserveSpend>[1];

/** Of the windows the call does not fit in, the one that it fits in last. */
function refusalOf(state: BudgetState, call: Call, caps: BudgetCaps, now: number): BudgetRefusal | null {
  const mine = state.entries.filter((one) => call.matter !== null && one.matter === call.matter);
  const full = [
    fullWindow('budget_tokens_per_day', state.entries, 'tokens', caps.vaultTokens, call, now),
    fullWindow('budget_usd_per_day', state.entries, 'usd', caps.vaultUsd, call, now),
    ...(call.matter === null
      ? []
      : [
          fullWindow('budget_tokens_per_matter_per_day', mine, 'tokens', caps.matterTokens, call, now),
          fullWindow('budget_usd_per_matter_per_day', mine, 'usd', caps.matterUsd, call, now),
        ]),
  ].filter((one) => one !== null);
  return full.reduce<BudgetRefusal | null>(
    (one, other) => (one === null || other.freeAt > one.freeAt ? other : one),
    null,
  );
}

function fullWindow(
  window: BudgetWindow,
  entries: BudgetState['entries'],
  unit: keyof Spending,
  cap: number | null,
  { cost }: Call,
  now: number,
): BudgetRefusal | null {
  if (cap === null) return null;
  const [used, asked] = [sumOf(entries, unit), cost[unit]];
  if (fits(used, asked, cap)) return null;
  return { window, used, cap, asked, freeAt: freeAt(entries, unit, used, asked, cap) ?? now + DAY };
}

/** The moment at which enough has left the window; null where the call never fits, so that it is asked again in a day. */
function freeAt(
  entries: BudgetState['entries'],
  unit: keyof Spending,
  used: number,
  asked: number,
  cap: number,
): number | null {
  let left = used;
  for (const one of entries) {
    left -= one[unit];
    if (fits(left, asked, cap)) return one.at + DAY;
  }
  return null;
}

// The slack forgives only what floating point adds when cents are summed.
function fits(used: number, asked: number, cap: number): boolean {
  return used + asked <= cap + 1e-9 && used < cap - 1e-9;
}

function sumOf(entries: BudgetState['entries'], unit: keyof Spending): number {
  return entries.reduce((sum, one) => sum + one[unit], 0);
}

function rounded(figure: number): number {
  return Math.round(figure * 10_000) / 10_000;
}
