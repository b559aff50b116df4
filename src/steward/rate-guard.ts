import { z } from 'zod';

/*
 * How often models are asked (contract, section 6). Each dispatch to a model takes a slot in several windows of time: a
 * first attempt, a retry, whoever asks. Work without a model needs no slot. A dispatch about a note also counts for its
 * task and its matter, so that one sender can't use up what others need.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DEFAULT_BACKOFF_SECONDS = 60;
/** How long a guard counts as full if its state couldn't be read. */
const UNREADABLE_MS = MINUTE;

const WINDOWS = {
  minute: { ms: MINUTE, cap: 60 },
  hour: { ms: HOUR, cap: 600 },
  day: { ms: DAY, cap: 6000 },
  task: { ms: DAY, cap: 6 },
  matter: { ms: DAY, cap: 50 },
} as const;
type Window = keyof typeof WINDOWS;

/**
 * Reasons to refuse a dispatch. A window is full, or one sender has used half of a task's or a matter's slots, or only
 * the slot reserved for licensed senders is left. Or a provider has asked for a pause, or the state couldn't be read.
 */
export type GuardWindow = Window | `${'task' | 'matter'}_${'sender' | 'reserved'}` | 'backoff' | 'unreadable';

const dispatch = z.object({
  id: z.number().int(),
  /** Epoch milliseconds. */
  at: z.number(),
  task: z.string().nullable(),
  matter: z.string().nullable(),
  /** The senders whose signals the question was about. */
  senders: z.array(z.string()),
  /** False while the slot is only reserved. */
  sent: z.boolean(),
});
type Dispatch = z.infer<typeof dispatch>;

/**
 * `.steward/state/rate-guard.json`: the dispatches of the last day, oldest first, and until when no provider is asked.
 * Never more than a day's cap, so that the file stays bounded.
 */
export const rateGuardState = z.object({
  nextId: z.number().int(),
  entries: z.array(dispatch).transform(bounded),
  backoffUntil: z.number().nullable(),
  /** Until when it counts as full, because it couldn't be read (epoch ms). */
  fullUntil: z.number().nullable(),
});
export type RateGuardState = z.infer<typeof rateGuardState>;

function bounded(entries: readonly Dispatch[]): Dispatch[] {
  return entries.toSorted((one, other) => one.at - other.at).slice(-WINDOWS.day.cap);
}

/** Returns the state of a guard that has given no slot yet. */
export function emptyGuard(): RateGuardState {
  return { nextId: 0, entries: [], backoffUntil: null, fullUntil: null };
}

/** Returns the state of a guard whose dispatches are unknown: it counts as full for a minute, not as empty. */
export function unreadableGuard(now: number): RateGuardState {
  return { ...emptyGuard(), fullUntil: now + UNREADABLE_MS };
}

/** The note that a question is about, and the senders of the signals behind it. */
export interface GuardTarget {
  readonly kind: 'task' | 'matter';
  readonly path: string;
  /** The task's matter; a matter is its own. */
  readonly matter: string | null;
  /** The keys of the senders; empty if no signal is behind the question. */
  readonly senders: readonly string[];
  /** Whether one of them may use the last slot of the task and of the matter. */
  readonly licensed: boolean;
}

/** A slot reserved for the first dispatch of a question. Its retries take further slots for the same target. */
export interface Slot extends GuardTarget {
  readonly id: number;
}

/** Why no slot is given. */
export interface GuardRefusal {
  readonly window: GuardWindow;
  readonly cap: number;
  readonly used: number;
  /** Epoch milliseconds: the first moment at which this window has room again. */
  readonly freeAt: number;
}

/** A reserved slot, or why there is no room. Keep the state in either case. */
type Reservation =
  | { readonly ok: true; readonly state: RateGuardState; readonly slot: Slot }
  | ({ readonly ok: false; readonly state: RateGuardState } & GuardRefusal);

/**
 * Reserves a slot in each window that the target counts in, or says which window is full. Keep the returned state in
 * either case: its entries are corrected for a clock that was set back.
 */
export function reserve(state: RateGuardState, target: GuardTarget, now: number): Reservation {
  const current = currentState(state, now);
  const refusal = refusalIn(current, target, 1, now);
  if (refusal !== null) return { ok: false, ...refusal, state: current };
  const slot = { ...target, id: current.nextId };
  return { ok: true, slot, state: withDispatches(current, target, 1, false, now) };
}

/** Gives back a slot if it wasn't used. */
export function release(state: RateGuardState, id: number): RateGuardState {
  return { ...state, entries: state.entries.filter((one) => one.id !== id || one.sent) };
}

