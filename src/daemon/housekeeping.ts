import type { DisplacedFiles } from '../vault/transaction/displaced-files.ts';
import { followEnded } from './attention/flags.ts';
import type { Workspace } from './context/ports.ts';
import { pruneState } from './context/prune-state.ts';
import { AWAY_MS, LATE_MS, learnOutcomes } from './outcomes/learn-all.ts';
import { retireOld } from './retention/round.ts';
import type { RetryQueue } from './runtime/retry-queue.ts';
import type { Timers } from './runtime/timers.ts';
import type { SourceWork } from './sources/source-work.ts';

const EVERY_MS = 60 * 60 * 1000;

interface HousekeepingParts {
  readonly space: Workspace;
  readonly displaced: DisplacedFiles;
  readonly retries: RetryQueue;
  readonly timers: Timers;
  readonly sources: Pick<SourceWork, 'prune'>;
}

/** What the daemon does once an hour: learns from outcomes, lets notes say what can be taken back no more, and forgets what is over. */
export class Housekeeping {
  readonly #parts: HousekeepingParts;
  #ranAt = 0;
  #hasLookedBack = false;

  constructor(parts: HousekeepingParts) {
    this.#parts = parts;
  }

  /** Runs where an hour has passed, by whichever way the clock went. */
  runIfDue(): void {
    if (Math.abs(this.#parts.space.context.now() - this.#ranAt) >= EVERY_MS) this.run();
  }

  run(): void {
    const { space, displaced, retries, sources } = this.#parts;
    this.#ranAt = space.context.now();
    this.#learn();
    retries.add('ended', 'event', async () => followEnded(space, space.context.now() - LATE_MS));
    retries.add('history', '.steward/history', async () => {
      displaced.prune();
      pruneState(space);
      space.ingest.trail.prune();
      space.ingest.known.prune();
      sources.prune();
    });
    retries.add('retention', '.', () => retireOld(space));
  }

  // Far back at the start, and then the last days, among them what the sync brought late.
  #learn(): void {
    const { space, retries, timers } = this.#parts;
    retries.add('outcomes', 'instinct', async () => {
      const back = this.#hasLookedBack ? LATE_MS : AWAY_MS;
      const retryAt = learnOutcomes(space, space.context.now() - back);
      this.#hasLookedBack = true;
      if (retryAt !== null) timers.at(retryAt, () => this.#learn());
    });
  }
}
