/** What was worked out from something that changes seldom: worked out anew only when its revision has moved on. */
export class Memo<Result> {
  #revision: number | null = null;
  #result: Result | null = null;

  /** The result for `revision`, from memory or by `work`. */
  at(revision: number, work: () => Result): Result {
    if (this.#result === null || this.#revision !== revision) {
      this.#result = work();
      this.#revision = revision;
    }
    return this.#result;
  }
}
