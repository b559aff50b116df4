/**
 * The entries of something remembered of which a question holds, kept in step as entries change: to ask costs what has
 * changed. At first, and where the question is another one, all are gone over.
 */
export class Selection<Value> {
  readonly #entries: Readonly<Record<string, Value>>;
  readonly #keys: () => Iterable<string>;
  readonly #chosen = new Map<string, Value>();
  #isChosen: ((value: Value) => boolean) | null = null;
  #question: string | null = null;

  /** `keys`: those of all entries; there may be some too many. */
  constructor(entries: Readonly<Record<string, Value>>, keys: () => Iterable<string>) {
    this.#entries = entries;
    this.#keys = keys;
  }

  /** Is told that an entry has changed, come or gone. */
  follow(key: string): void {
    const value = this.#entries[key];
    if (value !== undefined && this.#isChosen?.(value) === true) this.#chosen.set(key, value);
    else this.#chosen.delete(key);
  }

  /**
   * Returns the chosen entries by key, and pauses after each that has to be gone over. `isChosen` goes by the entry and by
   * what `question` says, and by nothing else. One after the other: who asks meanwhile is told too few.
   */
  *ask(question: string, isChosen: (value: Value) => boolean): Generator<void, ReadonlyMap<string, Value>> {
    if (this.#question === question) return this.#chosen;
    this.#isChosen = isChosen;
    this.#chosen.clear();
    for (const key of this.#keys()) {
      this.follow(key);
      yield;
    }
    this.#question = question; // only now: who breaks off has it gone over once more
    return this.#chosen;
  }
}
