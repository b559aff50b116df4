import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadSystemCalls, type SystemCalls } from '../../vault/disk/system-calls.ts';

/** By then the work of the start is over and its garbage can be collected. */
const FIRST_LOOK_MS = 2_000;
const LOOK_MS = 15_000;
/** After a collection, by then the buffers of the garbage are free, and the allocator holds what they took. */
const SWEPT_MS = 8_000;
/** Below that it is not worth a collection. */
const WORTH_BYTES = 24 * 1024 * 1024;
/** Busier than that (share of the time), there is work under way, and V8 collects by itself. */
const BUSY = 0.3;

/**
 * Frees the memory that the start took, a moment after it, and later what a burst of work or a sweep took, when it is
 * over. Reading ten thousand notes leaves a heap of 200 MB of which 40 are in use, and V8 collects a heap again only
 * when it fills, which in an idle daemon it never does. One full collection is enough: V8 then returns the pages by
 * itself within about ten seconds. What the bytes of the notes took lies outside the heap, and the allocator returns
 * none of it unasked.
 */
export function releaseMemoryWhenIdle(): void {
  const memory = new Memory();
  setTimeout(() => memory.release(), FIRST_LOOK_MS).unref();
  setInterval(() => memory.look(), LOOK_MS).unref();
}

/** Returns how much memory is in use; null where the system cannot tell, as while no file may be opened. */
function usedMemory(): number | null {
  try {
    return process.memoryUsage.rss();
  } catch {
    return null;
  }
}

class Memory {
  /** The least that was in use since the last release; null until the look after it. */
  #least: number | null = null;
  #since: EventLoopUtilization = performance.eventLoopUtilization();
  #system: SystemCalls | null | undefined;

  look(): void {
    const { utilization } = performance.eventLoopUtilization(this.#since);
    this.#since = performance.eventLoopUtilization();
    const used = usedMemory();
    if (used === null) return;
    this.#least = Math.min(this.#least ?? used, used);
    if (utilization <= BUSY && used - this.#least >= WORTH_BYTES) this.release();
  }

  release(): void {
    this.#least = null;
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    setFlagsFromString('--no-expose-gc');
    if (typeof collect === 'function') collect({ type: 'major', execution: 'async' });
    setTimeout(() => this.#trim(), SWEPT_MS).unref();
  }

  #trim(): void {
    if (this.#system === undefined) this.#system = loadSystemCalls();
    this.#system?.returnMemory();
  }
}
