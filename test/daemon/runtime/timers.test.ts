import { expect, onTestFinished, test, vi } from 'vitest';
import { Timers } from '../../../src/daemon/runtime/timers.ts';
import { DAY } from '../../support/clock.ts';

test('what lies further ahead than a timer can be set for is not done at once, and once', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let done = 0;
  new Timers(Date.now).at(Date.now() + 60 * DAY, () => {
    done += 1;
  });
  vi.advanceTimersByTime(59 * DAY);
  expect(done).toBe(0);
  vi.advanceTimersByTime(9 * DAY);
  expect(done).toBe(1);
});
