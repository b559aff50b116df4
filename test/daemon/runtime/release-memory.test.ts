import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { constants } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { inUse } from '../../../src/daemon/memory.ts';
import { build } from '../../stories/support.ts';

const CHILD = path.join(import.meta.dirname, 'release-child.ts');
const PROJECT = path.resolve(import.meta.dirname, '..', '..', '..');
const told = z.object({
  full: z.number(),
  now: z.number(),
  collections: z.array(z.object({ kind: z.number(), flags: z.number() })),
});

test('what a start took is given back, and what is taken while that goes on; no collection is forced, which would stop the program for its time', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD]);
  const { full, now, collections } = told.parse(JSON.parse(stdout));
  expect(now).toBeLessThan(full / 3);
  const major = collections.filter(({ kind }) => kind === constants.NODE_PERFORMANCE_GC_MAJOR);
  expect(major.length).toBeGreaterThan(0);
  const isForced = ({ flags }: { readonly flags: number }) =>
    (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0;
  expect(major.filter(isForced)).toEqual([]);
});

test('what was made while memory was given back does not count as in use; after a second time all of the heap does', () => {
  const [left, used, size] = [[50, 190], 160, 230];
  expect(inUse({ left, used, size, isFollowUp: false })).toBe(50);
  expect(inUse({ left, used, size, isFollowUp: true })).toBe(230);
  expect(inUse({ left: [], used, size, isFollowUp: false })).toBe(160);
});

test('what makes V8 begin to mark is not left out when the program is bundled', () => {
  build();
  const chunks = fs
    .globSync('dist/**/*.js', { cwd: PROJECT })
    .map((file) => fs.readFileSync(path.join(PROJECT, file), 'utf8'));
  expect(chunks.filter((chunk) => chunk.includes('new ArrayBuffer('))).toHaveLength(1);
});
