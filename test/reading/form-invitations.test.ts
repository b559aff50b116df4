import { describe, expect, test } from 'vitest';
import { changes, eventOf, proposed, type Sample, tasks } from '../streams/read-forms.ts';

type Open = readonly (string | readonly [string, string])[];

/** Returns a calendar with one appointment; lines take the place of the usual ones of their name. */
function calendar(method: string, ...lines: readonly string[]): string {
  const given = new Set(lines.map((line) => /^[\w-]+/.exec(line)?.[0]));
  const usual = [
    ...['UID:appt-77@sample-shop.example', 'SEQUENCE:0', 'DTSTAMP:20261119T080000Z', 'DTSTART:20261203T090000Z'],
    ...['DTEND:20261203T093000Z', 'SUMMARY:Dental check-up', 'ORGANIZER;CN=Desk:mailto:mail@sample-shop.example'],
  ].filter((line) => !given.has(/^[\w-]+/.exec(line)?.[0]));
  const head = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Sample//EN',
    ...(method === '' ? [] : [`METHOD:${method}`]),
  ];
  return [...head, 'BEGIN:VEVENT', ...usual, ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\n');
}
const invites = (ics: string, more: Partial<Sample> = {}): Sample => ({
  subject: 'Invitation',
  text: 'Please see the attached invitation.',
  ics,
  ...more,
});

describe('an appointment in a mail', () => {
  test.each<readonly [string, Sample, Open, readonly string[]]>([
    [
      'a request gives the task its day',
      invites(calendar('REQUEST')),
      ['Dental check-up'],
      ['Dental check-up: 2026-12-03'],
    ],
    ['one without a method', invites(calendar('')), ['Dental check-up'], ['Dental check-up: 2026-12-03']],
    [
      'PUBLISH, as booking systems write',
      invites(calendar('PUBLISH')),
      ['Dental check-up'],
      ['Dental check-up: 2026-12-03'],
    ],
    [
      'an attached file without a type',
      invites(calendar('REQUEST'), { isAttached: true }),
      ['Dental check-up'],
      ['Dental check-up: 2026-12-03'],
    ],
    [
      'a time zone by name',
      invites(calendar('REQUEST', 'DTSTART;TZID=Europe/Berlin:20261203T233000')),
      ['Dental check-up'],
      ['Dental check-up: 2026-12-03'],
    ],
    [
      'a whole day',
      invites(calendar('REQUEST', 'DTSTART;VALUE=DATE:20261203', 'DTEND;VALUE=DATE:20261204')),
      ['Dental check-up'],
      ['Dental check-up: 2026-12-03'],
    ],
    [
      'an update of one of a series',
      invites(calendar('REQUEST', 'SEQUENCE:1', 'RECURRENCE-ID:20261126T090000Z')),
      [['Dental check-up', '2026-11-26']],
      ['Dental check-up: 2026-12-03'],
    ],
    [
      'a mail that a machine sent',
      invites(calendar('REQUEST'), { headers: ['Auto-Submitted: auto-generated'] }),
      ['Dental check-up'],
      ['Dental check-up: 2026-12-03'],
    ],
    ['an answer', invites(calendar('REPLY')), ['Dental check-up'], []],
    [
      'another proposed time',
      invites(calendar('COUNTER', 'DTSTART:20261210T090000Z')),
      [['Dental check-up', '2026-12-03']],
      [],
    ],
    ['an answer that is declined', invites(calendar('DECLINECOUNTER')), ['Dental check-up'], []],
    ['the day that the task has', invites(calendar('REQUEST')), [['Dental check-up', '2026-12-03']], []],
    ['a task with another day', invites(calendar('REQUEST')), [['Dental check-up', '2026-12-09']], []],
    ['another task', invites(calendar('REQUEST'), { from: 'x@far.example' }), ['Pay the plumber'], []],
    [
      'one that is over',
      invites(calendar('REQUEST', 'DTSTART:20261101T090000Z', 'DTEND:20261101T093000Z')),
      ['Dental check-up'],
      [],
    ],
    ['one without a start', invites(calendar('REQUEST', 'DTSTART:never')), ['Dental check-up'], []],
    ['a to-do', invites(calendar('REQUEST').replaceAll('VEVENT', 'VTODO')), ['Dental check-up'], []],
    ['half a calendar', invites(calendar('REQUEST').slice(0, 120)), ['Dental check-up'], []],
  ])('%s', async (_, sample, open, expected) => {
    expect(await changes(sample, tasks(...open))).toEqual(expected);
  });

  test('a cancelled one is put to a person', async () => {
    const sample = invites(calendar('CANCEL', 'SEQUENCE:1', 'STATUS:CANCELLED'));
    const { within } = await eventOf(sample);
    expect(within?.[0]?.event.appointment).toMatchObject({ status: 'cancelled', start: '2026-12-03T10:00' });
    expect(await proposed(sample, tasks(['Dental check-up', '2026-12-03']))).toEqual([]);
  });

  test('it has the name of its sender, and says which it has in a calendar', async () => {
    const { within } = await eventOf(invites(calendar('REQUEST')));
    expect(within?.map(({ identity }) => identity)).toEqual([
      {
        key: 'calendar appt-77@sample-shop.example  of none mail@sample-shop.example',
        inCalendar: 'calendar appt-77@sample-shop.example ',
        version: '0000000000 2026-11-19T08:00:00Z 1 2026-12-03T10:00',
        otherwise: 'newer',
      },
    ]);
  });

  test('what is said against the mail is said against it', async () => {
    const { within } = await eventOf(invites(calendar('REQUEST'), { headers: ['X-Spam-Flag: YES'] }));
    expect(within?.[0]?.event.doubts).toHaveLength(1);
  });

  test('the same twice in one mail is one, and more than twenty are not read', async () => {
    const ics = calendar('REQUEST');
    const entry = (nth: number) =>
      ics.slice(ics.indexOf('BEGIN:VEVENT'), ics.indexOf('END:VCALENDAR')).replace('appt-77', `a-${nth}`);
    const many = Array.from({ length: 40 }, (_, nth) => entry(nth)).join('');
    const twice = ics.replace('END:VCALENDAR', `${entry(77).replace('a-77', 'appt-77')}END:VCALENDAR`);
    expect((await eventOf(invites(twice))).within).toHaveLength(1);
    expect((await eventOf(invites(ics.replace('END:VCALENDAR', `${many}END:VCALENDAR`)))).within).toHaveLength(20);
  });
});
