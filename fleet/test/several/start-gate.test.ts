import { expect, onTestFinished, test, vi } from 'vitest';
import { StartGate } from '../../src/several/vaults.ts';

const PATIENCE = 2_000;
const NOBODY = () => {};

function fakeTimers(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

test('so many go on at a time, in the order they came', async () => {
  fakeTimers();
  const gate = new StartGate(2, PATIENCE);
  const began: number[] = [];
  const works = [1, 2, 3, 4].map((nth) => ({ nth, ends: Promise.withResolvers<void>() }));
  const all = works.map(({ nth, ends }) =>
    gate.through(async () => {
      began.push(nth);
      await ends.promise;
    }, NOBODY),
  );
  await vi.advanceTimersByTimeAsync(0);
  expect(began).toEqual([1, 2]);
  works[1]?.ends.resolve();
  await all[1];
  await vi.advanceTimersByTimeAsync(0);
  expect(began).toEqual([1, 2, 3]);
  for (const { ends } of works) ends.resolve();
  await Promise.all(all);
  expect(began).toEqual([1, 2, 3, 4]);
});

test('one that takes long gives its place to the next, and goes on beside it', async () => {
  fakeTimers();
  const gate = new StartGate(1, PATIENCE);
  const slow = Promise.withResolvers<string>();
  let left = 0;
  const first = gate.through(
    () => slow.promise,
    () => {
      left += 1;
    },
  );
  const second = gate.through(async () => 'second', NOBODY);
  await vi.advanceTimersByTimeAsync(PATIENCE - 1);
  expect(left).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  await expect(second).resolves.toBe('second');
  expect(left).toBe(1);
  slow.resolve('first');
  await expect(first).resolves.toBe('first');
  expect(left).toBe(1);
  await expect(gate.through(async () => 'third', NOBODY)).resolves.toBe('third');
});

test('one that fails gives its place away, and its failure to whoever asked', async () => {
  const gate = new StartGate(1, PATIENCE);
  const failing = gate.through(() => Promise.reject(new Error('no')), NOBODY);
  await expect(failing).rejects.toThrow('no');
  await expect(gate.through(async () => 'next', NOBODY)).resolves.toBe('next');
});
