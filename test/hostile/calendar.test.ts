import { describe, expect } from 'vitest';
import { readAppointment } from '../../src/streams/appointments.ts';
import { appointmentOf, calendar, entry, eventsIn, readCalendar } from '../streams/calendars.ts';
import { candidate, sampleIndex } from '../support/events.ts';
import { ownTime } from '../support/own-time.ts';
import { attack } from './attack.ts';

// A calendar that somebody else wrote: a feed, a file that came with a mail.

const SENDER = 'a sender';
const many = (count: number, of: (nth: number) => string) => Array.from({ length: count }, (_, nth) => of(nth));

/** Reads a calendar to its end. Returns how long that took at its best, and the longest that one item took, in ms. */
async function timeOf(bytes: Uint8Array): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < 3; nth += 1) {
    const started = ownTime();
    await readCalendar(bytes);
    best = Math.min(best, ownTime() - started);
  }
  return best;
}

describe('work without end', () => {
  const sound = entry('UID:sound@sample.example');
  for (const [means, lines] of [
    ['a rule that no day fits', entry('RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30')],
    ['a rule for every second since 1600', entry('DTSTART:16000101T000000Z', 'RRULE:FREQ=SECONDLY')],
    ['a rule with a billion times', entry('DTSTART:16000101T000000Z', 'RRULE:FREQ=HOURLY;COUNT=1000000000')],
    ['a rule with a huge step', entry('RRULE:FREQ=DAILY;INTERVAL=99999999999999999999')],
    ['a length of a billion weeks', entry('DURATION:P999999999999999W')],
    ['a rule of 60 000 characters', entry(`RRULE:FREQ=YEARLY;BYDAY=${'MO,'.repeat(20_000)}MO`)],
    ['4 000 dates that are left out', entry('RRULE:FREQ=DAILY', ...many(4000, (nth) => `EXDATE:2035${nth}`))],
    ['100 000 lines of one property', entry(...many(100_000, () => 'EXDATE:20350402T080000Z'))],
    [
      'a zone with 100 000 parts',
      ['BEGIN:VTIMEZONE', 'TZID:X', ...many(100_000, () => 'BEGIN:STANDARD'), 'END:VTIMEZONE'],
    ],
    ['parts nested 100 000 deep', ['BEGIN:VEVENT', ...many(100_000, (nth) => `BEGIN:X-${nth}`), 'END:VEVENT']],
    ['100 000 entries without an end', many(100_000, () => 'BEGIN:VEVENT')],
    ['a line of 10 MB', entry(`DESCRIPTION:${'x'.repeat(10_000_000)}`)],
    ['a line folded 1 000 000 times', entry(`DESCRIPTION:${'\r\n x'.repeat(1_000_000)}`)],
    ['a million quotes in the parameters', entry(`SUMMARY;X=${'"'.repeat(1_000_000)}:x`)],
  ] as const) {
    attack(
      {
        attacker: SENDER,
        means,
        loss: 'the file is never read to its end',
        defence: 'bounds, and refusal of that one entry',
      },
      async () => {
        const bytes = calendar(...lines, ...sound);
        expect(await timeOf(bytes)).toBeLessThan(4000);
        const events = await eventsIn(bytes);
        expect(events.at(-1)?.identity.key).toBe('calendar sound@sample.example ');
      },
    );
  }

  attack(
    {
      attacker: SENDER,
      means: 'ten times as many entries',
      loss: 'the time for a file grows with its square',
      defence: 'one look ahead, and then one entry after the other',
    },
    async () => {
      const of = (count: number) =>
        calendar(...many(count, (nth) => entry(`UID:${nth}`, `RECURRENCE-ID:20350402T080000Z`).join('\r\n')));
      const [few, all] = [await timeOf(of(500)), await timeOf(of(5000))];
      expect(all).toBeLessThan(30 * few + 100);
    },
  );
});

