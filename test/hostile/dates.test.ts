import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type DateOrigin, findNewDay, readDate } from '../../src/reading/dates.ts';
import { readFindings } from '../../src/reading/read-event.ts';
import { detectLanguage, LANGUAGES } from '../../src/reading/text.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { eventWith } from '../support/events.ts';
import { lawRuns } from '../support/laws.ts';
import { ownTime } from '../support/own-time.ts';
import { attack } from './attack.ts';

const AT = '2026-11-20T08:15';
const ORIGINS: readonly DateOrigin[] = [...LANGUAGES, null].map((language) => ({ at: AT, language, order: null }));
const LONG = 16_000;
/** What a mail may hold at most, read thoroughly: far below this where time grows with the text alone. */
const LIMIT_MS = 400;

const RUNS = [
  ...['1', ' ', '.', '/', '-', '3.3.', '1/1/', '2026-12-', 'march ', 'december', 'Do 3. ', '12 or ', 'in  ', 'from 3 '],
  ...[
    'guten morgen ',
    'twenty-first ',
    'monday, ',
    'vom 3. auf den ',
    'due on 3 ',
    '3 december at ',
    'neuer Termin: 3.',
  ],
  ...['moved to on on the the ', 'ab 1', '3 dec 2026 10:00-', 'l’', '（', 'é', '\u0301', '\ud800'],
];
const hostileText = fc.oneof(
  fc.constantFrom(...RUNS).map((run) => run.repeat(LONG / run.length)),
  fc.tuple(fc.constantFrom(...RUNS), fc.nat(60)).map(([run, blanks]) => `3 December${' '.repeat(blanks)}${run}`),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(fc.constantFrom(...RUNS, '3', ' December', ' to ', 'from ', '2026', ' Friday', ':', '14'))
    .map((all) => all.join('')),
);

function takes(work: () => unknown): number {
  const started = ownTime();
  work();
  return ownTime() - started;
}

function duesIn(text: string, parts: object = {}): readonly (string | undefined)[] {
  return readFindings(eventWith({ text, ...parts })).findings.map(({ set }) => set.due);
}

describe('days in a mail', () => {
  attack(
    {
      attacker: 'a sender',
      means: 'runs of figures, blanks, months and joining words as long as a mail can be',
      loss: 'the daemon stands still',
      defence: 'each day is looked for in a short window, and a sentence with very many is left alone',
    },
    () => {
      for (const run of RUNS) {
        const text = run.repeat(LONG / run.length);
        for (const origin of ORIGINS.slice(0, 2)) {
          expect({ run, ms: takes(() => findNewDay(text, origin)) > LIMIT_MS }).toEqual({ run, ms: false });
          expect({ run, ms: takes(() => readDate(text, origin)) > LIMIT_MS }).toEqual({ run, ms: false });
        }
        expect({ run, ms: takes(() => detectLanguage(text)) > LIMIT_MS }).toEqual({ run, ms: false });
      }
    },
  );

  attack(
    {
      attacker: 'a sender',
      means: 'bytes that are no words at all',
      loss: 'reading ends with an error, or a day is read that is none',
      defence: 'whatever is read is a day of the calendar, and where it stands is inside the sentence',
    },
    () => {
      fc.assert(
        fc.property(hostileText, fc.constantFrom(...ORIGINS), (text, origin) => {
          const [date, moved] = [readDate(text, origin), findNewDay(text, origin)];
          for (const read of [date, moved]) {
            if (read === null) continue;
            expect(new Date(read.day).toISOString().slice(0, 10)).toBe(read.day);
            expect(read.time ?? '00:00').toMatch(/^(?:[01]\d|2[0-3]):[0-5]\d$/);
          }
          if (date !== null) expect(date.length).toBeLessThanOrEqual(text.length);
          if (moved !== null) expect([moved.start < moved.end, moved.end <= text.length]).toEqual([true, true]);
          detectLanguage(text);
        }),
        { numRuns: lawRuns() },
      );
    },
  );

  attack(
    {
      attacker: 'a sender',
      means: 'a day that can be read in two ways, in a sentence that moves a task',
      loss: 'a task gets a day that nobody meant',
      defence: 'what could be two days is read as none',
    },
    () => {
      for (const day of [
        ...['04/12/2026', '12 or 19 December', 'Friday, 3 December', 'next Monday or Tuesday', '12.-14. Dezember'],
        ...['the week of 7 December', 'version 2.10.3', '24/7', '1/2', 'may', 'sun', 'now', 'second', 'this morning'],
        ...['31 February 2027', '3 December or 10 December', 'Monday week', 'in two weeks', '020 7946 0012', '3.12 €'],
      ])
        expect({ day, due: duesIn(`The appointment has been moved to ${day}.`) }).toEqual({ day, due: [] });
    },
  );

  attack(
    {
      attacker: 'a sender',
      means: 'a Date header with a zone that nobody lives in, or a time that is not believed',
      loss: '"tomorrow" is the day that the sender wants',
      defence: 'such a zone is passed over, and without a believable time no day is counted from it',
    },
    async () => {
      const bytes = Buffer.from(
        'From: a@b.example\nSubject: x\nDate: Fri, 20 Nov 2026 09:15:30 +2359\n\nMoved to tomorrow.\n',
      );
      const parsed = await parseMail('stream/mail/a.eml', bytes, { sourceType: 'mail', trustedServers: [] });
      expect(parsed.ok && parsed.event.writtenAt).toBe(undefined);
      const moved = 'The appointment has been moved to tomorrow.';
      expect(duesIn(moved, { originAt: null, writtenAt: '2031-01-01T10:00' })).toEqual([]);
    },
  );

  attack(
    {
      attacker: 'a sender',
      means: 'a mail in a language that is not read, with words that are known in another',
      loss: 'a change is proposed that the mail does not speak of',
      defence: 'nothing is guessed in such a mail, but for sentences in a language that is read',
    },
    () => {
      const polish =
        'Dzień dobry, niestety hydraulik nie może przyjść we wtorek i bardzo za to przepraszamy. Prosimy o cierpliwość. ';
      const event = eventWith({ text: `${polish}Termin: 3 December. Paid. Invoice paid.` });
      expect(readFindings(event)).toMatchObject({ findings: [], endings: [], notRead: 'Polish' });
      const english = 'We are happy to confirm that the invoice for the kitchen window has been paid in full.';
      expect(readFindings(eventWith({ text: `${polish}\n\n${english}` })).findings).toHaveLength(1);
    },
  );
});
