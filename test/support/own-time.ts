import os from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Nothing may hold the event loop up for longer, in ms. */
export const LIMIT_MS = 100;

/**
 * The longest that `work` held up the event loop, in ms: by a histogram of the loop's delay. Where the machine has more
 * to do than processors for it, time that this thread did not have counts for nothing: then the longest time that the
 * thread itself spent between two beats of the loop is what counts.
 */
export async function longestBlock(work: () => Promise<void>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const beats = new Beats();
  delays.enable();
  await counted(delays);
  delays.reset();
  beats.start();
  await work();
  await counted(delays); // a block at the very end shows at the next beat
  delays.disable();
  const own = beats.stop();
  const held = delays.max / 1e6;
  const isBusy = (os.loadavg()[0] ?? 0) > os.availableParallelism();
  return isBusy ? Math.min(own, held) : held;
}

/** Until the histogram has measured once more. */
async function counted(delays: ReturnType<typeof monitorEventLoopDelay>): Promise<void> {
  for (const before = delays.count; delays.count === before; ) await new Promise((resolve) => setImmediate(resolve));
}

/** The most of its own time that this thread spends between two turns of the event loop. */
class Beats {
  #last = 0;
  #longest = 0;
  #next: NodeJS.Immediate | null = null;

  start(): void {
    this.#last = ownTime();
    this.#beat();
  }

  /** The longest turn, in ms. */
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

/** What this thread has worked, in ms. */
export function ownTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The least of a few tries: other programs on the machine only ever add. `make` gives fresh work each time. */
export async function leastLongestBlock(tries: number, make: () => Promise<() => Promise<void>>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < tries && least >= LIMIT_MS; nth += 1)
    least = Math.min(least, await longestBlock(await make()));
  return least;
}

/** How long a call takes at its best, in ms. */
export function bestTime(call: () => void, tries = 3): number {
  let best = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < tries; nth += 1) {
    const started = performance.now();
    call();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}
