/** So many at once and no more; whoever comes then waits for a place, in order, or until it is told to stop. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Runs the work when there is a place for it. Rejects with the signal's reason where that comes first. */
  async run<Result>(abort: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.#take(abort);
    try {
      return await work();
    } finally {
      this.#give();
    }
  }

  async #take(abort: AbortSignal): Promise<void> {
    abort.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const taken = () => {
        abort.removeEventListener('abort', stopped);
        resolve();
      };
      const stopped = () => {
        this.#waiting.splice(this.#waiting.indexOf(taken), 1);
        reject(abort.reason);
      };
      this.#waiting.push(taken);
      abort.addEventListener('abort', stopped, { once: true });
    });
  }

  // A place goes straight to the next in line.
  #give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
