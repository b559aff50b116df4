// A program that reads much and then rests, twice: prints how its memory was collected until most was given back both times.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';
import { releaseMemoryWhenIdle } from '../../../src/daemon/memory.ts';

const collection = z.object({ detail: z.object({ kind: z.number(), flags: z.number() }) });
const collections: z.infer<typeof collection>['detail'][] = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) collections.push(collection.parse(entry).detail);
}).observe({ entryTypes: ['gc'] });

releaseMemoryWhenIdle();
const full = fill();
let times = 0;
const look = setInterval(() => {
  const now = getHeapStatistics().total_heap_size;
  if (now > full / 3) return;
  times += 1;
  // The first release is still going on when the same is taken once more.
  if (times === 1) return void fill();
  clearInterval(look);
  console.log(JSON.stringify({ full, now, collections }));
}, 200);

/** Fills the heap with what nobody needs any more, and returns its size. */
function fill(): number {
  const kept: object[] = [];
  for (let nth = 0; nth < 1_000_000; nth += 1) kept.push({ nth, text: `note ${nth}` });
  kept.length = 0;
  return getHeapStatistics().total_heap_size;
}
