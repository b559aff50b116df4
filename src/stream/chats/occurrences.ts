/**
 * Counts how often the same was said at the same time: what is said twice in one minute is two events, and the second of
 * a longer export is the second of a shorter one. Keeps the lines of one moment only.
 */
export class Occurrences {
  #moment = '';
  readonly #counts = new Map<string, number>();

  /** Returns which one this is: 1 for the first. */
  next(moment: string, said: string): number {
    if (moment !== this.#moment) this.#counts.clear();
    this.#moment = moment;
    const nth = (this.#counts.get(said) ?? 0) + 1;
    this.#counts.set(said, nth);
    return nth;
  }
}
