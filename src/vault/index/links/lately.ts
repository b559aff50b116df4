/** So many answers are remembered. */
const MOST = 64;

/** What was found for the keys that were asked about last, for as long as nothing changes: a tick asks the same again and again. */
export class Lately<Found> {
  readonly #found = new Map<string, Found>();
  #revision: number | null = null;

  /** Returns what was found for a key at `revision`, from memory or by `work`. */
  at(key: string, revision: number, work: () => Found): Found {
    if (this.#revision !== revision || this.#found.size >= MOST) this.#found.clear();
    this.#revision = revision;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = work();
    this.#found.set(key, found);
    return found;
  }
}
