import type { State } from '../vault/records/values.ts';
import type { TaskFields } from '../vault/records-task.ts';
import { endOfLocalDay, isDateOnly, parseLocalTime } from './local-time.ts';
import { type Cadence, cadenceWords, nextAfter, nextFire, periodWords, phaseOf } from './schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const QUIET_PACE = 4 * HOUR;
const TASK_CAP = 24 * HOUR;
const MATTER_CAP = 4 * HOUR;

/**
 * A tick makes a check that is due at most this much after it, in ms. Judging takes time, so without slack the next
 * tick of the same pace could come just before the note is due.
 */
export const SLACK = 30_000;

/** The fields of a task that decide when it is checked next. */
export type TaskTimes = Pick<TaskFields, 'state' | 'surface_class' | 'due' | 'snoozed_until' | 'next_check_after'>;

/** The check of a note of `surface_class: none`: only when it is asked for, or a signal comes. */
const UNASKED: NextCheck = { at: null, every: null, reason: 'none: only when asked or signalled' };

/** Whether a note is looked at by itself; else only where somebody asks for it, or a signal comes (section 4). */
export function comesUp({ surface_class }: Pick<TaskTimes, 'surface_class'>): boolean {
  return surface_class !== 'none';
}

/** A matter's own schedule, and for how many ticks it has been quiet. */
export interface OwnPace {
  readonly slug: string;
  readonly cadence: Cadence;
  /** Where the cadence is written: `steward_schedule`, `default`. */
  readonly source: string;
  /** True for the default, from which a quiet matter backs off. A person's own schedule is kept as written. */
  readonly backsOff: boolean;
  /** Ticks in a row without a signal. */
  readonly streak: number;
}

/** When a note is checked next, and why then. */
export interface NextCheck {
  /** Epoch milliseconds; null is never. */
  readonly at: number | null;
  /** The period it follows from, in ms; null where the note names a moment. */
  readonly every: number | null;
  /** As `status` and `explain` say it: `high: every 30 min`. */
  readonly reason: string;
}

/**
 * Returns when a task that was checked at `now` is checked next (contract, section 4). `streak` counts the checks in a
 * row that found no signal. A `next_check_after` in the note can put the check off further.
 */
export function nextCheck(task: TaskTimes, streak: number, now: number): NextCheck {
  if (task.state === 'done' || task.state === 'archived')
    return { at: null, every: null, reason: `it is ${task.state}` };
  // A date that a person wrote asks for a look, also where nothing else does.
  const check = snoozedCheck(task, now) ?? (comesUp(task) ? pacedCheck(task, streak, now) : UNASKED);
  return putOff(check, task.next_check_after, now);
}

/** Returns when a matter that was checked at `at` is checked next: when its own schedule fires next. */
export function matterCheck(
  matter: Pick<TaskTimes, 'next_check_after' | 'surface_class'>,
  own: OwnPace,
  at: number,
): NextCheck {
  if (!comesUp(matter)) return putOff(UNASKED, matter.next_check_after, at);
  const { cadence, phase, reason } = presentPace(own);
  const every = cadence.kind === 'every' ? cadence.ms : null;
  return putOff({ at: nextFire(cadence, phase, at), every, reason }, matter.next_check_after, at);
}

/** Returns the cadence that a matter keeps at present, with its phase in ms, and why it keeps it. */
export function presentPace(own: OwnPace): { cadence: Cadence; phase: number; reason: string } {
  const cadence = own.backsOff ? matterCadence(own.cadence, own.streak) : own.cadence;
  const phase = cadence.kind === 'every' ? phaseOf(own.slug, cadence.ms) : 0;
  const isQuiet = own.backsOff && own.streak >= 3 && cadence.kind === 'every';
  const word = isQuiet ? `quiet for ${own.streak} ticks` : own.source;
  return { cadence, phase, reason: `${word}: ${cadenceWords(cadence)}` };
}

/** Returns whether a task asks for more than the ordinary pace: it is high, due within a day, or overdue. */
export function isPressing(task: TaskTimes, now: number): boolean {
  return comesUp(task) && paceIn(task, dueWindow(task), now).every < QUIET_PACE;
}

