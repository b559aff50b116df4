import {
  matterPeriod,
  nextCheck,
  nextFire,
  type OwnPace,
  presentPace,
  type TaskTimes,
} from '../../../src/steward/schedule.ts';
import type { Cursor } from './invented-vault.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A quiet that has lasted longer changes nothing any more. */
const LONGEST_QUIET = 5 * DAY;
/** So far back a firing is looked for, step by step: the rarest cron expression of the mix fires once a month. */
const PAUSES = [HOUR, DAY, 8 * DAY, 32 * DAY];

/** What had happened in a vault before the simulation begins, at `now` (epoch ms). */
export class Past {
  readonly #now: number;
  /** When a cron expression last fired: the same in all vaults of a zone. */
  readonly #fired = new Map<string, number | null>();

  constructor(now: number) {
    this.#now = now;
  }

  /** Returns how many ticks in a row were quiet in a matter that last heard something so long ago (ms). */
  quietTicks({ cadence, backsOff }: Pick<OwnPace, 'cadence' | 'backsOff'>, quiet: number): number {
    if (cadence.kind === 'cron') return Math.floor(Math.min(quiet, LONGEST_QUIET) / DAY);
    const until = Math.min(quiet, LONGEST_QUIET);
    let streak = 0;
    for (let at = 0; at < until; streak += 1) at += backsOff ? matterPeriod(cadence.ms, streak) : cadence.ms;
    return streak;
  }

  /** Returns when a matter last ticked. */
  lastTick(pace: OwnPace): number | null {
    const { cadence, phase } = presentPace(pace);
    if (cadence.kind === 'every') return nextFire(cadence, phase, this.#now - cadence.ms);
    const { expression } = cadence;
    if (!this.#fired.has(expression)) this.#fired.set(expression, this.#lastFiring(pace));
    return this.#fired.get(expression) ?? null;
  }

  /**
   * Returns the last look at a task that has been quiet for so long (ms): at some tick of its matter, within the task's
   * own period.
   */
  lastLook(task: TaskTimes, pace: OwnPace, quiet: number, share: number): Cursor | null {
    const last = this.lastTick(pace);
    if (last === null) return null;
    const { cadence } = presentPace(pace);
    const until = Math.min(quiet, LONGEST_QUIET);
    let [streak, every] = [0, 0];
    for (let at = 0; at < until; streak += 1) {
      // The pace changes with every third look.
      if (streak % 3 === 0) every = nextCheck(task, streak, this.#now).every ?? DAY;
      at += every;
    }
    const step = cadence.kind === 'every' ? cadence.ms : DAY;
    const back = Math.floor((share * every) / step) * step;
    return { at: last - back, streak };
  }

  #lastFiring({ cadence }: OwnPace): number | null {
    for (const pause of PAUSES) {
      let fired: number | null = null;
      let next = nextFire(cadence, 0, this.#now - pause);
      for (; next !== null && next <= this.#now; next = nextFire(cadence, 0, next)) fired = next;
      if (fired !== null) return fired;
    }
    return null;
  }
}
