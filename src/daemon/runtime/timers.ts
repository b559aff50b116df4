/** The timers of one daemon, which end with it. */
export class Timers {
  readonly #now: () => number;
  readonly #timers = new Set<NodeJS.Timeout>();
  #closed = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Calls `work` every `ms`. */
  every(ms: number, work: () => void): void {
    this.#timers.add(setInterval(work, ms));
  }

  /** Calls `work` once, at `moment` (epoch ms) or a little after. */
  at(moment: number, work: () => void): void {
    if (this.#closed) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        work();
      },
      Math.max(20, moment - this.#now()),
    );
    this.#timers.add(timer);
  }

  /** Ends all timers. */
  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
