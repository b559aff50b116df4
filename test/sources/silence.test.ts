import { describe, expect, test } from 'vitest';
import { usualGap } from '../../src/sources/inlet.ts';
import { findNoContact, findSilence } from '../../src/sources/source-note.ts';

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
    expect(findSilence(weekly, NOW + 60 * DAY)).toBeNull();
    expect(findSilence(weekly, NOW + 71 * DAY)?.message).toBe(
      'No event has come for 71 days; before, one came every 7 days or so.',
    );
  });

  test('many at once, once a week, are not taken for many a day', () => {
    const bursts = every(7 * DAY, 6).flatMap((time) => every(1000, 30, time));
    expect(findSilence(known(bursts), NOW + 20 * DAY)).toBeNull();
  });

  test('what comes every hour is missed after three days, and a clock that goes back says nothing', () => {
    const hourly = known(every(HOUR, 200));
    expect(findSilence(hourly, NOW + 2 * DAY)).toBeNull();
    expect(findSilence(hourly, NOW + 4 * DAY)).not.toBeNull();
    expect(findSilence(hourly, NOW - 400 * DAY)).toBeNull();
  });

  test('times that say nothing leave it unknown', () => {
    for (const times of [[], [NOW], Array.from({ length: 20 }, () => NOW), every(HOUR, 20).toReversed()])
      expect(known(times).gapMs).toBeNull();
  });
});

const MINUTE = 60_000;
const quietFor = (ms: number, gapMs: number, seen = 50) => findSilence({ event: NOW - ms, gapMs, seen }, NOW);

describe('a source that fell silent', () => {
  test.each([
    [
      'every minute, and nothing for three days',
      3 * DAY,
      MINUTE,
      'No event has come for 3 days; before, one came every minute or so.',
    ],
    [
      'every day, and nothing for ten',
      10 * DAY,
      DAY,
      'No event has come for 10 days; before, one came every 24 hours or so.',
    ],
  ])('is said: %s', (_, quiet, gap, message) => {
    expect(quietFor(quiet, gap)?.message).toBe(message);
    expect(quietFor(quiet, gap)?.hint).toContain('check whether new items arrive there');
  });

  test('is not, over a long weekend, or while it is not known what is usual', () => {
    expect(quietFor(3 * DAY - 1, MINUTE)).toBeNull();
    expect(quietFor(9 * DAY, DAY)).toBeNull();
    expect(quietFor(100 * DAY, MINUTE, 9)).toBeNull();
    expect(findSilence({ event: null, gapMs: null, seen: 0 }, NOW)).toBeNull();
  });
});

describe('a source that was not polled successfully', () => {
  const allowed = NOW - 5 * DAY;
  test.each([
    ['an hour ago', NOW - HOUR, 5 * MINUTE, null],
    ['a day ago', NOW - DAY, 5 * MINUTE, null],
    ['more than a day ago', NOW - 30 * HOUR, 5 * MINUTE, '30 hours'],
    ['two days ago, and it is polled once a day', NOW - 2 * DAY, DAY, null],
    ['four days ago, and it is polled once a day', NOW - 4 * DAY, DAY, '4 days'],
    ['never, and it was allowed five days ago', null, 5 * MINUTE, '5 days'],
    ['in the future: the clock was set back', NOW + DAY, 5 * MINUTE, null],
  ])('%s', (_, contact, each, words) => {
    expect(findNoContact({ contact, allowed, every: each }, NOW)).toBe(words);
  });

  test('never, and it was allowed an hour ago', () => {
    expect(findNoContact({ contact: null, allowed: NOW - HOUR, every: MINUTE }, NOW)).toBeNull();
  });
});
