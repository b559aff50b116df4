import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/stream/languages/languages.ts';
import { THINGS } from '../../../src/stream/languages/things/all.ts';
import { thingsNamed, withoutAccents } from '../../../src/stream/things.ts';

/** Shorter ones would stand in too many words that mean something else. */
const WORD = /^[\p{L}\p{N}]{3,}\*?$/u;
const [[, english] = ['', {}]] = THINGS;
const NAMES = Object.keys(english).toSorted();

it('every language that is read has a table of things, and only these', () => {
  expect(THINGS.map(([code]) => code).toSorted()).toEqual(LANGUAGES.map(({ code }) => code).toSorted());
});

describe.each(THINGS)('the things in %s', (language, table) => {
  const lines = Object.entries(table).map(([thing, words]) => ({ thing, words: words.split(' ') }));

  it('are all there, each with words', () => {
    expect(Object.keys(table).toSorted()).toEqual(NAMES);
    expect(lines.filter(({ words }) => words.every((word) => word === ''))).toEqual([]);
  });

  it('are told by words as a text has them: one token of at least three letters, in lower case', () => {
    const odd = lines.flatMap(({ thing, words }) =>
      words.filter((word) => !WORD.test(word) || word !== word.toLowerCase()).map((word) => `${thing}: "${word}"`),
    );
    expect(odd).toEqual([]);
  });

  it('are found by each of their words, and by what begins with a beginning', () => {
    const lost = lines.flatMap(({ thing, words }) =>
      words.flatMap(textsOf).filter((text) => ![...thingsNamed(text, language)].some((each) => each === thing)),
    );
    expect(lost).toEqual([]);
  });

  it('name no word twice; accents make no other word', () => {
    const twice = lines.flatMap(({ thing, words }) => {
      const folded = words.map(withoutAccents);
      return words.filter((_, at) => folded.indexOf(folded[at] ?? '') < at).map((word) => `${thing}: ${word}`);
    });
    expect(twice).toEqual([]);
  });
});

/** A word in a text that says nothing else; behind a beginning anything may follow. */
function textsOf(word: string): readonly string[] {
  return word.endsWith('*') ? [`${word.slice(0, -1)}.`, `(${word.slice(0, -1)}xyz)`] : [`${word}.`];
}
