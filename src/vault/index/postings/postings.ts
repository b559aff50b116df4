import type { PathNumbers } from './path-numbers.ts';

/** From this many paths on, a set finds one of them sooner than a list does, and takes three times the memory. */
const MANY = 64;

type Some = number | number[] | Set<number>;

/** The paths under each key: a small inverted index. Paths stand there by their numbers, and most keys have one. */
export class Postings<Key extends string | number = string> {
  readonly #numbers: PathNumbers;
  readonly #known = new Map<Key, Some>();

  constructor(numbers: PathNumbers) {
    this.#numbers = numbers;
  }

  /** Adds a path, by its number, under a key. */
  add(key: Key, path: number): void {
    const known = this.#known.get(key);
    if (known === undefined) this.#known.set(own(key), path);
    else if (known instanceof Set) known.add(path);
    else if (typeof known === 'number' ? known !== path : !known.includes(path))
      this.#known.set(key, more(known, path));
  }

  /** Removes a path from a key; does nothing where it is not there. */
  remove(key: Key, path: number): void {
    const known = this.#known.get(key);
    if (known === path) this.#known.delete(key);
    if (known === undefined || typeof known === 'number') return;
    if (known instanceof Set) known.delete(path);
    else if (known.includes(path)) known.splice(known.indexOf(path), 1);
    if ((known instanceof Set ? known.size : known.length) === 0) this.#known.delete(key);
  }

  /** Returns every key that has paths. */
  keys(): IterableIterator<Key> {
    return this.#known.keys();
  }

  /**
   * Returns the paths of a key in their order, whichever was added first; none for an unknown one. A file system lists
   * its folders in any order, and what is done first must not hang on that.
   */
  get(key: Key): readonly string[] {
    const known = this.#known.get(key);
    if (known === undefined) return [];
    return typeof known === 'number'
      ? [this.#numbers.path(known)]
      : Array.from(known, (one) => this.#numbers.path(one)).sort();
  }
}

function more(known: number | number[], path: number): Some {
  if (typeof known === 'number') return [known, path];
  if (known.length >= MANY) return new Set([...known, path]);
  known.push(path);
  return known;
}

/**
 * Returns a key that is not a piece of a longer text. What was cut out of a note keeps the whole note in memory for as long
 * as it is kept.
 */
function own<Key extends string | number>(key: Key): Key {
  return JSON.parse(JSON.stringify(key));
}
