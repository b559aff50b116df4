import { expect, test } from 'vitest';
import { live } from './month.ts';

// The same life each time; `npm run test:endurance` lives others, and `-- --seed N` lives one of them again.
const SEED = 810_763;
const DAYS = 5;

test(`five days of edits, reversals, restarts and power cuts leave an explainable vault (seed ${SEED})`, async () => {
  const ends = await live(SEED, DAYS);

  expect({ seed: SEED, wrong: ends.flatMap(({ day, wrong }) => wrong.map((one) => `day ${day}: ${one}`)) }).toEqual({
    seed: SEED,
    wrong: [],
  });
  expect(ends.at(-1)?.done.acted).toBeGreaterThan(0);
  // What is remembered is no more than what there is: a few figures a note, the same at the end as in the middle.
  for (const { state, notes } of ends) expect(state / notes).toBeLessThan(400);
}, 60_000);
