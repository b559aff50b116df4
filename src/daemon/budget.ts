import { leastPriceOf, type ModelSetup, type Price, priceOf, usageOf } from '../model/model.ts';
import type { Door, Provider } from '../model/provider.ts';
import { noRoom } from '../model/provider-error.ts';
import { ToolAgent } from '../model/tool-agent.ts';
import {
  type BudgetCaps,
  type BudgetRefusal,
  type BudgetWindow,
  budgetGate,
  costOf,
  DAY,
  entered,
  greater,
  maxSpend,
  type QuestionWindow,
  questionGate,
  questionRefusal,
  recordSpend,
  releaseSpend,
  reserveSpend,
  roomForQuestions,
  type Spending,
  type Sum,
  spentBy,
  spentIn,
  takeQuestions,
  WEEK,
} from '../steward/gate-limits.ts';
import { type GuardTarget, type GuardWindow, release, reserve } from '../steward/gates.ts';
import { type Gate, rateGate } from '../steward/gates-gate.ts';
import { Unanswered, type Usage } from '../steward/ports/evaluator.ts';
import type { Agent, Errand, Report } from '../steward/ports.ts';
import type { Skip } from '../steward/schedule-cadence.ts';
import type { TargetRecord } from '../vault/index/record.ts';
import { iso, localDate, localTime } from '../vault/time.ts';
import type { Vault } from '../vault/watch.ts';
import { backOff } from './budget/provider-backoff.ts';
import type { Context, IndexAccess, ModelAccess, Settings } from './context.ts';

/** Why nothing may be judged just now, and when it may be again (epoch ms). */
export interface Refusal extends Skip {
  readonly window: HoldingWindow;
  readonly gate: Gate;
  readonly freeAt: number;
}

