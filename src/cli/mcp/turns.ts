/** So many requests may wait for their turn. */
const MOST_WAITING = 32;

/**
 * One after the other: each may read a whole vault, and an answer that nobody takes is held in memory. So none begins before
 * there is room for its answer.
 */
export class Turns {
  readonly #room: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** `room` resolves once answers are taken. */
  constructor(room: () => Promise<void>) {
    this.#room = room;
  }

  /** Does the work in its turn; null where too many wait already. */
  async take<Result>(work: () => Promise<Result>): Promise<Result | null> {
    if (this.#waiting >= MOST_WAITING) return null;
    this.#waiting += 1;
    const result = this.#last.then(async () => {
      await this.#room();
      return work();
    });
    this.#last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Resolves once nothing is being done. */
  async idle(): Promise<void> {
    while (this.#waiting > 0) await this.#last;
  }
}