/** Slots for dispatches, or why there is no room. Keep the state in either case. */
interface Dispatched {
  readonly state: RateGuardState;
  readonly refusal: GuardRefusal | null;
}

/**
 * Takes a slot for each of `count` dispatches, or says what refuses them. The first dispatch of a question uses the slot
 * that was reserved for it; a retry takes another. A slot that was used stays used, however the dispatch ended. With a count
 * of 0 only a backoff refuses.
 */
export function takeSlots(state: RateGuardState, count: number, slot: Slot | null, now: number): Dispatched {
  const current = currentState(state, now);
  const held = heldIn(current);
  if (held !== null || count === 0) return { state: current, refusal: held };
  if (current.entries.some(({ id, sent }) => id === slot?.id && !sent)) {
    const entries = current.entries.map((one) => (one.id === slot?.id ? { ...one, sent: true } : one));
    return { state: { ...current, entries }, refusal: null };
  }
  const refusal = refusalIn(current, slot, count, now);
  if (refusal !== null) return { state: current, refusal };
  return { state: withDispatches(current, slot, count, true, now), refusal };
}

/** Returns why the next dispatch would be refused, or null if it wouldn't. `target`: null for one about no note. */
export function findRefusal(state: RateGuardState, target: GuardTarget | null, now: number): GuardRefusal | null {
  return refusalIn(currentState(state, now), target, 1, now);
}

function withDispatches(
  state: RateGuardState,
  target: GuardTarget | null,
  count: number,
  sent: boolean,
  now: number,
): RateGuardState {
  const about = target === null ? NO_TARGET : { ...countedIn(target), senders: [...target.senders] };
  const added = Array.from({ length: count }, (_, nth) => ({ id: state.nextId + nth, at: now, ...about, sent }));
  return { ...state, nextId: state.nextId + count, entries: [...state.entries, ...added] };
}

const NO_TARGET = { task: null, matter: null, senders: [] };

function countedIn({ kind, path, matter }: GuardTarget): Pick<Dispatch, 'task' | 'matter'> {
  return kind === 'task' ? { task: path, matter } : { task: null, matter: path };
}

function refusalIn(state: RateGuardState, target: GuardTarget | null, count: number, now: number): GuardRefusal | null {
  const { entries } = state;
  return longestRefusal([
    heldIn(state),
    fullWindow('minute', WINDOWS.minute, entries, count, now),
    fullWindow('hour', WINDOWS.hour, entries, count, now),
    fullWindow('day', WINDOWS.day, entries, count, now),
    ...(target === null
      ? []
      : [...refusalsFor(target, 'task', entries, now), ...refusalsFor(target, 'matter', entries, now)]),
  ]);
}

/** Returns the refusal of every dispatch, whatever it is about; null if there is no such pause. */
function heldIn({ backoffUntil: until, fullUntil }: RateGuardState): GuardRefusal | null {
  return longestRefusal([
    until === null ? null : { window: 'backoff', cap: 0, used: 0, freeAt: until },
    fullUntil === null ? null : { window: 'unreadable', cap: 0, used: 0, freeAt: fullUntil },
  ]);
}

function refusalsFor(
  target: GuardTarget,
  kind: 'task' | 'matter',
  entries: readonly Dispatch[],
  now: number,
): (GuardRefusal | null)[] {
  const path = countedIn(target)[kind];
  if (path === null) return [];
  const { ms, cap } = WINDOWS[kind];
  const mine = entries.filter((one) => one[kind] === path);
  return [
    fullWindow(kind, { ms, cap }, mine, 1, now),
    target.licensed ? null : fullWindow(`${kind}_reserved`, { ms, cap: cap - 1 }, mine, 1, now),
    senderRefusal(kind, target.senders, mine, now),
  ];
}

/** Refuses if every sender behind the question has had its half: a sender must not use up the others' slots. */
function senderRefusal(
  kind: 'task' | 'matter',
  senders: readonly string[],
  mine: readonly Dispatch[],
  now: number,
): GuardRefusal | null {
  const half = { ms: WINDOWS[kind].ms, cap: Math.floor(WINDOWS[kind].cap / 2) };
  const refusals = senders.map((sender) =>
    fullWindow(
      `${kind}_sender`,
      half,
      mine.filter((one) => one.senders.includes(sender)),
      1,
      now,
    ),
  );
  if (refusals.includes(null)) return null;
  return refusals.reduce(
    (soonest, one) => (soonest === null || (one !== null && one.freeAt < soonest.freeAt) ? one : soonest),
    null,
  );
}

