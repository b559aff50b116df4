import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CALENDAR } from '../../src/streams/kinds.ts';
import { appointmentOf, calendar, entry, eventsIn, readCalendar } from './calendars.ts';

const fixture = (name: string) => fs.readFileSync(path.join(import.meta.dirname, 'calendar', name));

describe('the file', () => {
  test.each<[string, boolean]>([
    ['stream/calendar/home.ics', true],
    ['stream/HOME.ICS', true],
    ['stream/a.ical', true],
    ['stream/a.ifb', false],
    ['stream/ics.eml', false],
  ])('%s: %s', (file, takes) => {
    expect(CALENDAR.takes(file)).toBe(takes);
  });

  test('is known by its first line, in UTF-8 and UTF-16, with a mark or without', () => {
    const text = '\r\nbegin:vcalendar\r\n';
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      Buffer.from(`\ufeff${text}`, 'utf16le'),
      Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    ]) {
      expect(CALENDAR.recognises(bytes)).toBe(true);
    }
    expect(CALENDAR.recognises(Buffer.from('Dear BEGIN:VCALENDAR'))).toBe(false);
    expect(CALENDAR.recognises(Buffer.alloc(0))).toBe(false);
  });

  test('in UTF-16 or Latin-1 says the same', async () => {
    const text = calendar(...entry('SUMMARY:Zahnärztin für Müller')).toString();
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`, 'utf16le'), Buffer.from(text, 'latin1')]) {
      expect((await eventsIn(bytes))[0]?.event.subject).toBe('Zahnärztin für Müller');
    }
  });

  test('may end its lines with LF or CR alone', async () => {
    const text = calendar(...entry()).toString();
    for (const end of ['\n', '\r']) {
      const [first] = await eventsIn(Buffer.from(text.replaceAll('\r\n', end)));
      expect(first?.event.appointment?.start).toBe('2035-04-02T10:00');
    }
  });

  test('is read on from any of its entries', async () => {
    const bytes = fixture('export.ics');
    const all = await readCalendar(bytes);
    expect(all.map(({ at, next, place }) => [at, next, place])).toEqual([
      [0, 1, 'line 25'],
      [1, 2, 'line 45'],
      [2, 3, 'line 53'],
      [3, 4, 'line 62'],
      [4, 5, 'line 71'],
    ]);
    for (const { at } of all) {
      expect(await readAgain(bytes, at)).toEqual(all.slice(at));
    }
  });
});

async function readAgain(bytes: Uint8Array, from: number) {
  const { readAll } = await import('./read-all.ts');
  return await readAll(CALENDAR, bytes, { file: 'stream/calendar/home.ics', sourceType: 'calendar', from });
}

describe('an export', () => {
  test('gives each appointment with what it says', async () => {
    const [notary, trip, choir, moved] = await eventsIn(fixture('export.ics'));
    expect(notary).toEqual({
      what: 'event',
      event: {
        path: 'stream/calendar/home.ics',
        sourceType: 'calendar',
        originAt: '2035-02-20T09:00:00Z',
        from: 'anna@notary.example',
        fromName: 'Meyer, Anna',
        to: [],
        subject: 'Notary appointment',
        text: 'Please bring the deed, and your passport.\nSee task/Notary appointment.md\nOld Market 4, Sampletown',
        quoted: '',
        bulk: false,
        bulkReason: null,
        ownNote: false,
        authentication: expect.objectContaining({ result: 'none' }),
        warnings: [],
        shown: null,
        doubts: [],
        appointment: {
          uid: 'one@calendar.example',
          recurrence: null,
          status: 'confirmed',
          start: '2035-03-09T14:00',
          end: '2035-03-09T15:30',
          movedFrom: null,
          location: 'Old Market 4, Sampletown',
        },
      },
      identity: {
        key: 'calendar one@calendar.example ',
        version: '0000000002 2035-02-20T09:00:00Z 1 2035-03-09T14:00',
        otherwise: 'newer',
      },
    });
    expect(trip?.event).toMatchObject({ text: 'Bring boots.\nAnd a tent.', originAt: '2035-03-01T06:00:00Z' });
    expect(trip?.event.appointment).toMatchObject({ start: '2035-04-02', end: '2035-04-04' });
    // The 5th is left out, and the 12th was moved to the 13th.
    expect(choir?.event.appointment).toMatchObject({
      start: '2035-03-13T19:00',
      end: '2035-03-13T20:30',
      series: true,
    });
    expect(choir?.identity.version).toMatch(/ 2034-10-02T18:00$/);
    expect(moved?.event.appointment).toMatchObject({
      recurrence: '2035-03-12T18:00',
      start: '2035-03-13T19:00',
      movedFrom: '2035-03-12T18:00',
    });
    expect(moved?.identity.key).toBe('calendar choir@calendar.example 2035-03-12T17:00');
  });

  test('passes over to-dos, and says so', async () => {
    const items = await readCalendar(fixture('export.ics'));
    expect(items.at(-1)?.content).toEqual({ what: 'nothing', reason: 'a to-do, not an appointment' });
  });

  test('of a meeting that is cancelled says so', async () => {
    const [only] = await eventsIn(fixture('meeting.ics'));
    expect(only?.event).toMatchObject({ from: 'office@roof.example', text: '' });
    expect(only?.event.appointment).toMatchObject({ status: 'cancelled', start: '2035-07-16T09:30', location: null });
  });
});

describe('one bad entry', () => {
  test('never costs the others', async () => {
    const items = await readCalendar(fixture('damaged.ics'));
    expect(items.map(({ place, content }) => [place, content.what === 'event' ? 'event' : content.reason])).toEqual([
      ['line 3', `DTSTART isn't a date: "Next Year".`],
      ['line 8', 'Unknown time zone "Middle Earth".'],
      ['line 13', 'It has no end (END).'],
      ['line 20', 'event'],
      ['line 26', 'It recurs more often than every hour.'],
      ['line 32', 'It has no end (END): the file is cut off.'],
    ]);
  });

  test.each<[string, string]>([
    ['DTSTART:20350230T090000Z', `DTSTART isn't a date: "20350230T090000Z".`],
    ['DTSTART:20350302T250000', `DTSTART isn't a date: "20350302T250000".`],
    ['DTSTART:99990302', `DTSTART isn't a date: "99990302".`],
    ['DTSTART:', 'It has no start (DTSTART).'],
    ['RRULE:FREQ=OFTEN', "Its rule of recurrence (RRULE) isn't supported."],
    ['RRULE:FREQ=DAILY;UNTIL=soon', "Its rule of recurrence (RRULE) isn't supported."],
    ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'Its rule of recurrence (RRULE) takes too long to compute.'],
    ['RDATE:never', `RDATE isn't a date: "never".`],
  ])('%s is refused with its reason', async (line, reason) => {
    const [only] = await readCalendar(calendar(...entry(line)));
    expect(only?.content).toEqual({ what: 'refused', reason });
  });

  test('EXRULE is refused: an appointment that is left out would be told', async () => {
    const lines = ['RRULE:FREQ=DAILY', 'EXRULE:FREQ=WEEKLY'];
    const [only] = await readCalendar(calendar(...entry(...lines)));
    expect(only?.content).toMatchObject({ what: 'refused', reason: expect.stringContaining('EXRULE') });
  });

  test.each(['DURATION:P99999999W', 'DURATION:-P1D', 'DTEND:None', 'DTEND:20350101T000000Z'])(
    '%s leaves the start as it is',
    async (line) => {
      expect(await appointmentOf([line])).toMatchObject({ start: '2035-04-02T10:00', end: null });
    },
  );
});

