import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractJson } from '../../src/providers/messages.ts';

const object = fc.dictionary(fc.string(), fc.jsonValue());
const prose = fc.string().filter((text) => !/[{}]|<\/think>/.test(text));

test('an object is found in whatever prose stands around it', () => {
  fc.assert(
    fc.property(object, prose, prose, (value, before, after) => {
      const json = JSON.stringify(value);
      if (json.includes('</think>')) return;
      expect(extractJson(before + json + after)).toEqual(JSON.parse(json));
    }),
  );
});

test('a list of objects is found as one thing, whatever stands around it', () => {
  const plain = fc.string().filter((text) => !/[[\]{}]|<\/think>/.test(text));
  fc.assert(
    fc.property(fc.array(object, { minLength: 2 }), plain, plain, (list, before, after) => {
      const json = JSON.stringify(list);
      if (json.includes('</think>')) return;
      expect(extractJson(before + json + after)).toEqual(JSON.parse(json));
    }),
  );
});

test('of two objects neither is taken: one may be a quotation', () => {
  fc.assert(
    fc.property(object, object, prose, (one, other, between) => {
      expect(extractJson(JSON.stringify(one) + between + JSON.stringify(other))).toBeUndefined();
    }),
  );
});

test('no text is too odd to be read', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', '"', '\\', 'a', ':') }), (text) => void extractJson(text)),
  );
});

describe('is not found', () => {
  test.each([
    ['nothing', ''],
    ['prose', 'It is {fine} outside.'],
    ['a list', '[1, 2]'],
    ['half an object', '{"sky": "clear", '],
    ['an object that lacks its end in a quotation', '{"sky": "clear}'],
  ])('%s', (_, text) => expect(extractJson(text)).toBeUndefined());
});
