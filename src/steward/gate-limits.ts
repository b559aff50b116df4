import { z } from 'zod';
import { utc } from '../vault/time.ts';
import { backoffUntil, lastDay, longestRefusal, type RateGuardState } from './gates.ts';
import type { Gate } from './gates-gate.ts';
import { round4 } from './gates-rounding.ts';
import type { Usage } from './ports/evaluator.ts';

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
  /** False while the entry holds what the call is expected to cost. */
  settled: z.boolean(),
});

/** `.steward/state/budget.json`: what was spent on models in the last day, oldest first. */
export const budgetState = z.lazy(() =>
  z.object({
    nextId: z.number().int().catch(0),
    entries: z
      .array(entry)
      .transform((entries) => entries.toSorted((one, other) => one.at - other.at).slice(-MOST_ENTRIES)),
  }),
);
export type BudgetState = z.infer<typeof budgetState>;

/** What may be spent in any 24 hours; null for no limit. */
export interface BudgetCaps {
  readonly vaultTokens: number | null;
  readonly vaultUsd: number | null;
  readonly matterTokens: number | null;
  readonly matterUsd: number | null;
}

/** What calls cost together. */
export interface Spending {
  readonly tokens: number;
  /** US dollars. */
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

/** The window that a call does not fit in. */
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

/** Returns the state of a budget of which nothing is spent. */
export function emptyBudget(): BudgetState {
  return { nextId: 0, entries: [] };
}

/**
 * Sets aside what a call is expected to cost before it is made, or names the window of 24 hours that it does not fit
 * in. A window that is used up also refuses a call that is expected to cost nothing.
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
  return { ok: true, id, state: { nextId: id + 1, entries: [...current.entries, reserved] } };
}

/** Replaces what was set aside for a call by what it did cost. */
export function recordSpend(state: BudgetState, id: number, cost: Spending): BudgetState {
  return { ...state, entries: state.entries.map((one) => (one.id === id ? { ...one, ...cost, settled: true } : one)) };
}

/** Gives back what was set aside for a call that was never made, or that cost nothing. */
export function releaseSpend(state: BudgetState, id: number): BudgetState {
  return { ...state, entries: state.entries.filter((one) => one.id !== id) };
}

/** Returns what was spent in the last 24 hours, including what is set aside: on one matter, or on all together. */
export function spent(state: BudgetState, now: number, matter: string | null = null): Spending {
  const entries = lastDay(state.entries, now).filter((one) => matter === null || one.matter === matter);
  return { tokens: sumOf(entries, 'tokens'), usd: sumOf(entries, 'usd') };
}

/** Returns the matters on which something was spent in the last 24 hours, by name. */
export function spenders(state: BudgetState, now: number): string[] {
  const matters = lastDay(state.entries, now).flatMap((one) => one.matter ?? []);
  return [...new Set(matters)].sort();
}

/**
 * Returns the cost to expect of a call where the evaluator names none: that of the dearest call of the last 24 hours.
 */
export function maxSpend(state: BudgetState, now: number): Spending {
  const entries = lastDay(state.entries, now);
  return {
    tokens: Math.max(0, ...entries.map((one) => one.tokens)),
    usd: Math.max(0, ...entries.map((one) => one.usd)),
  };
}

/** Returns what a usage costs. A model without a price costs tokens alone. */
export function costOf({ tokens_in, tokens_out, usd }: Usage): Spending {
  return { tokens: tokens_in + tokens_out, usd: usd ?? 0 };
}

/** Returns a cost that covers either of two. */
export function greater(one: Spending, other: Spending): Spending {
  return { tokens: Math.max(one.tokens, other.tokens), usd: Math.max(one.usd, other.usd) };
}

/** Returns the budget's refusal as a gate, as the event note and `explain` name it. */
export function budgetGate({ window, used, cap, asked, freeAt }: BudgetRefusal): Gate {
  const unit = window.includes('usd') ? 'USD' : 'tokens';
  const whose = window.includes('matter') ? 'by this matter in a day' : 'in a day';
  const next = asked > 0 ? `, and the next call may take ${round4(asked)}` : '';
  const sentence = `budget: ${round4(used)} of ${round4(cap)} ${unit} used ${whose}${next}; free at ${utc(freeAt)}.`;
  return { name: 'budget', held: false, figure: used, threshold: cap, sentence };
}

type Call = Parameters<typeof reserveSpend>[1];

/** Of the windows that the call does not fit in, the one that has room last. */
function refusalOf(state: BudgetState, call: Call, caps: BudgetCaps, now: number): BudgetRefusal | null {
  const mine = state.entries.filter((one) => call.matter !== null && one.matter === call.matter);
  return longestRefusal([
    fullWindow('budget_tokens_per_day', state.entries, 'tokens', caps.vaultTokens, call, now),
    fullWindow('budget_usd_per_day', state.entries, 'usd', caps.vaultUsd, call, now),
    ...(call.matter === null
      ? []
      : [
          fullWindow('budget_tokens_per_matter_per_day', mine, 'tokens', caps.matterTokens, call, now),
          fullWindow('budget_usd_per_matter_per_day', mine, 'usd', caps.matterUsd, call, now),
        ]),
  ]);
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
  // A call that never fits is tried again in a day.
  return { window, used, cap, asked, freeAt: freeAt(entries, unit, used, asked, cap) ?? now + DAY_BUDGET };
}

/** The moment at which enough has left the window; null where the call never fits. */
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
    if (fits(left, asked, cap)) return one.at + DAY_BUDGET;
  }
  return null;
}

