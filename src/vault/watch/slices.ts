/** For how long (ms) one piece of work goes on before others have a turn. */
export const SLICE_MS = 10;

/**
 * Carries out work that pauses after each small step: others have a turn after each slice of time. Returns its result.
 * Rejects with the signal's reason once it is aborted.
 */
export async function inSlices<Result>(work: Generator<void, Result>, signal?: AbortSignal): Promise<Result> {
  for (let since = performance.now(); ; ) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (performance.now() - since < SLICE_MS) continue;
    await new Promise(setImmediate);
    if (signal?.aborted === true) work.throw(signal.reason); // what it has open is closed
    since = performance.now();
  }
}
