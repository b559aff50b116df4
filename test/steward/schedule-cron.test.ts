import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { nextCron } from '../../src/steward/schedule.ts';
import { localTime } from '../../src/vault/time.ts';
import { lawRuns } from '../support/laws.ts';
import { ownTime } from '../support/own-time.ts';
import { DAY, HOUR, MINUTE } from './samples.ts';

const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Santiago'];
const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

/** Every firing between two moments, in the zone. */
function firings(zoneName: string, expression: string, from: number, to: number): number[] {
  process.env.TZ = zoneName;
  const fired: number[] = [];
  for (let at = nextCron(expression, from); at !== null && at <= to; at = nextCron(expression, at)) fired.push(at);
  return fired;
}

const readings = (fired: readonly number[]) => fired.map((at) => localTime(at));

describe('the hour that is read twice in autumn', () => {
  test.each([
    ['America/New_York', '30 1 * * *', Date.UTC(2026, 9, 31, 12), ['2026-11-01T01:30:00', '2026-11-02T01:30:00']],
    ['America/New_York', '30 2 * * *', Date.UTC(2026, 9, 31, 12), ['2026-11-01T02:30:00', '2026-11-02T02:30:00']],
    ['Europe/Berlin', '30 2 * * *', Date.UTC(2026, 9, 24, 12), ['2026-10-25T02:30:00', '2026-10-26T02:30:00']],
  ])('%s, %s fires once a day', (zoneName, expression, from, expected) => {
    expect(readings(firings(zoneName, expression, from, from + 2 * DAY))).toEqual(expected);
  });

  test('fires the first time it is read, in summer time', () => {
    const [first] = firings('Europe/Berlin', '30 2 * * *', Date.UTC(2026, 9, 24, 12), Date.UTC(2026, 9, 25, 12));
    expect(first).toBe(Date.UTC(2026, 9, 25, 0, 30));
  });

  test('asked in the middle of the second reading, it looks behind it', () => {
    const second = Date.UTC(2026, 9, 25, 1, 10); // 02:10 for the second time
    expect(firings('Europe/Berlin', '*/15 0-5 * * *', second, second + HOUR)[0]).toBe(Date.UTC(2026, 9, 25, 2));
    const start = ownTime();
    expect(firings('Europe/Berlin', '* * 0-5 * * *', second, Date.UTC(2026, 9, 25, 2))).toHaveLength(1);
    expect(ownTime() - start).toBeLessThan(500);
  });
});

describe('a schedule for every hour', () => {
  const AUTUMN = Date.UTC(2026, 9, 25, 0);
  test.each([
    ['Europe/Berlin', '*/30 * * * *', AUTUMN - HOUR, 30],
    ['Europe/Berlin', '*/30 0-23 * * *', AUTUMN - HOUR, 30],
    ['Europe/Berlin', '7,37 * * * *', AUTUMN - HOUR, 30],
    ['Europe/Berlin', '0 * * * *', AUTUMN - HOUR, 60],
    ['Europe/Berlin', '@hourly', AUTUMN - HOUR, 60],
    ['Europe/Berlin', '0 */10 * * * *', AUTUMN - HOUR, 10],
    ['America/New_York', '*/15 * * * *', Date.UTC(2026, 10, 1, 4), 15],
    ['Australia/Lord_Howe', '*/30 * * * *', Date.UTC(2026, 3, 4, 13), 30],
    ['Europe/Berlin', '*/30 * * * *', Date.UTC(2026, 2, 28, 23), 30],
    ['Europe/Berlin', '7 * * * *', Date.UTC(2026, 2, 28, 23), 60],
    ['America/Santiago', '*/20 * * * *', Date.UTC(2026, 8, 6, 2), 20],
    ['Europe/London', '*/30 * * * *', AUTUMN - HOUR, 30],
    ['America/St_Johns', '*/30 * * * *', Date.UTC(2026, 10, 1, 3), 30],
    ['Pacific/Auckland', '*/20 * * * *', Date.UTC(2026, 3, 4, 12), 20],
    ['Pacific/Chatham', '*/15 * * * *', Date.UTC(2026, 3, 4, 12), 15],
    ['Atlantic/Azores', '*/30 * * * *', AUTUMN - HOUR, 30],
  ])('%s, %s fires at one pace across the change', (zoneName, expression, from, minutes) => {
    const fired = firings(zoneName, expression, from, from + 5 * HOUR);
    const gaps = fired.slice(1).map((at, nth) => (at - (fired[nth] ?? 0)) / MINUTE);
    expect(new Set(gaps)).toEqual(new Set([minutes]));
  });
});

