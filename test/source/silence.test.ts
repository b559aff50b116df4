import { describe, expect, test } from 'vitest';
import { silence, usualGap } from '../../src/source/source.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-11-23T08:00:00Z');
const NOTHING = { event: null, lagMs: null, gapMs: null };

/** What is known of a source whose things came in at these times, all of them fetched at once. */
function known(times: readonly number[]) {
  return { event: NOW, gapMs: usualGap(NOTHING, times), seen: times.length };
}

function every(ms: number, count: number, until = NOW): number[] {
  return Array.from({ length: count }, (_, nth) => until - (count - 1 - nth) * ms);
}

describe('silence', () => {
  test('after a first visit that brings a month in a moment, what is usual is what it was there', () => {
    const weekly = known(every(7 * DAY, 12));
    expect(weekly.gapMs).toBe(7 * DAY);
    expect(silence(weekly, NOW + 60 * DAY)).toBeNull();
    expect(silence(weekly, NOW + 71 * DAY)?.message).toBe(
      'Nothing has come for 71 days; before, something came every 7 days or so.',
    );
  });

  test('many at once, once a week, are not taken for many a day', () => {
    const bursts = every(7 * DAY, 6).flatMap((time) => every(1000, 30, time));
    expect(silence(known(bursts), NOW + 20 * DAY)).toBeNull();
  });

  test('what comes every hour is missed after three days, and a clock that goes back says nothing', () => {
    const hourly = known(every(HOUR, 200));
    expect(silence(hourly, NOW + 2 * DAY)).toBeNull();
    expect(silence(hourly, NOW + 4 * DAY)).not.toBeNull();
    expect(silence(hourly, NOW - 400 * DAY)).toBeNull();
  });

  test('times that say nothing leave it unknown', () => {
    for (const times of [[], [NOW], Array.from({ length: 20 }, () => NOW), every(HOUR, 20).toReversed()])
      expect(known(times).gapMs).toBeNull();
  });
});

const MINUTE = 60_000;
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
