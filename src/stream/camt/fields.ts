/** How much text of one element is kept: far more than a bank sends. */
const MOST = 40_000;

/** The texts of an element, by where they stand in it: `RmtInf/Ustrd`. An attribute stands behind an `@`. */
export class Fields {
  readonly #values = new Map<string, string[]>();
  #room = MOST;

  /** Keeps a text. What is too much for one element is left out. */
  add(path: string, text: string): void {
    this.#room -= text.length + path.length;
    if (text === '' || this.#room < 0) return;
    const there = this.#values.get(path);
    if (there === undefined) this.#values.set(path, [text]);
    else there.push(text);
  }

  /** Returns the texts at the first of these places that has any. */
  all(...paths: readonly string[]): readonly string[] {
    return paths.map((path) => this.#values.get(path)).find((values) => values !== undefined) ?? [];
  }

  /** Returns the first text at the first of these places that has one; null where none has. */
  first(...paths: readonly string[]): string | null {
    return this.all(...paths)[0] ?? null;
  }
}
