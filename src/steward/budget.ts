import { z } from 'zod';
import { knownProviders, type Price } from '../vault/data.ts';
import { utc } from '../vault/time.ts';
import { type Gate, round4 } from './gates.ts';
import { lastDay, longestRefusal } from './rate-guard.ts';
import type { Settings } from './settings.ts';
import type { Usage } from './types.ts';

const DAY_BUDGET = 24 * 60 * 60 * 1000;
/** More than a day's questions of any kind, so that the file stays bounded whatever was written into it. */
const MOST_ENTRIES = 20_000;

const entry = z.object({
  id: z.number().int(),
  /** Epoch milliseconds. */
  at: z.number(),
  /** The matter it was spent on; null for a task without one. */
  matter: z.string().nullable(),
  tokens: z.number().min(0),
  /** US dollars. */
  usd: z.number().min(0),
  /** False while the entry has the expected cost of the call. */
  settled: z.boolean(),
  /** What was set aside for it in the shared budget; absent without one. */
  shared: z.string().optional(),
});

/** `.steward/state/budget.json`: the spending on models in the last day, oldest first. */
export const budgetState = z.object({
  nextId: z.number().int().catch(0),
  entries: z
    .array(entry)
    .transform((entries) => entries.toSorted((one, other) => one.at - other.at).slice(-MOST_ENTRIES)),
  /** Until when it counts as spent, because it couldn't be read (epoch ms). */
  spentUntil: z.number().nullable().default(null),
});
export type BudgetState = z.infer<typeof budgetState>;

/** The limits of spending in any 24 hours; null for no limit. */
export interface BudgetCaps {
  readonly vaultTokens: number | null;
  readonly vaultUsd: number | null;
  readonly matterTokens: number | null;
  readonly matterUsd: number | null;
}

export interface Spending {
  readonly tokens: number;
  /** US dollars. */
  readonly usd: number;
}

/** The limits of a budget in any 24 hours; null for no limit. */
export interface SpendingCaps {
  readonly tokens: number | null;
  readonly usd: number | null;
}

/** Calls of the last day that several vaults paid for, oldest first. */
interface SharedSpending {
  readonly entries: readonly SpentEntry[];
  /** Until when it counts as spent, because a part of it couldn't be read (epoch ms). */
  readonly spentUntil: number | null;
}

type SpentEntry = Spending & { readonly at: number };

/** A budget on top of those of several vaults, which is kept outside of them. */
export interface SharedBudget {
  /** Sets aside what a call is expected to cost, on disk before it is made. Throws what the disk refuses. */
  reserve(cost: Spending, now: number): { readonly ok: true; readonly id: string } | SharedRefusal;
  /** Returns the window that a call doesn't fit in now, or null. Reserves nothing. */
  refusal(cost: Spending, now: number): BudgetRefusal | null;
  /** Replaces what was set aside by the cost, zero if the call was free. Ignores an id of earlier days. Doesn't throw. */
  record(id: string, cost: Spending): void;
  /** Returns what was spent in the last 24 hours, and the limits. */
  spent(now: number): Spending & { readonly caps: SpendingCaps };
}

interface SharedRefusal {
  readonly ok: false;
  readonly refusal: BudgetRefusal;
}

/** The windows of the budget, as the event note of a refusal names them. */
const BUDGET_WINDOWS = [
  'budget_tokens_per_day',
  'budget_usd_per_day',
  'budget_tokens_per_matter_per_day',
  'budget_usd_per_matter_per_day',
  'shared_budget_tokens_per_day',
  'shared_budget_usd_per_day',
] as const;
export type BudgetWindow = (typeof BUDGET_WINDOWS)[number];

/** The window that a call does not fit in. */
export interface BudgetRefusal {
  readonly window: BudgetWindow;
  readonly used: number;
  readonly cap: number;
  /** The expected cost of the call, in the window's own unit. */
  readonly asked: number;
  /** Epoch milliseconds: the first moment at which the call fits. */
  readonly freeAt: number;
}

type Allowance =
  | { readonly ok: true; readonly state: BudgetState; readonly id: number }
  | { readonly ok: false; readonly state: BudgetState; readonly refusal: BudgetRefusal };

/** Returns the state of an unspent budget. */
export function emptyBudget(): BudgetState {
  return { nextId: 0, entries: [], spentUntil: null };
}

/**
 * Returns the state of a budget whose spending is unknown: until that has left the window, all of it counts as spent.
 */
export function unreadableBudget(now: number): BudgetState {
  return { ...emptyBudget(), spentUntil: now + DAY_BUDGET };
}

/**
 * Sets aside what a call is expected to cost before it is made, or names the window of 24 hours that it does not fit
 * in. A window that is used up also refuses a call that is expected to be free.
 */
