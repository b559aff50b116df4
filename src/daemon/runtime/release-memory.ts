import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { loadSystemCalls, type SystemCalls } from '../../vault/disk/system-calls.ts';

/** How often it is looked whether there is memory to be released. */
const LOOK_MS = 5_000;
/** Below that it is not worth a collection. */
const WORTH_BYTES = 24 * 1024 * 1024;
/** Busier than that (share of the time), there is work under way, and V8 collects by itself. */
const BUSY = 0.3;
/** V8 begins to mark, step by step, where so much was taken outside its heap since the last collection: 64 MiB. */
const BEGINS_MARKING_BYTES = 80 * 1024 * 1024;
/** By then what was begun is collected. */
const COLLECTED_MS = 4_000;
/** By then the memory reducer, which looks every 8 seconds, has done its work. */
const REDUCED_MS = 14_000;

/**
 * Frees the memory that the start took, as soon as it is quiet, and later what a burst of work or a sweep took, when it is
 * over. Reading ten thousand notes leaves a heap of 200 MB of which 40 are in use. V8 has what returns it, the memory
 * reducer, which looks every 8 seconds after a collection whether little is allocated; but what it takes for the present
 * rate is that of the last collection, and an idle daemon makes none. So it is told for a while that size counts more.
 * All of that goes step by step: a collection that is asked for stops the program for as long as it takes. What the bytes
 * of the notes took lies outside the heap, and the allocator returns none of it unasked.
 */
export function releaseMemoryWhenIdle(): void {
  const memory = new Memory();
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
  #least: number | null = 0; // the start has taken something
  #isReleasing = false;
  #since: EventLoopUtilization = performance.eventLoopUtilization();
  #system: SystemCalls | null | undefined;

  look(): void {
    const { utilization } = performance.eventLoopUtilization(this.#since);
    this.#since = performance.eventLoopUtilization();
    const used = usedMemory();
    if (used === null || this.#isReleasing) return;
    this.#least = Math.min(this.#least ?? used, used);
    if (utilization <= BUSY && used - this.#least >= WORTH_BYTES) this.#release();
  }

  #release(): void {
    this.#isReleasing = true;
    beginMarking();
    setTimeout(() => setFlagsFromString('--optimize-for-size'), COLLECTED_MS).unref();
    setTimeout(() => this.#end(), REDUCED_MS).unref();
  }

  #end(): void {
    setFlagsFromString('--no-optimize-for-size');
    if (this.#system === undefined) this.#system = loadSystemCalls();
    this.#system?.returnMemory();
    this.#isReleasing = false;
    this.#least = null;
  }
}

// Memory that nobody touches is none of the machine's: it only counts.
function beginMarking(): void {
  try {
    new ArrayBuffer(BEGINS_MARKING_BYTES);
  } catch {
    // a system that promises no more than it has: then V8 collects when it must
  }
}
