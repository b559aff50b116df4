import { SLICE_MS } from '../vault/slices.ts';
import type { Beats } from './timers.ts';

/** What the daemons of one process share, so that each has its turn in the one event loop. */
export interface SharedLoop {
  readonly beats: Beats;
  readonly turnstile: Turnstile;
}

/**
 * Where the daemons of one process queue for their turn: one after the other, as many in one round of the event loop as
 * fit into a slice of time. Without it a thousand vaults that have work at the same moment, at eight in the morning, would
 * each have a slice in the same round.
 */
export class Turnstile {
  readonly #waiting: (() => void)[] = [];
  #isOpening = false;

  /** Resolves when it is the caller's turn, after others had theirs. */
  readonly turn = (): Promise<void> =>
    new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#openSoon();
    });

  #openSoon(): void {
    if (this.#isOpening || this.#waiting.length === 0) return;
    this.#isOpening = true;
    setImmediate(() => void this.#open());
  }

  async #open(): Promise<void> {
    const since = performance.now();
    do {
      this.#waiting.shift()?.();
      await settled();
    } while (this.#waiting.length > 0 && performance.now() - since < SLICE_MS);
    this.#isOpening = false;
    this.#openSoon();
  }
}

// Who has just been let through has done what it does without waiting, before this goes on.
function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