/** Returns how many dispatches may be made now, if they are about no note. */
export function freeSlots(state: RateGuardState, now: number): number {
  const current = currentState(state, now);
  if (heldIn(current) !== null) return 0;
  const { minute, hour, day } = slotUsage(current, now);
  return Math.max(0, Math.min(...[minute, hour, day].map(({ used, cap }) => cap - used)));
}

interface WindowUsage {
  readonly used: number;
  readonly cap: number;
}

/** Returns how full the windows are; for tasks and matters, the one that used most slots. */
export function slotUsage(state: RateGuardState, now: number): Readonly<Record<Window, WindowUsage>> {
  const { entries } = currentState(state, now);
  const shared = ({ ms, cap }: { ms: number; cap: number }) => ({ used: since(entries, ms, now).length, cap });
  const { minute, hour, day, task, matter } = WINDOWS;
  return {
    minute: shared(minute),
    hour: shared(hour),
    day: shared(day),
    task: { used: mostOfOne(entries, 'task'), cap: task.cap },
    matter: { used: mostOfOne(entries, 'matter'), cap: matter.cap },
  };
}

function mostOfOne(entries: readonly Dispatch[], key: 'task' | 'matter'): number {
  const groups = Map.groupBy(entries, (one) => one[key]);
  groups.delete(null);
  return Math.max(0, ...[...groups.values()].map((group) => group.length));
}

/**
 * Records a provider's 429: it is not asked again for so long (60 s if it names no time, at most 24 h). Never shortens a
 * backoff that lasts longer.
 */
export function backoff(state: RateGuardState, retryAfterSeconds: number | null, now: number): RateGuardState {
  const named = retryAfterSeconds !== null && Number.isFinite(retryAfterSeconds) && retryAfterSeconds >= 0;
  const seconds = named ? retryAfterSeconds : DEFAULT_BACKOFF_SECONDS;
  const until = now + Math.min(Math.ceil(seconds * 1000), DAY);
  return { ...state, backoffUntil: Math.max(until, backoffUntil(state, now) ?? until) };
}

/** Returns until when no provider may be asked (epoch ms), or null if one may be asked now. */
export function backoffUntil(state: RateGuardState, now: number): number | null {
  if (state.backoffUntil === null || state.backoffUntil <= now) return null;
  return Math.min(state.backoffUntil, now + DAY);
}

/** The state without what is a day old, and with no entries in the future if the clock was set back. */
function currentState(state: RateGuardState, now: number): RateGuardState {
  const { fullUntil } = state;
  return {
    ...state,
    entries: lastDay(state.entries, now),
    backoffUntil: backoffUntil(state, now),
    fullUntil: fullUntil === null || fullUntil <= now ? null : Math.min(fullUntil, now + UNREADABLE_MS),
  };
}

/** Returns why this many more don't fit into a window; null if they do. */
function fullWindow(
  window: GuardWindow,
  { ms, cap }: { readonly ms: number; readonly cap: number },
  entries: readonly Timed[],
  count: number,
  now: number,
): GuardRefusal | null {
  const taken = since(entries, ms, now);
  const over = taken.length + count - cap;
  if (over <= 0) return null;
  // When this one has left the window, there is room. If there never is, it is tried again when the window is empty.
  const leaving = taken[Math.min(over, taken.length) - 1]?.at ?? now;
  return { window, cap, used: taken.length, freeAt: leaving + ms };
}

/** Something that happened at a moment (epoch ms). */
interface Timed {
  readonly at: number;
}

/** Returns the entries of the last `ms`. One that is exactly `ms` old is out. */
export function since<Entry extends Timed>(entries: readonly Entry[], ms: number, now: number): Entry[] {
  return entries.filter(({ at }) => at > now - ms);
}

/**
 * Returns what was used in the last day, oldest first. A clock that was set back leaves entries in the future. The newest
 * of them counts as made now, and the others keep their distance from it. So setting the clock back neither frees what was
 * used nor holds it longer than its day.
 */
export function lastDay<Entry extends Timed>(entries: readonly Entry[], now: number): Entry[] {
  const ahead = (entries.at(-1)?.at ?? now) - now;
  if (ahead <= 0) return since(entries, DAY, now);
  const moved = entries.map((one) => (one.at > now ? { ...one, at: one.at - ahead } : one));
  return since(
    moved.toSorted((one, other) => one.at - other.at),
    DAY,
    now,
  );
}

/** Returns the refusal that lasts longest: until it ends, every question waits. Null without a refusal. */
export function longestRefusal<One extends { readonly freeAt: number }>(refusals: readonly (One | null)[]): One | null {
  return refusals.reduce<One | null>(
    (longest, other) => (longest === null || (other !== null && other.freeAt > longest.freeAt) ? other : longest),
    null,
  );
}
