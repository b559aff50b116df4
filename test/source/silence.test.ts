import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { silence, usualGap } from '../../src/source/silence.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.parse('2026-11-23T08:00:00Z');
const quietFor = (ms: number, gapMs: number, seen = 50) => silence({ event: NOW - ms, gapMs, seen }, NOW);

describe('a source that fell silent', () => {
  test.each([
    [
      'every minute, and nothing for three days',
      3 * DAY,
      MINUTE,
      'Nothing has come for 3 days; before, something came every minute or so.',
    ],
    [
      'every day, and nothing for ten',
      10 * DAY,
      DAY,
      'Nothing has come for 10 days; before, something came every 24 hours or so.',
    ],
  ])('is said: %s', (_, quiet, gap, message) => {
    expect(quietFor(quiet, gap)?.message).toBe(message);
    expect(quietFor(quiet, gap)?.hint).toContain('look whether new things arrive there');
  });

  test('is not, over a long weekend, or while it is not known what is usual', () => {
    expect(quietFor(3 * DAY - 1, MINUTE)).toBeNull();
    expect(quietFor(9 * DAY, DAY)).toBeNull();
    expect(quietFor(100 * DAY, MINUTE, 9)).toBeNull();
    expect(silence({ event: null, gapMs: null, seen: 0 }, NOW)).toBeNull();
  });
});

test('what is usual lies between what was usual and what was seen last', () => {
  const ms = fc.integer({ min: 0, max: 100 * DAY });
  fc.assert(
    fc.property(ms, ms, (before, last) => {
      const gap = usualGap({ event: NOW - last, gapMs: before }, NOW) ?? Number.NaN;
      expect(gap).toBeGreaterThanOrEqual(Math.min(before, last) - 1);
      expect(gap).toBeLessThanOrEqual(Math.max(before, last) + 1);
    }),
  );
  expect(usualGap({ event: null, gapMs: null }, NOW)).toBeNull();
});
