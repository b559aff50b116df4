import { setTimeout as wait } from 'node:timers/promises';
import { aborted } from '../runtime/aborted.ts';

/** The clock is looked at so often (ms): a timer stands still while the machine sleeps, and a clock may be set. */
const LOOK_MS = 30_000;

/** Rests until a moment, or until somebody ends it. */
export class Rest {
  readonly #now: () => number;
  #ended = new AbortController();

  /** `now`: epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Resolves at `moment` (epoch ms; null: never by itself), at `stop`, or when it is ended. */
  async until(moment: number | null, stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop, this.#ended.signal]);
    if (moment === null) await aborted(signal);
    for (let left = this.#left(moment); left > 0 && !signal.aborted; left = this.#left(moment)) {
      await wait(Math.min(left, LOOK_MS), undefined, { signal }).catch(() => {});
    }
    if (this.#ended.signal.aborted) this.#ended = new AbortController();
  }

  /** Ends the rest that is under way; where none is, the next one ends at once. */
  end(): void {
    this.#ended.abort();
  }

  #left(moment: number | null): number {
    return moment === null ? 0 : moment - this.#now();
  }
}
