import { describe, expect, it } from 'vitest';
import { DEED_NAMES } from '../../../src/stream/languages/language-table.ts';
import { LANGUAGES } from '../../../src/stream/languages/languages.ts';
import { ENDINGS, TOPICS } from '../../../src/stream/rules.ts';

/** What a language may have nothing for: a doubt that all is done, and the phrases and verbs of what ends a whole matter. */
const MAY_BE_EMPTY = /\.doubtedBy$|^topics\.(?:ending|withdrawal)\.(?:verbs|phrases)$|^topics\.renewal\.phrases$/;

/** Returns each part of a table that holds words, with the way to it. */
function partsOf(value: unknown, way: string): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[way, value]];
  if (Array.isArray(value)) return [[way, value]];
  return Object.entries(value).flatMap(([name, part]) => partsOf(part, way === '' ? name : `${way}.${name}`));
}

function isEmpty(part: unknown): boolean {
  return part === '' || (Array.isArray(part) && part.length === 0);
}

describe.each(LANGUAGES)('the table of $code', (language) => {
  it('has words in every category', () => {
    const empty = partsOf(language, '').filter(([way, part]) => isEmpty(part) && !MAY_BE_EMPTY.test(way));
    expect(empty.map(([way]) => way)).toEqual([]);
  });

  it('has forms for every topic, and words for every deed', () => {
    for (const { name } of [...TOPICS, ...ENDINGS]) expect(language.topics[name].forms.length).toBeGreaterThan(0);
    for (const deed of DEED_NAMES) expect(language.spoken.deeds[deed].words).not.toBe('');
  });

  it('doubts what one party alone has signed, and a booking that is called off', () => {
    expect(language.topics.signature.doubtedBy).not.toBe('');
    expect(language.topics.cancellation.doubtedBy).not.toBe('');
  });

  it('has a form of a topic in each frame', () => {
    for (const { pattern } of language.frames) expect(pattern).toMatch(/W/);
    expect(language.spoken.frame).toMatch(/~/);
  });

  it('is sure of nothing beyond 0.97, and names each phrase once', () => {
    const phrases = [
      ...Object.values(language.topics).flatMap((words) => words.phrases),
      ...language.dates,
      ...language.requests,
      ...language.spoken.requests,
    ];
    expect(phrases.filter(({ confidence }) => confidence < 0.5 || confidence > 0.97)).toEqual([]);
    const ids = Object.entries(language.topics).flatMap(([topic, words]) =>
      [...language.frames, ...words.phrases].map(({ id }) => `${topic}: ${id}`),
    );
    expect(ids).toEqual([...new Set(ids)]);
  });
});

describe('all tables', () => {
  it('have the same categories, with no two of one language', () => {
    const codes = LANGUAGES.map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)]);
    const ways = LANGUAGES.map((language) =>
      partsOf(language, '')
        .map(([way]) => way)
        .sort(),
    );
    for (const one of ways) expect(one).toEqual(ways[0]);
  });
});
