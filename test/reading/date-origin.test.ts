import { describe, expect, test } from 'vitest';
import { type DateOrigin, dateOrigin, narrowOrigin, readDate } from '../../src/reading/dates.ts';
import { readByPhrases } from '../../src/reading/read-event.ts';
import { TargetIndex } from '../../src/reading/targets.ts';
import { detectLanguage } from '../../src/reading/text.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { candidate, eventWith } from '../support/events.ts';

function originOfText(text: string): DateOrigin {
  return dateOrigin(eventWith({ text }), detectLanguage(text));
}

const ENGLISH = 'Hello Sam, we are sorry to say that the visit of the engineer had to be moved to another day.';
const GERMAN = 'Leider müssen wir Ihnen mitteilen, dass der Termin in der nächsten Woche nicht stattfinden kann.';

describe('whether the day or the month comes first', () => {
  test.each([
    ['in English nobody knows', ENGLISH, null],
    ['but another day in the mail may show it', `${ENGLISH} It was on 27/11/2026.`, '2026-12-04'],
    ['one way or the other', `${ENGLISH} It was on 11/27/2026.`, '2027-04-12'],
    ['unless it shows both', `${ENGLISH} It was on 27/11/2026, then on 11/28/2026.`, null],
    ['all others write the day first', GERMAN, '2026-12-04'],
  ])('%s', (_, text, day) => {
    const year = day === '2027-04-12' ? '2027' : '2026';
    expect(readDate(`04/12/${year}`, originOfText(text))?.day ?? null).toBe(day);
  });

  test('a sentence may be in another language than its mail', () => {
    const origin = originOfText(ENGLISH);
    expect([
      origin.language,
      narrowOrigin(GERMAN, origin).language,
      narrowOrigin('Termin: 4.12.', origin).language,
    ]).toEqual([...['en', 'de', 'en']]);
  });
});

describe('the day of the writing', () => {
  test('is that of the clock beside the writer', async () => {
    const bytes = Buffer.from('From: a@b.example\nSubject: x\nDate: Sat, 21 Nov 2026 00:30:00 +0200\n\nTomorrow.\n');
    const parsed = await parseMail('stream/mail/a.eml', bytes, { sourceType: 'mail', trustedServers: [] });
    const event = parsed.ok ? parsed.event : eventWith({});
    expect([event.originAt, event.writtenAt]).toEqual(['2026-11-20T22:30:00Z', '2026-11-21T00:30']);
    expect(readDate('tomorrow', dateOrigin(event, { kind: 'unknown' }))?.day).toBe('2026-11-22');
  });
});

describe('the time of a new day', () => {
  const event = eventWith({ text: 'The dentist check-up has been moved to Thursday 3 December at 2pm.' });

  test.each([
    ['2026-11-27T09:00:00', '2026-12-03T14:00:00'],
    ['2026-11-27', '2026-12-03'],
    [undefined, '2026-12-03'],
  ])('a task that is due %s', (due, expected) => {
    const task = candidate({ path: 'task/Dentist check-up.md', ...(due === undefined ? {} : { due }) });
    const index = new TargetIndex();
    index.add(task);
    const { meanings } = readByPhrases(event, index);
    expect(meanings.map(({ proposal }) => proposal?.set)).toEqual([{ due: expected }]);
  });
});