describe('the head of a calendar', () => {
  test.each<[string, object]>([
    ['METHOD:CANCEL', { what: 'event', event: { appointment: { status: 'cancelled' } } }],
    ['METHOD:REQUEST', { what: 'event', event: { appointment: { status: 'confirmed' } } }],
    ['METHOD:REPLY', { what: 'nothing', reason: 'an answer to an invitation' }],
    ['METHOD:COUNTER', { what: 'nothing' }],
  ])('%s', async (method, content) => {
    const [only] = await readCalendar(calendar(method, ...entry()));
    expect(only?.content).toMatchObject(content);
  });

  test('counts for its own calendar alone, where a file has several', async () => {
    const several = Buffer.concat([
      calendar('METHOD:CANCEL', ...entry()),
      calendar(...entry('UID:two@sample.example')),
    ]);
    const events = await eventsIn(several);
    expect(events.map(({ event }) => event.appointment?.status)).toEqual(['cancelled', 'confirmed']);
  });
});

describe('the version', () => {
  test('is the last change: exports set DTSTAMP anew each time', async () => {
    const lines = ['LAST-MODIFIED:20350101T100000Z', 'DTSTAMP:20350301T100000Z', 'SEQUENCE:3', 'STATUS:TENTATIVE'];
    const { identity, event } = await appointmentOf(lines);
    expect(identity.version).toBe('0000000003 2035-01-01T10:00:00Z 0 2035-04-02T10:00');
    expect(event.originAt).toBe('2035-01-01T10:00:00Z');
  });

  test('counts no change that is yet to come, so that none can shut out all later ones', async () => {
    const { identity, event } = await appointmentOf(['DTSTAMP:20991231T235959Z', 'SEQUENCE:-7']);
    expect(identity.version).toBe('0000000000 - 1 2035-04-02T10:00');
    expect(event.originAt).toBe(null);
  });
});
