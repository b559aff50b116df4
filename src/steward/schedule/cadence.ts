import type { TaskFields } from '../../vault/records/task.ts';
import { endOfLocalDay, isDateOnly, parseLocalTime } from './local-time.ts';
import { type Cadence, cadenceWords, nextFire, periodWords, phaseOf } from './schedule.ts';

export { parseLocalTime } from './local-time.ts';
export {
  type Cadence,
  nextAfter,
  nextFire,
  parseSchedule,
  phaseOf,
  SET_BACK_LIMIT,
} from './schedule.ts';

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
