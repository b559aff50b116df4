import {
  comesUp,
  isNews,
  isPressing,
  matterCheck,
  type NextCheck,
  nextCheck,
  nextFire,
  planRhythm,
  type Rhythm,
  SLACK,
  schedulePhase,
  type TaskCheck,
  type TaskTimes,
} from '../../src/steward/schedule.ts';
import type { InventedMatter } from './traffic.ts';

/** The last look at a note (epoch ms), and how many looks in a row were quiet. */
interface Cursor {
  readonly at: number;
  readonly streak: number;
}

interface Target<Times> {
  readonly times: Times;
  cursor: Cursor | null;
  /** Whether a signal waits for the next tick. */
  isHeard: boolean;
}

/**
 * The schedule of one matter of an invented vault. It asks Steward's own functions when to tick, and remembers what
 * `src/daemon/schedule.ts` remembers; a test compares the two.
 */
export class MatterClock {
  readonly #pace: InventedMatter['pace'];
  readonly #self: Target<InventedMatter['times']>;
  readonly #tasks: readonly (Target<TaskTimes> & { readonly name: string })[];
  #streak = 0;
  #last: number | null = null;
  #heard: number | null = null;
  #rhythm: Rhythm;

  constructor({ pace, times, tasks }: InventedMatter, now: number) {
    this.#pace = pace;
    this.#self = { times, cursor: null, isHeard: false };
    this.#tasks = tasks.map((task) => ({ ...task, cursor: null, isHeard: false }));
    this.#rhythm = this.#workOut(now);
  }

  /** When it ticks next, and from which period that follows. */
  get next(): Pick<Rhythm, 'at' | 'every'> {
    return this.#rhythm;
  }

  tick(now: number): void {
    let isHeard = false;
    for (const task of this.#tasks)
      isHeard = look(task, ({ at, streak }) => nextCheck(task.times, streak, at), now) || isHeard;
    const own = { ...this.#pace, streak: this.#streak };
    isHeard = look(this.#self, ({ at }) => matterCheck(this.#self.times, own, at), now) || isHeard;
    this.#streak = isHeard ? 0 : this.#streak + 1;
    this.#last = now;
    this.#heard = null;
    this.#rhythm = this.#workOut(now);
  }

  /** A weak signal has come for a task. Returns whether it is news, which is evaluated without a tick. */
  hear(nth: number, now: number): boolean {
    const task = this.#tasks[nth];
    if (task === undefined) return false;
    const isOwn = isNews(task.times, now);
    task.isHeard ||= !isOwn;
    const isLively = comesUp(this.#self.times) && this.#streak === 0 && (task.cursor?.streak ?? 0) === 0;
    if (isLively) return isOwn;
    if (task.cursor !== null) task.cursor = { at: task.cursor.streak < 3 ? task.cursor.at : now, streak: 0 };
    this.#streak = 0;
    this.#heard = now;
    const isDue = this.#rhythm.at !== null && this.#rhythm.at <= now; // what is due already isn't put off
    if (!isDue) this.#rhythm = this.#workOut(now);
    return isOwn;
  }

  #workOut(now: number): Rhythm {
    const own = {
      ...this.#pace,
      streak: this.#streak,
      last: this.#last,
      heard: this.#heard,
      comesUp: comesUp(this.#self.times),
    };
    return planRhythm(
      own,
      this.#tasks.map((task) => this.#check(task, now)),
      now,
    );
  }

  // The first check of a task is at its matter's phase.
  #check({ name, times, cursor }: Target<TaskTimes> & { readonly name: string }, now: number): TaskCheck {
    const check = nextCheck(times, cursor?.streak ?? 0, cursor?.at ?? now);
    const { every } = check;
    const isFirst = cursor === null && every !== null;
    const at = isFirst ? nextFire({ kind: 'every', ms: every }, schedulePhase(this.#pace, every), now) : check.at;
    return { ...check, at, name, presses: every !== null && isPressing(times, now) };
  }
}

// Returns whether the note was evaluated for a signal. A signal makes a note due at once, unless the note defers it.
function look<Times extends Pick<TaskTimes, 'surface_class'>>(
  target: Target<Times>,
  checkFrom: (cursor: Cursor) => NextCheck,
  now: number,
): boolean {
  const { cursor, isHeard, times } = target;
  const isAtOnce = isHeard || cursor === null;
  const check = checkFrom(isAtOnce ? { at: now, streak: 0 } : cursor);
  const isAsleep = check.at === null && !(isHeard && !comesUp(times));
  const isDue = isAtOnce
    ? !isAsleep && !/^(not before|snoozed until)/.test(check.reason)
    : check.at !== null && check.at <= now + SLACK;
  if (!isDue) return false;
  target.cursor = { at: now, streak: isHeard ? 0 : (cursor?.streak ?? 0) + 1 };
  target.isHeard = false;
  return isHeard;
}
