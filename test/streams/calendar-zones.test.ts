import { describe, expect, test } from 'vitest';
import { appointmentOf, calendar, entry, readCalendar } from './calendars.ts';

/** What a calendar says of a zone by itself. */
function described(name: string, ...parts: readonly (readonly string[])[]): readonly string[] {
  return ['BEGIN:VTIMEZONE', `TZID:${name}`, ...parts.flat(), 'END:VTIMEZONE'];
}

function part(name: 'STANDARD' | 'DAYLIGHT', start: string, from: string, to: string, ...more: readonly string[]) {
  const lines = [`DTSTART:${start}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, ...more];
  return [`BEGIN:${name}`, ...lines, `END:${name}`];
}

const EASTERN = [
  part('STANDARD', '16010101T020000', '-0400', '-0500', 'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11'),
  part('DAYLIGHT', '16010101T020000', '-0500', '-0400', 'RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3'),
];

/** What the person's clocks in Berlin show when it is that time in the zone. */
async function inBerlin(zone: string, time: string, around: readonly string[] = []): Promise<string> {
  return (await appointmentOf([`DTSTART;TZID=${zone}:${time}`], around)).start;
}

describe('a zone by its name', () => {
  test.each<[string, string, string]>([
    ['Europe/Berlin', '20350402T100000', '2035-04-02T10:00'],
    ['America/New_York', '20350315T090000', '2035-03-15T14:00'],
    ['America/New_York', '20350402T090000', '2035-04-02T15:00'],
    ['America/Argentina/Buenos_Aires', '20350402T090000', '2035-04-02T14:00'],
    ['UTC', '20350402T090000', '2035-04-02T11:00'],
    ['/mozilla.org/20050126_1/Europe/London', '20350402T090000', '2035-04-02T10:00'],
    ['/freeassociation.sourceforge.net/Tzfile/America/New_York', '20350402T090000', '2035-04-02T15:00'],
    ['/softwarestudio.org/Tzfile/America/Argentina/Buenos_Aires', '20350402T090000', '2035-04-02T14:00'],
    ['W. Europe Standard Time', '20350402T090000', '2035-04-02T09:00'],
    ['Eastern Standard Time', '20350402T090000', '2035-04-02T15:00'],
    ['Tokyo Standard Time', '20350402T090000', '2035-04-02T02:00'],
    ['tzone://Microsoft/Utc', '20350402T090000', '2035-04-02T11:00'],
    ['"(UTC-05:00) Eastern Time (US & Canada)"', '20350402T090000', '2035-04-02T15:00'],
    ['"(GMT+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"', '20350402T090000', '2035-04-02T09:00'],
    ['UTC+03', '20350402T090000', '2035-04-02T08:00'],
    ['"GMT-03:30"', '20350402T090000', '2035-04-02T14:30'],
    ['EST', '20350402T090000', '2035-04-02T16:00'],
  ])('%s, %s is %s', async (zone, time, expected) => {
    expect(await inBerlin(zone, time)).toBe(expected);
  });

  test.each(['Mars/Olympus', 'Customized Time Zone', 'UTC+99', 'x'.repeat(5000)])(
    '%s: nobody knows it',
    async (zone) => {
      const [only] = await readCalendar(calendar(...entry(`DTSTART;TZID=${zone}:20350402T090000`)));
      expect(only?.content).toMatchObject({
        what: 'refused',
        reason: expect.stringContaining('Unknown time zone'),
      });
    },
  );

  test('that is missing means the person’s own, and one that ends in Z none', async () => {
    expect((await appointmentOf(['DTSTART:20350402T090000'])).start).toBe('2035-04-02T09:00');
    expect((await appointmentOf(['DTSTART;TZID=:20350402T090000'])).start).toBe('2035-04-02T09:00');
    expect((await appointmentOf(['DTSTART;TZID=America/New_York:20350402T090000Z'])).start).toBe('2035-04-02T11:00');
    const tokyo = await appointmentOf(['DTSTART:20350402T090000Z'], [], { zone: 'Asia/Tokyo' });
    expect(tokyo.start).toBe('2035-04-02T18:00');
  });
});

describe('a zone that the calendar describes', () => {
  test.each<[string, string]>([
    ['20350311T015900', '2035-03-11T07:59'],
    // Skipped by its clocks: half past two of standard time.
    ['20350311T023000', '2035-03-11T08:30'],
    ['20350311T030000', '2035-03-11T08:00'],
    ['20350701T090000', '2035-07-01T15:00'],
    // Shown twice by its clocks: the first.
    ['20351104T013000', '2035-11-04T06:30'],
    ['20351104T020000', '2035-11-04T08:00'],
    ['20351201T090000', '2035-12-01T15:00'],
  ])('with rules: %s is %s', async (time, expected) => {
    expect(await inBerlin('Customized Time Zone', time, described('Customized Time Zone', ...EASTERN))).toBe(expected);
    expect(await inBerlin('America/New_York', time)).toBe(expected);
  });

  test('with single dates, an end of its rules, or one offset alone', async () => {
    const dated = described(
      'Own',
      part('STANDARD', '20341029T030000', '+0200', '+0100', 'RDATE:20351028T030000'),
      part('DAYLIGHT', '20350325T020000', '+0100', '+0200'),
    );
    expect(await inBerlin('Own', '20350402T090000', dated)).toBe('2035-04-02T09:00');
    expect(await inBerlin('Own', '20351201T090000', dated)).toBe('2035-12-01T09:00');
    const until = 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20341029T010000Z';
    const ended = described('Own', part('STANDARD', '20301027T030000', '+0200', '+0100', until));
    expect(await inBerlin('Own', '20350402T090000', ended)).toBe('2035-04-02T10:00');
    expect(
      await inBerlin('Own', '20350402T090000', described('Own', part('STANDARD', '16010101T000000', '+0545', '+0545'))),
    ).toBe('2035-04-02T05:15');
  });

  test('is known wherever it stands in the file, and goes before a short name of IANA', async () => {
    const bytes = calendar(...entry('DTSTART;TZID=EST:20350402T090000'), ...described('EST', ...EASTERN));
    const [only] = await readCalendar(bytes);
    expect(only?.content).toMatchObject({ event: { appointment: { start: '2035-04-02T15:00' } } });
  });

  test.each<[string, readonly string[]]>([
    ['without a part', described('Own')],
    ['without offsets', described('Own', ['BEGIN:STANDARD', 'DTSTART:20000101T000000', 'END:STANDARD'])],
    [
      'with a rule for every second',
      described('Own', part('STANDARD', '20000101T000000', '+0100', '+0100', 'RRULE:FREQ=SECONDLY')),
    ],
  ])('%s is not guessed at', async (_, zone) => {
    const [only] = await readCalendar(calendar(...zone, ...entry('DTSTART;TZID=Own:20350402T090000')));
    expect(only?.content).toMatchObject({ what: 'refused', reason: 'Unknown time zone "Own".' });
  });
});
