import type { TaskFields } from '../../vault/records/task.ts';
import { endOfLocalDay, isDateOnly, parseLocalTime } from './local-time.ts';
import { type Cadence, cadenceWords, nextFire, periodWords, phaseOf } from './schedule.ts';

export { parseLocalTime } from './local-time.ts';
export {
  type Cadence,
  nextAfter,
  nextFire,
  type ParsedSchedule,
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
 * A check is made with a tick that comes up to so much before it, in ms: a look takes its time, and the next tick of the
 * same pace must still find the note due.
 */
export const SLACK = 30_000;

/** What of a task decides when it is looked at again. */
export type TaskTimes = Pick<TaskFields, 'state' | 'surface_class' | 'due' | 'snoozed_until' | 'next_check_after'>;

/** A matter's own schedule, and for how many ticks it has been quiet. */
export interface OwnPace {
  readonly slug: string;
  readonly cadence: Cadence;
  /** Where the cadence stands: `steward_schedule`, `default`. */
  readonly source: string;
  /** Whether it is the default, which a quiet matter backs off from; a person's own schedule is kept as written. */
  readonly backsOff: boolean;
  /** Ticks in a row without a signal. */
  readonly streak: number;
}

export interface NextCheck {
  /** Epoch milliseconds; null is never. */
  readonly at: number | null;
  /** The period it follows from, in ms; null where a moment is named. */
  readonly every: number | null;
  /** As `status` and `explain` say it: `high: every 30 min`. */
  readonly reason: string;
}

/**
 * When a task that was checked at `now` is checked next (contract, section 4). `streak` counts the checks in a row that
 * found no signal. A `next_check_after` in the note holds it back further.
 */
export function nextCheck(task: TaskTimes, streak: number, now: number): NextCheck {
  if (task.state === 'done' || task.state === 'archived')
    return { at: null, every: null, reason: `it is ${task.state}` };
  return heldBack(snoozedCheck(task, now) ?? pacedCheck(task, streak, now), task.next_check_after, now);
}

/** When a matter itself is looked at again after a look at `at`: at the next firing of its own schedule. */
export function matterCheck(matter: Pick<TaskTimes, 'next_check_after'>, own: OwnPace, at: number): NextCheck {
  const cadence = own.backsOff ? matterCadence(own.cadence, own.streak) : own.cadence;
  const every = cadence.kind === 'every' ? cadence.ms : null;
  const next = nextFire(cadence, every === null ? 0 : phaseOf(own.slug, every), at);
  const word = own.backsOff && own.streak >= 3 && every !== null ? `quiet for ${own.streak} ticks` : own.source;
  return heldBack({ at: next, every, reason: `${word}: ${cadenceWords(cadence)}` }, matter.next_check_after, at);
}

/** Whether a task asks for more than the ordinary pace: it is high, due within a day, or overdue. */
export function isPressing(task: TaskTimes, now: number): boolean {
  return paceOf(task, now).every < QUIET_PACE;
}

function heldBack(check: NextCheck, until: string | null, now: number): NextCheck {
  const asked = momentOf(until);
  if (asked === null || asked <= now || (check.at !== null && asked <= check.at)) return check;
  return { at: asked, every: null, reason: `not before ${until}, as the note says` };
}

/** A matter's own period after `streak` ticks without signals: doubled every third, up to 4 h, never below its base. */
export function matterPeriod(base: number, streak: number): number {
  return Math.max(base, Math.min(backedOff(base, streak), MATTER_CAP));
}

/** A matter's cadence after `streak` ticks without signals. A cron expression says when, and is kept as it is. */
export function matterCadence(cadence: Cadence, streak: number): Cadence {
  return cadence.kind === 'cron' ? cadence : { kind: 'every', ms: matterPeriod(cadence.ms, streak) };
}

/** Asleep until the moment the note names; a moment gone by, or none, leaves the task to the ordinary pace. */
function snoozedCheck({ state, snoozed_until }: TaskTimes, now: number): NextCheck | null {
  const until = state === 'snoozed' ? momentOf(snoozed_until) : null;
  if (until === null || until <= now) return null;
  return { at: until, every: null, reason: `snoozed until ${snoozed_until}` };
}

function pacedCheck(task: TaskTimes, streak: number, now: number): NextCheck {
  const { every, word } = paceOf(task, now);
  const period = Math.min(backedOff(every, streak), TASK_CAP);
  const quiet = period === every ? word : quietWords(word, streak);
  const check = { at: now + period, every: period, reason: `${quiet}: every ${periodWords(period)}` };
  const nearing = dueWindow(task)?.opens ?? null;
  // A quiet task must not sleep past the moment from which it is due within a day.
  if (nearing === null || nearing <= now || nearing >= check.at) return check;
  return { at: nearing, every: null, reason: `due ${task.due}: from 24 h before` };
}

/** The table of section 4; where two lines fit, the shorter one. */
function paceOf(task: TaskTimes, now: number): { readonly every: number; readonly word: string } {
  if (task.surface_class === 'high') return { every: 30 * MINUTE, word: 'high' };
  const window = dueWindow(task);
  if (window === null || now < window.opens) return { every: QUIET_PACE, word: awakeWord(task) };
  return { every: HOUR, word: now >= window.closes ? 'overdue' : 'due within 24 h' };
}

function awakeWord({ state, snoozed_until }: TaskTimes): string {
  if (state !== 'snoozed') return 'normal';
  return momentOf(snoozed_until) === null ? 'snoozed without a date' : 'snooze over';
}

/** From 24 h before something is due until it is overdue. A date without a time is due all through its local day. */
function dueWindow({ due }: TaskTimes): { readonly opens: number; readonly closes: number } | null {
  const at = momentOf(due);
  if (at === null || due === null) return null;
  return { opens: at - DAY, closes: isDateOnly(due) ? endOfLocalDay(at) : at };
}

/** × 2^(streak div 3). The exponent is bounded only so that the figure stays finite. */
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
