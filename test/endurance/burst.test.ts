import { expect, test } from 'vitest';
import { burst } from './burst.ts';

test('2 000 signals and 200 matters at once: none missed, each applied once, within the rate guard', async () => {
  const result = await burst({ matters: 200, signals: 2_000 });

  expect(result.wrong).toEqual([]);
  // The guard allows 60 actions a minute, so the burst takes a while, and each target reports once why it waits.
  expect(result.minutes).toBeGreaterThan(3);
  expect(result.guardedNotes).toBeLessThanOrEqual(400);
});
