import { z } from 'zod';

const DAY = 24 * 60 * 60 * 1000;

/** Something that was spent at a moment (epoch ms). */
interface Spent {
  readonly at: number;
}

/** Returns the entries of the last `ms`: the tail of a list that is oldest first. An entry exactly `ms` old is out. */
export function since<Entry extends Spent>(entries: readonly Entry[], ms: number, now: number): readonly Entry[] {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.at ?? now) > now - ms) high = middle;
    else low = middle + 1;
  }
  return entries.slice(low);
}

/**
 * Returns what was spent in the last day, oldest first. A clock that was set back leaves entries in the future. The
 * newest of them counts as made now, and the others keep their distance from it. So setting the clock back neither
 * frees what was spent nor holds it longer than its day.
 */
export function lastDay<Entry extends Spent>(entries: readonly Entry[], now: number): Entry[] {
  const ahead = (entries.at(-1)?.at ?? now) - now;
  if (ahead <= 0) return [...since(entries, DAY, now)];
  const moved = entries.map((one) => (one.at > now ? { ...one, at: one.at - ahead } : one));
  return [
    ...since(
      moved.toSorted((one, other) => one.at - other.at),
      DAY,
      now,
    ),
  ];
}

/** Something that refuses until a moment (epoch ms). */
interface Refusal {
  readonly freeAt: number;
}

