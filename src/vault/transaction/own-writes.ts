/**
 * What the program itself last wrote into each note, so that its own edit does not count as somebody typing.
 * Bounded: the oldest are dropped, which at worst means waiting out a quiet window.
 */
export class OwnWrites {
  readonly #shas = new Map<string, string>();
  static readonly #MAX = 2_000;

  /** Remembers the SHA-256 of the bytes just written into a note. */
  remember(path: string, sha: string): void {
    this.#shas.delete(path);
    this.#shas.set(path, sha);
    if (this.#shas.size <= OwnWrites.#MAX) return;
    const oldest = this.#shas.keys().next();
    if (!oldest.done) this.#shas.delete(oldest.value);
  }

  /** Whether the bytes now in a note are the ones the program put there. */
  isOurs(path: string, sha: string): boolean {
    return this.#shas.get(path) === sha;
  }
}
