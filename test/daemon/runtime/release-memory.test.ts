import { execFile } from 'node:child_process';
import path from 'node:path';
import { constants } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';

const CHILD = path.join(import.meta.dirname, 'release-child.ts');
const told = z.object({
  full: z.number(),
  now: z.number(),
  collections: z.array(z.object({ kind: z.number(), flags: z.number() })),
});

test('what a start took is given back, and no collection is forced, which would stop the program for its time', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD]);
  const { full, now, collections } = told.parse(JSON.parse(stdout));
  expect(now).toBeLessThan(full / 3);
  const major = collections.filter(({ kind }) => kind === constants.NODE_PERFORMANCE_GC_MAJOR);
  expect(major.length).toBeGreaterThan(0);
  const isForced = ({ flags }: { readonly flags: number }) =>
    (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0;
  expect(major.filter(isForced)).toEqual([]);
});