export function reserveSpend(
  state: BudgetState,
  call: { readonly matter: string | null; readonly cost: Spending },
  caps: BudgetCaps,
  now: number,
): Allowance {
  const current = { ...state, entries: lastDay(state.entries, now) };
  const refusal = refusalOf(current, call, caps, now);
  if (refusal !== null) return { ok: false, state: current, refusal };
  const id = current.nextId;
  const reserved = { id, at: now, matter: call.matter, ...call.cost, settled: false };
  return { ok: true, id, state: { ...current, nextId: id + 1, entries: [...current.entries, reserved] } };
}

/** Remembers what was set aside for a call in the shared budget. */
export function linkShared(state: BudgetState, id: number, shared: string): BudgetState {
  return { ...state, entries: state.entries.map((one) => (one.id === id ? { ...one, shared } : one)) };
}

/** Returns the window of a shared budget that a call doesn't fit in, or null. */
export function findSharedRefusal(
  { entries, spentUntil }: SharedSpending,
  cost: Spending,
  caps: SpendingCaps,
  now: number,
): BudgetRefusal | null {
  const current = lastDay(entries, now);
  return longestRefusal([
    unknownWindow(
      spentUntil,
      [
        ['shared_budget_usd_per_day', caps.usd],
        ['shared_budget_tokens_per_day', caps.tokens],
      ],
      now,
    ),
    fullWindow('shared_budget_tokens_per_day', current, 'tokens', caps.tokens, cost, now),
    fullWindow('shared_budget_usd_per_day', current, 'usd', caps.usd, cost, now),
  ]);
}

/** Replaces what was set aside for a call by what it did cost. */
export function recordSpend(state: BudgetState, id: number, cost: Spending): BudgetState {
  return { ...state, entries: state.entries.map((one) => (one.id === id ? { ...one, ...cost, settled: true } : one)) };
}

/** Gives back what was set aside for a call that was never made, or was free. */
export function releaseSpend(state: BudgetState, id: number): BudgetState {
  return { ...state, entries: state.entries.filter((one) => one.id !== id) };
}

/** Returns what was spent in the last 24 hours, including what is set aside: on one matter, or on all together. */
export function spent(state: BudgetState, now: number, matter: string | null = null): Spending {
  return sumLastDay(
    state.entries.filter((one) => matter === null || one.matter === matter),
    now,
  );
}

/** Returns what these calls of the last 24 hours took. */
export function sumLastDay(entries: readonly SpentEntry[], now: number): Spending {
  const current = lastDay(entries, now);
  return { tokens: sumOf(current, 'tokens'), usd: sumOf(current, 'usd') };
}

/** Returns the matters on which something was spent in the last 24 hours, by name. */
export function spenders(state: BudgetState, now: number): string[] {
  const matters = lastDay(state.entries, now).flatMap((one) => one.matter ?? []);
  return [...new Set(matters)].sort();
}

/**
 * Returns the cost to expect of a call if the evaluator doesn't name one: that of the dearest call of the last 24
 * hours.
 */
export function maxSpend(state: BudgetState, now: number): Spending {
  const entries = lastDay(state.entries, now);
  return {
    tokens: Math.max(0, ...entries.map((one) => one.tokens)),
    usd: Math.max(0, ...entries.map((one) => one.usd)),
  };
}

/** Returns what a usage costs. A model without a price costs tokens alone. */
export function sumCost({ tokens_in, tokens_out, usd }: Usage): Spending {
  return { tokens: tokens_in + tokens_out, usd: usd ?? 0 };
}

/** Returns a cost that covers either of two. */
export function greater(one: Spending, other: Spending): Spending {
  return { tokens: Math.max(one.tokens, other.tokens), usd: Math.max(one.usd, other.usd) };
}

/** Returns the budget's refusal as a gate, as the event note and `explain` name it. */
export function budgetGate({ window, used, cap, asked, freeAt }: BudgetRefusal): Gate {
  const unit = window.includes('usd') ? 'USD' : 'tokens';
  const shared = window.startsWith('shared') ? 'in a day by all vaults that share the budget' : 'in a day';
  const whose = window.includes('matter') ? 'by this matter in a day' : shared;
  const next = asked > 0 ? `, and the next call may take ${round4(asked)}` : '';
  const sentence = `budget: ${round4(used)} of ${round4(cap)} ${unit} used ${whose}${next}; free at ${utc(freeAt)}.`;
  return { name: 'budget', held: false, figure: used, threshold: cap, sentence };
}

type Call = Parameters<typeof reserveSpend>[1];

