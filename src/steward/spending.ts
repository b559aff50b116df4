import type { SignalRecord, TargetRecord } from '../vault/record.ts';
import { sourceKey } from '../vault/source-names.ts';
import { iso, localDate, localTime, utc } from '../vault/time.ts';
import type { Vault } from '../vault/vault.ts';
import {
  type BudgetCaps,
  type BudgetRefusal,
  type BudgetWindow,
  budgetGate,
  computeUsage,
  DAY,
  entered,
  greater,
  linkShared,
  lowestPrice,
  maxSpend,
  priceSettings,
  recordSpend,
  releaseSpend,
  reserveSpend,
  type Spending,
  type Sum,
  spentBy,
  sumCost,
  sumSpending,
  WEEK,
} from './budget.ts';
import type { Gate } from './gates.ts';
import { isLicensed } from './licence.ts';
import {
  backoff,
  backoffUntil,
  findRefusal,
  freeSlots,
  type GuardRefusal,
  type GuardTarget,
  type GuardWindow,
  release,
  reserve,
  type Slot,
  takeSlots,
} from './rate-guard.ts';
import type { Skip } from './schedule.ts';
import { identifySpeaker } from './sender.ts';
import type { UnansweredError, Usage, WeighedSignal } from './types.ts';
import type { DecisionContext, DecisionIndexAccess, DecisionModelAccess } from './workspace.ts';

export type ClockedState = Pick<DecisionContext, 'state' | 'now'>;

/** Whether the provider asked not to be asked just now. */
export function isHeldOff({ state, now }: ClockedState): boolean {
  return backoffUntil(state.get('rate-guard'), now()) !== null;
}

/**
 * Remembers, over a restart too, that the provider asked us to wait: this many seconds, or null if it did not say how
 * many.
 */
export function backOff({ state, now }: ClockedState, retryAfterSeconds: number | null): void {
  state.set('rate-guard', backoff(state.get('rate-guard'), retryAfterSeconds, now()));
  state.save('rate-guard');
}

/** Why there is no evaluation just now, and when the next may be (epoch ms). */
export interface Refusal extends Skip {
  readonly window: HoldingWindow;
  readonly gate: Gate;
  readonly freeAt: number;
}

/** Returns the guard's answer as a gate, as the event note and `explain` name it. Null: it passes, for this reason. */
export function guardGate(refusal: GuardRefusal | null, passed: 'there was room' | 'no model is asked'): Gate {
  if (refusal === null) {
    return { name: 'rate_guard', held: true, figure: null, threshold: 0, sentence: `rate guard: ${passed}.` };
  }
  const { window, used, cap, freeAt } = refusal;
  const full = window === 'backoff' || window === 'unreadable' ? HELD[window] : `${used} of ${cap} ${USED[window]}`;
  const sentence = `rate guard: ${full}; free at ${utc(freeAt)}.`;
  return { name: 'rate_guard', held: false, figure: used, threshold: cap, sentence };
}

const HELD = {
  backoff: 'the provider asked for a pause',
  unreadable: 'its state could not be read, so it counts as full for a minute',
} as const;

const USED: Readonly<Record<Exclude<GuardWindow, keyof typeof HELD>, string>> = {
  minute: 'questions to models asked this minute',
  hour: 'questions to models asked this hour',
  day: 'questions to models asked in a day',
  task: 'used by this task in a day',
  matter: 'used by this matter in a day',
  task_sender: 'used by this sender on this task in a day',
  matter_sender: 'used by this sender on this matter in a day',
  task_reserved: 'used by this task in a day, and the last one is for licensed senders',
  matter_reserved: 'used by this matter in a day, and the last one is for licensed senders',
};

/** The refusal of a question, for which the rate guard has no slot. */
function guardRefusal(refusal: GuardRefusal): Refusal {
  const { window, freeAt } = refusal;
  const gate = guardGate(refusal, 'there was room');
  return { code: 'rate-guarded', reason: reasonOf(gate, 'rate guarded'), window, gate, freeAt };
}

