import { ProviderError, type ProviderFailure } from './provider-error.ts';

const MINUTE = 60_000;
const LONGEST = 15 * MINUTE;
/** What the next question would meet as well. */
const MEETS_ANY: readonly ProviderFailure[] = ['key-refused', 'unpaid', 'unknown-model', 'unavailable'];

/** Leaves a provider that failed in peace: for a minute, for twice as long after each further failure, 15 minutes at most. */
export class Cooldown {
  #failures = 0;
  #last: { readonly error: ProviderError; readonly at: number; readonly ms: number } | null = null;

  /** Does the work, or throws what it failed with last where that is too short a time ago. `now`: epoch ms. */
  async guard<Result>(now: number, work: () => Promise<Result>): Promise<Result> {
    const last = this.#last;
    // A clock set back ends the respite: waiting a minute too little does no harm.
    if (last !== null && now >= last.at && now < last.at + last.ms) throw last.error;
    try {
      const result = await work();
      this.#failures = 0;
      this.#last = null;
      return result;
    } catch (error) {
      if (error instanceof ProviderError && MEETS_ANY.includes(error.failure)) this.#rest(error, now);
      throw error;
    }
  }

  // Failures of questions that were under way together are one.
  #rest(error: ProviderError, at: number): void {
    if (this.#last !== null && at < this.#last.at + this.#last.ms && at >= this.#last.at) return;
    this.#failures += 1;
    this.#last = { error, at, ms: Math.min(MINUTE * 2 ** (this.#failures - 1), LONGEST) };
  }
}