// The slack only forgives the floating point error of summed cents.
function fits(used: number, asked: number, cap: number): boolean {
  return used + asked <= cap + 1e-9 && used < cap - 1e-9;
}

function sumOf(entries: BudgetState['entries'], unit: keyof Spending): number {
  return entries.reduce((sum, one) => sum + one[unit], 0);
}

const HOUR = 60 * 60 * 1000;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;
/** Beyond this many, the older rows no longer say on which matter, so that the file stays bounded. */
const MOST_ROWS = 1500;

const row = z.lazy(() =>
  z.object({
    /** The hour it was spent in, by its start (epoch ms). */
    hour: z.number(),
    model: z.string(),
    /** The matter it was spent on; null where there is none, or it is no longer known. */
    matter: z.string().nullable(),
    questions: z.number().int().min(0),
    tokens: z.number().min(0),
    /** US dollars, for the questions that had a price. */
    usd: z.number().min(0),
    /** How many questions went to a model without a price. */
    unpriced: z.number().int().min(0),
  }),
);
type Row = z.infer<typeof row>;

/** `.steward/state/ledger.json`: what models took in the last week, hour by hour, oldest first. */
export const ledgerState = z.lazy(() => z.object({ rows: z.array(row) }));
export type LedgerState = z.infer<typeof ledgerState>;

/** What one answered question took. */
export interface LedgerEntry {
  readonly model: string;
  readonly matter: string | null;
  readonly tokens: number;
  /** Null where the model has no price. */
  readonly usd: number | null;
}

