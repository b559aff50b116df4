/** A loop that stood still for this long (ms) may have lost what the system reported meanwhile, without a word. */
const STALL_MS = 2_000;

/** A moment, and how long the process has worked until then: its CPU time. All in ms. */
export interface Moment {
  readonly at: number;
  readonly worked: number;
}

/**
 * The regular beat of the event loop, by which a stall is noticed: the machine slept, the process was stopped, a disk gave
 * no answer. The time in which the process itself worked is no stall, however long it was, or a large vault would be
 * listed for ever.
 */
export class Pulse {
  readonly #everyMs: number;
  #last: Moment;

  constructor(everyMs: number, begin: Moment) {
    this.#everyMs = everyMs;
    this.#last = begin;
  }

  /** Takes a beat. Returns whether the loop stood still before it. */
  beat(now: Moment): boolean {
    const late = now.at - this.#last.at - this.#everyMs;
    const worked = now.worked - this.#last.worked;
    this.#last = now;
    return late - worked > STALL_MS;
  }
}

/** The present moment. */
export function momentNow(): Moment {
  const { user, system } = process.cpuUsage();
  return { at: Date.now(), worked: (user + system) / 1_000 };
}
