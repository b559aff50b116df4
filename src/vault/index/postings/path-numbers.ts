/** A number for each path that is known, so that a path is kept once, however many indexes name it. */
export class PathNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #paths: (string | null)[] = [];
  readonly #free: number[] = [];

  /** Returns the number of a path, a new one where it has none yet: one that was released, or the next. */
  give(path: string): number {
    const known = this.#numbers.get(path);
    if (known !== undefined) return known;
    const number = this.#free.pop() ?? this.#paths.length;
    this.#numbers.set(path, number);
    this.#paths[number] = path;
    return number;
  }

  /** Returns the number of a path, or undefined where it has none. */
  of(path: string): number | undefined {
    return this.#numbers.get(path);
  }

  has(path: string): boolean {
    return this.#numbers.has(path);
  }

  /** Takes a path's number from it. No index may hold it any more. */
  release(path: string): void {
    const number = this.#numbers.get(path);
    if (number === undefined) return;
    this.#numbers.delete(path);
    this.#paths[number] = null;
    this.#free.push(number);
  }

  /** Returns the path that has a number. */
  path(number: number): string {
    return this.#paths[number] ?? '';
  }

  get size(): number {
    return this.#numbers.size;
  }

  /** All paths, oldest first. */
  paths(): IterableIterator<string> {
    return this.#numbers.keys();
  }
}
