import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { unreadableRecord } from '../../src/vault/cache.ts';
import { EXIT, StewardError } from '../../src/vault/errors.ts';
import { yamlValue } from '../../src/vault/frontmatter.ts';
import {
  FORMATS,
  formatVersionNumber,
  isNewer,
  issueWords,
  newerFormat,
  recordedGates,
} from '../../src/vault/record.ts';

test('gates are read with their figures', () => {
  const gate = { gate: 'mode', figure: 0.82, threshold: 0.6, held: true, reason: 'clears.' };
  expect(recordedGates.parse([gate])).toEqual([gate]);
  expect(recordedGates.parse([{ gate: 'writing', held: false, reason: 'no.' }])).toEqual([
    { gate: 'writing', figure: null, threshold: null, held: false, reason: 'no.' },
  ]);
});

test.each([[undefined], [null], ['nonsense'], [7], [[7, null, 'x', {}, { gate: 'mode' }]]])(
  '%j holds none',
  (gates) => {
    expect(recordedGates.parse(gates)).toEqual([]);
  },
);

test('a figure that is none is left out, the gate is not', () => {
  const odd = { gate: 'mode', figure: 'high', threshold: {}, held: false, reason: 4 };
  expect(recordedGates.parse([odd])).toEqual([
    { gate: 'mode', figure: null, threshold: null, held: false, reason: '' },
  ]);
});

const worded = z.number({ error: 'must be a number from 0 to 1' });

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'is missing'],
  [z.string(), ['a'], 'must be text'],
  [z.number(), 'a', 'must be a number'],
  [z.boolean(), null, 'must be true or false'],
  [z.array(z.string()), { a: 1 }, 'must be a list'],
  [z.record(z.string(), z.number()), 'a', 'must be a map'],
  [z.enum(['done', 'open']), 'paid', 'must be one of done, open'],
  [z.literal('task'), 'note', 'must be task'],
  [z.number().min(0), -1, 'must be 0 at least'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().max(2), 'long', 'is too long'],
  [z.union([z.string(), z.number()]), ['a'], 'is not valid'],
  [z.iso.date(), 'tomorrow', 'is not valid'],
  [worded, 'a', 'must be a number from 0 to 1'],
])('what a schema finds is said in plain words, without the value: %#', (schema, value, words) => {
  const { error } = schema.safeParse(value);
  expect(issueWords(error?.issues[0])).toBe(words);
});

test('where nothing is known, it is not valid', () => expect(issueWords(undefined)).toBe('is not valid'));

test('a value is whatever YAML has, to any depth', () => {
  for (const good of ['', 0, true, null, [], {}, [{ a: [null, { b: 1 }] }]])
    expect(yamlValue.safeParse(good).success).toBe(true);
  for (const bad of [undefined, () => 1, Symbol('x'), 1n, [undefined], { a: { b: () => 1 } }]) {
    expect(yamlValue.safeParse(bad).success).toBe(false);
  }
});

const SEEN = { mtimeMs: 1, ctimeMs: 1, size: 10, ino: 7 };
const TOLD = { code: 'told', message: 'Told.', hint: 'A hint.' };

test.each([
  ['a fault of the note is remembered with it', new StewardError(TOLD), 7],
  ['what may be given the next time is asked for again', new StewardError(TOLD, EXIT.tryAgain), 0],
  ['what the disk refused is asked for again', Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }), 0],
])('%s', (_, error, ino) => {
  expect(unreadableRecord('task/a.md', SEEN, error)).toMatchObject({ kind: 'bad', path: 'task/a.md', stat: { ino } });
});

describe('the table of formats', () => {
  test('a value without a version is of version 1, and one that is no number says none', () => {
    expect(formatVersionNumber('settings', {})).toBe(1);
    expect(formatVersionNumber('settings', { format: 3 })).toBe(3);
    expect(['2', 0, 1.5, true].map((format) => formatVersionNumber('settings', { format }))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  test('only what is beyond our version is newer, and says so with a way on', () => {
    const { version } = FORMATS.journal;
    expect([version, version + 1].map((one) => isNewer('journal', { schemaVersion: one }))).toEqual([false, true]);
    expect(newerFormat('state', { format: 9 }, '.steward/state', 'what is remembered')).toMatchObject({
      code: 'state-newer',
      message: `A newer version of vault-steward wrote what is remembered (format 9; this version reads up to 2).`,
      hint: 'Start the newer version. This one leaves it exactly as it is.',
    });
  });
});