/** The refusal of a question, for which the budget has no room. */
function costRefusal(refusal: BudgetRefusal): Refusal {
  const gate = budgetGate(refusal);
  return { code: 'budget', reason: reasonOf(gate, 'budget'), window: refusal.window, gate, freeAt: refusal.freeAt };
}

function reasonOf({ sentence }: Gate, word: string): string {
  return sentence.replace(/^[a-z ]+:/, `${word}:`).replace(/\.$/, '');
}

/** The limits that can delay a question for a while. */
export type HoldingWindow = GuardWindow | BudgetWindow;

const WORDS: Readonly<Record<HoldingWindow, string>> = {
  minute: 'the limit of 60 questions to models a minute is reached',
  hour: 'the limit of 600 questions to models an hour is reached',
  day: 'the limit of 6000 questions to models a day is reached',
  task: 'the limit of 6 questions about one task a day is reached',
  matter: 'the limit of 50 questions about one matter and its tasks a day is reached',
  task_sender: "one sender has used half of a task's questions of a day",
  matter_sender: "one sender has used half of a matter's questions of a day",
  task_reserved: "the last of a task's questions of a day is for licensed senders",
  matter_reserved: "the last of a matter's questions of a day is for licensed senders",
  unreadable: 'the state of the rate guard could not be read',
  backoff: 'the provider asked for a pause',
  budget_tokens_per_day: 'the budget of a day (budget_tokens_per_day) is used up',
  budget_usd_per_day: 'the budget of a day (budget_usd_per_day) is used up',
  budget_tokens_per_matter_per_day: "a matter's budget of a day (budget_tokens_per_matter_per_day) is used up",
  budget_usd_per_matter_per_day: "a matter's budget of a day (budget_usd_per_matter_per_day) is used up",
  shared_budget_tokens_per_day: 'the tokens of a day that this vault shares with others are used up',
  shared_budget_usd_per_day: 'the budget of a day that this vault shares with others is used up',
};

/**
 * Returns the limit and its end: `the limit of 60 questions to models a minute is reached, goes on at 09:14`. Times in epoch ms.
 */
export function heldWords(held: { readonly window: HoldingWindow; readonly freeAt: number }, now: number): string {
  return `${WORDS[held.window]}, goes on at ${clockTime(held.freeAt, now)}`;
}

/** Returns the same as a sentence of its own. */
function heldSentence(held: { readonly window: HoldingWindow; readonly freeAt: number }, now: number): string {
  const words = heldWords(held, now);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Whether a name is that of a window. */
export function isHoldingWindow(name: string): name is HoldingWindow {
  return Object.hasOwn(WORDS, name);
}

// On another day than today, with the date.
function clockTime(at: number, now: number): string {
  const [date, time = ''] = localTime(at).split('T');
  const shown = time.slice(0, 5);
  return date === localDate(now) ? shown : `${date} ${shown}`;
}

/** Whether questions may be put to a provider now; if not, why, in a sentence, and until when (epoch ms). */
export type QuestionOrder =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly freeAt: number };

/**
 * Takes a slot with the rate guard for each dispatch, on disk before any is made; or says why there is no slot. `slot`:
 * the one that was reserved for the question.
 */
export function orderQuestions({ state, now }: ClockedState, count: number, slot: Slot | null = null): QuestionOrder {
  const asked = takeSlots(state.get('rate-guard'), count, slot, now());
  state.set('rate-guard', asked.state);
  if (asked.refusal !== null)
    return { ok: false, reason: heldSentence(asked.refusal, now()), freeAt: asked.refusal.freeAt };
  if (count > 0) state.save('rate-guard');
  return { ok: true };
}

/** Returns why no question may go to a provider now, or null if one may. Takes no slot. */
export function whyNoQuestion({ state, now }: ClockedState): Refusal | null {
  const refusal = findRefusal(state.get('rate-guard'), null, now());
  return refusal === null ? null : guardRefusal(refusal);
}

/** How many questions may be put to a provider now. */
export function questionRoom({ state, now }: ClockedState): number {
  return freeSlots(state.get('rate-guard'), now());
}

