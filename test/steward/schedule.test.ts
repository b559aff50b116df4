import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { skipNow } from '../../src/daemon/ticker.ts';
import { rules } from '../../src/providers/substitutes.ts';
import {
  findSkip,
  isPressing,
  matterCadence,
  matterPeriod,
  mostTelling,
  nextAfter,
  nextCheck,
  nextFire,
  type OwnSchedule,
  parseSchedule,
  planRhythm,
  type SkipCode,
  schedulePhase,
  type TaskCheck,
  type TaskTimes,
} from '../../src/steward/schedule.ts';
import { parseLocalTime } from '../../src/vault/time.ts';
import { Clock, quietHoursAround } from '../support/clock.ts';
import { lawRuns } from '../support/laws.ts';
import { HOUSE, matter, ODD_TASK, settings, signal, task, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';
import { DAY, HOUR, MINUTE, NOW } from './samples.ts';

describe('cadence', () => {
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
    const of = (vault: string, slug: string) => ({ vault, slug });
    test('is stable, and the same for a name in any case', () => {
      expect(schedulePhase(of('', ''), 1 << 30)).toBe((0x811c9dc5 + (0x811c9dc5 % (15 * MINUTE))) % (1 << 30));
      expect(schedulePhase(of('foobar', 'a'), 2 ** 40)).toBe(0xbf9cf968 + (0xe40c292c % (15 * MINUTE)));
      expect(schedulePhase(of('v', 'House'), HOUR)).toBe(schedulePhase(of('v', 'house'), HOUR));
      expect(schedulePhase(of('v', 'x'), 0)).toBe(0);
    });
    test('is spread over a short period within a vault, and over any period among vaults', () => {
      const minutes = (phases: readonly number[]) => new Set(phases.map((phase) => Math.floor(phase / MINUTE)));
      const names = Array.from({ length: 5000 }, (_, n) => `name-${n}`);
      expect(minutes(names.map((slug) => schedulePhase(of('v', slug), 30 * MINUTE))).size).toBe(30);
      expect(minutes(names.map((vault) => schedulePhase(of(vault, 'taxes'), 4 * HOUR))).size).toBe(240);
    });
    test('of slow matters of one vault is within a quarter of an hour, in each of their periods', () => {
      const phases = Array.from({ length: 100 }, (_, n) => schedulePhase(of('v', `matter-${n}`), 4 * HOUR));
      expect(Math.max(...phases) - Math.min(...phases)).toBeLessThan(15 * MINUTE);
      expect(schedulePhase(of('v', 'house'), 4 * HOUR) % HOUR).toBe(schedulePhase(of('v', 'house'), HOUR));
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
});

describe('rhythm', () => {
  const every = (ms: number) => ({ kind: 'every', ms }) as const;
  const own = (parts: Partial<OwnSchedule> = {}): OwnSchedule => ({
    vault: 'v',
    slug: 'house',
    cadence: every(30 * MINUTE),
    source: 'default',
    backsOff: true,
    streak: 0,
    last: null,
    heard: null,
    comesUp: true,
    ...parts,
  });
  const check = (parts: Partial<TaskCheck> = {}): TaskCheck => ({
    name: 'pay-deposit',
    at: NOW + 30 * MINUTE,
    every: 30 * MINUTE,
    reason: 'high: every 30 min',
    presses: true,
    ...parts,
  });

  describe('which rhythm a steward keeps, and its reason', () => {
    const quiet = { streak: 9, last: NOW - MINUTE };
    const weekly = { cadence: every(7 * DAY), source: 'steward_schedule', backsOff: false };
    const normal = check({ every: 4 * HOUR, at: NOW + 4 * HOUR, reason: 'normal: every 4 h', presses: false });
    const snoozed = check({ every: null, at: NOW + MINUTE, reason: 'snoozed until noon', presses: false });
    test.each<[string, Partial<OwnSchedule>, TaskCheck[], string, number]>([
      ['no task', {}, [], 'default: every 30 min', 30 * MINUTE],
      ['a high task, as quick as the default', {}, [check()], 'high: every 30 min — pay-deposit', 30 * MINUTE],
      ['a high task, a quiet matter', quiet, [check()], 'high: every 30 min — pay-deposit', 30 * MINUTE],
      ['a high task, a slow schedule', weekly, [check()], 'high: every 30 min — pay-deposit', 30 * MINUTE],
      [
        'a high task, a quick schedule',
        { ...weekly, cadence: every(MINUTE) },
        [check()],
        'steward_schedule: every 1 min',
        MINUTE,
      ],
      ['a quiet matter', quiet, [], 'quiet for 9 ticks: every 4 h', 4 * HOUR],
      ['a quiet matter with a normal task', quiet, [normal], 'quiet for 9 ticks: every 4 h', 4 * HOUR],
      ['the end of a snooze', quiet, [snoozed, normal], 'snoozed until noon — pay-deposit', MINUTE],
      ['nothing that is ever checked', {}, [check({ at: null })], 'default: every 30 min', 30 * MINUTE],
    ])('%s', (_, parts, tasks, reason, within) => {
      const rhythm = planRhythm(own(parts), tasks, NOW);
      expect(rhythm.reason).toBe(reason);
      expect(rhythm.at).toBeGreaterThan(NOW);
      expect(rhythm.at).toBeLessThanOrEqual(NOW + within);
    });

    test('a cron expression is kept, whatever presses', () => {
      const cron = own({
        cadence: { kind: 'cron', expression: '0 7 * * *' },
        source: 'steward_schedule',
        backsOff: false,
      });
      const rhythm = planRhythm(cron, [check()], NOW);
      expect(rhythm.reason).toBe('steward_schedule: cron 0 7 * * *');
      expect(new Date(rhythm.at ?? 0).getHours()).toBe(7);
    });

    test('what is overdue is caught up now, once: what the last tick left waits for the next', () => {
      const overdue = check({ at: NOW - HOUR });
      expect(planRhythm(own({ last: NOW - 2 * HOUR }), [overdue], NOW).at).toBe(NOW);
      const after = planRhythm(own({ last: NOW - MINUTE }), [overdue], NOW).at;
      expect(after).toBeGreaterThan(NOW);
      expect(after).toBeLessThanOrEqual(NOW + 30 * MINUTE);
    });

    test('a signal that ends the quiet is weighed at the next firing of the unhurried pace', () => {
      const rhythm = planRhythm(own({ last: NOW - 3 * HOUR, heard: NOW }), [], NOW);
      expect(rhythm.at).toBeGreaterThan(NOW);
      expect(rhythm.at).toBeLessThanOrEqual(NOW + 30 * MINUTE);
    });

    test('a matter that does not come up by itself ticks for its tasks, and after a signal until a tick finds none', () => {
      const asleep = { comesUp: false, streak: 1, last: NOW - HOUR, heard: NOW - 2 * HOUR };
      expect(planRhythm(own(asleep), [], NOW)).toMatchObject({
        at: null,
        reason: 'none: only on request or for a signal',
      });
      expect(planRhythm(own({ ...asleep, streak: 0, last: null, heard: null }), [], NOW).at).toBeNull();
      expect(planRhythm(own({ ...asleep, streak: 0 }), [], NOW).at).not.toBeNull();
      expect(planRhythm(own({ ...asleep, streak: 0, last: null, heard: NOW }), [], NOW).at).toBeGreaterThan(NOW);
      const task = check({ at: NOW + HOUR });
      expect(planRhythm(own(asleep), [task], NOW)).toMatchObject({
        at: NOW + HOUR,
        reason: `${task.reason} — ${task.name}`,
      });
      const cron = own({ ...asleep, cadence: { kind: 'cron', expression: '0 7 * * *' }, source: 'steward_schedule' });
      expect(planRhythm(cron, [], NOW).at).toBeNull();
      expect(new Date(planRhythm(cron, [task], NOW).at ?? 0).getHours()).toBe(7);
    });
  });

  describe('laws', () => {
    const moment = fc.integer({ min: NOW - 3 * DAY, max: NOW + 3 * DAY });
    const times = fc.record({
      state: fc.constantFrom('open' as const, 'snoozed' as const, 'done' as const),
      surface_class: fc.constantFrom('high' as const, 'normal' as const, 'none' as const),
      due: fc.option(moment.map((ms) => new Date(ms).toISOString())),
      snoozed_until: fc.option(moment.map((ms) => new Date(ms).toISOString())),
      next_check_after: fc.constant(null),
    }) satisfies fc.Arbitrary<TaskTimes>;
    const task = fc.record({ times, streak: fc.nat(20), since: fc.integer({ min: 0, max: DAY }) });
    const schedule = fc.record({
      cadence: fc.constantFrom(every(MINUTE), every(30 * MINUTE), every(DAY)),
      backsOff: fc.boolean(),
      streak: fc.nat(20),
      last: fc.option(fc.integer({ min: NOW - 2 * DAY, max: NOW })),
    });
    const checked = (tasks: readonly { times: TaskTimes; streak: number; since: number }[]) =>
      tasks.map(({ times, streak, since }, n) => ({
        ...nextCheck(times, streak, NOW - since),
        name: `task-${n}`,
        presses: times.surface_class === 'high',
      }));

    test('never later than the matter’s own rhythm nor than the first check of a task, by more than the slack', () => {
      fc.assert(
        fc.property(schedule, fc.array(task, { maxLength: 6 }), (parts, tasks) => {
          const checks = checked(tasks);
          const rhythm = planRhythm(own(parts), checks, NOW);
          const alone = planRhythm(own(parts), [], NOW);
          expect(rhythm.at).not.toBeNull();
          expect(rhythm.at ?? 0).toBeLessThanOrEqual(alone.at ?? 0);
          expect(rhythm.at ?? 0).toBeGreaterThanOrEqual(NOW);
          for (const { at } of checks) {
            const settled = at !== null && at <= NOW && parts.last !== null && parts.last >= at;
            if (at !== null && !settled) expect(rhythm.at ?? 0).toBeLessThanOrEqual(Math.max(at, NOW) + 30_000);
          }
        }),
        { numRuns: lawRuns() },
      );
    });

    test('never sooner than something asks for', () => {
      fc.assert(
        fc.property(schedule, fc.array(task, { maxLength: 6 }), (parts, tasks) => {
          const checks = checked(tasks);
          const rhythm = planRhythm(own(parts), checks, NOW);
          const asked = [planRhythm(own(parts), [], NOW).at, ...checks.map(({ at }) => at)].filter((at) => at !== null);
          expect(rhythm.at ?? 0).toBeGreaterThanOrEqual(Math.min(...asked));
        }),
        { numRuns: lawRuns() },
      );
    });

    test('however long it runs, time goes forward: after a tick the next one is later', () => {
      fc.assert(
        fc.property(schedule, fc.array(task, { maxLength: 4 }), (parts, tasks) => {
          let [now, last] = [NOW, parts.last];
          const cursors = tasks.map(({ streak, since }) => ({ streak, at: NOW - since }));
          for (let ticks = 0; ticks < 20; ticks += 1) {
            const checks = tasks.map(({ times }, n) => ({
              ...nextCheck(times, cursors[n]?.streak ?? 0, cursors[n]?.at ?? now),
              ...{ name: `task-${n}`, presses: false },
            }));
            const { at } = planRhythm(own({ ...parts, last }), checks, now);
            if (ticks > 0) expect(at ?? 0).toBeGreaterThan(now);
            now = at ?? now;
            last = now;
            for (const [n, one] of checks.entries())
              if (one.at !== null && one.at <= now + 30_000)
                cursors[n] = { streak: (cursors[n]?.streak ?? 0) + 1, at: now };
          }
        }),
        { numRuns: lawRuns() },
      );
    });
  });
});

describe('skipped checks', () => {
  const NOW = 1_000_000;
  const LOOK = {
    away: null,
    handsOff: null,
    state: 'open' as const,
    force: false,
    quietHours: false,
    check: { at: NOW, every: null, reason: 'a signal waits' },
    signals: 1,
    silenced: 0,
    settledAt: 0,
    refusal: null,
    now: NOW,
  };
  const refusal = { code: 'budget' as const, reason: 'budget: 10 of 10 tokens used in a day' };

  describe('the first reason that holds, in the order of a tick', () => {
    test.each<[SkipCode | undefined, Partial<Parameters<typeof findSkip>[0]>]>([
      [undefined, {}],
      ['vault-away', { away: 'its folder is not there', handsOff: 'steward: false' }],
      ['hands-off', { handsOff: 'steward: false', state: 'done' }],
      ['finished', { state: 'done', quietHours: true }],
      ['finished', { state: 'archived', force: true }],
      ['quiet-hours', { quietHours: true, check: { ...LOOK.check, at: NOW + HOUR } }],
      ['not-due', { check: { ...LOOK.check, at: NOW + HOUR }, signals: 0 }],
      ['not-due', { check: { ...LOOK.check, at: null } }],
      [undefined, { check: { ...LOOK.check, at: NOW + HOUR }, force: true }],
      [undefined, { quietHours: true, force: true }],
      ['no-signals', { signals: 0, settledAt: NOW + 1 }],
      ['settling', { settledAt: NOW + 1, refusal }],
      ['budget', { refusal }],
      ['rate-guarded', { refusal: { ...refusal, code: 'rate-guarded' } }],
    ])('%s', (code, parts) => expect(findSkip({ ...LOOK, ...parts })?.code).toBe(code));

    test('of several, the one that tells most', () => {
      const skips = (['not-due', 'no-signals', 'budget', 'settling'] as const).map((code) => ({ code, reason: code }));
      expect(mostTelling(skips)?.code).toBe('budget');
      expect(mostTelling([])).toBeNull();
    });
  });

  describe('where a person sees it: the tick, the status, the log line, and asked beforehand', () => {
    test.each<[SkipCode, string, Record<string, string>]>([
      ['no-signals', 'no signals', {}],
      ['settling', 'settling: it was just edited', { 'signal/a.md': weak() }],
      ['hands-off', 'no signals', { 'task/pay.md': task({ steward: false }), 'signal/a.md': signal() }],
      ['finished', 'no signals', { 'task/pay.md': task({ state: 'archived' }), 'signal/a.md': signal() }],
    ])('%s', async (code, said, files) => {
      const vault = new TempVault({ ...HOUSE, ...files });
      if (code === 'settling') vault.write('task/pay.md', ODD_TASK, 0);
      const clock = new Clock();
      const running = await Running.start(vault, { clock });
      const reading = await Bench.reading(vault, { clock });
      const pay = reading.catalogue.get('task/pay.md');
      if (pay?.kind !== 'task') throw new Error('no task');
      expect(skipNow(reading.ports, pay)?.code).toBe(code);
      if (code !== 'settling') clock.move(HOUR);
      else clock.move(1000);
      const [result] = (await running.ask({ op: 'tick', matters: ['house'], force: false, mode: null })) as {
        skipped: { path: string; code: string }[];
      }[];
      expect(result?.skipped).toContainEqual(expect.objectContaining({ path: 'task/pay.md', code }));
      expect(running.daemon.status().schedules).toMatchObject([{ skipped: said }]);
    });

    test('not due', async () => {
      const vault = new TempVault(HOUSE);
      const running = await Running.start(vault);
      const tick = () => running.ask({ op: 'tick', matters: ['house'], force: false, mode: null });
      await tick();
      expect(await tick()).toMatchObject([
        {
          skipped: [
            { path: 'task/pay.md', code: 'not-due', reason: expect.stringMatching(/^not due: .*: every \d h$/) },
            { code: 'not-due' },
          ],
        },
      ]);
      expect(running.daemon.status().schedules).toMatchObject([{ skipped: 'nothing is due' }]);
    });

    test('rate guarded', async () => {
      const vault = new TempVault(HOUSE);
      const bench = await Bench.open(vault, { evaluator: { ...rules, asksModel: true } });
      for (let n = 1; n <= 4; n += 1) {
        const proposal = { class: 'context_edit', set: { owner: `Nr. ${n}` } };
        vault.write(`signal/${n}.md`, weak({ raw_quote: `${n}`, mutation_proposal: proposal }));
        await bench.tick();
      }
      const [result] = await bench.tick();
      expect(result).toMatchObject({ guarded: true });
      expect(result?.skipped).toContainEqual({
        path: 'task/pay.md',
        code: 'rate-guarded',
        reason: expect.stringMatching(/^rate guarded: 3 of 3 used by this sender on this task in a day; free at .*Z$/),
        until: expect.any(Number),
      });
    });

    test('quiet hours: the tick, the status, the line; what waited is weighed afterwards', async () => {
      const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ quiet_hours: quietHoursAround(Date.now()) }) });
      const clock = new Clock();
      const running = await Running.start(vault, { clock });
      vault.write('signal/a.md', weak());
      await running.sync();
      clock.move(HOUR);
      await running.daemon.wake();
      const skipped = await running.heard('skipped');
      expect(skipped).toMatchObject({ name: 'steward-house', reason: 'quiet hours' });
      expect(running.daemon.status().schedules).toMatchObject([{ skipped: 'quiet hours' }]);
      vault.write('matter/house.md', matter({ summary: 'Touched' }));
      await running.sync();
      await running.daemon.wake();
      expect(running.count('skipped')).toBe(1);
      vault.write('steward.md', settings());
      await running.heard('settings');
      clock.move(DAY);
      await running.daemon.wake();
      await running.heard('proposed');
    });

    test('a quiet tick’s line says why nothing was judged', async () => {
      const clock = new Clock();
      const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ default_schedule: 'every 30m' }) });
      const running = await Running.start(vault, { clock });
      clock.move(HOUR);
      await running.daemon.wake();
      expect(await running.heard('ticked')).toMatchObject({ events: 0, skipped: 'no signals' });
    });
  });
});
