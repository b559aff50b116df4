/** For how long (ms) one piece of work goes on before others have a turn. */
export const SLICE_MS = 5;

/** Lets others have their turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

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
    await nextTurn();
    this.#since = performance.now();
  }
}

/** Carries out as much of some work as fits into one slice of time. Returns whether all of it is done. */
export function oneSlice(work: Generator<void>): boolean {
  for (const turns = new Turns(); ; ) {
    if (work.next().done === true) return true;
    if (turns.isLate) return false;
  }
}

/** Carries out work that pauses after each small step, for somebody who waits for all of it. Returns its result. */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/**
 * Carries out work that pauses after each small step: others have a turn after each slice of time. Returns its result.
 * Rejects with the signal's reason once it is aborted.
 */
export async function inSlices<Result>(work: Generator<void, Result>, signal?: AbortSignal): Promise<Result> {
  for (const turns = new Turns(); ; ) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (!turns.isLate) continue;
    await turns.giveWay();
    if (signal?.aborted === true) work.throw(signal.reason); // what it has open is closed
  }
}
