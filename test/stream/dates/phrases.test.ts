import { describe, expect, test } from 'vitest';
import { readDate } from '../../../src/stream/dates.ts';
import { PHRASES, type Phrase, UNSEEN } from './phrases.ts';

/** A Monday. */
const AT = '2026-11-23T08:00';

function read({ text, language }: Phrase): string | null {
  const order = language === 'en' ? null : 'day first';
  const date = readDate(text, { at: AT, language, order });
  return date === null ? null : date.time === null ? date.day : `${date.day}T${date.time}`;
}

describe('a day as people write it', () => {
  test.each(PHRASES)('$language: $text → $day', (phrase) => {
    expect(read(phrase)).toBe(phrase.day);
  });
});

describe('of the phrases that nobody tuned for', () => {
  const answers = UNSEEN.map((phrase) => ({ phrase, got: read(phrase) }));

  test('none is read as another day', () => {
    const wrong = answers.filter(({ phrase: { day }, got }) => got !== null && got.slice(0, 10) !== day?.slice(0, 10));
    expect(wrong).toEqual([]);
  });

  test('nine in ten are read as they are meant', () => {
    const right = answers.filter(({ phrase: { day }, got }) => got === day);
    expect(right.length / answers.length).toBeGreaterThanOrEqual(0.9);
  });
});
