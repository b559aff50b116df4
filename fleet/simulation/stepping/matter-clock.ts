import {
  comesUp,
  isNews,
  isPressing,
  type NextCheck,
  nextCheck,
  nextFire,
  type OwnPace,
  phaseOf,
  SLACK,
  type TaskCheck,
  type TaskTimes,
} from '../../../src/steward/schedule.ts';
import type { Cursor, InventedMatter, Span } from '../traffic/invented-vault.ts';
import type { Recall } from './recall.ts';

/** Why a matter ticks: at the moment of a cron expression, of a date in a note, or of a period. */
type TickCause = 'cron' | 'date' | 'period';

/** A note as it is now. */
interface Target<Times> {
  times: Times;
  cursor: Cursor | null;
  /** Whether a signal waits for it that no tick has weighed yet. */
  isHeard: boolean;
}

interface Task extends Target<TaskTimes> {
  readonly name: string;
  /** Its next check, as long as neither its fields nor its cursor change: it follows from them alone. */
  check: NextCheck | null;
  /** Whether it presses all through the simulation; null where that changes, or is not known yet. */
  presses: boolean | null;
}

/**
 * The schedule of one matter of an invented vault. It asks the steward's own functions when to tick, and remembers what
 * the steward remembers: `src/daemon/schedule` does the same with notes, and a test compares the two.
 */
export class MatterClock {
  readonly isCommon: boolean;
  readonly #recall: Recall;
  readonly #until: number;
  readonly #tasks: readonly Task[];
  readonly #self: Target<InventedMatter['times']>;
  #pace: OwnPace;
  #last: number | null;
  #heard: number | null = null;
  #next: number | null;
  #cause: TickCause = 'period';
  /** When a tick was let go by; null where none was since the last one. */
  #skipped: number | null = null;

  /** From a moment until another (epoch ms): nothing is asked of it behind that. */
  constructor(matter: InventedMatter, { from, to }: Span, recall: Recall) {
    const { pace, times, isCommon, last, cursor, tasks } = matter;
    this.isCommon = isCommon;
    this.#recall = recall;
    this.#until = to;
    this.#pace = pace;
    this.#last = last;
    this.#self = { times, cursor, isHeard: false };
    this.#tasks = tasks.map((task) => ({ ...task, isHeard: false, check: null, presses: null }));
    this.#next = this.#worked(from);
  }

  /** When it ticks next (epoch ms); null is never. */
  get next(): number | null {
    return this.#next;
  }

  /** Why it ticks then. */
  get cause(): TickCause {
    return this.#cause;
  }

  /** Ticks: looks at what is due, and works out when to tick next. */
  tick(now: number): void {
    let isHeard = false;
    for (const task of this.#tasks) isHeard = this.#lookAtTask(task, now) || isHeard;
    const { times } = this.#self;
    isHeard = look(this.#self, ({ at }) => this.#recall.check(times, this.#pace, at), now) || isHeard;
    this.#pace = { ...this.#pace, streak: isHeard ? 0 : this.#pace.streak + 1 };
    this.#last = now;
    this.#heard = null;
    this.#skipped = null;
    this.#next = this.#worked(now);
  }

  /** Lets a tick go by, as in quiet hours. */
  skip(now: number): void {
    this.#skipped = now;
    this.#next = this.#worked(now);
  }

  /** A task was changed by hand. */
  change(nth: number, change: Partial<TaskTimes>, now: number): void {
    const task = this.#tasks[nth];
    if (task === undefined) return;
    task.times = { ...task.times, ...change };
    task.check = null;
    task.presses = null;
    this.#follow(now);
  }

  /**
   * A signal has come for the matter, or for one of its tasks. `waits`: it is weighed at the next tick, unless it is news,
   * which is weighed by itself. Returns whether it is.
   */
  hear(nth: number | null, waits: boolean, now: number): boolean {
    const task = nth === null ? null : this.#tasks[nth];
    if (task === undefined) return false;
    const target = task ?? this.#self;
    const isOwn = waits && task !== null && isNews(task.times, now);
    target.isHeard ||= waits && !isOwn;
    this.#endQuiet(target, task, now);
    return isOwn;
  }

  #endQuiet(target: Target<unknown>, task: Task | null, now: number): void {
    const { cursor } = target;
    if (comesUp(this.#self.times) && this.#pace.streak === 0 && (cursor?.streak ?? 0) === 0) return;
    if (cursor !== null) target.cursor = { at: cursor.streak < 3 ? cursor.at : now, streak: 0 };
    if (task !== null) task.check = null;
    this.#pace = { ...this.#pace, streak: 0 };
    this.#heard = now;
    this.#follow(now);
  }

  // What is due already is not put off by a change.
  #follow(now: number): void {
    const isDue = this.#next !== null && this.#next <= now;
    const next = this.#worked(now);
    if (!isDue) this.#next = next;
  }

  // Asks when to tick next, and why then.
  #worked(now: number): number | null {
    const last = this.#skipped ?? this.#last;
    const own = { ...this.#pace, last, heard: this.#heard, comesUp: comesUp(this.#self.times) };
    const checks = this.#tasks.map((task) => this.#check(task, now));
    const { at: next } = this.#recall.rhythm(own, checks, now);
    if (this.#pace.cadence.kind === 'cron') this.#cause = 'cron';
    else this.#cause = checks.some(({ at, every }) => every === null && at === next) ? 'date' : 'period';
    return next;
  }

  #lookAtTask(task: Task, now: number): boolean {
    const { cursor } = task;
    const isHeard = look(task, (from) => (from === cursor ? checkOf(task, from) : nextCheck(task.times, 0, now)), now);
    if (task.cursor !== cursor) task.check = null;
    return isHeard;
  }

  #check(task: Task, now: number): TaskCheck {
    const { name, times, cursor } = task;
    const check = cursor === null ? nextCheck(times, 0, now) : checkOf(task, cursor);
    const { every } = check;
    const isFirst = cursor === null && every !== null;
    const at = isFirst ? nextFire({ kind: 'every', ms: every }, phaseOf(this.#pace.slug, every), now) : check.at;
    return { name, at, every, reason: check.reason, presses: task.presses ?? this.#presses(task, now) };
  }

  // What presses goes on pressing until somebody changes the task. So what does not in the end never does.
  #presses(task: Task, now: number): boolean {
    const presses = isPressing(task.times, now);
    if (presses || !isPressing(task.times, this.#until)) task.presses = presses;
    return presses;
  }
}

function checkOf(task: Task, { at, streak }: Cursor): NextCheck {
  task.check ??= nextCheck(task.times, streak, at);
  return task.check;
}

// Returns whether the note was judged for a signal. A signal makes a note due at once, unless the note defers it.
function look<Times extends Pick<TaskTimes, 'surface_class'>>(
  target: Target<Times>,
  paced: (from: Cursor) => NextCheck,
  now: number,
): boolean {
  const { cursor, isHeard, times } = target;
  const isAtOnce = isHeard || cursor === null;
  const check = paced(isAtOnce ? { at: now, streak: 0 } : cursor);
  const isAsleep = check.at === null && !(isHeard && !comesUp(times));
  const isDue = isAtOnce
    ? !isAsleep && !/^(not before|snoozed until)/.test(check.reason)
    : check.at !== null && check.at <= now + SLACK;
  if (!isDue) return false;
  target.cursor = { at: now, streak: isHeard ? 0 : (cursor?.streak ?? 0) + 1 };
  target.isHeard = false;
  return isHeard;
}
