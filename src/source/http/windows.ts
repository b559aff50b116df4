/** How many of something there may be in a span of time. */
interface Limit {
  readonly most: number;
  readonly spanMs: number;
}

/** Counts what happens, and says when there is room for more. It remembers as many moments as its largest limit. */
export class Windows {
  readonly #limits: readonly Limit[];
  readonly #keptMs: number;
  #moments: readonly number[] = [];

  constructor(limits: readonly Limit[]) {
    this.#limits = limits;
    this.#keptMs = Math.max(...limits.map(({ spanMs }) => spanMs));
  }

  /** Counts one more, and returns 0; or counts nothing, and returns in how many ms there is room for it. */
  take(now: number): number {
    // A moment that lies ahead was counted before the clock was set back.
    const moments = this.#moments.filter((at) => at <= now && now - at < this.#keptMs);
    this.#moments = moments;
    const waits = this.#limits.map(({ most, spanMs }) => {
      const oldest = moments[moments.length - most];
      return oldest === undefined ? 0 : Math.max(0, oldest + spanMs - now);
    });
    const wait = Math.max(...waits);
    if (wait === 0) this.#moments = [...moments, now];
    return wait;
  }
}
