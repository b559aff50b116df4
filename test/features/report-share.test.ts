import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeShare } from '../../src/features/report.ts';

describe('the Wilson interval at 95 %', () => {
  // R. G. Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('%i of %i lies between %d and %d', (right, decided, low, high) => {
    const share = computeShare(right, decided);
    expect(share?.low).toBeCloseTo(low, 4);
    expect(share?.high).toBeCloseTo(high, 4);
  });

  test('12 of 12 are at least 75.7 %, and nothing decided is nothing known', () => {
    expect(computeShare(12, 12)?.low).toBeCloseTo(0.7575, 4);
    expect(computeShare(12, 12)?.high).toBe(1);
    expect(computeShare(0, 0)).toBeNull();
  });

  const cases = fc
    .integer({ min: 1, max: 5000 })
    .chain((decided) => fc.tuple(fc.integer({ min: 0, max: decided }), fc.constant(decided)));

  test('holds the share, stays within 0 and 1, and mirrors itself', () => {
    fc.assert(
      fc.property(cases, ([right, decided]) => {
        const share = computeShare(right, decided);
        const other = computeShare(decided - right, decided);
        if (share === null || other === null) throw new Error('nothing decided');
        expect(0 <= share.low && share.low <= share.value && share.value <= share.high && share.high <= 1).toBe(true);
        expect(share.low).toBeCloseTo(1 - other.high, 10);
      }),
    );
  });

  test('one more that was right lifts both bounds, and one more that was wrong lowers them', () => {
    fc.assert(
      fc.property(cases, ([right, decided]) => {
        const bounds = (share: ReturnType<typeof computeShare>) => [share?.low ?? 0, share?.high ?? 0] as const;
        const [low, high] = bounds(computeShare(right, decided));
        const [betterLow, betterHigh] = bounds(computeShare(right + 1, decided + 1));
        const [worseLow, worseHigh] = bounds(computeShare(right, decided + 1));
        expect(betterLow).toBeGreaterThanOrEqual(low);
        expect(betterHigh).toBeGreaterThanOrEqual(high);
        expect(worseLow).toBeLessThanOrEqual(low);
        expect(worseHigh).toBeLessThanOrEqual(high);
      }),
    );
  });

  test('the same share of more cases is known better', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 2, max: 9 }), ([right, decided], times) => {
        const few = computeShare(right, decided);
        const many = computeShare(right * times, decided * times);
        expect(many?.low).toBeGreaterThanOrEqual(few?.low ?? 1);
        expect(many?.high).toBeLessThanOrEqual(few?.high ?? 0);
      }),
    );
  });
});
