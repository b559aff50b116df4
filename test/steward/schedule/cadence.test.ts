import { afterEach, describe, expect, test } from 'vitest';
import { parseLocalTime } from '../../../src/steward/local-time.ts';
import { nextAfter, nextFire, parseSchedule, phaseOf } from '../../../src/steward/schedule.ts';
import {
  isPressing,
  matterCadence,
  matterPeriod,
  nextCheck,
  type TaskTimes,
} from '../../../src/steward/schedule-cadence.ts';
import { DAY, HOUR, MINUTE } from '../samples.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const NOW = new Date(2026, 10, 21, 12, 0, 0).getTime();
const task = (parts: Partial<TaskTimes> = {}): TaskTimes => ({
  state: 'open',
  surface_class: 'normal',
  due: null,
  snoozed_until: null,
  next_check_after: null,
  ...parts,
});
const every = (ms: number) => ({ kind: 'every', ms }) as const;

describe('parseSchedule', () => {
  test.each([
    ['every 30m', 30 * MINUTE],
    ['every 2 hours', 2 * HOUR],
    ['30m', 30 * MINUTE],
    ['every 1d', DAY],
    ['every 10s', 10_000],
    ['Every 5 Minutes', 5 * MINUTE],
    ['every hour', HOUR],
    ['1.5h', 90 * MINUTE],
    [' every 2 weeks ', 14 * DAY],
  ])('%s', (text, ms) => expect(parseSchedule(text)).toEqual({ ok: true, cadence: every(ms) }));

  test.each(['*/15 * * * *', '0 9 * * 1-5', '30 0 9 * * *', '@daily', '0 9 * * mon'])('cron %s', (text) => {
    expect(parseSchedule(text)).toEqual({ ok: true, cadence: { kind: 'cron', expression: text } });
  });

  test.each([
    '',
    'every',
    'sometimes',
    'every 0m',
    'every 30 parsecs',
    '30',
    '61 * * * *',
    '* * * *',
    'hour',
    'every -5m',
    '* * * * * * *',
    'every 1000d',
    'every day at nine',
    'every 1s',
    'every 9s',
    '* * * * * *',
    '*/5 * * * * *',
    '0 0 31 2 *',
    '0 0 30 feb *',
    '0 12 31 4,6,9,11 *',
    `${'0,'.repeat(100)}0 * * * *`,
  ])('not %j', (text) => {
    const parsed = parseSchedule(text);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.reason).toMatch(/^The schedule ".*\.$/);
  });
});

describe('nextFire', () => {
  test('at the phase, strictly after', () => {
    expect(nextFire(every(1000), 300, 300)).toBe(1300);
    expect(nextFire(every(1000), 300, 299)).toBe(300);
    expect(nextFire(every(1000), 300, -800)).toBe(-700);
  });
  test('cron in local time', () => {
    process.env.TZ = 'Europe/Berlin';
    const cadence = { kind: 'cron', expression: '0 9 * * *' } as const;
    expect(nextFire(cadence, 12345, Date.UTC(2026, 6, 1, 6, 59))).toBe(Date.UTC(2026, 6, 1, 7, 0));
    expect(nextFire(cadence, 0, Date.UTC(2026, 6, 1, 7, 0))).toBe(Date.UTC(2026, 6, 2, 7, 0));
  });
  test('a cron expression that never fires is null', () => {
    expect(nextFire({ kind: 'cron', expression: '0 0 30 2 *' }, 0, NOW)).toBeNull();
  });
  test('through the hour that repeats, and the one that is missing, it goes strictly forward', () => {
    process.env.TZ = 'America/New_York';
    for (const start of [Date.UTC(2026, 10, 1, 4), Date.UTC(2026, 2, 8, 5)]) {
      let at = start;
      for (let n = 0; n < 40; n++) {
        const next = nextFire({ kind: 'cron', expression: '*/15 * * * *' }, 0, at);
        if (next === null) throw new Error('never');
        expect(next).toBeGreaterThan(at);
        expect(next - at).toBeLessThanOrEqual(75 * MINUTE);
        at = next;
      }
    }
  });
});

