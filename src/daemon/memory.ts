import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { GCProfiler, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { loadSystemCalls, type SystemCalls } from '../vault/files.ts';

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
/** By then what was begun is collected, and what returns the allocator's memory is loaded. */
const COLLECTED_MS = 4_000;
/** Then that memory is returned. */
const RETURNED_MS = 6_000;
/** A release that begins so soon (ms) after another follows it up: at the next look. */
const FOLLOWS_MS = 2 * LOOK_MS;

/**
 * Frees the memory that the start took, as soon as it is quiet, and later what a burst of work or a sweep took, when it
 * is over. Reading ten thousand notes leaves a heap of 200 MB of which 40 are in use, and V8 collects nothing while
 * nothing more is taken. So V8 is made to collect, and asked to favour size in the meantime. Otherwise it keeps the
 * room of its youngest objects, and a pool of pages that it counts nowhere. All of that goes step by step: a collection
 * that is asked for stops the program for as long as it takes. The memory for the bytes of the notes is outside the
 * heap, and the allocator returns no part of it unasked.
 */
export function releaseMemoryWhenIdle(): void {
  const memory = new Memory();
  setInterval(() => memory.look(), LOOK_MS).unref();
}

/** The heap in a release (bytes): what each collection left in use, and at its end what is in use and what there is. */
interface Measured {
  readonly left: readonly number[];
  readonly used: number;
  readonly size: number;
  readonly isFollowUp: boolean;
}

/** A release under way. */
interface Release {
  readonly isFollowUp: boolean;
  readonly collections: GCProfiler;
  /** The buffer that makes V8 begin to mark. It is kept in a field, for the bundler removes unused values. */
  reserved: ArrayBuffer | null;
}

class Memory {
  /** What of the heap is taken to be in use since the last release. */
  #inUse = 0;
  #release: Release | null = null;
  /** When the last release ended (ms, of the clock that can't be set). */
  #endedAt = Number.NEGATIVE_INFINITY;
  /** While it is not quiet, nothing is released before this moment (ms, of the same clock). */
  #notBefore = 0;
  #since: EventLoopUtilization = performance.eventLoopUtilization();
  #system: SystemCalls | null | undefined;

  look(): void {
    const busy = performance.eventLoopUtilization(this.#since).utilization;
    this.#since = performance.eventLoopUtilization();
    if (this.#release !== null || busy > BUSY || (busy > QUIET && performance.now() < this.#notBefore)) return;
    if (getHeapStatistics().total_heap_size - this.#inUse >= WORTH_BYTES) this.#begin();
  }

  #begin(): void {
    const collections = new GCProfiler();
    collections.start();
    setFlagsFromString('--optimize-for-size');
    const isFollowUp = performance.now() - this.#endedAt < FOLLOWS_MS;
    const release: Release = { isFollowUp, collections, reserved: reserve() };
    this.#release = release;
    setTimeout(() => this.#collected(release), COLLECTED_MS).unref();
    setTimeout(() => this.#end(release), RETURNED_MS).unref();
  }

  // To load takes 30 ms: in a turn of its own.
  #collected(release: Release): void {
    release.reserved = null;
    setFlagsFromString('--no-optimize-for-size');
    if (this.#system === undefined) this.#system = loadSystemCalls();
  }

  #end({ isFollowUp, collections }: Release): void {
    this.#system?.returnMemory();
    const left = collections.stop().statistics.map(({ afterGC }) => afterGC.heapStatistics.usedHeapSize);
    const { used_heap_size: used, total_heap_size: size } = getHeapStatistics();
    this.#inUse = inUse({ left, used, size, isFollowUp });
    this.#endedAt = performance.now();
    this.#notBefore = this.#endedAt + UNQUIET_MS;
    this.#release = null;
  }
}

/**
 * Returns how many bytes of the heap are taken to be in use after a release. Objects that were made in the meantime may
 * be garbage, as when the cache was saved. So the least counts, and if the heap is much larger, a second release
 * follows. After that one all that there is counts, so that no third comes for the same.
 */
export function inUse({ left, used, size, isFollowUp }: Measured): number {
  return isFollowUp ? size : Math.min(used, ...left);
}

// Untouched memory takes no RAM: it only counts for V8.
function reserve(): ArrayBuffer | null {
  try {
    return new ArrayBuffer(BEGINS_MARKING_BYTES);
  } catch {
    return null; // a system that promises no more than it has: then V8 collects when it must
  }
}
