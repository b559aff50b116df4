import type { Thing } from '../languages/things/things.ts';
import { type ThingSet, thingsNamed } from './things-named.ts';

/** A note, as far as the things in its name are concerned. */
interface NamedNote {
  readonly path: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly keywords: readonly string[];
}

/** A thing that more notes name tells nothing. */
const TOO_MANY = 40;
const NONE: ThingSet = new Set();

/** Which notes name which everyday things, so that a mail finds them in time proportional to the mail. */
export class ThingIndex {
  readonly #paths = new Map<Thing, Set<string>>();
  readonly #things = new Map<string, ThingSet>();

  constructor(notes: readonly NamedNote[]) {
    for (const note of notes) this.add(note);
  }

  /** Adds a note, or replaces the one known under its path. */
  add({ path, name, aliases, keywords }: NamedNote): void {
    this.remove(path);
    const things = thingsNamed([name, ...aliases, ...keywords].join(' '), null);
    this.#things.set(path, things);
    for (const thing of things) this.#paths.set(thing, (this.#paths.get(thing) ?? new Set()).add(path));
  }

  /** Removes a note. Does nothing where the path is not known. */
  remove(path: string): void {
    for (const thing of this.#things.get(path) ?? []) this.#paths.get(thing)?.delete(path);
    this.#things.delete(path);
  }

  /** Returns the things that a note names, in whatever language; none where the note is not known. */
  of(path: string): ThingSet {
    return this.#things.get(path) ?? NONE;
  }

  /** Returns the notes that name any of some things, those of the rarest thing first. */
  naming(things: ThingSet): readonly string[] {
    const named = [...things]
      .map((thing) => this.#paths.get(thing) ?? new Set<string>())
      .filter(({ size }) => size > 0 && size <= TOO_MANY)
      .toSorted((one, other) => one.size - other.size);
    return [...new Set(named.flatMap((paths) => [...paths].toSorted()))];
  }
}
