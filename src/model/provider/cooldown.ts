import { ProviderError, type ProviderFailure } from './provider-error.ts';

const MINUTE_MS = 60_000;
const LONGEST_MS = 15 * MINUTE_MS;
/** Failures that the next question would run into as well. */
const LASTING: readonly ProviderFailure[] = ['key-refused', 'unpaid', 'unknown-model', 'unavailable'];

/** Stops requests after a failure: for a minute, then twice as long after each further failure, at most 15 minutes. */
export class Cooldown {
  #failures = 0;
  #last: { readonly error: ProviderError; readonly at: number; readonly ms: number } | null = null;

  /** Does the work, or throws its last failure again while the cooldown lasts. `now`: epoch ms. */
  async guard<Result>(now: number, work: () => Promise<Result>): Promise<Result> {
    const last = this.#last;
    // A clock that was set back ends the cooldown: a wait that is a minute too short does no harm.
    if (last !== null && now >= last.at && now < last.at + last.ms) throw last.error;
    try {
      const result = await work();
      this.#failures = 0;
      this.#last = null;
      return result;
    } catch (error) {
      if (error instanceof ProviderError && LASTING.includes(error.failure)) this.#start(error, now);
      throw error;
    }
  }

  // Failures of questions that were asked at the same time count once.
  #start(error: ProviderError, at: number): void {
    if (this.#last !== null && at < this.#last.at + this.#last.ms && at >= this.#last.at) return;
    this.#failures += 1;
    this.#last = { error, at, ms: Math.min(MINUTE_MS * 2 ** (this.#failures - 1), LONGEST_MS) };
  }
}
