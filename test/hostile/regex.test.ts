import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { splitSentences } from '../../src/reading/text.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { readNote } from '../../src/vault/frontmatter.ts';
import { isConflictCopy } from '../../src/vault/layout.ts';
import { linkTarget } from '../../src/vault/links.ts';
import { extractSignals, sampleIndex } from '../support/events.ts';
import { ownTime } from '../support/own-time.ts';
import { regexLiterals } from './regex-literals.ts';

/*
 * Every regular expression must take time in proportion to its text. Each one in src is tried on long runs of the
 * characters it mentions, and of pairs of them, with beginnings and ends that make it fail at the last moment.
 */

const ROOT = path.join(import.meta.dirname, '../../src');
const SHORT = 4_000;
const LONG = 100_000;
const ENDS: readonly (readonly [string, string])[] = [
  ['', ''],
  ['', '\u0001'],
  ['a', '!'],
  ['<', 'x'],
  ['[', '\n'],
  ['"', 'x'],
  ['\n', 'x'],
];

/** Returns the characters that a regular expression mentions, and one of each kind that most expressions know. */
function charactersOf(source: string): readonly string[] {
  const bare = source.replace(/\\[pPuxk][{<][^}>]*[}>]|\\[bBdDwWsS]/g, ' ');
  const own = [...bare.matchAll(/\\?([^\\\s()|?*+{}^$])/gu)].map(([, character]) => character ?? '');
  return [...new Set([' ', '\n', '\t', 'a', 'A', '0', '-', ...own])];
}

const COMMON = [' ', 'a'];

/** A run of the same characters, of any length. */
type Run = (length: number) => string;

function runsFor(source: string): readonly Run[] {
  const characters = charactersOf(source).slice(0, 24);
  // Beside the common characters, each with the next: what backtracks does so within one part of the expression.
  const pairs = characters.flatMap((one, at) => [
    one + (characters[at + 1] ?? ''),
    ...COMMON.map((other) => one + other),
  ]);
  return [...characters, ...pairs].flatMap((pump) =>
    ENDS.map(
      ([start, end]) =>
        (length: number) =>
          start + pump.repeat(length / pump.length) + end,
    ),
  );
}

/** Returns the thread time that matching a text takes, the best of a few tries, in ms. */
function timeOf(expression: RegExp, text: string, tries = 3): number {
  let best = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < tries && best > 5; nth += 1) {
    const started = ownTime();
    for (const _ of text.matchAll(expression));
    best = Math.min(best, ownTime() - started);
  }
  return best;
}

const literals = regexLiterals(ROOT);
/** The time that the slowest linear expression, with one match for each character, takes for a text. */
const baseline = (length: number) => Math.max(1, timeOf(/./gs, 'x'.repeat(length)));

test('every expression in src is found', () => {
  expect(literals.length).toBeGreaterThan(150);
  expect(literals.map(({ at }) => path.basename(at).replace(/:\d+$/, ''))).toEqual(
    expect.arrayContaining(['frontmatter.ts', 'links.ts', 'citations.ts', 'edit.ts', 'layout.ts']),
  );
});

test.each(literals.map(({ at, source, flags }) => [`${path.relative(ROOT, at)} /${source}/`, source, flags] as const))(
  '%s',
  (_, source, flags) => {
    const expression = new RegExp(source, `${flags.replace(/[gy]/g, '')}g`);
    let [slowest, worst]: [Run, number] = [() => '', 0];
    for (const run of runsFor(source)) {
      const time = timeOf(expression, run(SHORT), 1);
      if (time > worst) [slowest, worst] = [run, time];
    }
    // Measures the slowest text again, since other programs and the compiler can only add time.
    const short = timeOf(expression, slowest(SHORT), 5);
    if (short < 8 * baseline(SHORT) + 8) return;
    // Slow, or the machine is: a text four times as long takes four times as long, or sixteen times where it is squared.
    expect(timeOf(expression, slowest(4 * SHORT), 5) / short, JSON.stringify(slowest(4))).toBeLessThan(8);
  },
);

