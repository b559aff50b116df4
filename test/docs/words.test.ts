import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSourceTexts } from '../support/source-words.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');

const PAGES = fs.globSync(['*.md', 'docs/*.md', 'docs/dev/*.md', 'docs/decisions/*.md'], { cwd: PROJECT }).toSorted();

/** Words and openings that make a text read as if translated. In the documentation of comparable programs they are rare. */
const MARKS: Readonly<Record<string, (text: string) => number>> = {
  'stands, lies, holds': (text) => countMatches(text, /\b(?:stands?|lies?|lying|holds?|held(?! out))\b/gi),
  'nobody, nothing, none': (text) => countMatches(text, /\b(?:nobody|nothing|none|no one)\b/gi),
  'a sentence that opens with What, Where, Of a': (text) => splitSentences(text).filter(isOddOpening).length,
  'anew, beside, told, heard': (text) => countMatches(text, /\b(?:anew|besides?|told|heard)\b/gi),
  'where for if': (text) => countMatches(text, /(?<=[a-z,;]\s)where\b/gi),
};
const WRITTEN_BY_BENCH = /^<!-- `npm run bench[\s\S]*?^<!-- to here -->$/m;
const MAX_PER_1000_WORDS = { all: 1, page: 3 };
const MAX_WORDS_IN_SENTENCE = 30;

const AVOIDED_WORDS =
  /\b(?:mend(?:s|ed)?|pass(?:es|ed)? over|all the same|meanwhile|let go of|in its own right|shall|whom|so many|vouch\w*)\b/gi;

/** Words that the glossary replaces by others, in the text that the program prints. */
const OTHER_WORDS =
  /\b(?:[Tt]he steward\b(?! of)|judg(?:e|es|ed) (?:by rules|again)|weigh(?:s|ed)? (?:again|the signals)|vouch\w*|gate held|next tick|unheard)\b/;

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Returns the prose of a page, with `x` in place of each code span: no code blocks, and no table that the bench writes. */
function readProse(page: string): string {
  const text = fs.readFileSync(path.join(PROJECT, page), 'utf8');
  return text
    .replace(WRITTEN_BY_BENCH, '')
    .replace(/```[\s\S]*?```/g, '')
    .replace(/`[^`]*`/g, 'x');
}

function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/** Returns the sentences of a text. A row of a table and an item of a list end a sentence. */
function splitSentences(text: string): string[] {
  return text.split(/(?<=[.!?:])\s+|\n\s*\n|\n *[-|]/).map((sentence) => sentence.trim());
}

function isOddOpening(sentence: string): boolean {
  return /^(?:What|Whoever|Whatever|Where|Of an?)\b/i.test(sentence) && !sentence.endsWith('?');
}

function findLongSentences(text: string): string[] {
  const sentences = text.split(/(?<=[.!?])\s+|\n\s*\n|\n *[-|]/);
  return sentences.filter((sentence) => splitWords(sentence).length > MAX_WORDS_IN_SENTENCE);
}

function countPer1000Words(count: (text: string) => number, text: string): number {
  return (1000 * count(text)) / splitWords(text).length;
}

test.each(Object.entries(MARKS))('“%s” is rare over all pages together', (_, count) => {
  const text = PAGES.map(readProse).join('\n\n');
  expect(countPer1000Words(count, text)).toBeLessThanOrEqual(MAX_PER_1000_WORDS.all);
});

describe.each(PAGES)('%s', (page) => {
  const prose = readProse(page);

  test('has few marks of a translated text', () => {
    const rates = Object.entries(MARKS).map(([name, count]) => ({ name, rate: countPer1000Words(count, prose) }));
    expect(rates.filter(({ rate }) => rate > MAX_PER_1000_WORDS.page)).toEqual([]);
  });

  test(`has no sentence of more than ${MAX_WORDS_IN_SENTENCE} words`, () => {
    expect(findLongSentences(prose).join('\n')).toBe('');
  });

  test('has no word that the style page avoids', () => {
    expect(prose.match(AVOIDED_WORDS) ?? []).toEqual([]);
  });
});

/** The trained reader is bound to the bytes of these files. */
const FIXED_FILES = ['src/reading/learnt.ts', 'src/reading/text.ts'];

describe.each(['string'] as const)('the text in src: %s', (kind) => {
  const files = fs.globSync('src/**/*.ts', { cwd: PROJECT }).filter((file) => !FIXED_FILES.includes(file));
  const texts = files.flatMap((file) =>
    readSourceTexts(fs.readFileSync(path.join(PROJECT, file), 'utf8'))
      .filter((one) => one.kind === kind)
      .map(({ line, text }) => ({
        place: `${file}:${line}`,
        text: text.replace(/^\{".*$/gm, 'x').replace(/\\?`[^`]*`/g, 'x'),
      })),
  );
  const all = texts.map(({ text }) => text).join('\n\n');

  test.each(Object.entries(MARKS))('“%s” is rare', (_, count) => {
    expect(countPer1000Words(count, all)).toBeLessThanOrEqual(MAX_PER_1000_WORDS.all);
  });

  test(`has no sentence of more than ${MAX_WORDS_IN_SENTENCE} words`, () => {
    const long = texts.flatMap(({ place, text }) =>
      findLongSentences(text.replaceAll('\n', '\n\n')).map((one) => `${place} ${one}`),
    );
    expect(long.join('\n')).toBe('');
  });

  test('has no word that the style page avoids', () => {
    const avoided = texts.filter(({ text }) => text.search(AVOIDED_WORDS) >= 0);
    expect(avoided.map(({ place, text }) => `${place} ${text}`).join('\n')).toBe('');
  });

  test('calls the program Steward, a check a check, and a failed gate failed', () => {
    const other = texts.filter(({ text }) => OTHER_WORDS.test(text));
    expect(other.map(({ place, text }) => `${place} ${text}`).join('\n')).toBe('');
  });
});

/** What comments may have of each mark per 1,000 words. The aim is 1 for each: lower a figure when you have rewritten comments. */
const MAX_IN_COMMENTS: Readonly<Record<string, number>> = {
  'stands, lies, holds': 1.3,
  'nobody, nothing, none': 3.1,
  'a sentence that opens with What, Where, Of a': 2.6,
  'anew, beside, told, heard': 1,
  'where for if': 1.8,
  'a long sentence': 1.2,
  'a word that the style page avoids': 1,
  'a word that the glossary replaces': 1,
};

describe('the comments in src', () => {
  const files = fs.globSync('src/**/*.ts', { cwd: PROJECT }).filter((file) => !FIXED_FILES.includes(file));
  const all = files
    .flatMap((file) => readSourceTexts(fs.readFileSync(path.join(PROJECT, file), 'utf8')))
    .filter(({ kind }) => kind === 'comment')
    .map(({ text }) => text.replace(/`[^`]*`/g, 'x'))
    .join('\n\n');
  const marks: Readonly<Record<string, (text: string) => number>> = {
    ...MARKS,
    'a long sentence': (text) => findLongSentences(text).length,
    'a word that the style page avoids': (text) => countMatches(text, AVOIDED_WORDS),
    'a word that the glossary replaces': (text) => countMatches(text, new RegExp(OTHER_WORDS, 'g')),
  };

  test.each(Object.entries(marks))('“%s” is rare', (name, count) => {
    expect(countPer1000Words(count, all)).toBeLessThanOrEqual(MAX_IN_COMMENTS[name] ?? 0);
  });
});