/** Of the windows that the call does not fit in, the one that has room last. */
function refusalOf(state: BudgetState, call: Call, caps: BudgetCaps, now: number): BudgetRefusal | null {
  const mine = state.entries.filter((one) => call.matter !== null && one.matter === call.matter);
  return longestRefusal([
    unknownWindow(
      state.spentUntil,
      CAPS.map(([name, key]) => [name, caps[key]]),
      now,
    ),
    fullWindow('budget_tokens_per_day', state.entries, 'tokens', caps.vaultTokens, call.cost, now),
    fullWindow('budget_usd_per_day', state.entries, 'usd', caps.vaultUsd, call.cost, now),
    ...(call.matter === null
      ? []
      : [
          fullWindow('budget_tokens_per_matter_per_day', mine, 'tokens', caps.matterTokens, call.cost, now),
          fullWindow('budget_usd_per_matter_per_day', mine, 'usd', caps.matterUsd, call.cost, now),
        ]),
  ]);
}

function unknownWindow(
  spentUntil: number | null,
  windows: readonly (readonly [BudgetWindow, number | null])[],
  now: number,
): BudgetRefusal | null {
  // A moment further ahead was written by a wrong clock.
  if (spentUntil === null || spentUntil <= now || spentUntil > now + DAY_BUDGET) return null;
  const [window, cap] = windows.find(([, limit]) => limit !== null) ?? [];
  if (window === undefined || cap == null) return null;
  return { window, used: cap, cap, asked: 0, freeAt: spentUntil };
}

const CAPS: readonly (readonly [BudgetWindow, keyof BudgetCaps])[] = [
  ['budget_usd_per_day', 'vaultUsd'],
  ['budget_tokens_per_day', 'vaultTokens'],
  ['budget_usd_per_matter_per_day', 'matterUsd'],
  ['budget_tokens_per_matter_per_day', 'matterTokens'],
];

function fullWindow(
  window: BudgetWindow,
  entries: readonly SpentEntry[],
  unit: keyof Spending,
  cap: number | null,
  cost: Spending,
  now: number,
): BudgetRefusal | null {
  if (cap === null) return null;
  const [used, asked] = [sumOf(entries, unit), cost[unit]];
  if (fits(used, asked, cap)) return null;
  // A call that never fits is tried again in a day.
  return { window, used, cap, asked, freeAt: freeAt(entries, unit, used, asked, cap) ?? now + DAY_BUDGET };
}

/** The moment at which enough has left the window; null if the call never fits. */
function freeAt(
  entries: readonly SpentEntry[],
  unit: keyof Spending,
  used: number,
  asked: number,
  cap: number,
): number | null {
  let left = used;
  for (const one of entries) {
    left -= one[unit];
    if (fits(left, asked, cap)) return one.at + DAY_BUDGET;
  }
  return null;
}

// The slack only forgives the floating point error of summed cents.
function fits(used: number, asked: number, cap: number): boolean {
  return used + asked <= cap + 1e-9 && used < cap - 1e-9;
}

function sumOf(entries: readonly Spending[], unit: keyof Spending): number {
  return entries.reduce((sum, one) => sum + one[unit], 0);
}

const HOUR = 60 * 60 * 1000;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;
/** Beyond this many, the older rows no longer say on which matter, so that the file stays bounded. */
const MOST_ROWS = 1500;

const row = z.object({
  /** The hour it was spent in, by its start (epoch ms). */
  hour: z.number(),
  model: z.string(),
  /** The matter it was spent on; null if there isn't one, or it is no longer known. */
  matter: z.string().nullable(),
  questions: z.number().int().min(0),
  tokens: z.number().min(0),
  /** US dollars, for the questions that had a price. */
  usd: z.number().min(0),
  /** How many questions went to a model without a price. */
  unpriced: z.number().int().min(0),
});
type Row = z.infer<typeof row>;

/** `.steward/state/ledger.json`: the use of models in the last week, hour by hour, oldest first. */
export const ledgerState = z.object({ rows: z.array(row) });
export type LedgerState = z.infer<typeof ledgerState>;

export interface LedgerEntry {
  readonly model: string;
  readonly matter: string | null;
  readonly tokens: number;
  /** Null if the model has no price. */
  readonly usd: number | null;
}

export type Sum = Pick<Row, 'questions' | 'tokens' | 'usd' | 'unpriced'>;

/** Returns a ledger without rows. */
export function emptyLedger(): LedgerState {
  return { rows: [] };
}

/** Returns the ledger with one more entry, and without what is more than a week old. `now`: epoch ms. */
export function entered({ rows }: LedgerState, { model, matter, tokens, usd }: LedgerEntry, now: number): LedgerState {
  const hour = hourOf(now);
  const made = { hour, model, matter, questions: 1, tokens, usd: usd ?? 0, unpriced: usd === null ? 1 : 0 };
  // Rows that a clock running ahead has dated in the future count from now on.
  const known = rows.map((one) => (one.hour > hour ? { ...one, hour } : one));
  return { rows: bounded(withRow(within(known, WEEK, now), made)) };
}

