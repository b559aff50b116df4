/** A result derived from something that seldom changes: computed again only when its revision has changed. */
export class Memo<Result> {
  #revision: number | null = null;
  #result: Result | null = null;

  /** Returns the result for `revision`, from memory or by `work`. */
  at(revision: number, work: () => Result): Result {
    return this.known(revision) ?? this.keep(revision, work());
  }

  /** Returns the result for `revision` from memory; null where it is not there. */
  known(revision: number): Result | null {
    return this.#revision === revision ? this.#result : null;
  }

  /** Remembers a result, and returns it. */
  keep(revision: number, result: Result): Result {
    this.#result = result;
    this.#revision = revision;
    return result;
  }
}
