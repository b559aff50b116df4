import { expect, test } from 'vitest';
import { demandHandles } from '../../src/several/fault-scope.ts';

test('while there is room for one vault more, nothing is said', () => {
  expect(() => demandHandles()).not.toThrow();
  expect(() => demandHandles(1024, 960)).not.toThrow();
  expect(() => demandHandles(null, 10_000)).not.toThrow();
});

test('where the last handles are left to those that are kept, one sentence says so, with what to do', () => {
  expect(() => demandHandles(1024, 961)).toThrow(
    'This process may have 1024 files open: 961 are, and 64 are left to the vaults that it looks after.',
  );
});
