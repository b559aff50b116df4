import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Experience } from '../../../src/steward/learning/experience.ts';

const history = fc.array(
  fc.record({ source: fc.constantFrom('mail', 'Mail ', 'bank'), at: fc.integer({ min: 0, max: 50 }) }),
);

test('what was observed since is taken off what stands there today, and what came before the history stays', () => {
  fc.assert(
    fc.property(history, fc.integer({ min: 0, max: 60 }), fc.integer({ min: -1, max: 51 }), (all, earlier, at) => {
      const own = all.filter(({ source }) => source !== 'bank');
      const experience = new Experience(all, () => earlier + own.length);
      expect(experience.before('mail', at)).toBe(earlier + own.filter((one) => one.at < at).length);
    }),
  );
});

test('an instinct set below its history by hand counts from nothing', () => {
  const experience = new Experience(
    [
      { source: 'mail', at: 1 },
      { source: 'mail', at: 2 },
    ],
    () => 0,
  );
  expect([0, 2, 9].map((at) => experience.before('mail', at))).toEqual([0, 1, 2]);
  expect(experience.before('bank', 9)).toBe(0);
});