describe('long texts through the functions that read them', () => {
  const PUMPS = [
    ' ',
    '\n',
    '\t',
    '\r',
    '!',
    '.',
    "'",
    '"',
    '-',
    '/',
    '[',
    ']',
    '[[',
    ']]',
    '|',
    '#',
    '(',
    '<',
    '>',
    ':',
    ': ',
    '&',
    '*',
  ];
  const MORE = [
    '\\',
    'a',
    'a ',
    '0',
    '1.',
    '[[a|',
    '](',
    '---\n',
    '...\n',
    '#\n',
    ' #',
    '\u00a0',
    '\u2028',
    '\u200b',
    'conflicted copy ',
    '(conflicted copy ',
  ];
  const texts = [...PUMPS, ...MORE].flatMap((pump) => {
    const run = pump.repeat(LONG / pump.length);
    return [run, `${run}x`, `[[${run}`, `(${run}`];
  });

  test.each<readonly [string, (text: string) => unknown]>([
    ['linkTarget', linkTarget],
    ['isConflictCopy', isConflictCopy],
    ['sentencesOf', splitSentences],
    ['readNote, as a value', (text) => readNote('task/x.md', Buffer.from(`---\na: ${text}\n---\n`))],
    ['readNote, as lines', (text) => readNote('task/x.md', Buffer.from(`---\n${text}\n---\n`))],
    ['readNote, as a body', (text) => readNote('task/x.md', Buffer.from(`---\na: 1\n---\n${text}`))],
    ['readNote, unclosed', (text) => readNote('task/x.md', Buffer.from(`---${text}`))],
  ])('%s', (_, read) => {
    for (const text of texts) {
      let best = Number.POSITIVE_INFINITY;
      for (let nth = 0; nth < 8 && best > 80; nth += 1) {
        const started = ownTime();
        read(text);
        best = Math.min(best, ownTime() - started);
      }
      expect(best, JSON.stringify(text.slice(0, 8))).toBeLessThan(80);
    }
  });
});

describe('mails', () => {
  const phrases = fs
    .readdirSync(path.join(ROOT, 'streams'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...fs.readFileSync(path.join(ROOT, 'streams', file), 'utf8').matchAll(/'(\p{L}[\p{L}' ]{3,30})'/gu),
    ])
    .map(([, phrase]) => phrase ?? '');
  const pumps = [
    ...new Set(['!', '“', '[[a|', 'On a wrote:\n', 'not paid ', 'has been paid ', 'now ', '1/', '<a ', ...phrases]),
  ];

  test.each(['text/plain', 'text/html'])('of one phrase over and over are read in time (%s)', async (type) => {
    const index = sampleIndex();
    const slow: string[] = [];
    for (const pump of pumps) {
      let best = Number.POSITIVE_INFINITY;
      for (let nth = 0; nth < 8 && best > 150; nth += 1)
        best = Math.min(best, await timeOfMail(type, `${pump} `, index));
      if (best > 150) slow.push(`${JSON.stringify(pump)}: ${best.toFixed(0)} ms`);
    }
    expect(slow).toEqual([]);
  });

  async function timeOfMail(type: string, pump: string, index: ReturnType<typeof sampleIndex>): Promise<number> {
    const head = `From: a@b.example\r\nTo: c@b.example\r\nSubject: Invoice\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n`;
    const parsed = await parseMail('stream/a.eml', Buffer.from(head + pump.repeat(16_000 / pump.length)), {
      sourceType: 'mail',
      trustedServers: [],
    });
    const started = ownTime();
    if (parsed.ok)
      extractSignals(parsed.event, index, {
        now: new Date(),
        standingOf: () => 'unknown' as const,
        confidenceOf: () => 1,
      });
    return ownTime() - started;
  }
});