function putOff(check: NextCheck, until: string | null, now: number): NextCheck {
  const asked = momentOf(until);
  if (asked === null || asked <= now || (check.at !== null && asked <= check.at)) return check;
  return { at: asked, every: null, reason: `not before ${until}, as the note says` };
}

/**
 * Returns a matter's period in ms after `streak` ticks without signals: doubled every third tick, up to 4 h, never
 * below its base.
 */
export function matterPeriod(base: number, streak: number): number {
  return Math.max(base, Math.min(backedOff(base, streak), MATTER_CAP));
}

/** Returns a matter's cadence after `streak` ticks without signals. A cron expression is kept as it is. */
export function matterCadence(cadence: Cadence, streak: number): Cadence {
  return cadence.kind === 'cron' ? cadence : { kind: 'every', ms: matterPeriod(cadence.ms, streak) };
}

/** The check at the end of a snooze; null where it is over or names no end, and the ordinary pace holds. */
function snoozedCheck({ state, snoozed_until }: TaskTimes, now: number): NextCheck | null {
  const until = state === 'snoozed' ? momentOf(snoozed_until) : null;
  if (until === null || until <= now) return null;
  return { at: until, every: null, reason: `snoozed until ${snoozed_until}` };
}

function pacedCheck(task: TaskTimes, streak: number, now: number): NextCheck {
  const window = dueWindow(task);
  const { every, word } = paceIn(task, window, now);
  const period = Math.min(backedOff(every, streak), TASK_CAP);
  const quiet = period === every ? word : quietWords(word, streak);
  const check = { at: now + period, every: period, reason: `${quiet}: every ${periodWords(period)}` };
  const dueSoon = window?.opens ?? null;
  // A quiet task must not sleep past the moment from which it is due within a day.
  if (dueSoon === null || dueSoon <= now || dueSoon >= check.at) return check;
  return { at: dueSoon, every: null, reason: `due ${task.due}: from 24 h before` };
}

/** The table of section 4; where two lines fit, the one with the shorter period. */
function paceIn(
  task: TaskTimes,
  window: Window | null,
  now: number,
): { readonly every: number; readonly word: string } {
  if (task.surface_class === 'high') return { every: 30 * MINUTE, word: 'high' };
  if (window === null || now < window.opens) return { every: QUIET_PACE, word: awakeWord(task) };
  return { every: HOUR, word: now >= window.closes ? 'overdue' : 'due within 24 h' };
}

function awakeWord({ state, snoozed_until }: TaskTimes): string {
  if (state !== 'snoozed') return 'normal';
  return momentOf(snoozed_until) === null ? 'snoozed without a date' : 'snooze over';
}

/** From 24 h before a task is due until it is overdue. */
interface Window {
  readonly opens: number;
  readonly closes: number;
}

/** A date without a time is due all through its local day. */
function dueWindow({ due }: TaskTimes): Window | null {
  const at = momentOf(due);
  if (at === null || due === null) return null;
  return { opens: at - DAY, closes: isDateOnly(due) ? endOfLocalDay(at) : at };
}

/** The base × 2^(streak div 3). The exponent is bounded only so that the figure stays finite. */
function backedOff(base: number, streak: number): number {
  return base * 2 ** Math.min(Math.floor(Math.max(0, streak) / 3), 40);
}

function quietWords(word: string, streak: number): string {
  const quiet = `quiet for ${streak} ticks`;
  return word === 'normal' ? quiet : `${word}, ${quiet}`;
}

function momentOf(text: string | null): number | null {
  return text === null ? null : parseLocalTime(text);
}

/** A matter's own schedule and its history. Moments in epoch milliseconds. */
export interface OwnSchedule extends OwnPace {
  /** When it last fired, even if the tick was skipped; null where it never did. */
  readonly last: number | null;
  /** When a signal last ended the quiet. */
  readonly heard: number | null;
  /** Whether the matter comes up by itself; else it ticks after a signal, until a tick finds none. */
  readonly comesUp: boolean;
}

