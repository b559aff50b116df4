import os from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The longest that anything may block the event loop, in ms. */
export const LIMIT_MS = 100;

/**
 * Returns the longest that `work` blocked the event loop, in ms, from a histogram of the loop's delay. On an overloaded
 * machine, time that the thread had to wait for a processor does not count: there the result is the most time that the
 * thread itself spent between two beats of the loop.
 */
export async function longestBlock(work: () => Promise<void>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const beats = new Beats();
  delays.enable();
  await counted(delays);
  delays.reset();
  beats.start();
  await work();
  await counted(delays); // a block at the very end shows only at the next beat
  delays.disable();
  const own = beats.stop();
  const held = delays.max / 1e6;
  const isBusy = (os.loadavg()[0] ?? 0) > os.availableParallelism();
  return isBusy ? Math.min(own, held) : held;
}

/** Waits until the histogram has measured once more. */
async function counted(delays: ReturnType<typeof monitorEventLoopDelay>): Promise<void> {
  for (const before = delays.count; delays.count === before; ) await new Promise((resolve) => setImmediate(resolve));
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
    return this.#longest;
  }

  #beat(): void {
    this.#next = setImmediate(() => {
      const now = ownTime();
      this.#longest = Math.max(this.#longest, now - this.#last);
      this.#last = now;
      this.#beat();
    });
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

/** Returns how long a call takes at its best, in ms. */
export function bestTime(call: () => void, tries = 3): number {
  let best = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < tries; nth += 1) {
    const started = performance.now();
    call();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}
