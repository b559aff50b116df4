/** How long (ms) a sweep that was asked for soon waits for others to ask for it too. */
const DELAY_MS = 50;

/**
 * Runs sweeps one at a time. Whatever happened since a running one began may have escaped it, so one more follows for
 * all who ask meanwhile.
 */
export class SweepScheduler {
  readonly #sweep: () => Promise<void>;
  #running: Promise<void> | null = null;
  #following: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(sweep: () => Promise<void>) {
    this.#sweep = sweep;
  }

  /** Whether no sweep runs, and none is to follow in a moment. */
  get isIdle(): boolean {
    return this.#running === null && this.#following === null && this.#timer === null;
  }

  /** Runs a sweep, or one more after the running one. Rejects where that sweep fails. */
  run(): Promise<void> {
    if (this.#running !== null) {
      this.#following ??= this.#running
        .catch(() => undefined)
        .then(() => {
          this.#following = null;
          return this.run();
        });
      return this.#following;
    }
    this.#running = this.#sweep().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Runs a sweep in a moment; `failed` is told where it fails. Does nothing where one is scheduled already. */
  soon(failed: (error: unknown) => void): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.run().catch(failed);
    }, DELAY_MS);
  }

  /** Cancels a scheduled sweep, and waits for the running one. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
  }
}
