const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Tells, line by line, which lines of a Markdown text belong to fenced code. */
export class CodeFences {
  #open: string | null = null;

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Reads the next line. Returns whether it is inside fenced code, or opens or closes it. */
  isCode(line: string): boolean {
    const ticks = FENCE.exec(line)?.[1] ?? null;
    if (ticks !== null) this.#open = this.#open === null ? ticks : ticks.startsWith(this.#open) ? null : this.#open;
    return this.isOpen || ticks !== null;
  }
}
