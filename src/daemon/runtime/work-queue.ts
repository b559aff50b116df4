/**
 * Runs work in the order it came, `width` pieces at a time. Each piece first lets the event loop turn, so that a burst
 * of ten thousand signals never delays a person's undo or the watchdog.
 */
export class WorkQueue {
  readonly #width: number;
  readonly #queue: (() => Promise<void>)[] = [];
  #running = 0;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  /** Whether work that is added now starts at once. */
  get hasRoom(): boolean {
    return !this.#closed && this.#running + this.#queue.length < this.#width;
  }

  /** Queues work, which must catch its own errors. */
  add(work: () => Promise<void>): void {
    if (this.#closed) return;
    this.#queue.push(work);
    this.#next();
  }

  /** Resolves when nothing is queued or running. */
  async drained(): Promise<void> {
    if (this.#running === 0 && this.#queue.length === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Drops what is queued, accepts nothing more, and resolves when what is running has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.length = 0;
    await this.drained();
  }

  #next(): void {
    while (this.#running < this.#width) {
      const work = this.#queue.shift();
      if (work === undefined) return;
      this.#running += 1;
      void this.#run(work);
    }
  }

  async #run(work: () => Promise<void>): Promise<void> {
    await new Promise(setImmediate);
    try {
      await work();
    } finally {
      this.#running -= 1;
      this.#next();
      if (this.#running === 0 && this.#queue.length === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }
}
