/**
 * Lets a few starts go on at a time, so that the first vault is served soon. A start that takes long, since it waits for a
 * lock or for a disk, gives its place to the next one and goes on beside it.
 */
export class StartGate {
  readonly #width: number;
  readonly #longestMs: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  /** `width`: how many at a time; `longestMs`: for how long one keeps its place. */
  constructor(width: number, longestMs: number) {
    this.#width = width;
    this.#longestMs = longestMs;
  }

  /** Does some work when it is its turn. `left` is told once when it has its place no longer, be it done or not. */
  async through<Result>(work: () => Promise<Result>, left: () => void): Promise<Result> {
    const leave = await this.#enter(left);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  async #enter(left: () => void): Promise<() => void> {
    if (this.#inside >= this.#width) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inside += 1;
    let isInside = true;
    const leave = () => {
      clearTimeout(patience);
      if (!isInside) return;
      isInside = false;
      left();
      const next = this.#waiting.shift();
      if (next === undefined) this.#inside -= 1;
      else next();
    };
    const patience = setTimeout(leave, this.#longestMs);
    return leave;
  }
}