/** A slot for a question, or why there is no slot. The slot is null if no model is asked. */
type SlotPlace =
  | { readonly ok: true; readonly slot: Slot | null; readonly gate: Gate }
  | { readonly ok: false; readonly refusal: Refusal };

const NO_MODEL = { ok: true, slot: null, gate: guardGate(null, 'no model is asked') } as const;

/**
 * Reserves a slot with the rate guard for a question about a note; it is on disk before the question is asked.
 * `signals`: those that the question is about; null if the evaluator isn't asked. If it is no model, or the settings
 * let the rules replace one that has no slot, a slot isn't needed.
 */
export function reserveSlot(
  space: DecisionModelAccess,
  target: TargetRecord,
  signals: readonly WeighedSignal[] | null,
): SlotPlace {
  if (signals === null || !space.models.evaluator.asksModel) return NO_MODEL;
  const { state, now } = space.context;
  const asked = reserve(state.get('rate-guard'), guardTarget(space, target, signals), now());
  state.set('rate-guard', asked.state);
  if (asked.ok) {
    state.save('rate-guard'); // a crash must not free the slot; a refusal takes no slot
    return { ok: true, slot: asked.slot, gate: guardGate(null, 'there was room') };
  }
  return mayRulesReplaceModel(space.context) ? NO_MODEL : { ok: false, refusal: guardRefusal(asked) };
}

/** Frees a slot if it wasn't used. */
export function releaseSlot({ state }: DecisionContext, slot: Slot | null): void {
  if (slot !== null) state.set('rate-guard', release(state.get('rate-guard'), slot.id));
}

/** Whether the embedded rules answer a question for which a model has no slot or no budget. */
export function mayRulesReplaceModel({ settings }: Pick<DecisionContext, 'settings'>): boolean {
  return settings.evaluator_fallback === 'rules';
}

/** The path of the matter a note belongs to, which a matter is itself; null for a task without one. */
export function findMatterPath(vault: Vault, target: TargetRecord): string | null {
  return (target.kind === 'matter' ? target : vault.catalogue.matterOf(target))?.path ?? null;
}

function guardTarget(space: DecisionIndexAccess, target: TargetRecord, signals: readonly WeighedSignal[]): GuardTarget {
  const { catalogue } = space.vault;
  const records = signals.flatMap(({ path }) => catalogue.get(path) ?? []).filter((one) => one.kind === 'signal');
  return {
    kind: target.kind,
    path: target.path,
    matter: findMatterPath(space.vault, target),
    senders: [...new Set(signals.map(({ source }) => sourceKey(source)))],
    licensed: records.some((signal) => maySpendLastSlot(space, target, signal)),
  };
}

// A name in a From line is not enough: the sender must be authenticated.
function maySpendLastSlot(space: DecisionIndexAccess, target: TargetRecord, signal: SignalRecord): boolean {
  const speaker = identifySpeaker(space, signal);
  if (speaker.writer === 'trusted') return true;
  return speaker.writer === 'own' && speaker.vouched === 'pass' && isLicensed(space, speaker.source, target);
}

const MOST_EXPENSIVE = 5;

/** The cost of the models' answers, in US dollars for models with a price. */
export interface Costs {
  readonly day: CostWindow;
  readonly week: CostWindow;
}

export interface CostWindow extends Sum {
  readonly models: readonly ModelCost[];
  /** The most expensive matters, five at most. */
  readonly matters: readonly (Sum & { readonly matter: string })[];
}

export interface ModelCost extends Sum {
  readonly model: string;
  /** The settings that would give it a price; null if its price is known, or no setting names the model. */
  readonly priceSettings: readonly string[] | null;
}

/** Enters what one question took into the ledger; a question without tokens is not entered. */
function enter({ state, now }: Pick<DecisionContext, 'state' | 'now'>, matter: string | null, usage: Usage): void {
  const tokens = usage.tokens_in + usage.tokens_out;
  if (tokens === 0) return;
  state.set('ledger', entered(state.get('ledger'), { model: usage.model, matter, tokens, usd: usage.usd }, now()));
}

/**
 * Returns what a usage takes of the budget. If the environment limits the money, an author of `steward.md` must not
 * lift that by naming a lower price, or a model of which no price is known.
 */