/** Returns the refusal that lasts longest, or null where there is none: before it ends, nothing goes through. */
export function longestRefusal<One extends Refusal>(refusals: readonly (One | null)[]): One | null {
  return refusals.reduce<One | null>(
    (longest, other) => (longest === null || (other !== null && other.freeAt > longest.freeAt) ? other : longest),
    null,
  );
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY_RATE_GUARD = 24 * HOUR;
const DEFAULT_BACKOFF_SECONDS = 60;

const WINDOWS = {
  minute: { ms: MINUTE, cap: 60 },
  hour: { ms: HOUR, cap: 600 },
  day: { ms: DAY_RATE_GUARD, cap: 6000 },
  task: { ms: DAY_RATE_GUARD, cap: 6 },
  matter: { ms: DAY_RATE_GUARD, cap: 50 },
} as const;
type Window = keyof typeof WINDOWS;
const WINDOW_NAMES = Object.keys(WINDOWS) as readonly Window[];

/** What can refuse a look at a note: one of the five windows. */
export type GuardWindow = Window;

const entry = z.object({
  id: z.number().int(),
  /** Epoch milliseconds. */
  at: z.number(),
  task: z.string().nullable(),
  matter: z.string().nullable(),
});
type Entry = z.infer<typeof entry>;

/**
 * `.steward/state/rate-guard.json`: what was done in the last day, oldest first, and until when no provider is asked.
 * `entries` are looks at notes, whether or not a model is asked; `questions` are the moments (epoch ms) at which a
 * provider was asked, whoever asked it. Never more of either than a day's cap, so that the file stays bounded whatever
 * was written into it.
 */
export const rateGuardState = z.lazy(() =>
  z.object({
    nextId: z.number().int().catch(0),
    entries: z
      .array(entry)
      .transform((entries) => entries.toSorted((one, other) => one.at - other.at).slice(-WINDOWS.day.cap)),
    questions: z
      .array(z.number())
      .transform((times) => times.toSorted((one, other) => one - other).slice(-WINDOWS.day.cap))
      .default([]), // a file of an earlier version
    backoffUntil: z.number().nullable().catch(null),
  }),
);
export type RateGuardState = z.infer<typeof rateGuardState>;

/** Which note is to be looked at. */
export interface GuardTarget {
  readonly kind: 'task' | 'matter';
  readonly path: string;
  /** The task's matter; a matter is its own. */
  readonly matter: string | null;
}

/** A place for a look in every window, or the window that refused it. The state is to be kept in either case. */
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

/** Returns the state of a guard that has given no place yet. */
export function emptyGuard(): RateGuardState {
  return { nextId: 0, entries: [], questions: [], backoffUntil: null };
}

/**
 * Takes one place in each window that the target counts in, or says which window is full (contract, section 6). Keep
 * the returned state in either case: its entries are corrected for a clock that was set back.
 */
export function reserve(state: RateGuardState, target: GuardTarget, now: number): Reservation {
  const current = currentState(state, now);
  const refusal = refusalOf(current, target, now);
  if (refusal !== null) return { ok: false, ...refusal, state: current };
  const id = current.nextId;
  const taken: Entry = { id, at: now, task: taskOf(target), matter: matterOf(target) };
  return { ok: true, id, state: { ...current, nextId: id + 1, entries: [...current.entries, taken] } };
}

/** Gives back a place that was not used. */
export function release(state: RateGuardState, id: number): RateGuardState {
  return { ...state, entries: state.entries.filter((one) => one.id !== id) };
}

/**
 * Records a provider's 429: it is not asked again for so long (60 s where it names no time, at most 24 h). Never
 * shortens a backoff that lasts longer.
 */
export function backoff(state: RateGuardState, retryAfterSeconds: number | null, now: number): RateGuardState {
  const named = retryAfterSeconds !== null && Number.isFinite(retryAfterSeconds) && retryAfterSeconds >= 0;
  const seconds = named ? retryAfterSeconds : DEFAULT_BACKOFF_SECONDS;
  const until = now + Math.min(Math.ceil(seconds * 1000), DAY_RATE_GUARD);
  return { ...state, backoffUntil: Math.max(until, backoffUntil(state, now) ?? until) };
}

/** Returns until when no provider may be asked (epoch ms), or null where one may be asked now. */
export function backoffUntil(state: RateGuardState, now: number): number | null {
  if (state.backoffUntil === null || state.backoffUntil <= now) return null;
  return Math.min(state.backoffUntil, now + DAY_RATE_GUARD);
}

/** Returns how full the windows of looks are; for tasks and matters, the one that took most places. */
export function usage(state: RateGuardState, now: number): Readonly<Record<Window, WindowUsage>> {
  const { entries } = currentState(state, now);
  const shared = (window: Window) => since(entries, WINDOWS[window].ms, now).length;
  return {
    minute: { used: shared('minute'), cap: WINDOWS.minute.cap },
    hour: { used: shared('hour'), cap: WINDOWS.hour.cap },
    day: { used: shared('day'), cap: WINDOWS.day.cap },
    task: { used: mostOfOne(entries.map((one) => one.task)), cap: WINDOWS.task.cap },
    matter: { used: mostOfOne(entries.map((one) => one.matter)), cap: WINDOWS.matter.cap },
  };
}

/** The state without what is a day old, and with no entries in the future where the clock was set back. */
function currentState(state: RateGuardState, now: number): RateGuardState {
  return { ...state, entries: lastDay(state.entries, now), backoffUntil: backoffUntil(state, now) };
}

type RefusalRateGuard = Omit<Extract<Reservation, { ok: false }>, 'ok' | 'state'>;

/** The refusal of the window that stays full longest. */
function refusalOf(state: RateGuardState, target: GuardTarget, now: number): RefusalRateGuard | null {
  const full = WINDOW_NAMES.map((window) => fullWindow(window, state.entries, target, now));
  return longestRefusal(full);
}

function fullWindow(
  window: Window,
  entries: readonly Entry[],
  target: GuardTarget,
  now: number,
): RefusalRateGuard | null {
  const { ms, cap } = WINDOWS[window];
  const inside = since(entries, ms, now).filter((one) => countsIn(window, one, target));
  // Once this one has left the window, one less than the cap is in it.
  const leaving = inside[inside.length - cap];
  return leaving === undefined ? null : { window, cap, used: inside.length, freeAt: leaving.at + ms };
}

function countsIn(window: Window, one: Entry, target: GuardTarget): boolean {
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

function mostOfOne(names: readonly (string | null)[]): number {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}
