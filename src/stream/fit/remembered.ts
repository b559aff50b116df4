/** What was worked out for each of some keys, asked once for each; all is forgotten where there are too many. */
export class Remembered<Key, Value> {
  readonly #known = new Map<Key, Value>();
  readonly #most: number;

  /** `most`: how many values are kept. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  /** Returns the value of a key, by `work` where it is not known. */
  of(key: Key, work: () => Value): Value {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const value = work();
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(key, value);
    return value;
  }

  /** Forgets all. */
  clear(): void {
    this.#known.clear();
  }
}