/** What some questions took together. */
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
export function spentIn({ rows }: LedgerState, ms: number, now: number): Sum {
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

const MINUTE = 60_000;

/**
 * The windows in which every question to a provider takes a place (contract, section 6). Looks at notes have windows of
 * their own, so that a look that asks no model isn't held back by a provider.
 */
const WINDOWS = {
  questions_per_minute: { ms: MINUTE, cap: 60 },
  questions_per_hour: { ms: 60 * MINUTE, cap: 600 },
  questions_per_day: { ms: 24 * 60 * MINUTE, cap: 6000 },
} as const;
type Window = keyof typeof WINDOWS;
const NAMES = Object.keys(WINDOWS) as readonly Window[];

/** What can refuse a question: one of the three windows, or a provider's backoff. */
export type QuestionWindow = Window | 'backoff';

/** Why a question may not be put now, and until when (epoch ms). */
interface QuestionRefusal {
  readonly window: QuestionWindow;
  readonly cap: number;
  readonly used: number;
  readonly freeAt: number;
}

/** Places for questions, or why there are none. The state is to be kept in either case. */
interface QuestionPlaces {
  readonly state: RateGuardState;
  readonly refusal: QuestionRefusal | null;
}

/**
 * Takes a place for each of `count` questions, or says what refuses them. A place that was taken stays taken, whatever
 * became of the question. With a count of 0 only a backoff refuses.
 */
export function takeQuestions(state: RateGuardState, count: number, now: number): QuestionPlaces {
  const questions = timesOf(state, now);
  const current = { ...state, questions, backoffUntil: backoffUntil(state, now) };
  const refusal = refusalOfQuestions(current, count, now);
  if (refusal !== null || count === 0) return { state: current, refusal };
  return { state: { ...current, questions: [...questions, ...Array<number>(count).fill(now)] }, refusal };
}

/** Returns why the next question may not be put now, or null where it may. Takes no place. */
export function questionRefusal(state: RateGuardState, now: number): QuestionRefusal | null {
  return takeQuestions(state, 1, now).refusal;
}

/** Returns how many questions may be put now. */
export function roomForQuestions(state: RateGuardState, now: number): number {
  if (backoffUntil(state, now) !== null) return 0;
  return Math.max(0, Math.min(...Object.values(questionUsage(state, now)).map(({ used, cap }) => cap - used)));
}

/** Returns how full each window is. */
export function questionUsage(
  state: RateGuardState,
  now: number,
): Readonly<Record<'minute' | 'hour' | 'day', { readonly used: number; readonly cap: number }>> {
  const times = timesOf(state, now);
  const shown = (window: Window) => ({ used: inside(times, window, now).length, cap: WINDOWS[window].cap });
  return {
    minute: shown('questions_per_minute'),
    hour: shown('questions_per_hour'),
    day: shown('questions_per_day'),
  };
}

/** Returns a refusal as a gate, as the event note and `explain` name it. */
export function questionGate({ window, used, cap, freeAt }: QuestionRefusal): Gate {
  const full = window === 'backoff' ? 'the provider asked for a pause' : `${used} of ${cap} ${PER[window]}`;
  const sentence = `rate guard: ${full}; free at ${utc(freeAt)}.`;
  return { name: 'rate_guard', held: false, figure: used, threshold: cap, sentence };
}

const PER: Readonly<Record<Window, string>> = {
  questions_per_minute: 'questions to models asked this minute',
  questions_per_hour: 'questions to models asked this hour',
  questions_per_day: 'questions to models asked in a day',
};

// With the same forbearance for a clock that was set back as for looks.
function timesOf({ questions }: RateGuardState, now: number): number[] {
  return lastDay(
    questions.map((at) => ({ at })),
    now,
  ).map(({ at }) => at);
}

function refusalOfQuestions(state: RateGuardState, count: number, now: number): QuestionRefusal | null {
  const { backoffUntil: until, questions } = state;
  const held = until === null ? null : { window: 'backoff' as const, cap: 0, used: 0, freeAt: until };
  if (count === 0) return held;
  return longestRefusal<QuestionRefusal>([
    held,
    ...NAMES.map((window) => fullWindowQuestions(window, questions, count, now)),
  ]);
}

function fullWindowQuestions(
  window: Window,
  times: readonly number[],
  count: number,
  now: number,
): QuestionRefusal | null {
  const { ms, cap } = WINDOWS[window];
  const taken = inside(times, window, now);
  const over = taken.length + count - cap;
  if (over <= 0) return null;
  // Once this one has left the window, there is room. Where there never is, it is tried again when the window is empty.
  const leaving = taken[Math.min(over, taken.length) - 1] ?? now;
  return { window, cap, used: taken.length, freeAt: leaving + ms };
}

/** The moments of the last minute, hour or day: the tail of a list that is oldest first. */
function inside(times: readonly number[], window: Window, now: number): readonly number[] {
  const first = times.findLastIndex((at) => at <= now - WINDOWS[window].ms) + 1;
  return times.slice(first);
}
