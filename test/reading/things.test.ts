import { expect, it } from 'vitest';
import { thingsNamed, thingsOfSender, withoutAccents } from '../../src/reading/text.ts';
import { bestTime } from '../support/own-time.ts';

it('a text is read in its own language, and in every one where that finds nothing', () => {
  expect([...thingsNamed('Your hygienist appointment', 'en')]).toEqual(['dentist']);
  expect([...thingsNamed('Termin bei der Zahnärztin', 'en')]).toContain('dentist');
  expect([...thingsNamed('nothing that anybody would know', 'en')]).toEqual([]);
});

it('a sender is known by a thing that its name begins or ends with, and by none that stands in its midst', () => {
  expect([...thingsOfSender('ironyardgym', 'en')]).toContain('gym');
  expect([...thingsOfSender('electricitynorth', 'en')]).toContain('electricity');
  expect([...thingsOfSender('xxxelectricityxxx', 'en')]).toEqual([]);
});

it('a word without an end costs little more than the look at its letters', () => {
  const word = 'gym'.repeat(300_000);
  const look = bestTime(() =>
    withoutAccents(word)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  );
  for (const read of [thingsNamed, thingsOfSender])
    expect(bestTime(() => read(word, 'en')) / Math.max(4, look)).toBeLessThan(20);
});