describe('nextAfter', () => {
  const cadence = every(30 * MINUTE);
  const base = 1000 * 30 * MINUTE;
  test('a machine that slept catches up once', () => {
    expect(nextAfter(cadence, 0, base, base + 5 * HOUR)).toEqual({ at: base + 5 * HOUR + 30 * MINUTE, missed: true });
    expect(nextAfter(cadence, 0, base + 5 * HOUR, base + 5 * HOUR)).toMatchObject({ missed: false });
    expect(nextAfter(cadence, 0, base, base + 29 * MINUTE)).toEqual({ at: base + 30 * MINUTE, missed: false });
    expect(nextAfter(cadence, 0, base, base + 30 * MINUTE)).toEqual({ at: base + HOUR, missed: true });
    expect(nextAfter(cadence, 0, null, base)).toEqual({ at: base + 30 * MINUTE, missed: false });
  });
  test('a clock set back waits until the last firing has passed again', () => {
    expect(nextAfter(cadence, 0, base, base - 3 * HOUR)).toEqual({ at: base + 30 * MINUTE, missed: false });
  });
  test('but not for years after a wrong clock', () => {
    const now = base - 365 * DAY;
    expect(nextAfter(cadence, 0, base, now).at).toBeLessThanOrEqual(now + 30 * MINUTE);
  });
});

describe('phaseOf', () => {
  test('stable, inside the period, spread, and the same for a name in any case', () => {
    expect(phaseOf('', 1 << 30)).toBe(0x811c9dc5 % (1 << 30));
    expect(phaseOf('a', 2 ** 40)).toBe(0xe40c292c);
    expect(phaseOf('foobar', 2 ** 40)).toBe(0xbf9cf968);
    expect(phaseOf('münchen-größe', 2 ** 40)).toBe(0xb20a322f);
    expect(phaseOf('House', HOUR)).toBe(phaseOf('house', HOUR));
    expect(phaseOf('x', 0)).toBe(0);
    const phases = Array.from({ length: 1000 }, (_, n) => Math.floor(phaseOf(`matter-${n}`, 30 * MINUTE) / MINUTE));
    expect(new Set(phases).size).toBe(30);
  });
});

describe('nextCheck', () => {
  test.each([
    [task({ surface_class: 'none' }), null],
    [task({ surface_class: 'none', due: '2026-11-20' }), null],
    [task({ surface_class: 'none', state: 'snoozed' }), null],
    [task({ surface_class: 'none', state: 'snoozed', snoozed_until: '2026-11-22T09:00' }), '2026-11-22T09:00'],
    [task({ surface_class: 'none', next_check_after: '2026-11-22T09:00' }), '2026-11-22T09:00'],
    [task({ surface_class: 'none', next_check_after: '2026-11-20' }), null],
  ])('a note of class none comes up only on a date that it names itself', (fields, expected) => {
    const { at } = nextCheck(fields, 0, NOW);
    expect(at).toBe(expected === null ? null : new Date(expected).getTime());
    expect(isPressing(fields, NOW)).toBe(false);
  });

  test.each([
    [task({ surface_class: 'high' }), 0, 30 * MINUTE, 'high: every 30 min'],
    [task(), 0, 4 * HOUR, 'normal: every 4 h'],
    [task({ due: '2026-11-22' }), 0, HOUR, 'due within 24 h: every 1 h'],
    [task({ due: '2026-11-21' }), 0, HOUR, 'due within 24 h: every 1 h'],
    [task({ due: '2026-11-20' }), 0, HOUR, 'overdue: every 1 h'],
    [task({ due: '2026-11-21T11:59:00' }), 0, HOUR, 'overdue: every 1 h'],
    [task({ due: '2026-12-24' }), 0, 4 * HOUR, 'normal: every 4 h'],
    [task({ due: 'some day' }), 0, 4 * HOUR, 'normal: every 4 h'],
    [task({ due: '2026-11-20', surface_class: 'high' }), 0, 30 * MINUTE, 'high: every 30 min'],
    [task({ surface_class: 'high' }), 2, 30 * MINUTE, 'high: every 30 min'],
    [task({ surface_class: 'high' }), 3, HOUR, 'high, quiet for 3 ticks: every 1 h'],
    [task(), 3, 8 * HOUR, 'quiet for 3 ticks: every 8 h'],
    [task(), 9, 24 * HOUR, 'quiet for 9 ticks: every 1 d'],
    [task(), 1_000_000, 24 * HOUR, 'quiet for 1000000 ticks: every 1 d'],
    [task({ state: 'snoozed' }), 0, 4 * HOUR, 'snoozed without a date: every 4 h'],
    [task({ state: 'snoozed', snoozed_until: '2026-11-20' }), 0, 4 * HOUR, 'snooze over: every 4 h'],
  ])('%j after %i quiet ticks', (fields, streak, ms, reason) => {
    expect(nextCheck(fields, streak, NOW)).toEqual({ at: NOW + ms, every: ms, reason });
  });

  test('snoozed: at snoozed_until, whatever the streak', () => {
    const snoozed = task({ state: 'snoozed', snoozed_until: '2026-12-24T08:00:00' });
    const at = new Date(2026, 11, 24, 8).getTime();
    expect(nextCheck(snoozed, 12, NOW)).toEqual({ at, every: null, reason: 'snoozed until 2026-12-24T08:00:00' });
  });
  test.each(['done', 'archived'] as const)('%s: never', (state) => {
    expect(nextCheck(task({ state, next_check_after: '2027-01-01' }), 0, NOW)).toEqual({
      at: null,
      every: null,
      reason: `it is ${state}`,
    });
  });
  test('next_check_after holds it back, and never hurries it', () => {
    const at = new Date(2026, 10, 25).getTime();
    expect(nextCheck(task({ next_check_after: '2026-11-25' }), 0, NOW)).toMatchObject({ at });
    expect(nextCheck(task({ next_check_after: '2026-11-21T12:05:00' }), 0, NOW).at).toBe(NOW + 4 * HOUR);
    expect(nextCheck(task({ next_check_after: '2026-11-01' }), 0, NOW).at).toBe(NOW + 4 * HOUR);
  });
  test('a quiet task does not sleep past the moment it is nearly due', () => {
    const check = nextCheck(task({ due: '2026-11-22T22:00:00' }), 9, NOW);
    expect(check).toEqual({ at: NOW + 10 * HOUR, every: null, reason: 'due 2026-11-22T22:00:00: from 24 h before' });
  });
  test('a date is due through the end of its local day', () => {
    const late = new Date(2026, 10, 21, 23, 59, 59).getTime();
    expect(nextCheck(task({ due: '2026-11-21' }), 0, late).reason).toContain('due within');
    expect(nextCheck(task({ due: '2026-11-21' }), 0, late + 1000).reason).toContain('overdue');
  });
});

