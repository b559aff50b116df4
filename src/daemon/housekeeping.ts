import type { DisplacedFiles } from '../vault/transaction/displaced-files.ts';
import type { Workspace } from './context/ports.ts';
import { pruneState } from './context/prune-state.ts';
import type { RetryQueue } from './runtime/retry-queue.ts';
import type { Timers } from './runtime/timers.ts';
import { countWindows, EVER } from './schedule/undo-windows.ts';

const EVERY_MS = 60 * 60 * 1000;
/** How far back closed windows are looked for each hour. */
const LATE_MS = 14 * 24 * 60 * 60 * 1000;

interface HousekeepingParts {
  readonly space: Workspace;
  readonly displaced: DisplacedFiles;
  readonly retries: RetryQueue;
  readonly timers: Timers;
}

/** What the daemon does once an hour: counts the undo windows that closed, and forgets what is over. */
export class Housekeeping {
  readonly #parts: HousekeepingParts;
  #ranAt = 0;
  #hasLookedAtWindows = false;

  constructor(parts: HousekeepingParts) {
    this.#parts = parts;
  }

  /** Runs where an hour has passed, by whichever way the clock went. */
  runIfDue(): void {
    if (Math.abs(this.#parts.space.context.now() - this.#ranAt) >= EVERY_MS) this.run();
  }

  run(): void {
    const { space, displaced, retries } = this.#parts;
    this.#ranAt = space.context.now();
    this.#countWindows();
    retries.add('history', '.steward/history', async () => {
      displaced.prune();
      pruneState(space);
    });
  }

  // Every window once, and then those of the last days, among them what the sync brought late.
  #countWindows(): void {
    const { space, retries, timers } = this.#parts;
    retries.add('windows', 'instinct', async () => {
      const since = this.#hasLookedAtWindows ? space.context.now() - LATE_MS : EVER;
      const { looked, retryAt } = countWindows(space, since);
      this.#hasLookedAtWindows = looked;
      if (retryAt !== null) timers.at(retryAt, () => this.#countWindows());
    });
  }
}