/** The refusal of a look at a note or of a question, for which a window of the rate guard is full. */
function refusalBy({ window, freeAt }: { window: HoldingWindow; freeAt: number }, gate: Gate): Refusal {
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

/** Whatever can hold back a look or a question for a while. */
export type HoldingWindow = GuardWindow | QuestionWindow | BudgetWindow;

const WORDS: Readonly<Record<HoldingWindow, string>> = {
  questions_per_minute: '60 questions a minute are reached',
  questions_per_hour: '600 questions an hour are reached',
  questions_per_day: '6000 questions a day are reached',
  minute: '60 looks at notes a minute are reached',
  hour: '600 looks at notes an hour are reached',
  day: '6000 looks at notes a day are reached',
  task: '6 looks at one task a day are reached',
  matter: '50 looks at one matter and its tasks a day are reached',
  backoff: 'the provider asked for a pause',
  budget_tokens_per_day: 'the budget of a day (budget_tokens_per_day) is used up',
  budget_usd_per_day: 'the budget of a day (budget_usd_per_day) is used up',
  budget_tokens_per_matter_per_day: "a matter's budget of a day (budget_tokens_per_matter_per_day) is used up",
  budget_usd_per_matter_per_day: "a matter's budget of a day (budget_usd_per_matter_per_day) is used up",
};

/** Returns what holds back: `60 questions a minute are reached, goes on at 09:14`. Times in epoch ms. */
export function heldWords(held: { readonly window: HoldingWindow; readonly freeAt: number }, now: number): string {
  return `${WORDS[held.window]}, goes on at ${clockTime(held.freeAt, now)}`;
}

/** Returns the same as a sentence of its own. */
export function heldSentence(held: { readonly window: HoldingWindow; readonly freeAt: number }, now: number): string {
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

/** A place with the rate guard under `id`, or why there is none. */
export type GuardPlace =
  | { readonly ok: true; readonly id: number; readonly gate: Gate }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * Takes one place with the rate guard for a look at a note; it is on disk before anything is asked or done. `asks`:
 * whether the evaluator is asked; then there is none where that is a model which may not be asked now.
 */
export function reserveLook(space: ModelAccess, target: TargetRecord, asks: boolean): GuardPlace {
  const refusal = asks && space.models.evaluator.asksModel ? whyNoQuestion(space.context) : null;
  if (refusal !== null) return { ok: false, refusal };
  const asked = reserve(space.context.state.get('rate-guard'), guardTarget(space, target), space.context.now());
  space.context.state.set('rate-guard', asked.state);
  // A crash must not free the place. A refusal takes none, and in a burst most looks are refused.
  if (asked.ok) space.context.state.save('rate-guard');
  const gate = rateGate(asked);
  return asked.ok ? { ok: true, id: asked.id, gate } : { ok: false, refusal: refusalBy(asked, gate) };
}

/** Frees the place of a look for which no evaluation was asked. */
export function releaseLook(context: Context, id: number): void {
  context.state.set('rate-guard', release(context.state.get('rate-guard'), id));
}

/** Why the rate guard would refuse a look at a note now, or null where there is room. Takes no place. */
export function lookRefusal(space: IndexAccess, target: TargetRecord): Refusal | null {
  const look = reserve(space.context.state.get('rate-guard'), guardTarget(space, target), space.context.now());
  return look.ok ? null : refusalBy(look, rateGate(look));
}

/** The path of the matter a note belongs to, which a matter is itself; null for a task without one. */
export function matterPathOf(vault: Vault, target: TargetRecord): string | null {
  return (target.kind === 'matter' ? target : vault.catalogue.matterOf(target))?.path ?? null;
}

function guardTarget({ vault }: IndexAccess, target: TargetRecord): GuardTarget {
  return { kind: target.kind, path: target.path, matter: matterPathOf(vault, target) };
}

const MOST_EXPENSIVE = 5;

/** What models took for the questions that were answered, in US dollars for those with a price. */
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
  /** The settings that would give it a price; null where its price is known, or no setting names the model. */
  readonly priceSettings: readonly string[] | null;
}

/** Enters what one question took into the ledger; a question without tokens is not entered. */
function enter({ state, now }: Pick<Context, 'state' | 'now'>, matter: string | null, usage: Usage): void {
  const tokens = usage.tokens_in + usage.tokens_out;
  if (tokens === 0) return;
  state.set('ledger', entered(state.get('ledger'), { model: usage.model, matter, tokens, usd: usage.usd }, now()));
}

/** Returns the price of a model under these settings; null where it is unknown. */
export function priceUnder(settings: Settings, model: string): Price | null {
  const named = PRICED.find(([key]) => settings[key] === model);
  return named === undefined ? priceOf(model, null, null) : priceOf(model, settings[named[1]], settings[named[2]]);
}

/**
 * Returns what a usage takes of the budget. Where the environment limits the money, whoever can edit `steward.md` must not
 * lift that by naming a lower price, or a model of which no price is known.
 */
function takenOf({ env }: Pick<Context, 'env'>, usage: Usage): Spending {
  const cost = costOf(usage);
  if ((env.budgetUsdPerDay ?? null) === null) return cost;
  const { model, tokens_in: tokensIn, tokens_out: tokensOut } = usage;
  return greater(cost, costOf(usageOf(model, { tokensIn, tokensOut }, leastPriceOf(model))));
}

const PRICED = [
  ['model_evaluation', 'model_price_in', 'model_price_out'],
  ['model_extraction', 'model_extraction_price_in', 'model_extraction_price_out'],
] as const;

/** Returns what models took in the last 24 hours and the last 7 days. */
export function costsOf({ state, settings, now }: Pick<Context, 'state' | 'settings' | 'now'>): Costs {
  const ledger = state.get('ledger');
  const window = (ms: number): CostWindow => ({
    ...spentIn(ledger, ms, now()),
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

function priceSettings(model: string, settings: Settings): readonly string[] | null {
  const named = PRICED.find(([key]) => settings[key] === model);
  return named === undefined || priceUnder(settings, model) !== null ? null : named.slice(1);
}

/** Returns the model that reads stream events, with its price. */
export function extractionSetup(settings: Settings): ModelSetup {
  const { model_extraction: model } = settings;
  return { model, price: priceUnder(settings, model) };
}

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

/** Where the cost of an errand is reserved and recorded: the running daemon, or the vault's state. */
export interface BudgetClient {
  reserve(estimate: Usage): Promise<ErrandOrder>;
  record(cost: ErrandCost): Promise<void>;
}

/** What the descriptions of the tools add to a request, generously. */
const TOOL_TOKENS = 1_000;

/** Returns the agent that may be sent under these settings; null where there is no key, or no model may be asked. */
export function agentFor(provider: Provider | null, settings: Settings, budget: BudgetClient): Agent | null {
  if (provider === null || settings.evaluator === 'rules') return null;
  const price = (model: string) => priceUnder(settings, model);
  return new BudgetedAgent(new ToolAgent(provider, price), budget, price);
}

/** Sends an agent within the budget, and never while the provider asks us to wait (contract, section 6). */
export class BudgetedAgent implements Agent {
  readonly #agent: Agent;
  readonly #budget: BudgetClient;
  readonly #priceOf: (model: string) => Price | null;

  constructor(agent: Agent, budget: BudgetClient, priceOf: (model: string) => Price | null) {
    this.#agent = agent;
    this.#budget = budget;
    this.#priceOf = priceOf;
  }

  /** Returns the agent's report. Rejects with `Unanswered` where there is no budget, and as the agent does. */
  async send(errand: Errand, abort: AbortSignal): Promise<Report> {
    const reserved = await this.#budget.reserve(estimateOf(errand, this.#priceOf(errand.model)));
    if (!reserved.ok) throw new Unanswered(reserved.reason, { sent: false });
    let took: Usage | null = null;
    const heard = (usage: Usage) => {
      took = usage;
    };
    try {
      const report = await this.#agent.send({ ...errand, heard }, abort);
      await this.#budget.record({ id: reserved.id, cost: costOf(report.usage), usage: report.usage });
      return report;
    } catch (error) {
      await this.#budget.record({ id: reserved.id, ...costOfFailure(error, took) });
      throw error;
    }
  }
}

/**
 * What one turn of an errand may cost; further turns are recorded afterwards. No script needs more than a token for
 * three bytes.
 */
function estimateOf({ model, system, task, maxTokens }: Errand, price: Price | null): Usage {
  const asked = Buffer.byteLength([...system, ...task].join(''));
  return usageOf(model, { tokensIn: Math.ceil(asked / 3) + TOOL_TOKENS, tokensOut: maxTokens }, price);
}

// A request that was refused before it was read cost nothing. If it may have been read, the estimate stands, but never
// less than the usage of the replies that came before.
function costOfFailure(error: unknown, took: Usage | null): Omit<ErrandCost, 'id'> {
  const { sent, retryAfter } = error instanceof Unanswered ? error : { sent: true, retryAfter: undefined };
  const waited = retryAfter === undefined ? {} : { retryAfter };
  if (took === null) return { cost: sent ? null : { tokens: 0, usd: 0 }, ...waited };
  return { cost: retryAfter === undefined ? null : costOf(took), usage: took, ...waited };
}

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
