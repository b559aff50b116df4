import { expect, test } from 'vitest';
import { burst } from './burst.ts';

test('2 000 signals and 200 matters at once: none missed, each applied once, within the rate guard', async () => {
  const result = await burst({ matters: 200, signals: 2_000 });

  expect(result.wrong).toEqual([]);
  // The guard lets 60 through in a minute: the burst takes its time, and each target says once why it waits.
  expect(result.minutes).toBeGreaterThan(3);
  expect(result.guardedNotes).toBeLessThanOrEqual(400);
}, 60_000);
