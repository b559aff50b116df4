/** Nothing may hold the event loop up for longer, in ms of this thread's own time. */
export const LIMIT_MS = 100;

/**
 * The longest that `work` held up the event loop, in ms: the most of its own time that this thread spent between two
 * turns of the loop. Time that it waited for a processor or a disk does not count, so a loaded machine changes nothing;
 * a call that waits for ever (a pipe that nobody writes into) never returns, and the test's own timeout ends it.
 */
export async function longestBlock(work: () => Promise<void>): Promise<number> {
  const beats = new Beats();
  beats.start();
  await work();
  await new Promise((resolve) => setImmediate(resolve)); // a block at the very end shows at the next beat
  return beats.stop();
}

/** Measures the most of its own time that this thread spends between two turns of the event loop. */
class Beats {
  #last = 0;
  #longest = 0;
  #next: NodeJS.Immediate | null = null;

  start(): void {
    this.#last = ownTime();
    this.#beat();
  }

  /** Stops measuring and returns the longest turn, in ms. */
  stop(): number {
    if (this.#next !== null) clearImmediate(this.#next);
    this.#look();
    return this.#longest;
  }

  #beat(): void {
    this.#next = setImmediate(() => {
      this.#look();
      this.#beat();
    });
  }

  #look(): void {
    const now = ownTime();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
  }
}

/** Returns how long this thread has worked, in ms. */
export function ownTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns the shortest of a few tries, since other programs only add time. `make` returns fresh work for each try. */
export async function leastLongestBlock(tries: number, make: () => Promise<() => Promise<void>>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < tries && least >= LIMIT_MS; nth += 1)
    least = Math.min(least, await longestBlock(await make()));
  return least;
}

/** How long a call takes at its best, in ms of this thread's own time. */
export function bestTime(call: () => void, tries = 3): number {
  let best = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < tries; nth += 1) {
    const started = ownTime();
    call();
    best = Math.min(best, ownTime() - started);
  }
  return best;
}