test('a matter backs off to 4 h, and never below its own period', () => {
  expect([0, 2, 3, 6, 9, 12, 999].map((streak) => matterPeriod(30 * MINUTE, streak) / MINUTE)).toEqual([
    30, 30, 60, 120, 240, 240, 240,
  ]);
  expect(matterPeriod(DAY, 30)).toBe(DAY);
  expect(matterCadence(every(HOUR), 3)).toEqual(every(2 * HOUR));
  const cron = { kind: 'cron', expression: '0 9 * * *' } as const;
  expect(matterCadence(cron, 30)).toBe(cron);
});

describe('parseLocalTime', () => {
  test.each([
    ['2026-11-21', new Date(2026, 10, 21).getTime()],
    ['2026-11-21T08:30:05', new Date(2026, 10, 21, 8, 30, 5).getTime()],
    ['2026-11-21 08:30', new Date(2026, 10, 21, 8, 30).getTime()],
    ['2026-11-21T08:30:05Z', Date.UTC(2026, 10, 21, 8, 30, 5)],
    ['2026-11-21T08:30:05.123Z', Date.UTC(2026, 10, 21, 8, 30, 5, 123)],
    ['2026-11-21T08:30:05+02:00', Date.UTC(2026, 10, 21, 6, 30, 5)],
    ['2026-11-21T08:30:05-0330', Date.UTC(2026, 10, 21, 12, 0, 5)],
  ])('%s', (text, ms) => expect(parseLocalTime(text)).toBe(ms));
  test.each([
    '',
    'x',
    '2026-02-30',
    '2026-11-21T24:00:00',
    '2026-11-21T08:60',
    '21.11.2026',
    '2026-11-21Z',
    '0000-01-01',
  ])('not %j', (text) => expect(parseLocalTime(text)).toBeNull());
  test('local means the zone of the machine', () => {
    process.env.TZ = 'Asia/Kolkata';
    expect(parseLocalTime('2026-11-21')).toBe(Date.UTC(2026, 10, 20, 18, 30));
  });
});
