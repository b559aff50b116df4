import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFindings } from '../../src/reading/read-event.ts';
import { LANGUAGES } from '../../src/reading/text.ts';
import { eventWith } from '../support/events.ts';

/*
 * What notifications of shops, banks, carriers, doctors, authorities and schools say, and what looks like it and says
 * something else. One line each: what is read, a tab, the sentence. `none`: it changes nothing.
 */

/** A sentence is heard where a person would be asked about it. */
const HEARD = 0.6;

const WORDINGS = LANGUAGES.flatMap((code) => linesOf(code).map(([meant = '', text = '']) => ({ code, meant, text })));

function linesOf(code: string): readonly (readonly string[])[] {
  const file = readFileSync(new URL(`./wordings/${code}.tsv`, import.meta.url), 'utf8');
  return file
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
}

function heardIn(text: string): readonly { readonly topic: string; readonly confidence: number }[] {
  const { findings } = readFindings(eventWith({ text }));
  const changes = findings.filter((finding) => finding.class !== null);
  return changes.map(({ phraseId, rawConfidence, set }) => ({
    topic: set.due === undefined ? phraseId.slice(0, phraseId.indexOf(':')) : 'moved',
    confidence: rawConfidence,
  }));
}

describe('a notification', () => {
  it.each(WORDINGS.filter(({ meant }) => meant !== 'none'))('is heard ($code): $text', ({ meant, text }) => {
    const heard = heardIn(text).filter(({ confidence }) => confidence >= HEARD);
    expect(heard.map(({ topic }) => topic)).toContain(meant);
  });

  it.each(LANGUAGES)('is known in at least 40 wordings (%s)', (code) => {
    expect(WORDINGS.filter((one) => one.code === code && one.meant !== 'none').length).toBeGreaterThanOrEqual(40);
  });
});

describe('a near miss', () => {
  it.each(WORDINGS.filter(({ meant }) => meant === 'none'))('changes nothing ($code): $text', ({ text }) => {
    expect(heardIn(text)).toEqual([]);
  });

  it.each(LANGUAGES)('is known in at least 10 wordings (%s)', (code) => {
    expect(WORDINGS.filter((one) => one.code === code && one.meant === 'none').length).toBeGreaterThanOrEqual(10);
  });
});
