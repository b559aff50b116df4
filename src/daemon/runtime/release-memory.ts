import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadSystemCalls } from '../../vault/disk/system-calls.ts';

/** By then the work of the start is over and its garbage can be collected. */
const AFTER_MS = 2_000;
/** By then the buffers of that garbage are free, and the allocator holds what they took. */
const SWEPT_MS = 8_000;

/**
 * Frees the memory that the start took, a moment after it. Reading ten thousand notes leaves a heap of 200 MB of which
 * 40 are in use, and V8 collects a heap again only when it fills, which in an idle daemon it never does. One full
 * collection is enough: V8 then returns the pages by itself within about ten seconds. What the bytes of the notes took
 * lies outside the heap, and the allocator returns none of it unasked.
 */
export function releaseMemorySoon(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    setFlagsFromString('--no-expose-gc');
    if (typeof collect === 'function') collect({ type: 'major', execution: 'async' });
    setTimeout(() => loadSystemCalls()?.returnMemory(), SWEPT_MS).unref();
  }, AFTER_MS).unref();
}
