import { dayOf, hourOf } from './index-keys.ts';
import type { Postings } from './postings/postings.ts';
import type { EventRecord, ReversalRecord, VaultRecord } from './record.ts';

type Order = (one: string, other: string) => number;
const OLDEST_FIRST: Order = (one, other) => (one < other ? -1 : 1);
const NEWEST_FIRST: Order = (one, other) => (one > other ? -1 : 1);
/** The beginning that the hours of a month share. */
const MONTH = '2026-11';

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
    for (const hour of inOrder(happened.keys(), NEWEST_FIRST)) yield this.#at(happened, hour);
  }

  /** Yields the events of before a moment (epoch ms), those of the oldest hour first; none that tells no time. */
  *oldestHours(before: number): Generator<EventRecord[]> {
    const { happened } = this.#parts.postings;
    const last = hourOf(before);
    const hours = [...happened.keys()].filter((one) => one !== '' && one < last);
    for (const hour of inOrder(hours, OLDEST_FIRST)) {
      yield this.#at(happened, hour).filter((record) => record.kind === 'event');
    }
  }

  /** Yields the events that can still be taken back at a moment (epoch ms), those that expire in the last hour first. */
  *undoableHours(now: number): Generator<EventRecord[]> {
    const { expiring } = this.#parts.postings;
    const first = hourOf(now);
    const hours = [...expiring.keys()].filter((one) => one >= first);
    for (const hour of inOrder(hours, NEWEST_FIRST)) {
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

  /** Returns when the first thing can be taken back no more at or after a moment (epoch ms); null: there is none. */
  nextExpiry(from: number): number | null {
    const { expiring } = this.#parts.postings;
    for (const hour of [...expiring.keys()].filter((one) => one >= hourOf(from)).sort()) {
      const ends = [...this.#each(expiring, hour)]
        .map(({ fields }) => Date.parse(fields.undo_recipe?.expires_at ?? ''))
        .filter((end) => end >= from);
      if (ends.length > 0) return Math.min(...ends);
    }
    return null;
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

/** Yields hours in order, a month at a time: whoever asks for the newest of many years needs no other month put in order. */
function* inOrder(hours: Iterable<string>, order: Order): Generator<string> {
  const months = Map.groupBy(hours, (hour) => hour.slice(0, MONTH.length));
  for (const month of [...months.keys()].sort(order)) yield* (months.get(month) ?? []).sort(order);
}
