import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { loadSystemCalls, type SystemCalls } from '../../vault/disk/system-calls.ts';

/** How often it is looked whether there is memory to be released. */
const LOOK_MS = 5_000;
/** So much more of a heap than is in use is worth a collection. */
const WORTH_BYTES = 24 * 1024 * 1024;
/** Busier than that (share of the time), there is work under way, and V8 collects by itself. */
const BUSY = 0.3;
/** A release itself and the ticks of an idle daemon take less than that. */
const QUIET = 0.1;
/** Where it is never quiet, as with a thousand vaults, it is released this seldom (ms): each time costs a collection. */
const UNQUIET_MS = 5 * 60_000;
/** V8 begins to mark, step by step, where so much was taken outside its heap since the last collection: 64 MiB. */
const BEGINS_MARKING_BYTES = 80 * 1024 * 1024;
/** By then what was begun is collected. */
const COLLECTED_MS = 4_000;
/** When what returns the allocator's memory is loaded. */
const LOADED_MS = 8_000;
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

class Memory {
  /** What of the heap was in use after the last release. */
  #inUse = 0;
  #isReleasing = false;
  /** While it is not quiet, nothing is released before this moment (ms, of the clock that nobody sets). */
  #notBefore = 0;
  #since: EventLoopUtilization = performance.eventLoopUtilization();
  #system: SystemCalls | null | undefined;

  look(): void {
    const busy = busySince(this.#since);
    this.#since = performance.eventLoopUtilization();
    if (this.#isReleasing || busy > BUSY || (busy > QUIET && performance.now() < this.#notBefore)) return;
    if (getHeapStatistics().total_heap_size - this.#inUse >= WORTH_BYTES) this.#release();
  }

  #release(): void {
    this.#isReleasing = true;
    const since = performance.eventLoopUtilization();
    beginMarking();
    setTimeout(() => setFlagsFromString('--optimize-for-size'), COLLECTED_MS).unref();
    setTimeout(() => this.#load(), LOADED_MS).unref();
    setTimeout(() => this.#end(since), REDUCED_MS).unref();
  }

  // In a turn of its own: it takes 30 ms, and a collection may come with the end.
  #load(): void {
    if (this.#system === undefined) this.#system = loadSystemCalls();
  }

  #end(since: EventLoopUtilization): void {
    setFlagsFromString('--no-optimize-for-size');
    this.#load();
    this.#system?.returnMemory();
    // Where there was work meanwhile, some of what is in use is garbage again.
    if (busySince(since) <= QUIET) this.#inUse = getHeapStatistics().used_heap_size;
    this.#notBefore = performance.now() + UNQUIET_MS;
    this.#isReleasing = false;
  }
}

function busySince(since: EventLoopUtilization): number {
  return performance.eventLoopUtilization(since).utilization;
}

// Memory that nobody touches is none of the machine's: it only counts.
function beginMarking(): void {
  try {
    new ArrayBuffer(BEGINS_MARKING_BYTES);
  } catch {
    // a system that promises no more than it has: then V8 collects when it must
  }
}
