/** A result derived from something that seldom changes: computed again only when its revision has changed. */
export class Memo<Result> {
  #revision: number | null = null;
  #result: Result | null = null;

  /** Returns the result for `revision`, from memory or by `work`. */
  at(revision: number, work: () => Result): Result {
    if (this.#result === null || this.#revision !== revision) {
      this.#result = work();
      this.#revision = revision;
    }
    return this.#result;
  }
}
