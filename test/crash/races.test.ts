import { expect, test } from 'vitest';
import { KINDS, race } from './race.ts';

// The quick part: 300 races of each kind on each path; `npm run test:crash` runs 10 000 of each.
const RACES = Number(process.env.RACES ?? 300);

const all = KINDS.flatMap((kind) => [true, false].map((exchange) => [kind, exchange] as const));
test.each(all)(
  'another process writes by %s (exchange: %s): every writing is in the note or among what was kept',
  async (kind, exchange) => {
    const { lost, problems, inNote, kept } = await race(kind, exchange, RACES, Date.now() % 1000);
    expect(lost).toEqual([]);
    expect(problems).toEqual([]);
    expect(inNote + kept).toBe(RACES);
  },
  120_000,
);
