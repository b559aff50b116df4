import { type Cadence, matterCadence, type NextCheck, type OwnPace, SLACK } from './cadence.ts';
import { cadenceWords, nextAfter, phaseOf } from './schedule.ts';

/** A matter's own schedule, and what has come of it so far. Moments in epoch milliseconds. */
export interface OwnSchedule extends OwnPace {
  /** The last time it fired, were it only to be skipped; null where it never did. */
  readonly last: number | null;
  /** When a signal last ended the quiet. */
  readonly heard: number | null;
}

/** The next check of an open task. */
export interface TaskCheck extends NextCheck {
  readonly name: string;
  /** Whether the task is high, due or overdue, so that it says more than the matter's own rhythm. */
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
 * A steward ticks at the earliest next check of its matter and the matter's open tasks (contract, section 4). A period in
 * `steward_schedule` is the slowest rhythm: a task that presses hurries it. A cron expression is a person's word for when
 * the steward may tick, and is kept. What was missed while the machine slept is caught up once, now; after the clock was
 * set back, nothing is ticked before the last tick has passed again.
 */
export function rhythmOf(own: OwnSchedule, tasks: readonly TaskCheck[], now: number): Rhythm {
  const mine = ownRhythm(own, now);
  if (own.cadence.kind === 'cron' || isWaited(own, mine, now)) return mine;
  const ahead = tasks.map((task) => ({ ...task, at: caughtUp(task.at, own, mine, now) }));
  const first = ahead.reduce<TaskCheck | null>((one, other) => (isSooner(other, one) ? other : one), null);
  if (first?.at == null) return mine;
  const at = isBefore(first.at, mine.at) ? first.at : mine.at;
  const named = first.every === null && at === first.at ? first : pacing(tasks, mine);
  if (named === null) return { ...mine, at };
  const cadence: Cadence = named.every === null ? mine.cadence : { kind: 'every', ms: named.every };
  return { at, cadence, reason: `${named.reason} — ${named.name}` };
}

// The task whose pace the steward keeps, where it is quicker than the matter's own; of the same pace, one that presses.
function pacing(tasks: readonly TaskCheck[], mine: Rhythm): TaskCheck | null {
  const own = mine.cadence.kind === 'every' ? mine.cadence.ms : 0;
  return tasks.reduce<TaskCheck | null>((one, other) => {
    if (other.at === null || other.every === null) return one;
    const best = one?.every ?? own;
    return other.every < best || (one === null && other.presses && other.every === best) ? other : one;
  }, null);
}

function ownRhythm(own: OwnSchedule, now: number): Rhythm {
  const cadence = own.backsOff ? matterCadence(own.cadence, own.streak) : own.cadence;
  const phase = cadence.kind === 'every' ? phaseOf(own.slug, cadence.ms) : 0;
  // A signal that ends the quiet is weighed at the next firing of the unhurried pace, not at once.
  const since = own.heard !== null && own.heard <= now ? Math.max(own.heard, own.last ?? own.heard) : own.last;
  const { at, missed } = nextAfter(cadence, phase, since, now);
  const isQuiet = own.backsOff && own.cadence.kind === 'every' && own.streak >= 3;
  const word = isQuiet ? `quiet for ${own.streak} ticks` : own.source;
  return { at: missed ? now : at, cadence, reason: `${word}: ${cadenceWords(cadence)}` };
}

// The matter's own next firing then lies behind the last tick: a clock far ahead of this one is not waited for.
function isWaited({ last }: OwnSchedule, mine: Rhythm, now: number): boolean {
  return last !== null && last > now && mine.at !== null && mine.at > last;
}

function isSooner(one: TaskCheck, other: TaskCheck | null): boolean {
  if (one.at === null) return false;
  return other?.at == null || one.at < other.at || (one.at === other.at && (one.every ?? 0) < (other.every ?? 0));
}

// Within the slack one tick serves both.
function isBefore(at: number, mine: number | null): boolean {
  return mine === null || at < mine - SLACK;
}

// What is overdue is caught up now, once: a check that the last firing did not settle waits for the matter's own pace.
function caughtUp(at: number | null, own: OwnSchedule, mine: Rhythm, now: number): number | null {
  if (at === null || at > now) return at;
  return own.last === null || own.last < at ? now : mine.at;
}
