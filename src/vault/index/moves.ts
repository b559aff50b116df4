import { linkKey } from '../links.ts';

/**
 * Where notes were moved or renamed to, so that a path written down before still leads to its note. Only moves that were
 * seen count: a guess by name could lead to another note of that name.
 */
export class Moves {
  readonly #now = new Map<string, string>();
  readonly #former = new Map<string, Set<string>>();

  /** Remembers one move; what had moved to `from` before has moved on with it. */
  remember(from: string, to: string): void {
    const former = new Set([...(this.#former.get(from) ?? []), from]);
    this.#former.delete(from);
    former.delete(to); // it went back to where it once was
    this.#now.delete(linkKey(to));
    for (const one of former) this.#now.set(linkKey(one), to);
    this.#former.set(to, new Set([...(this.#former.get(to) ?? []), ...former]));
  }

  /** Where the note went that was once at this path (a path, or a link that names it whole), or null. */
  whereTo(written: string): string | null {
    return this.#now.get(linkKey(written)) ?? null;
  }

  /** The paths a note had before. */
  formerOf(path: string): readonly string[] {
    return [...(this.#former.get(path) ?? [])];
  }

  /** Every move still known, former path → path now; those to a note that is gone are let go. */
  toRecord(isThere: (path: string) => boolean): Record<string, string> {
    const there = [...this.#former].filter(([to]) => isThere(to));
    return Object.fromEntries(there.flatMap(([to, former]) => [...former].map((from) => [from, to] as const)));
  }
}
