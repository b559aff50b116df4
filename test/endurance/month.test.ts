import { expect, test } from 'vitest';
import { live } from './month.ts';

// The same seed each time; `npm run test:endurance` tries others, and `-- --seed N` repeats one of them.
const SEED = 810_763;
const DAYS = 5;

test(`five days of edits, reversals, restarts and power cuts leave an explainable vault (seed ${SEED})`, async () => {
  const ends = await live(SEED, DAYS);

  expect({ seed: SEED, wrong: ends.flatMap(({ day, wrong }) => wrong.map((one) => `day ${day}: ${one}`)) }).toEqual({
    seed: SEED,
    wrong: [],
  });
  expect(ends.at(-1)?.done.acted).toBeGreaterThan(0);
  // State is a few figures for each note, and no larger at the end than in the middle.
  for (const { state, notes } of ends) expect(state / notes).toBeLessThan(300);
});
