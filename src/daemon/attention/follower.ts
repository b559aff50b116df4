import type { Change } from '../../vault/watch/known-files.ts';
import type { Workspace } from '../context/ports.ts';
import type { RetryQueue } from '../runtime/retry-queue.ts';
import type { Timers } from '../runtime/timers.ts';
import { concernedBy, followFlags, mayBeBehind } from './flags.ts';

interface FollowerParts {
  readonly space: Workspace;
  readonly retries: RetryQueue;
  readonly timers: Timers;
}

/** Keeps what event notes say of themselves true while the daemon runs: whether they wait, and what became of them. */
export class AttentionFollower {
  readonly #parts: FollowerParts;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Looks at every event note that says that it waits, is ticked, or was taken back: at a start, which reads all. */
  all(): void {
    this.#parts.retries.addSteps('attention', 'event', () => this.#all());
  }

  *#all(): Generator<void> {
    for (const path of yield* mayBeBehind(this.#parts.space)) {
      yield;
      this.#follow(path);
    }
  }

  /** Looks at the event notes that changes of the vault concern. */
  changed(changes: readonly Change[]): void {
    const { space } = this.#parts;
    const records = changes.flatMap(({ before, after }) => [before, after]).filter((record) => record !== null);
    for (const path of new Set(records.flatMap((record) => concernedBy(space, record)))) this.#follow(path);
  }

  #follow(path: string): void {
    const { space, retries, timers } = this.#parts;
    retries.add(`attention ${path}`, path, async () => {
      const until = followFlags(space, path);
      if (until !== null) timers.at(until, () => this.#follow(path));
    });
  }
}
