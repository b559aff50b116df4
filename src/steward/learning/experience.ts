import { sourceKey } from '../../vault/note-names.ts';

/** When something was observed of a source: an action confirmed, or its undo window closed. Epoch milliseconds. */
export interface Observation {
  readonly source: string;
  readonly at: number;
}

/**
 * How often each source had been right at a given moment: what stands in its instinct today, less everything that was
 * observed since. What the instinct holds beyond the recorded history was there before it (contract, section 7).
 */
export class Experience {
  readonly #moments: ReadonlyMap<string, readonly number[]>;
  readonly #today: (source: string) => number;

  constructor(history: readonly Observation[], today: (source: string) => number) {
    const bySource = Map.groupBy(history, ({ source }) => sourceKey(source));
    this.#moments = new Map(
      [...bySource].map(([source, own]) => [source, own.map(({ at }) => at).toSorted(ascending)]),
    );
    this.#today = today;
  }

  /** Observations behind `source` before the moment `at` (epoch ms). */
  before(source: string, at: number): number {
    const moments = this.#moments.get(sourceKey(source)) ?? [];
    const earlier = Math.max(0, this.#today(source) - moments.length);
    return earlier + countBefore(moments, at);
  }
}

function countBefore(moments: readonly number[], at: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function ascending(one: number, other: number): number {
  return one - other;
}
