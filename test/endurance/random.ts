/** Repeatable randomness: the same seed leads to the same run (mulberry32). */
export class Random {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed;
    this.#state = seed >>> 0;
  }

  /** Returns 0 ≤ figure < 1. */
  figure(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns a whole number, `from` ≤ n ≤ `to`. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.figure() * (to - from + 1));
  }

  chance(share: number): boolean {
    return this.figure() < share;
  }

  /** Returns one of several items; null where there is none. */
  pick<Item>(items: readonly Item[]): Item | null {
    return items[this.whole(0, items.length - 1)] ?? null;
  }

  /** Returns one of several items, each as likely as its weight says. */
  weighted<Item>(items: readonly (readonly [number, Item])[]): Item | null {
    let left = this.figure() * items.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, item] of items) {
      left -= weight;
      if (left < 0) return item;
    }
    return null;
  }
}