function takenOf({ env }: Pick<DecisionContext, 'env'>, usage: Usage): Spending {
  const cost = sumCost(usage);
  if ((env.budgetUsdPerDay ?? env.sharedBudget ?? null) === null) return cost;
  const { model, tokens_in: tokensIn, tokens_out: tokensOut } = usage;
  return greater(cost, sumCost(computeUsage(model, { tokensIn, tokensOut }, lowestPrice(model))));
}

/** Returns what models took in the last 24 hours and the last 7 days. */
export function sumCosts({ state, settings, now }: Pick<DecisionContext, 'state' | 'settings' | 'now'>): Costs {
  const ledger = state.get('ledger');
  const window = (ms: number): CostWindow => ({
    ...sumSpending(ledger, ms, now()),
    models: spentBy('model', ledger, ms, now()).map(([model, sum]) => ({
      model,
      ...sum,
      priceSettings: priceSettings(model, settings),
    })),
    matters: spentBy('matter', ledger, ms, now())
      .slice(0, MOST_EXPENSIVE)
      .map(([matter, sum]) => ({ matter, ...sum })),
  });
  return { day: window(DAY), week: window(WEEK) };
}

/** The budget set aside for a question, under `id`; null if the question is free. Or why there was no room. */
type Reservation =
  | { readonly ok: true; readonly id: number | null }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * Sets aside from the budget what a question to the evaluator may cost; that is on disk before the question is asked.
 * `estimate`: null if unknown. An evaluator that asks no model is free.
 */
export function reserveCost(space: DecisionModelAccess, target: TargetRecord, estimate: Usage | null): Reservation {
  if (!space.models.evaluator.asksModel) return { ok: true, id: null };
  return reserveFor(space.context, findMatterPath(space.vault, target), estimate);
}

/** Does the same for a question that is asked for a matter, by path, or for none in particular. */
export function reserveFor(context: DecisionContext, matter: string | null, estimate: Usage | null): Reservation {
  const asked = setAside(context, { matter, cost: expectedCost(context, estimate) });
  return asked.ok ? asked : { ok: false, refusal: costRefusal(asked.refusal) };
}

/** Sets aside the cost of a call, on disk, from the vault's budget and the shared one; or returns why there was no room. */
function setAside(
  { state, settings, env, now }: LockedState,
  call: Parameters<typeof reserveSpend>[1],
): { readonly ok: true; readonly id: number } | { readonly ok: false; readonly refusal: BudgetRefusal } {
  const asked = reserveSpend(state.get('budget'), call, effectiveCaps({ settings, env }), now());
  if (!asked.ok) {
    state.set('budget', asked.state);
    return asked;
  }
  const shared = env.sharedBudget?.reserve(call.cost, now()) ?? null;
  if (shared?.ok === false) return shared;
  state.set('budget', shared === null ? asked.state : linkShared(asked.state, asked.id, shared.id));
  state.save('budget');
  return { ok: true, id: asked.id };
}

/** Replaces what was set aside for a call by its cost, in both budgets; null gives it back. */
function settle({ state, env }: Pick<LockedState, 'state' | 'env'>, id: number, cost: Spending | null): void {
  const budget = state.get('budget');
  const shared = budget.entries.find((one) => one.id === id)?.shared;
  if (shared !== undefined) env.sharedBudget?.record(shared, cost ?? { tokens: 0, usd: 0 });
  state.set('budget', cost === null ? releaseSpend(budget, id) : recordSpend(budget, id, cost));
}

/** Replaces what was set aside by what the question did cost; if no usage was reported, the estimate stays. */
export function recordUsage(context: DecisionContext, id: number | null, usage: Usage | null): void {
  if (id === null || usage === null) return;
  const matter = context.state.get('budget').entries.find((one) => one.id === id)?.matter ?? null;
  settle(context, id, takenOf(context, usage));
  enter(context, matter, usage);
}

/**
 * Records the cost of a question without an answer: zero if it was not accepted, or what was set aside if the cost is
 * unknown. It is never less than the cost of its earlier replies.
 */
