import { type NextCheck, type OwnPace, presentPace, SLACK } from './cadence.ts';
import { type Cadence, nextAfter } from './schedule.ts';

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
