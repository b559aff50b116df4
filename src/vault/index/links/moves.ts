import { linkKey } from '../../links.ts';

/**
 * Where notes were moved or renamed to, so that a path written down before still leads to its note. Only observed moves
 * count: guessing by name could lead to another note of that name.
 */
export class Moves {
  readonly #now = new Map<string, string>();
  readonly #former = new Map<string, Set<string>>();
  #count = 0;

  /** How many moves were remembered so far: each may make a link lead elsewhere. */
  get count(): number {
    return this.#count;
  }

  /**
   * Remembers one move; whatever had moved to `from` before moves on with it. Returns the former paths that now lead
   * elsewhere, or nowhere.
   */
  remember(from: string, to: string): readonly string[] {
    this.#count += 1;
    const former = new Set([...(this.#former.get(from) ?? []), from]);
    this.#former.delete(from);
    former.delete(to); // it went back to where it once was
    this.#now.delete(linkKey(to));
    for (const one of former) this.#now.set(linkKey(one), to);
    this.#former.set(to, new Set([...(this.#former.get(to) ?? []), ...former]));
    return [...former, to];
  }

  /** Returns where the note is now that was once at this path (a path, or a link with the whole path), or null. */
  whereTo(written: string): string | null {
    return this.#now.get(linkKey(written)) ?? null;
  }

  /** Returns the paths a note had before. */
  formerOf(path: string): readonly string[] {
    return [...(this.#former.get(path) ?? [])];
  }

  /** Returns every known move, former path → present path, without moves of notes that are gone. */
  toRecord(isThere: (path: string) => boolean): Record<string, string> {
    const there = [...this.#former].filter(([to]) => isThere(to));
    return Object.fromEntries(there.flatMap(([to, former]) => [...former].map((from) => [from, to] as const)));
  }
}
