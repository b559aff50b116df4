import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { suiteFiles } from './suites.ts';

const PROJECT = path.resolve(import.meta.dirname, '..');
const files = fs.globSync('test/**/*.test.ts', { cwd: PROJECT });
const SUITES = [undefined, 'ci', 'night'];

function filesOf(suite: string | undefined): string[] {
  const { shared, apart } = suiteFiles(suite);
  return files.filter((file) =>
    [shared, apart].some(({ include, exclude }) => isMatched(file, include) && !isMatched(file, exclude)),
  );
}

function isMatched(file: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => path.matchesGlob(file, pattern));
}

test('each test file belongs to one suite', () => {
  const all = SUITES.flatMap(filesOf);
  expect(all.toSorted()).toEqual(files.toSorted());
});

test('every pattern of a suite names a file', () => {
  const patterns = SUITES.map(suiteFiles).flatMap(({ shared, apart }) => [...shared.include, ...apart.include]);
  expect(patterns.filter((pattern) => !files.some((file) => path.matchesGlob(file, pattern)))).toEqual([]);
});

// The recorded seconds are those of a busy machine, which takes several times as long.
test('a file of `npm test` that takes over thirty seconds says why in its first line', () => {
  const record: unknown = JSON.parse(fs.readFileSync(path.join(PROJECT, 'test/times.json'), 'utf8'));
  const seconds = z.record(z.string(), z.number()).parse(record);
  const slow = filesOf(undefined).filter((file) => (seconds[file] ?? 0) > 30);
  const silent = slow.filter((file) => !fs.readFileSync(path.join(PROJECT, file), 'utf8').startsWith('// Over 5 s: '));
  expect(silent).toEqual([]);
});
