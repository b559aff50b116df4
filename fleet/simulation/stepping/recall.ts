import {
  matterCheck,
  type NextCheck,
  type OwnPace,
  type OwnSchedule,
  type Rhythm,
  rhythmOf,
  type TaskCheck,
  type TaskTimes,
} from '../../../src/steward/schedule.ts';

/** More answers than this are not remembered: those of moments that only one vault knows. */
const MOST = 20_000;

/**
 * The steward's own answers to when a matter ticks. Those about cron expressions are remembered: one takes half a
 * millisecond, and a hundred thousand vaults ask the same at nine o'clock.
 */
export class Recall {
  readonly #rhythms = new Map<string, { readonly rhythm: Rhythm; readonly since: number }>();
  readonly #checks = new Map<string, NextCheck>();

  /** What `rhythmOf` says. */
  rhythm(own: OwnSchedule, tasks: readonly TaskCheck[], now: number): Rhythm {
    const { cadence, last, heard, comesUp } = own;
    if (cadence.kind === 'every') return rhythmOf(own, tasks, now);
    const isAwake = comesUp || tasks.some(({ at }) => at !== null);
    const key = [cadence.expression, last, heard, isAwake, comesUp, own.streak === 0].join();
    const known = this.#rhythms.get(key);
    // As long as the moment that was named has not come, none lies between, and the answer is the same.
    if (known !== undefined && known.since <= now && known.rhythm.at !== null && now < known.rhythm.at)
      return known.rhythm;
    const rhythm = rhythmOf(own, tasks, now);
    if (rhythm.at !== null && rhythm.at > now) keep(this.#rhythms, key, { rhythm, since: now });
    return rhythm;
  }

  /** What `matterCheck` says. */
  check(times: Pick<TaskTimes, 'next_check_after' | 'surface_class'>, pace: OwnPace, at: number): NextCheck {
    if (pace.cadence.kind === 'every') return matterCheck(times, pace, at);
    const key = [pace.cadence.expression, times.surface_class, times.next_check_after, at].join();
    const check = this.#checks.get(key) ?? matterCheck(times, pace, at);
    keep(this.#checks, key, check);
    return check;
  }
}

function keep<Answer>(answers: Map<string, Answer>, key: string, answer: Answer): void {
  if (answers.size >= MOST) answers.clear();
  answers.set(key, answer);
}
