import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNewDay, readDate } from '../../src/reading/dates.ts';
import { LANGUAGES, type Language } from '../../src/reading/text.ts';
import { casesIn } from './cases.ts';

/** A Monday. */
const MONDAY = '2026-11-23T08:00:00Z';
const FRIDAY = '2026-11-27T08:00:00Z';
const day = (text: string, origin: string | null = MONDAY) =>
  readDate(text, { at: origin, language: null, order: null })?.day ?? null;

describe('a written date', () => {
  it.each([
    ['2026-12-12', '2026-12-12'],
    ['2026-12-12T10:00', '2026-12-12'],
    ['12 December 2026', '2026-12-12'],
    ['12th of December, 2026', '2026-12-12'],
    ['12th December', '2026-12-12'],
    ['the 12th of December', '2026-12-12'],
    ['December 12, 2026', '2026-12-12'],
    ['December 12', '2026-12-12'],
    ['Dec 12 2026', '2026-12-12'],
    ['12.12.2026', '2026-12-12'],
    ['12.12.2026.', '2026-12-12'],
    ['5.6.2027', '2027-06-05'],
    ['12.12.26', '2026-12-12'],
    ['12. Dezember 2026', '2026-12-12'],
    ['3. März', '2027-03-03'],
    ['12 décembre 2026', '2026-12-12'],
    ['1er mars 2027', '2027-03-01'],
    ['12 de diciembre de 2026', '2026-12-12'],
    ['31/12/2026', '2026-12-31'],
    ['12/31/2026', '2026-12-31'],
    ['12/12/2026', '2026-12-12'],
    ['Saturday, 12 December 2026', '2026-12-12'],
    ['Samstag, den 12. Dezember 2026', '2026-12-12'],
    ['29 February 2028', '2028-02-29'],
    ['3 February', '2027-02-03'],
  ])('%s', (text, expected) => {
    expect(day(text)).toBe(expected);
  });

  it.each([
    '05/06/2027',
    '31 February 2027',
    '29 February 2027',
    '12 or 19 December',
    '12 December or 19 December',
    '12-14 December 2026',
    '12 December – 14 December',
    '12. bis 14. Dezember',
    'Friday, 12 December 2026',
    '20 November',
    'in December',
    '32 December 2026',
    '12.13.2026',
    'whenever',
    '',
  ])('not read: %s', (text) => {
    expect(day(text)).toBeNull();
  });

  it('needs a year, or the time it was written', () => {
    expect(day('12 December', null)).toBeNull();
    expect(day('12 December 2026', null)).toBe('2026-12-12');
  });
});

describe('a weekday', () => {
  it.each([
    ['Friday', MONDAY, '2026-11-27'],
    ['this Friday', MONDAY, '2026-11-27'],
    ['Freitag', MONDAY, '2026-11-27'],
    ['vendredi', MONDAY, '2026-11-27'],
    ['el viernes', MONDAY, '2026-11-27'],
    ['next Friday', FRIDAY, '2026-12-04'],
    ['next Monday', FRIDAY, '2026-11-30'],
    ['kommenden Montag', FRIDAY, '2026-11-30'],
    ['next Friday', '2026-11-28T12:00:00Z', '2026-12-04'],
  ])('%s from %s', (text, origin, expected) => {
    expect(day(text, origin)).toBe(expected);
  });

  it.each([
    ['next Friday', MONDAY],
    ['nächsten Freitag', MONDAY],
    ['Monday', MONDAY],
    ['this Monday', FRIDAY],
    ['Friday', null],
    ['Friday or Saturday', null],
  ])('in doubt: %s from %s', (text, origin) => {
    expect(day(text, origin)).toBeNull();
  });
});

it('reads no day that does not exist, whatever it is given', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{1,4}[-./ ]\d{1,2}[-./ ]\d{1,4}$/)), (text) => {
      const read = readDate(text, { at: MONDAY, language: null, order: null });
      if (read !== null) expect(new Date(read.day).toISOString().slice(0, 10)).toBe(read.day);
    }),
  );
});

/** A day that is read, as `2026-12-03`, with its time as `2026-12-03T14:00`; `null` for none. */
const shown = (read: { readonly day: string; readonly time: string | null } | null) =>
  read === null ? 'null' : read.time === null ? read.day : `${read.day}T${read.time}`;

/** Everybody who writes in the language writes so. */
const originIn = (language: Language) =>
  ({ at: MONDAY, language, order: language === 'en' ? null : 'day first' }) as const;

function dayCases(file: string) {
  return casesIn(file).map(([code, day = '', text = '']) => {
    const language = LANGUAGES.find((each) => each === code);
    if (language === undefined) throw new Error(`${file}: no language ${code}`);
    return { language, day, text };
  });
}

describe('a day as people write it', () => {
  it.each(dayCases('dates.tsv'))('$language: $text → $day', ({ language, day, text }) => {
    expect(shown(readDate(text, originIn(language)))).toBe(day);
  });

  const unseen = dayCases('dates-unseen.tsv').map((each) => ({
    ...each,
    got: shown(readDate(each.text, originIn(each.language))),
  }));

  it('is never read as another day, of the phrases that nobody tuned for', () => {
    expect(unseen.filter(({ day, got }) => got !== 'null' && got.slice(0, 10) !== day.slice(0, 10))).toEqual([]);
  });

  it('is read as it is meant in nine of ten of them', () => {
    expect(unseen.filter(({ day, got }) => got === day).length / unseen.length).toBeGreaterThanOrEqual(0.9);
  });
});

describe('the day that something has moved to', () => {
  it.each(dayCases('new-days.tsv'))('$language: $text → $day', ({ language, day, text }) => {
    expect(shown(findNewDay(text, originIn(language)))).toBe(day);
  });

  it('has its place in the sentence', () => {
    const sentence = 'It moves from 27 November to 3 December at 2pm, please note.';
    const found = findNewDay(sentence, originIn('en'));
    expect(sentence.slice(found?.start, found?.end)).toBe('3 December at 2pm');
  });

  it('is read in no language that is not read', () => {
    expect(findNewDay('Przeniesione na 2026-12-03.', { at: MONDAY, language: 'other', order: null })).toBeNull();
  });
});