/** The next check of an open task. */
export interface TaskCheck extends NextCheck {
  readonly name: string;
  /** Whether the task is high, due within a day or overdue, so that it outranks a matter's rhythm of the same pace. */
  readonly presses: boolean;
}

/** When a steward ticks next, how often, and why. */
export interface Rhythm {
  /** Epoch milliseconds; null is never. */
  readonly at: number | null;
  readonly cadence: Cadence;
  /** As `status` shows it: `high: every 30 min — pay-deposit`. */
  readonly reason: string;
}

/**
 * Returns when a steward ticks next: at the earliest next check of its matter and the matter's open tasks (contract,
 * section 4). A period in `steward_schedule` is only the slowest rhythm; a pressing task speeds it up. A cron
 * expression is a person's word for when the steward may tick, and is kept. Ticks missed while the machine slept are
 * caught up with one tick now. After the clock was set back, no tick comes before the time of the last one has passed
 * again.
 */
export function rhythmOf(own: OwnSchedule, tasks: readonly TaskCheck[], now: number): Rhythm {
  const mine = isAwake(own, tasks) ? ownRhythm(own, now) : { ...ownRhythm(own, now), ...ASLEEP };
  if (own.cadence.kind === 'cron' || waitsForLast(own, mine, now)) return mine;
  const upcoming = tasks.map((task) => ({ ...task, at: caughtUp(task.at, own, mine, now) }));
  const first = upcoming.reduce<TaskCheck | null>((one, other) => (isSooner(other, one) ? other : one), null);
  if (first?.at == null) return mine;
  const at = isBefore(first.at, mine.at) ? first.at : mine.at;
  const isFirsts = mine.at === null || (first.every === null && at === first.at);
  const named = isFirsts ? first : pacing(tasks, mine);
  if (named === null) return { ...mine, at };
  const cadence: Cadence = named.every === null ? mine.cadence : { kind: 'every', ms: named.every };
  return { at, cadence, reason: `${named.reason} — ${named.name}` };
}

const ASLEEP = { at: null, reason: 'none: only when asked or signalled' };

// A cron expression says when its tasks are looked at, also where the matter itself does not come up.
function isAwake(own: OwnSchedule, tasks: readonly TaskCheck[]): boolean {
  const isStirred = own.streak === 0 && (own.last !== null || own.heard !== null);
  return own.comesUp || isStirred || (own.cadence.kind === 'cron' && tasks.some(({ at }) => at !== null));
}

// The task whose pace the steward keeps: one quicker than the matter, or a pressing one of the same pace.
function pacing(tasks: readonly TaskCheck[], mine: Rhythm): TaskCheck | null {
  const own = mine.cadence.kind === 'every' ? mine.cadence.ms : 0;
  return tasks.reduce<TaskCheck | null>((one, other) => {
    if (other.at === null || other.every === null) return one;
    const best = one?.every ?? own;
    return other.every < best || (one === null && other.presses && other.every === best) ? other : one;
  }, null);
}

function ownRhythm(own: OwnSchedule, now: number): Rhythm {
  const { cadence, phase, reason } = presentPace(own);
  // A signal that ends the quiet is weighed when the ordinary pace fires next, not at once.
  const since = own.heard !== null && own.heard <= now ? Math.max(own.heard, own.last ?? own.heard) : own.last;
  const { at, missed } = nextAfter(cadence, phase, since, now);
  return { at: missed ? now : at, cadence, reason };
}

// After the clock was set back, the matter fires next after its last tick. A last tick stamped by a clock far ahead
// does not count: `nextAfter` ignores it.
function waitsForLast({ last }: OwnSchedule, mine: Rhythm, now: number): boolean {
  return last !== null && last > now && mine.at !== null && mine.at > last;
}

function isSooner(one: TaskCheck, other: TaskCheck | null): boolean {
  if (one.at === null) return false;
  return other?.at == null || one.at < other.at || (one.at === other.at && (one.every ?? 0) < (other.every ?? 0));
}

// Within the slack, one tick serves both.
function isBefore(at: number, mine: number | null): boolean {
  return mine === null || at < mine - SLACK;
}

