import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TurnQueue } from '../../src/several/shared-loop.ts';
import { WorkQueue } from '../../src/steward-daemon.ts';

/** More than a slice of time. */
const LONG_MS = 6;

function busy(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

test('one after the other is let through, in the order they came', async () => {
  const { turn } = new TurnQueue();
  const heard: number[] = [];
  await Promise.all([1, 2, 3].map(async (one) => turn().then(() => heard.push(one))));
  expect(heard).toEqual([1, 2, 3]);
});

test('of many queues with work at the same moment, one has a slice in each round of the event loop', async () => {
  const { turn } = new TurnQueue();
  const queues = Array.from({ length: 5 }, () => new WorkQueue(1, turn));
  let round = 0;
  const rounds: number[] = [];
  for (const queue of queues) {
    queue.add(async () => {
      rounds.push(round);
      busy(LONG_MS);
    });
  }
  let isOver = false;
  void Promise.all(queues.map((queue) => queue.idle())).then(() => {
    isOver = true;
  });
  for (; !isOver; round += 1) await nextRound();
  expect(new Set(rounds).size).toBe(queues.length);
});

test('what is short shares a round', async () => {
  const { turn } = new TurnQueue();
  let round = 0;
  const rounds: number[] = [];
  const all = Promise.all(Array.from({ length: 20 }, () => turn().then(() => rounds.push(round))));
  for (let isOver = false; !isOver; round += 1) {
    await nextRound();
    isOver = rounds.length === 20;
  }
  await all;
  expect(new Set(rounds).size).toBeLessThan(5);
});