/** Returns what was used in the last `ms`. An hour that has partly left that time still counts whole. */
export function sumSpending({ rows }: LedgerState, ms: number, now: number): Sum {
  return sumOfUsageLedger(within(rows, ms, now));
}

/** Returns what was used in the last `ms` for each model, or for each known matter, the dearest first. */
export function spentBy(key: 'model' | 'matter', { rows }: LedgerState, ms: number, now: number): [string, Sum][] {
  const named = within(rows, ms, now).filter((one) => one[key] !== null);
  const groups = [...Map.groupBy(named, (one) => one[key] ?? '')];
  return groups
    .map(([name, group]): [string, Sum] => [name, sumOfUsageLedger(group)])
    .sort(([, a], [, b]) => dearer(a, b));
}

function dearer(one: Sum, other: Sum): number {
  return other.usd - one.usd || other.tokens - one.tokens;
}

function within(rows: readonly Row[], ms: number, now: number): readonly Row[] {
  return rows.filter(({ hour }) => hour + HOUR > now - ms);
}

function bounded(rows: readonly Row[]): Row[] {
  if (rows.length <= MOST_ROWS) return [...rows];
  const split = rows.length - MOST_ROWS / 2;
  const older = rows.slice(0, split).map((one) => ({ ...one, matter: null }));
  return [...summed(older), ...rows.slice(split)].slice(-MOST_ROWS);
}

function withRow(rows: readonly Row[], made: Row): readonly Row[] {
  const key = keyOf(made);
  const at = rows.findLastIndex((one) => one.hour === made.hour && keyOf(one) === key);
  const found = rows[at];
  return found === undefined ? [...rows, made] : rows.with(at, { ...made, ...sumOfUsageLedger([found, made]) });
}

function keyOf({ hour, model, matter }: Row): string {
  return JSON.stringify([hour, model, matter]);
}

/** One row for each hour, model and matter. */
function summed(rows: readonly Row[]): Row[] {
  const groups = Map.groupBy(rows, keyOf);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first, ...sumOfUsageLedger(group) }];
  });
}

function sumOfUsageLedger(rows: readonly Sum[]): Sum {
  const sum = (figure: keyof Sum) => rows.reduce((total, one) => total + one[figure], 0);
  return { questions: sum('questions'), tokens: sum('tokens'), usd: sum('usd'), unpriced: sum('unpriced') };
}

function hourOf(at: number): number {
  return at - (at % HOUR);
}

interface Tokens {
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** Returns what this many tokens cost. `usd` is null without a price. */
export function computeUsage(model: string, { tokensIn, tokensOut }: Tokens, price: Price | null): Usage {
  const usd = price === null ? null : (tokensIn * price.read + tokensOut * price.written) / 1_000_000;
  return { model, tokens_in: tokensIn, tokens_out: tokensOut, usd };
}

/** Which model to ask, and what it costs. */
export interface ModelSetup {
  readonly model: string;
  /** Null if no price is known. */
  readonly price: Price | null;
}

/** Returns the price of a model: the one that a person set, else the known one, else null. */
export function findPrice(model: string, read: number | null, written: number | null): Price | null {
  if (read !== null && written !== null) return { read, written };
  const undated = model.replace(/-\d{8}$/, '');
  const { prices } = knownProviders();
  return Object.hasOwn(prices, undated) ? (prices[undated] ?? null) : null;
}

/** Returns the known price of a model, whatever the settings say; of one that is not known, that of the dearest. */
export function lowestPrice(model: string): Price {
  const known = Object.values(knownProviders().prices);
  return findPrice(model, null, null) ?? known.reduce((one, other) => (other.written > one.written ? other : one));
}

/** Returns the price of a model under these settings; null if it is unknown. */
export function priceUnder(settings: Settings, model: string): Price | null {
  const named = PRICED.find(([key]) => settings[key] === model);
  return named === undefined ? findPrice(model, null, null) : findPrice(model, settings[named[1]], settings[named[2]]);
}

const PRICED = [
  ['model_evaluation', 'model_price_in', 'model_price_out'],
  ['model_extraction', 'model_extraction_price_in', 'model_extraction_price_out'],
] as const;

export function priceSettings(model: string, settings: Settings): readonly string[] | null {
  const named = PRICED.find(([key]) => settings[key] === model);
  return named === undefined || priceUnder(settings, model) !== null ? null : named.slice(1);
}

/** Returns the model that reads stream events, with its price. */
export function extractionSetup(settings: Settings): ModelSetup {
  const { model_extraction: model } = settings;
  return { model, price: priceUnder(settings, model) };
}
