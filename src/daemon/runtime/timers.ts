/** A timer that is set for longer goes off at once. */
const LONGEST_MS = 2 ** 31 - 1;

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
    const wait = Math.max(20, moment - this.#now());
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        if (wait > LONGEST_MS) this.at(moment, work);
        else work();
      },
      Math.min(wait, LONGEST_MS),
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
