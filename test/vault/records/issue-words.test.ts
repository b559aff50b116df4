import { expect, test } from 'vitest';
import { z } from 'zod';
import { issueWords } from '../../../src/vault/records/issue-words.ts';

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
