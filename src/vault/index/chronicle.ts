import { dayOf, hourOf } from './index-keys.ts';
import type { Postings } from './postings/postings.ts';
import type { EventRecord, ReversalRecord, VaultRecord } from './record.ts';

/** What events and reversals are found by in the order of time. Each is asked for as it is needed, and no sooner. */
export class Chronicle {
  readonly #parts: {
    readonly postings: Readonly<Record<'closing' | 'decided' | 'happened' | 'expiring', Postings>>;
    readonly get: (path: string) => VaultRecord | undefined;
  };

  constructor(parts: {
    postings: Readonly<Record<'closing' | 'decided' | 'happened' | 'expiring', Postings>>;
    get: (path: string) => VaultRecord | undefined;
  }) {
    this.#parts = parts;
  }

  /** Yields the events and reversals, those of the newest hour first, and those that tell no time last. */
  *newestHours(): Generator<(EventRecord | ReversalRecord)[]> {
    const { happened } = this.#parts.postings;
    for (const hour of descending(happened.keys())) yield this.#at(happened, hour);
  }

  /** Yields the events of before a moment (epoch ms), those of the oldest hour first; none that tells no time. */
  *oldestHours(before: number): Generator<EventRecord[]> {
    const { happened } = this.#parts.postings;
    const last = hourOf(before);
    for (const hour of [...happened.keys()].filter((one) => one !== '' && one < last).sort()) {
      yield this.#at(happened, hour).filter((record) => record.kind === 'event');
    }
  }

  /** Yields the events that can still be taken back at a moment (epoch ms), those that expire in the last hour first. */
  *undoableHours(now: number): Generator<EventRecord[]> {
    const { expiring } = this.#parts.postings;
    const first = hourOf(now);
    for (const hour of descending(expiring.keys()).filter((one) => one >= first)) {
      yield this.#at(expiring, hour).filter((record) => record.kind === 'event');
    }
  }

  /** Yields the events and reversals that can be taken back no more since a moment; both moments in epoch ms. */
  *ended(since: number, now: number): Generator<EventRecord | ReversalRecord> {
    const { expiring } = this.#parts.postings;
    const [first, last] = [hourOf(since), hourOf(now)];
    for (const hour of [...expiring.keys()].filter((one) => one >= first && one <= last))
      yield* this.#each(expiring, hour);
  }

  /**
   * Yields the decisions that have taught nobody yet, of the days between two moments (epoch ms), both included: those
   * whose undo window closes then (`closing`), or that were made then (`decided`).
   */
  *untaught(index: 'closing' | 'decided', from: number, to: number): Generator<EventRecord> {
    const [first, last] = [dayOf(from), dayOf(to)];
    const postings = this.#parts.postings[index];
    for (const day of [...postings.keys()].filter((one) => one >= first && one <= last)) {
      for (const record of this.#each(postings, day)) if (record.kind === 'event') yield record;
    }
  }

  #at(postings: Postings, key: string): (EventRecord | ReversalRecord)[] {
    return [...this.#each(postings, key)];
  }

  // Each as it is when it is asked for: what has gone meanwhile is passed over.
  *#each(postings: Postings, key: string): Generator<EventRecord | ReversalRecord> {
    for (const path of postings.get(key)) {
      const record = this.#parts.get(path);
      if (record?.kind === 'event' || record?.kind === 'reversal') yield record;
    }
  }
}

function descending(keys: Iterable<string>): string[] {
  return [...keys].sort((one, other) => (one > other ? -1 : 1));
}
