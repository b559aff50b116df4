/** For how long (ms) is worked before others have a turn. */
const SLICE_MS = 10;

/** Lets others have their turn in long work. */
export class Turns {
  #since = performance.now();

  /** Whether others should have their turn. */
  get isLate(): boolean {
    return performance.now() - this.#since >= SLICE_MS;
  }

  /** Lets others have their turn where it is time. */
  async giveWay(): Promise<void> {
    if (!this.isLate) return;
    await new Promise(setImmediate);
    this.#since = performance.now();
  }
}
