import type { DisplacedFiles } from '../vault/transaction/displaced-files.ts';
import { followEnded } from './attention.ts';
import { pruneState, type Workspace } from './context.ts';
import { AWAY_MS, LATE_MS, learningOutcomes } from './outcomes.ts';
import type { RetryQueue } from './queues.ts';
import { retireOld } from './retention/round.ts';
import { isOn, nextRound } from './retention.ts';
import { within } from './runtime/component.ts';
import type { SourceWork } from './source-work.ts';
import { earliest, type Timers } from './timers.ts';

const EVERY_MS = 60 * 60 * 1000;
const DAY_MS = 24 * EVERY_MS;

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

  /** Runs where an hour has passed, by whichever way the clock went, and where there is something to do. */
  runIfDue(): void {
    const now = this.#parts.space.context.now();
    if (Math.abs(now - this.#ranAt) >= EVERY_MS || (this.restsUntil ?? now + 1) <= now) this.run();
  }

  /**
   * When there is next something to do (epoch ms): a change can be taken back no more, files are to leave, or, in a vault
   * that holds anything, a day is over. Null where there is nothing.
   */
  get restsUntil(): number | null {
    const { context, vault } = this.#parts.space;
    const expiry = vault.catalogue.chronicle.nextExpiry(this.#ranAt);
    const round = isOn(context.settings) ? nextRound(context.settings, context.state.get('retention')) : null;
    return earliest([
      expiry === null ? null : expiry + 1,
      round === null || round <= this.#ranAt ? null : round, // then it is queued, or tried again
      vault.catalogue.size > 0 ? this.#ranAt + DAY_MS : null,
    ]);
  }

  run(): void {
    const { space, displaced, retries, sources } = this.#parts;
    this.#ranAt = space.context.now();
    this.#learn();
    retries.addSteps('ended', 'event', () => followEnded(space, space.context.now() - LATE_MS));
    retries.addSteps('history', '.steward/history', function* () {
      displaced.prune();
      yield* pruneState(space);
      space.ingest.trail.prune();
      yield;
      space.ingest.known.prune();
      yield;
      sources.prune();
    });
    within('retention', () => retries.add('retention', '.', () => retireOld(space)));
  }

  // Far back at the start, and then the last days, among them what the sync brought late.
  #learn(): void {
    this.#parts.retries.addSteps('outcomes', 'instinct', () => this.#learning());
  }

  *#learning(): Generator<void> {
    const { space, timers } = this.#parts;
    const back = this.#hasLookedBack ? LATE_MS : AWAY_MS;
    const retryAt = yield* learningOutcomes(space, space.context.now() - back);
    this.#hasLookedBack = true;
    if (retryAt !== null) timers.at(retryAt, () => this.#learn());
  }
}
