import { sourceKey } from '../../vault/source-names.ts';

/** A source was seen to be right: by a confirmation, by a person's own hand, or by a week of silence. */
export interface Observation {
  readonly source: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * How often each source had been right at a given moment: the observations in its instinct today, less everything
 * observed since. Whatever the instinct counts beyond the recorded history was there before it (contract, section 7).
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

  /** Returns how many observations stood behind a source before the moment `at` (epoch ms). */
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
