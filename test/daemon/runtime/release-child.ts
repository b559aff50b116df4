// A program that has read much and then rests: prints how its memory was collected until most of it was given back.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';
import { releaseMemoryWhenIdle } from '../../../src/daemon/runtime/release-memory.ts';

const collection = z.object({ detail: z.object({ kind: z.number(), flags: z.number() }) });
const collections: z.infer<typeof collection>['detail'][] = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) collections.push(collection.parse(entry).detail);
}).observe({ entryTypes: ['gc'] });

releaseMemoryWhenIdle();
const kept: object[] = [];
for (let nth = 0; nth < 1_000_000; nth += 1) kept.push({ nth, text: `note ${nth}` });
kept.length = 0;
const full = getHeapStatistics().total_heap_size;
const look = setInterval(() => {
  const now = getHeapStatistics().total_heap_size;
  if (now > full / 3) return;
  clearInterval(look);
  console.log(JSON.stringify({ full, now, collections }));
}, 200);