describe('the hour that spring leaves out', () => {
  test.each([
    ['Europe/Berlin', '30 2 * * *', Date.UTC(2026, 2, 28, 12), ['2026-03-29T03:00:00', '2026-03-30T02:30:00']],
    ['America/New_York', '30 2 * * *', Date.UTC(2026, 2, 7, 12), ['2026-03-08T03:00:00', '2026-03-09T02:30:00']],
    ['Australia/Lord_Howe', '15 2 * * *', Date.UTC(2026, 9, 3, 0), ['2026-10-04T02:30:00', '2026-10-05T02:15:00']],
    ['America/Santiago', '0 0 * * *', Date.UTC(2026, 8, 5, 12), ['2026-09-06T01:00:00', '2026-09-07T00:00:00']],
  ])('%s, %s fires once, at the next moment there is', (zoneName, expression, from, expected) => {
    expect(readings(firings(zoneName, expression, from, from + 2 * DAY)).slice(0, 2)).toEqual(expected);
  });

  test('several readings that are left out fire once together', () => {
    const from = Date.UTC(2026, 2, 29, 0, 40);
    const fired = readings(firings('Europe/Berlin', '*/15 0-5 * * *', from, from + HOUR));
    expect(fired.slice(0, 3)).toEqual(['2026-03-29T01:45:00', '2026-03-29T03:00:00', '2026-03-29T03:15:00']);
  });

  test('a day that is left out fires once too', () => {
    const from = Date.UTC(2011, 11, 29, 23);
    expect(readings(firings('Pacific/Apia', '0 12 * * *', from, from + DAY))).toEqual([
      '2011-12-31T00:00:00',
      '2011-12-31T12:00:00',
    ]);
  });
});

test('in every zone a daily schedule fires on every day of the calendar, once', () => {
  const place = fc.record({ zoneName: fc.constantFrom(...ZONES), hour: fc.nat(23), minute: fc.nat(59) });
  fc.assert(
    fc.property(place, ({ zoneName, hour, minute }) => {
      const fired = firings(zoneName, `${minute} ${hour} * * *`, Date.UTC(2026, 0, 1, 12), Date.UTC(2027, 0, 1, 12));
      expect(new Set(readings(fired).map((text) => text.slice(0, 10))).size).toBe(fired.length);
      expect(fired.length).toBe(365);
      const moved = readings(fired).filter((text) => !text.endsWith(`${two(hour)}:${two(minute)}:00`));
      expect(moved.length).toBeLessThanOrEqual(1); // on the day of the change in spring
    }),
    { numRuns: lawRuns(3) },
  );
});

test('a schedule of fixed hours fires at no reading of the clock twice, and no firing lies before the one asked from', () => {
  const around = fc.constantFrom(
    ...[Date.UTC(2026, 2, 8), Date.UTC(2026, 10, 1), Date.UTC(2026, 2, 29), Date.UTC(2026, 9, 25)],
    ...[Date.UTC(2026, 3, 5), Date.UTC(2026, 9, 4), Date.UTC(2026, 8, 6)],
  );
  const expression = fc.constantFrom(
    '*/15 0-9 * * *',
    '7,30 1-3 * * *',
    '*/40 1-4 * * *',
    '0 0-12 * * *',
    '59 0,1,2 * * *',
  );
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), expression, around, fc.nat(59), (zoneName, written, day, minute) => {
      const fired = firings(zoneName, written, day - 6 * HOUR + minute * MINUTE, day + 20 * HOUR);
      expect(new Set(readings(fired)).size).toBe(fired.length);
      expect(fired).toEqual(fired.toSorted((a, b) => a - b));
    }),
    { numRuns: lawRuns(60) },
  );
});

test.each(['0 0 31 2 *', '0 0 30 2 *', '0 0 31 4,6,9,11 *'])('%s never fires', (expression) => {
  expect(nextCron(expression, Date.UTC(2026, 0, 1))).toBeNull();
});

test('a leap day is found, years ahead', () => {
  expect(firings('Europe/Berlin', '0 0 29 2 *', Date.UTC(2026, 0, 1), Date.UTC(2029, 0, 1)).map(localTime)).toEqual([
    '2028-02-29T00:00:00',
  ]);
});

function two(figure: number): string {
  return String(figure).padStart(2, '0');
}