// An overdue check is caught up once, now. One that the last tick already tried waits for the matter's own pace.
function caughtUp(at: number | null, own: OwnSchedule, mine: Rhythm, now: number): number | null {
  if (at === null || at > now) return at;
  return own.last === null || own.last < at ? now : mine.at;
}

/** Why a note was not judged, in one word for programs. */
export type SkipCode =
  | 'vault-away'
  | 'hands-off'
  | 'finished'
  | 'quiet-hours'
  | 'not-due'
  | 'no-signals'
  | 'settling'
  | 'rate-guarded'
  | 'budget'
  | 'unasked'
  | 'running';

/** Why a note was not judged. */
export interface Skip {
  readonly code: SkipCode;
  /** For people: `not due: normal: every 4 h`. */
  readonly reason: string;
}

/** Everything that decides whether a note is judged now. */
interface TickConditions {
  /** Why the vault is away, or null. */
  readonly away: string | null;
  /** `steward: false`, on the note or on its matter. */
  readonly handsOff: boolean;
  /** What keeps the program's hands off, where it is something else. */
  readonly offWords?: string;
  readonly state: State;
  /** Whether a person asked for a tick of notes that are not due, too. */
  readonly force: boolean;
  readonly quietHours: boolean;
  readonly check: NextCheck;
  /** How many fresh signals wait for it. */
  readonly signals: number;
  /** How many more wait of sources that are not heard on it. */
  readonly silenced: number;
  /** When the note will have been quiet for the settle window, in epoch ms. */
  readonly settledAt: number;
  /** Why the rate guard or the budget refuses, or null where there is room. */
  readonly refusal: Skip | null;
  readonly now: number;
}

/**
 * Returns the first reason why a note is not judged now, in the order of a tick (section 5); null where it is judged.
 */
export function skipOf(conditions: TickConditions): Skip | null {
  return notLookedAt(conditions) ?? notJudged(conditions);
}

/** Returns why a note is not even looked at, so that its cursor stays where it is; null where it is looked at. */
export function notLookedAt(
  conditions: Omit<TickConditions, 'signals' | 'silenced' | 'settledAt' | 'refusal'>,
): Skip | null {
  if (conditions.away !== null) return { code: 'vault-away', reason: `the vault is away: ${conditions.away}` };
  if (conditions.handsOff) return { code: 'hands-off', reason: conditions.offWords ?? 'steward: false' };
  if (conditions.state === 'done' || conditions.state === 'archived')
    return { code: 'finished', reason: `it is ${conditions.state}` };
  if (conditions.force) return null;
  if (conditions.quietHours) return { code: 'quiet-hours', reason: 'quiet hours' };
  const { at, reason } = conditions.check;
  return at !== null && at <= conditions.now + SLACK ? null : { code: 'not-due', reason: `not due: ${reason}` };
}

function notJudged({ signals, silenced, settledAt, refusal, now }: TickConditions): Skip | null {
  if (signals === 0) return noSignals(silenced);
  return settledAt > now ? SETTLING : refusal;
}

/** Returns that no fresh signal waits for the note, but for those of sources that are not heard on it. */
export function noSignals(silenced: number): Skip {
  const others = silenced === 0 ? '' : ` (${silenced} of ${silenced === 1 ? 'a source' : 'sources'} not heard here)`;
  return { code: 'no-signals', reason: `no signals${others}` };
}
/** Somebody has just edited the note. */
export const SETTLING: Skip = { code: 'settling', reason: 'settling: it was just edited' };

/** From what a person most needs to know to what is ordinary. */
const TELLING: readonly SkipCode[] = [
  ...(['vault-away', 'budget', 'rate-guarded', 'unasked', 'settling', 'running', 'quiet-hours'] as const),
  ...(['no-signals', 'not-due', 'hands-off', 'finished'] as const),
];

/** Returns the most telling of the reasons why notes were skipped; null where there is none. */
export function mostTelling(skips: readonly Skip[]): Skip | null {
  return skips.toSorted((one, other) => TELLING.indexOf(one.code) - TELLING.indexOf(other.code))[0] ?? null;
}
