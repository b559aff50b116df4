import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  nextCheck,
  type OwnSchedule,
  rhythmOf,
  type TaskCheck,
  type TaskTimes,
} from '../../../src/steward/schedule-cadence.ts';
import { lawRuns } from '../../support/laws.ts';
import { DAY, HOUR, MINUTE, NOW } from '../samples.ts';

const every = (ms: number) => ({ kind: 'every', ms }) as const;
const own = (parts: Partial<OwnSchedule> = {}): OwnSchedule => ({
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
    const rhythm = rhythmOf(own(parts), tasks, NOW);
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
    const rhythm = rhythmOf(cron, [check()], NOW);
    expect(rhythm.reason).toBe('steward_schedule: cron 0 7 * * *');
    expect(new Date(rhythm.at ?? 0).getHours()).toBe(7);
  });

  test('what is overdue is caught up now, once: what the last tick left waits for the next', () => {
    const overdue = check({ at: NOW - HOUR });
    expect(rhythmOf(own({ last: NOW - 2 * HOUR }), [overdue], NOW).at).toBe(NOW);
    const after = rhythmOf(own({ last: NOW - MINUTE }), [overdue], NOW).at;
    expect(after).toBeGreaterThan(NOW);
    expect(after).toBeLessThanOrEqual(NOW + 30 * MINUTE);
  });

  test('a signal that ends the quiet is weighed at the next firing of the unhurried pace', () => {
    const rhythm = rhythmOf(own({ last: NOW - 3 * HOUR, heard: NOW }), [], NOW);
    expect(rhythm.at).toBeGreaterThan(NOW);
    expect(rhythm.at).toBeLessThanOrEqual(NOW + 30 * MINUTE);
  });

  test('a matter that does not come up by itself ticks for its tasks, and after a signal until a tick finds none', () => {
    const asleep = { comesUp: false, streak: 1, last: NOW - HOUR, heard: NOW - 2 * HOUR };
    expect(rhythmOf(own(asleep), [], NOW)).toMatchObject({ at: null, reason: 'none: only when asked or signalled' });
    expect(rhythmOf(own({ ...asleep, streak: 0, last: null, heard: null }), [], NOW).at).toBeNull();
    expect(rhythmOf(own({ ...asleep, streak: 0 }), [], NOW).at).not.toBeNull();
    expect(rhythmOf(own({ ...asleep, streak: 0, last: null, heard: NOW }), [], NOW).at).toBeGreaterThan(NOW);
    const task = check({ at: NOW + HOUR });
    expect(rhythmOf(own(asleep), [task], NOW)).toMatchObject({
      at: NOW + HOUR,
      reason: `${task.reason} — ${task.name}`,
    });
    const cron = own({ ...asleep, cadence: { kind: 'cron', expression: '0 7 * * *' }, source: 'steward_schedule' });
    expect(rhythmOf(cron, [], NOW).at).toBeNull();
    expect(new Date(rhythmOf(cron, [task], NOW).at ?? 0).getHours()).toBe(7);
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
        const rhythm = rhythmOf(own(parts), checks, NOW);
        const alone = rhythmOf(own(parts), [], NOW);
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
        const rhythm = rhythmOf(own(parts), checks, NOW);
        const asked = [rhythmOf(own(parts), [], NOW).at, ...checks.map(({ at }) => at)].filter((at) => at !== null);
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
          const { at } = rhythmOf(own({ ...parts, last }), checks, now);
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
