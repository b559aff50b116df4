import { describe, expect, it } from 'vitest';
import {
  LABEL_STATES,
  LANGUAGES,
  type LanguageTable,
  languageTables,
  thingsNamed,
  withoutAccents,
} from '../../src/reading/text.ts';

/** What a language may have nothing for: a doubt that all is done, and the phrases and verbs of what ends a whole matter. */
const MAY_BE_EMPTY = /\.doubtedBy$|^topics\.(?:ending|withdrawal)\.(?:verbs|phrases)$|^topics\.renewal\.phrases$/;
/** What a language may lack: days whose short names mean a day alone, and "next" behind a weekday. */
const MAY_BE_ABSENT = /^days\.(?:loneWeekdays|nextBehind)$|^(?:pieces|participles)\./;
const tables = languageTables();

/** Returns each part of a table that holds words, with the path to it. */
function partsOf(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, part]) => partsOf(part, path === '' ? name : `${path}.${name}`));
}

function isEmpty(part: unknown): boolean {
  return part === '' || (Array.isArray(part) && part.length === 0);
}

it('there is a table of each language, with the same parts and the same things', () => {
  expect(tables.map(({ code }) => code)).toEqual(LANGUAGES);
  const paths = tables.map((table) => partsOf(table, '').map(([path]) => path));
  for (const each of paths)
    expect(each.filter((path) => !MAY_BE_ABSENT.test(path)).toSorted()).toEqual(
      (paths[0] ?? []).filter((path) => !MAY_BE_ABSENT.test(path)).toSorted(),
    );
});

describe.each(tables)('the table of $code', (table) => {
  it('has words in every category', () => {
    const empty = partsOf(table, '').filter(([path, part]) => isEmpty(part) && !MAY_BE_EMPTY.test(path));
    expect(empty.map(([path]) => path)).toEqual([]);
  });

  it('doubts what one party alone has signed, and a booking that is called off', () => {
    expect(table.topics.signature.doubtedBy).not.toBe('');
    expect(table.topics.cancellation.doubtedBy).not.toBe('');
  });

  it('has a place for a topic in each frame, and no piece left over', () => {
    for (const { pattern } of table.frames) expect(pattern).toMatch(/W/);
    expect(table.spoken.frame).toMatch(/~/);
    expect(JSON.stringify(table)).not.toContain('{{');
  });

  it('names each phrase of a topic once', () => {
    const ids = Object.entries(table.topics).flatMap(([topic, words]) =>
      [...table.frames, ...words.phrases].map(({ id }) => `${topic}: ${id}`),
    );
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('has labels in lower case, each once', () => {
    for (const [kind, words] of Object.entries(table.labels)) {
      const all = labelWords(words);
      expect(
        all.every((word) => word !== '' && word === word.toLowerCase()),
        kind,
      ).toBe(true);
      expect(new Set(all).size, kind).toBe(all.length);
    }
  });

  it('has words for things as a text has them: one token of at least three letters, in lower case, each once', () => {
    const odd = Object.entries(table.things).flatMap(([thing, written]) => {
      const words = written.split(' ');
      const folded = words.map(withoutAccents);
      return words
        .filter((word, at) => !isToken(word) || folded.indexOf(folded[at] ?? '') < at)
        .map((word) => `${thing}: "${word}"`);
    });
    expect(odd).toEqual([]);
  });

  it('finds a thing by each of its words, and by what begins with a beginning', () => {
    const lost = Object.entries(table.things).flatMap(([thing, words]) =>
      words
        .split(' ')
        .flatMap(textsOf)
        .filter((text) => !thingsNamed(text, table.code).has(thing)),
    );
    expect(lost).toEqual([]);
  });
});

it('no language calls done what another calls pending', () => {
  const wordsFor = (kinds: readonly (keyof LanguageTable['labels'])[]) =>
    new Set(tables.flatMap(({ labels }) => kinds.flatMap((kind) => labelWords(labels[kind]))));
  const done = wordsFor(LABEL_STATES.filter((state) => state !== 'pending'));
  expect([...wordsFor(['pending'])].filter((word) => done.has(word))).toEqual([]);
});

function labelWords(words: string): readonly string[] {
  return words.split('|').map((word) => word.trim());
}

/** Shorter words would stand in too many words that mean something else. */
function isToken(word: string): boolean {
  return /^[\p{L}\p{N}]{3,}\*?$/u.test(word) && word === word.toLowerCase();
}

/** A word in a text that says nothing else; behind a beginning anything may follow. */
function textsOf(word: string): readonly string[] {
  return word.endsWith('*') ? [`${word.slice(0, -1)}.`, `(${word.slice(0, -1)}xyz)`] : [`${word}.`];
}