export function recordUnanswered(
  context: DecisionContext,
  id: number | null,
  { sent, took, retryAfter }: UnansweredError,
): void {
  const refused = !sent || retryAfter !== undefined;
  if (id === null) return;
  if (took === null) {
    if (refused) releaseCost(context, id);
    return;
  }
  const aside = context.state.get('budget').entries.find((one) => one.id === id);
  const taken = takenOf(context, took);
  settle(context, id, refused || aside === undefined ? taken : greater(taken, aside));
  enter(context, aside?.matter ?? null, took);
}

/** Gives back what was set aside for a question that was free. */
export function releaseCost(context: DecisionContext, id: number | null): void {
  if (id !== null) settle(context, id, null);
}

/**
 * Returns why the evaluator would not be asked about a note and these signals now, or null if it would, or the rules
 * would replace it. Makes no reservation.
 */
export function refusalFor(
  space: DecisionModelAccess,
  target: TargetRecord,
  signals: readonly WeighedSignal[],
): Refusal | null {
  const { context, models } = space;
  if (!models.evaluator.asksModel || mayRulesReplaceModel(context)) return null;
  const refusal = findRefusal(context.state.get('rate-guard'), guardTarget(space, target, signals), context.now());
  if (refusal !== null) return guardRefusal(refusal);
  const full = findFullBudget(context, {
    matter: findMatterPath(space.vault, target),
    cost: expectedCost(context, null),
  });
  return full === null ? null : costRefusal(full);
}

function findFullBudget(
  { state, settings, env, now }: LockedState,
  call: Parameters<typeof reserveSpend>[1],
): BudgetRefusal | null {
  const own = reserveSpend(state.get('budget'), call, effectiveCaps({ settings, env }), now());
  return own.ok ? (env.sharedBudget?.refusal(call.cost, now()) ?? null) : own.refusal;
}

/** The caps in force: those of the settings, and for money the environment's if that is lower. */
export function effectiveCaps({ settings, env }: Pick<DecisionContext, 'settings' | 'env'>): BudgetCaps {
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

function expectedCost(context: DecisionContext, estimate: Usage | null): Spending {
  return estimate === null ? maxSpend(context.state.get('budget'), context.now()) : takenOf(context, estimate);
}

/** The state and settings that say whether a model may be asked, and that record it. */
export type LockedState = Pick<DecisionContext, 'state' | 'settings' | 'env' | 'now'>;

/**
 * Whether a model may be asked outside of a tick: the cost is reserved under `id`, or `reason` says why not, and `freeAt`
 * until when (epoch ms).
 */
export type ErrandOrder =
  | { readonly ok: true; readonly id: number }
  | { readonly ok: false; readonly reason: string; readonly freeAt: number };

/** How an errand ended. */
export interface ErrandCost {
  /** The reservation; null if there isn't one. */
  readonly id: number | null;
  /** The cost; null if unknown, so that at least the reserved cost counts; zero if it was free. */
  readonly cost: Spending | null;
  readonly usage?: Usage | undefined;
  /** After a provider's 429: the seconds it asked us to wait, null if it didn't say; undefined without a 429. */
  readonly retryAfter?: number | null | undefined;
}

/**
 * Reserves from the vault's budget what an errand is expected to take, on disk before it is sent; or returns why it may not be
 * sent. `matter`: the path of the matter whose budget it counts against as well.
 */
export function reserveErrand(account: LockedState, estimate: Usage, matter: string | null = null): ErrandOrder {
  const cost = takenOf(account, estimate);
  const held = whyNoQuestion(account);
  if (held !== null) return { ok: false, reason: heldSentence(held, account.now()), freeAt: held.freeAt };
  const asked = setAside(account, { matter, cost });
  if (asked.ok) return asked;
  const { freeAt } = asked.refusal;
  return { ok: false, reason: `The budget for models is used up until ${iso(freeAt)}.`, freeAt };
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
    settle(account, id, nothing ? null : taken);
    state.save('budget');
  }
  if (retryAfter !== undefined) backOff(account, retryAfter);
}

// Null if the reserved cost stays.
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
