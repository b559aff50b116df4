import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Timers } from '../../../src/daemon/timers.ts';
import { DAY, HOUR, MINUTE } from '../../support/clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what lies further ahead than a timer can be set for is not done at once, and once', () => {
  let done = 0;
  const timers = new Timers(Date.now);
  const at = Date.now() + 60 * DAY;
  timers.at(at, () => {
    done += 1;
  });
  vi.advanceTimersByTime(59 * DAY);
  expect(done).toBe(0);
  expect(timers.next).toBe(at);
  vi.advanceTimersByTime(9 * DAY);
  expect(done).toBe(1);
  expect(timers.next).toBeNull();
});

test('it is known when the next goes off; what comes again and again does not count', () => {
  const timers = new Timers(Date.now);
  const now = Date.now();
  const done: string[] = [];
  timers.every(MINUTE, () => {});
  expect(timers.next).toBeNull();
  timers.at(now + 2 * HOUR, () => done.push('late'));
  timers.at(now + HOUR, () => done.push('soon'));
  expect(timers.next).toBe(now + HOUR);
  vi.advanceTimersByTime(HOUR);
  expect(done).toEqual(['soon']);
  expect(timers.next).toBe(now + 2 * HOUR);
  timers.close();
  expect(timers.next).toBeNull();
});

test('what is due is done where the clock has moved further than the timers know, and once', () => {
  let asleep = 0;
  const timers = new Timers(() => Date.now() + asleep);
  const done: string[] = [];
  const at = Date.now() + HOUR;
  timers.at(at, () => {
    done.push('due');
    timers.at(at + DAY, () => done.push('the next day'));
  });
  timers.look();
  expect(done).toEqual([]);
  asleep = 8 * HOUR;
  timers.look();
  expect(done).toEqual(['due']);
  vi.advanceTimersByTime(HOUR);
  expect(done).toEqual(['due']);
  expect(timers.next).toBe(at + DAY);
});

test('a timer that goes off a moment early waits for its moment', () => {
  let slow = 0;
  const timers = new Timers(() => Date.now() - slow);
  const at = Date.now() + MINUTE;
  const done: number[] = [];
  timers.at(at, () => done.push(Date.now() - slow));
  slow = 1;
  vi.advanceTimersByTime(MINUTE);
  expect(done).toEqual([]);
  vi.advanceTimersByTime(50);
  expect(done).toHaveLength(1);
  expect(done[0]).toBeGreaterThanOrEqual(at);
});

test('a clock that is set back lets nothing wait for longer', () => {
  let back = 0;
  const timers = new Timers(() => Date.now() - back);
  let done = 0;
  timers.at(Date.now() + MINUTE, () => {
    done += 1;
  });
  back = HOUR;
  vi.advanceTimersByTime(MINUTE);
  expect(done).toBe(1);
});
