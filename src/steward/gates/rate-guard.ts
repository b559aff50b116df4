import { z } from 'zod';
import { lastDay, since } from './sliding-window.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DEFAULT_BACKOFF_SECONDS = 60;

const WINDOWS = {
  minute: { ms: MINUTE, cap: 60 },
  hour: { ms: HOUR, cap: 600 },
  day: { ms: DAY, cap: 6000 },
  task: { ms: DAY, cap: 6 },
  matter: { ms: DAY, cap: 50 },
} as const;
type Window = keyof typeof WINDOWS;
const WINDOW_NAMES = Object.keys(WINDOWS) as readonly Window[];

/** What can refuse a reservation: one of the five windows, or a provider's backoff. */
export type GuardWindow = Window | 'backoff';

const entry = z.object({
  id: z.number().int(),
  /** Epoch milliseconds. */
  at: z.number(),
  task: z.string().nullable(),
  matter: z.string().nullable(),
});
type Entry = z.infer<typeof entry>;

/**
 * `.steward/state/rate-guard.json`: what was spent in the last day, oldest first, and until when nothing is asked.
 * Never more than a day's cap of entries, so that the file stays bounded whatever is read from it.
 */
export const rateGuardState = z.object({
  nextId: z.number().int().catch(0),
  entries: z
    .array(entry)
    .transform((entries) => entries.toSorted((one, other) => one.at - other.at).slice(-WINDOWS.day.cap)),
  backoffUntil: z.number().nullable().catch(null),
});
export type RateGuardState = z.infer<typeof rateGuardState>;

/** Who wants to spend. `asksModel` false for what a provider's backoff does not concern. */
export interface GuardTarget {
  readonly kind: 'task' | 'matter';
  readonly path: string;
  /** The task's matter; a matter is its own. */
  readonly matter: string | null;
  readonly asksModel: boolean;
}

export type Reservation =
  | { readonly ok: true; readonly state: RateGuardState; readonly id: number }
  | {
      readonly ok: false;
      readonly window: GuardWindow;
      readonly cap: number;
      readonly used: number;
      /** Epoch milliseconds: the first moment at which this window has room again. */
      readonly freeAt: number;
      readonly state: RateGuardState;
    };

interface WindowUsage {
  readonly used: number;
  readonly cap: number;
}

export function emptyGuard(): RateGuardState {
  return { nextId: 0, entries: [], backoffUntil: null };
}

/**
 * Takes one place in each window that concerns the target, or says which window is full (contract, section 6). The
 * returned state is to be kept in either case: it is where a clock that was set back has been settled.
 */
export function reserve(state: RateGuardState, target: GuardTarget, now: number): Reservation {
  const settled = prune(state, now);
  const refusal = refusalOf(settled, target, now);
  if (refusal !== null) return { ok: false, ...refusal, state: settled };
  const id = settled.nextId;
  const taken: Entry = { id, at: now, task: taskOf(target), matter: matterOf(target) };
  return { ok: true, id, state: { ...settled, nextId: id + 1, entries: [...settled.entries, taken] } };
}

/** Gives a place back that was not used. */
export function release(state: RateGuardState, id: number): RateGuardState {
  return { ...state, entries: state.entries.filter((one) => one.id !== id) };
}

/** A provider's 429: nothing is asked for so long (60 s where it names no time, 24 h at most). Never shortens a longer one. */
export function backoff(state: RateGuardState, retryAfterSeconds: number | null, now: number): RateGuardState {
  const named = retryAfterSeconds !== null && Number.isFinite(retryAfterSeconds) && retryAfterSeconds >= 0;
  const seconds = named ? retryAfterSeconds : DEFAULT_BACKOFF_SECONDS;
  const until = now + Math.min(Math.ceil(seconds * 1000), DAY);
  return { ...state, backoffUntil: Math.max(until, backoffUntil(state, now) ?? until) };
}

/** Until when nothing may be asked of a provider, or null where it may be asked now. */
export function backoffUntil(state: RateGuardState, now: number): number | null {
  if (state.backoffUntil === null || state.backoffUntil <= now) return null;
  return Math.min(state.backoffUntil, now + DAY);
}

/** How full each window is; for tasks and matters, the one that spent most. */
export function usage(state: RateGuardState, now: number): Readonly<Record<Window, WindowUsage>> {
  const { entries } = prune(state, now);
  const shared = (window: Window) => since(entries, WINDOWS[window].ms, now).length;
  return {
    minute: { used: shared('minute'), cap: WINDOWS.minute.cap },
    hour: { used: shared('hour'), cap: WINDOWS.hour.cap },
    day: { used: shared('day'), cap: WINDOWS.day.cap },
    task: { used: most(entries.map((one) => one.task)), cap: WINDOWS.task.cap },
    matter: { used: most(entries.map((one) => one.matter)), cap: WINDOWS.matter.cap },
  };
}

/** The state as it is now: what is a day old is dropped, and what a clock set back left in the future is settled. */
function prune(state: RateGuardState, now: number): RateGuardState {
  return { ...state, entries: lastDay(state.entries, now), backoffUntil: backoffUntil(state, now) };
}

type Refusal = Omit<Extract<Reservation, { ok: false }>, 'ok' | 'state'>;

/** Of the windows that are full, the one that stays full longest: before it frees, nothing goes. */
function refusalOf(state: RateGuardState, target: GuardTarget, now: number): Refusal | null {
  const full = WINDOW_NAMES.map((window) => fullWindow(window, state.entries, target, now));
  const candidates = [target.asksModel ? backoffRefusal(state) : null, ...full].filter((one) => one !== null);
  return candidates.reduce<Refusal | null>(
    (one, other) => (one === null || other.freeAt > one.freeAt ? other : one),
    null,
  );
}

function backoffRefusal({ backoffUntil: until }: RateGuardState): Refusal | null {
  return until === null ? null : { window: 'backoff', cap: 0, used: 0, freeAt: until };
}

function fullWindow(window: Window, entries: readonly Entry[], target: GuardTarget, now: number): Refusal | null {
  const { ms, cap } = WINDOWS[window];
  const inside = since(entries, ms, now).filter((one) => concerns(window, one, target));
  // With one more than the cap allows gone, there is room for one.
  const leaving = inside[inside.length - cap];
  return leaving === undefined ? null : { window, cap, used: inside.length, freeAt: leaving.at + ms };
}

function concerns(window: Window, one: Entry, target: GuardTarget): boolean {
  if (window === 'task') return one.task !== null && one.task === taskOf(target);
  if (window === 'matter') return one.matter !== null && one.matter === matterOf(target);
  return true;
}

function taskOf({ kind, path }: GuardTarget): string | null {
  return kind === 'task' ? path : null;
}

function matterOf({ kind, path, matter }: GuardTarget): string | null {
  return kind === 'matter' ? path : matter;
}

function most(names: readonly (string | null)[]): number {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}