describe('what is shown', () => {
  attack(
    {
      attacker: SENDER,
      means: 'invisible and turning characters in every text',
      loss: 'a title reads otherwise than it is',
      defence: 'they are taken out',
    },
    async () => {
      const odd = 'Pay\u202Etsop\u200B\u0007 \u{E0041}now';
      const { event, location } = await appointmentOf([
        ...[`SUMMARY:${odd}`, `DESCRIPTION:${odd}`, `LOCATION:${odd}`],
        `ORGANIZER;CN="${odd}":mailto:a\u200B@b.example`,
      ]);
      for (const text of [event.subject, event.text, event.fromName, event.from, location])
        expect(text?.replaceAll('\n', ' ') ?? '').not.toMatch(/\p{Cc}|\p{Cf}/u);
    },
  );

  attack(
    {
      attacker: SENDER,
      means: 'texts of 60 000 characters',
      loss: 'notes and prompts are filled',
      defence: 'each text has a bound',
    },
    async () => {
      const long = 'x '.repeat(30_000);
      const { event, location, uid } = await appointmentOf([
        ...[
          `SUMMARY:${long}`,
          `DESCRIPTION:${long}`,
          `LOCATION:${long}`,
          `UID:${long}`,
          `ORGANIZER;CN=${long}:mailto:a@b.example`,
        ],
      ]);
      expect(event.subject.length).toBeLessThanOrEqual(500);
      expect(event.text.length).toBeLessThanOrEqual(16_000);
      expect(event.fromName?.length).toBeLessThanOrEqual(200);
      expect(location?.length).toBeLessThanOrEqual(300);
      expect(uid.length).toBeLessThanOrEqual(500);
    },
  );

  attack(
    {
      attacker: SENDER,
      means: 'HTML that hides what it says',
      loss: 'a link is followed that nobody was shown',
      defence: 'of HTML, only what a reader would see',
    },
    async () => {
      const html = '<p>Lunch<span style="display:none">[[Sign deed of sale]]</span></p>';
      expect((await appointmentOf([`DESCRIPTION:${html}`])).event.text).toBe('Lunch');
    },
  );
});

describe('what is gained', () => {
  attack(
    {
      attacker: SENDER,
      means: 'an organiser whom the vault knows',
      loss: 'a stranger acts in their name',
      defence: 'nothing vouches for who wrote a file',
    },
    async () => {
      const { event } = await appointmentOf(['ORGANIZER:mailto:anna@notary.example']);
      expect(event.authentication.result).toBe('none');
    },
  );

  attack(
    {
      attacker: SENDER,
      means: 'an entry that was last changed in the year 2099',
      loss: 'every later change of it is taken for an old one',
      defence: 'a change that is yet to come does not count',
    },
    async () => {
      const forged = await appointmentOf(['LAST-MODIFIED:20991231T000000Z']);
      const honest = await appointmentOf(['LAST-MODIFIED:20350301T000000Z']);
      expect(honest.identity.version > forged.identity.version).toBe(true);
    },
  );

  attack(
    {
      attacker: SENDER,
      means: 'an entry that names, links to and numbers every task, and says that all are done',
      loss: 'tasks are closed, or their dates are moved',
      defence: 'an entry can give one task a date that it lacks, as a proposal; it closes nothing',
    },
    async () => {
      const tasks = many(50, (nth) => `Task number ${nth}`);
      const index = sampleIndex(
        ...tasks.map((name, nth) => candidate({ path: `task/${name}.md`, due: nth === 7 ? null : '2035-03-20' })),
      );
      const text = tasks.map((name) => `[[${name}]] is done. STATE: done.`).join(' ');
      const { event } = await appointmentOf([`SUMMARY:${tasks.join(' ')}`, `DESCRIPTION:${text}`]);
      const { meanings } = readAppointment(event, index, '2035-03-02T10:00');
      expect(meanings.length).toBeLessThanOrEqual(1);
      for (const { ambiguous, proposal } of meanings) {
        expect(ambiguous).toBe(true);
        expect(Object.keys(proposal?.set ?? {})).toEqual(['due']);
      }
    },
  );
});
