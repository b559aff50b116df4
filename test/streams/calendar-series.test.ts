import { describe, expect, test } from 'vitest';
import { appointmentOf, calendar, entry, eventsIn } from './calendars.ts';

/** Berlin, Friday 2 March 2035, ten o'clock. */
async function next(lines: readonly string[], now = '2035-03-02T09:00:00Z'): Promise<string> {
  const found = await appointmentOf(lines, [], { now: Date.parse(now) });
  expect(found.series).toBe(true);
  return found.start;
}

const AT_NINE = 'DTSTART;TZID=Europe/Berlin:20300101T090000';

describe('the next of a series', () => {
  test.each<[string, readonly string[], string]>([
    ['daily', [AT_NINE, 'RRULE:FREQ=DAILY'], '2035-03-03T09:00'],
    [
      'on two weekdays',
      ['DTSTART;TZID=Europe/Berlin:20300102T090000', 'RRULE:FREQ=WEEKLY;BYDAY=WE,SA'],
      '2035-03-03T09:00',
    ],
    [
      'every other week',
      ['DTSTART;TZID=Europe/Berlin:20350205T090000', 'RRULE:FREQ=WEEKLY;INTERVAL=2'],
      '2035-03-05T09:00',
    ],
    ['on the last Friday', [AT_NINE, 'RRULE:FREQ=MONTHLY;BYDAY=-1FR'], '2035-03-30T09:00'],
    ['on the last workday', [AT_NINE, 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'], '2035-03-30T09:00'],
    [
      'on the 31st, where there is one',
      ['DTSTART;TZID=Europe/Berlin:20350131T090000', 'RRULE:FREQ=MONTHLY'],
      '2035-03-31T09:00',
    ],
    ['on 29 February', ['DTSTART;VALUE=DATE:20040229', 'RRULE:FREQ=YEARLY'], '2036-02-29'],
    ['with blanks in the rule', [AT_NINE, 'RRULE:FREQ=WEEKLY; BYDAY=MO, TU'], '2035-03-05T09:00'],
    ['by count', ['DTSTART:20350228T080000Z', 'RRULE:FREQ=DAILY;COUNT=4'], '2035-03-03T09:00'],
    ['until a day, which counts in', [AT_NINE, 'RRULE:FREQ=DAILY;UNTIL=20350303'], '2035-03-03T09:00'],
    ['until a moment', [AT_NINE, 'RRULE:FREQ=DAILY;UNTIL=20350303T080000Z'], '2035-03-03T09:00'],
    ['by dates alone', [AT_NINE, 'RDATE;TZID=Europe/Berlin:20340101T090000,20350601T090000'], '2035-06-01T09:00'],
    ['by a period', [AT_NINE, 'RDATE;VALUE=PERIOD:20350601T070000Z/PT1H'], '2035-06-01T09:00'],
    ['with one left out', [AT_NINE, 'RRULE:FREQ=DAILY', 'EXDATE:20350303T080000Z'], '2035-03-04T09:00'],
    ['with one left out by its day', [AT_NINE, 'RRULE:FREQ=DAILY', 'EXDATE;VALUE=DATE:20350303'], '2035-03-04T09:00'],
    ['with an empty line of those left out', [AT_NINE, 'RRULE:FREQ=DAILY', 'EXDATE:'], '2035-03-03T09:00'],
    ['of days, today’s too', ['DTSTART;VALUE=DATE:20300302', 'RRULE:FREQ=YEARLY'], '2035-03-02'],
    [
      'of a day that is left out',
      ['DTSTART;VALUE=DATE:20300302', 'RRULE:FREQ=YEARLY', 'EXDATE;VALUE=DATE:20350302'],
      '2036-03-02',
    ],
  ])('%s', async (_, lines, expected) => {
    expect(await next(lines)).toBe(expected);
  });

  test('nine o’clock stays nine o’clock over the change of clocks', async () => {
    expect(await next([AT_NINE, 'RRULE:FREQ=DAILY'], '2035-03-24T09:00:00Z')).toBe('2035-03-25T09:00');
    expect(await next([AT_NINE, 'RRULE:FREQ=DAILY'], '2035-10-27T09:00:00Z')).toBe('2035-10-28T09:00');
    // For two weeks New York is five hours away, not six.
    const york = ['DTSTART;TZID=America/New_York:20300101T090000', 'RRULE:FREQ=WEEKLY;BYDAY=TH'];
    expect(await next(york, '2035-03-14T09:00:00Z')).toBe('2035-03-15T14:00');
    expect(await next(york, '2035-03-28T09:00:00Z')).toBe('2035-03-29T15:00');
  });

  test('what the clocks skip does not take place', async () => {
    const night = ['DTSTART;TZID=Europe/Berlin:20300101T023000', 'RRULE:FREQ=DAILY'];
    expect(await next(night, '2035-03-25T00:00:00Z')).toBe('2035-03-26T02:30');
  });

  test('stands for the first where it is over, which is long ago', async () => {
    expect(await next([AT_NINE, 'RRULE:FREQ=DAILY;UNTIL=20310101T000000Z'])).toBe('2030-01-01T09:00');
    expect(await next([AT_NINE, 'RRULE:FREQ=DAILY;COUNT=10'])).toBe('2030-01-01T09:00');
  });

  test('is the moved one where that comes first, wherever its entry is in the file', async () => {
    const own = entry('RECURRENCE-ID:20350303T080000Z', 'DTSTART:20350303T150000Z');
    const series = entry(AT_NINE, 'RRULE:FREQ=DAILY');
    for (const order of [
      [...own, ...series],
      [...series, ...own],
    ]) {
      const events = await eventsIn(calendar(...order));
      const found = events.map(({ event: { appointment } }) => [appointment?.start, appointment?.movedFrom]);
      expect(found).toHaveLength(2);
      expect(found).toEqual(
        expect.arrayContaining([
          ['2035-03-03T16:00', null],
          ['2035-03-03T16:00', '2035-03-03T09:00'],
        ]),
      );
    }
  });

  test('is doubtful where another entry changes all later ones', async () => {
    const later = entry('RECURRENCE-ID;RANGE=THISANDFUTURE:20350303T080000Z', 'DTSTART:20350303T150000Z');
    const events = await eventsIn(calendar(...entry(AT_NINE, 'RRULE:FREQ=DAILY'), ...later));
    expect(events.map(({ event }) => event.doubts.length)).toEqual([1, 1]);
  });

  test('has its length', async () => {
    const lines = [AT_NINE, 'DTEND;TZID=Europe/Berlin:20300101T103000', 'RRULE:FREQ=DAILY'];
    expect((await appointmentOf(lines)).end).toBe('2035-03-03T10:30');
    expect((await appointmentOf([AT_NINE, 'DURATION:PT1H30M', 'RRULE:FREQ=DAILY'])).end).toBe('2035-03-03T10:30');
    const days = ['DTSTART;VALUE=DATE:20300302', 'DURATION:P2D', 'RRULE:FREQ=YEARLY'];
    expect((await appointmentOf(days)).end).toBe('2035-03-03');
  });

  test('does not make another version of it each time it is read', async () => {
    const lines = [AT_NINE, 'RRULE:FREQ=DAILY'];
    const [now, later] = [
      await appointmentOf(lines),
      await appointmentOf(lines, [], { now: Date.parse('2035-06-01') }),
    ];
    expect(now.start).not.toBe(later.start);
    expect(now.identity).toEqual(later.identity);
  });
});
