import { fold, stem } from '../../note-names.ts';
import type { PathNumbers } from './path-numbers.ts';
import { Postings } from './postings.ts';

/**
 * The paths under the folded name of their notes, as `Postings` has them under any key. Nearly every note has a name of its
 * own, and each path tells it: so only a hash of the name is kept, and the few others that share it are left out.
 */
export class NamePostings {
  readonly #hashed: Postings<number>;

  constructor(numbers: PathNumbers) {
    this.#hashed = new Postings(numbers);
  }

  /** Adds a path, by its number, under its name. */
  add(name: string, path: number): void {
    this.#hashed.add(hashOf(name), path);
  }

  /** Removes a path from its name; does nothing where it is not there. */
  remove(name: string, path: number): void {
    this.#hashed.remove(hashOf(name), path);
  }

  /** Returns the paths of a name in their order; none for an unknown one. */
  get(name: string): readonly string[] {
    return this.#hashed.get(hashOf(name)).filter((path) => fold(stem(path)) === name);
  }
}

// FNV-1a, over UTF-16 units: 32 bits, a small integer to V8. Who makes names that share one makes look-ups as long as who
// gives many notes the same name.
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash | 0;
}
