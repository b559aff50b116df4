import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type NoteSight, overdueMilestone, perceive, silentMilestone } from '../../src/steward/perceive.ts';
import { findingKey } from '../../src/steward/proposals.ts';
import { DAY, HOUR } from '../support/clock.ts';

/** Local noon of a day. */
const noon = (day: number) => new Date(2026, 10, day, 12).getTime();
const NOW = noon(23);

const PLAIN: NoteSight = {
  ...{ state: 'open', due: null, scheduled: null, snoozedUntil: null },
  ...{ blockers: [], blockedOn: '', tasks: null, untouchedSince: null, of: '' },
};
const saw = (sight: Partial<NoteSight>, now = NOW) => perceive({ ...PLAIN, ...sight }, now);
const said = (sight: Partial<NoteSight>, now = NOW) => saw(sight, now).findings.map(({ sentence }) => sentence);

describe('what a note shows by itself', () => {
  test.each<[string, Partial<NoteSight>, string[]]>([
    ['nothing', {}, []],
    ['due today: not yet', { due: '2026-11-23' }, []],
    ['due at an hour of today that is over: not yet', { due: '2026-11-23T08:00:00' }, []],
    ['one day overdue', { due: '2026-11-22' }, ['Overdue for 1 day (due 2026-11-22).']],
    ['three days', { due: '2026-11-20' }, ['Overdue for 3 days (due 2026-11-20).']],
    ['no date at all', { due: 'soon' }, []],
    ['a snooze to come', { state: 'snoozed', snoozedUntil: '2026-11-24' }, []],
    ['a snooze that is over', { state: 'snoozed', snoozedUntil: '2026-11-20' }, ['Its snooze ended on 2026-11-20.']],
    ['a former snooze of an open task', { snoozedUntil: '2026-11-20' }, []],
    ['blocked on something that is open', { blockers: [{ name: 'deed', isOver: false, at: 0 }] }, []],
    [
      'blocked on something that is done',
      { blockers: [{ name: 'deed', isOver: true, at: 0 }] },
      ['Its blocker is done: “deed”.'],
    ],
    ['a matter without tasks', { tasks: { count: 0, open: 0, restingSince: 0 } }, []],
    ['a matter with an open task', { tasks: { count: 2, open: 1, restingSince: 0 } }, []],
    ['tasks that are over since an hour', { tasks: { count: 2, open: 0, restingSince: NOW - HOUR } }, []],
    [
      'tasks that are over for days',
      { tasks: { count: 2, open: 0, restingSince: NOW - 4 * DAY } },
      ['All 2 of its tasks are done.'],
    ],
    ['five weeks of silence', { untouchedSince: NOW - 35 * DAY }, []],
    ['seven weeks of silence', { untouchedSince: NOW - 49 * DAY }, ['Untouched for 7 weeks.']],
    ['silence before a date that is still ahead', { untouchedSince: NOW - 99 * DAY, due: '2026-12-24' }, []],
    [
      'silence that waits for another',
      {
        untouchedSince: NOW - 99 * DAY,
        blockers: [{ name: 'deed', isOver: false, at: 0 }],
      },
      [],
    ],
  ])('%s', (_, sight, sentences) => {
    expect(said(sight)).toEqual(sentences);
  });
});

describe('milestones', () => {
  test('of being overdue: 1, 3, 7, 14, 30 days, then every 30', () => {
    const reached = new Set(Array.from({ length: 100 }, (_, days) => overdueMilestone(days).step));
    expect([...reached]).toEqual([0, 1, 3, 7, 14, 30, 60, 90]);
  });

  test('of silence: six weeks, then each time that doubles', () => {
    const reached = new Set(Array.from({ length: 100 }, (_, weeks) => silentMilestone(weeks).step));
    expect([...reached]).toEqual([0, 6, 12, 24, 48, 96]);
  });

  test.each([
    ['days', overdueMilestone],
    ['weeks', silentMilestone],
  ])('LAW: of %s never fall, are never ahead, and the next one is ahead', (_, of) => {
    fc.assert(
      fc.property(fc.nat(5000), (span) => {
        const [now, later] = [of(span), of(span + 1)];
        expect(now.step).toBeLessThanOrEqual(span);
        expect(now.next).toBeGreaterThan(span);
        expect(later.step).toBeGreaterThanOrEqual(now.step);
        expect(later.step === now.step || later.step === now.next).toBe(true);
      }),
    );
  });
});

const day = fc.integer({ min: -400, max: 60 }).map((days) => {
  const at = new Date(NOW + days * DAY);
  const two = (figure: number) => String(figure).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
});
const moment = fc.integer({ min: 0, max: 400 }).map((days) => NOW - days * DAY);
const anySight: fc.Arbitrary<NoteSight> = fc.record({
  state: fc.constantFrom('open', 'snoozed'),
  due: fc.option(day),
  scheduled: fc.option(day),
  snoozedUntil: fc.option(day),
  blockers: fc.array(fc.record({ name: fc.constant('deed'), isOver: fc.boolean(), at: moment }), { maxLength: 2 }),
  blockedOn: fc.constant('abc'),
  tasks: fc.option(fc.record({ count: fc.nat(3), open: fc.nat(1), restingSince: moment })),
  untouchedSince: fc.option(moment),
  of: fc.constant('2026-01-01'),
});

test('LAW: until the next day that matters, nothing else is to be said', () => {
  fc.assert(
    fc.property(anySight, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (sight, part) => {
      const { stage, next, findings } = perceive(sight, NOW);
      const end = (next ?? NOW + 2000 * DAY) - 1;
      const then = Math.floor(NOW + part * (end - NOW));
      const later = perceive(sight, then);
      expect(later.stage).toBe(stage);
      expect(later.findings.map(findingKey)).toEqual(findings.map(findingKey));
      if (next !== null) expect(next).toBeGreaterThan(NOW);
    }),
  );
});
