/** Lets a limited number of tasks run at once. The others wait in order, until it is their turn or they are aborted. */
export class Semaphore {
  #permits: number;
  readonly #waiting: (() => void)[] = [];

  constructor(permits: number) {
    this.#permits = permits;
  }

  /** Runs the work as soon as there is a permit for it. Rejects with the signal's reason if it is aborted before that. */
  async run<Result>(abort: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.#acquire(abort);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  async #acquire(abort: AbortSignal): Promise<void> {
    abort.throwIfAborted();
    if (this.#permits > 0) {
      this.#permits -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const acquired = () => {
        abort.removeEventListener('abort', aborted);
        resolve();
      };
      const aborted = () => {
        this.#waiting.splice(this.#waiting.indexOf(acquired), 1);
        reject(abort.reason);
      };
      this.#waiting.push(acquired);
      abort.addEventListener('abort', aborted, { once: true });
    });
  }

  // A permit goes straight to the next in line.
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#permits += 1;
    else next();
  }
}
