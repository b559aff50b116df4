import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readForeignJson, readOwnJson } from '../../src/vault/json.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('JSON from outside', () => {
  test.each([
    ['{"a":[1]}', { a: [1] }],
    ['not JSON', undefined],
    ['', undefined],
    [nested(501), undefined],
    ['"[[["', '[[['],
    [`["${'['.repeat(600)}\\"${'{'.repeat(600)}"]`, [`${'['.repeat(600)}"${'{'.repeat(600)}`]],
  ])('%s', (text, value) => {
    expect(readForeignJson(text)).toEqual(value);
    expect(readForeignJson(Buffer.from(text))).toEqual(value);
  });

  test('may nest 500 deep', () => {
    expect(readForeignJson(nested(500))).toBeDefined();
    expect(readForeignJson('['.repeat(1_000_000))).toBeUndefined();
  });

  test('is UTF-8, with or without a byte order mark', () => {
    expect(readForeignJson(Buffer.from('\ufeff{}'))).toEqual({});
    expect(readForeignJson(Buffer.from([0x22, 0xff, 0x22]))).toBeUndefined();
  });
});

test('JSON of the program has its form, or is nothing', () => {
  const form = z.object({ a: z.number() });
  expect(readOwnJson(form, '{"a":1}')).toEqual({ a: 1 });
  for (const damaged of ['{"a":1', '{"a":"1"}', '']) expect(readOwnJson(form, damaged)).toBeNull();
});
