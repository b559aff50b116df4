import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery } from '../../src/evidence/request.ts';
import '../support/laws.ts';

const REQUESTS = [
  'show the relevanceGate function in merger.dart',
  'the value of floors.strict in tuning.dart',
  "how many rows in results.json where gateReason == 'dualSignal'",
  'list the rows in runs.csv where seconds is at least 30',
  'lines 15-20 of README.md',
  'the section "Known limits" of README.md',
  'class Foo in train.py',
];
const before = fc.constantFrom(
  '',
  'please ',
  'Please, ',
  'can you ',
  'Could you please ',
  'ok, now ',
  'I want you to ',
);
const behind = fc.constantFrom('', '?', '.', ' please', ', thanks.', '  ', ' for me!');

test('courtesy changes nothing', () => {
  fc.assert(
    fc.property(fc.constantFrom(...REQUESTS), before, behind, (request, first, last) => {
      const plain = parseQuery(request);
      expect(plain).not.toBeNull();
      expect(parseQuery(`${first}${request}${last}`)).toEqual(plain);
    }),
  );
});

test.each(['`', '"', "'", '“'])('a file in quotes is the same file: %s', (quote) => {
  const end = quote === '“' ? '”' : quote;
  for (const request of REQUESTS) {
    const [name = ''] = /\S+\.(?:dart|json|csv|md|py)/.exec(request) ?? [];
    expect(parseQuery(request.replace(name, `${quote}${name}${end}`))).toEqual(parseQuery(request));
  }
});

test('whatever the words are, they are read without a failure, and a file is named where something is asked', () => {
  const words = fc.constantFrom(
    ...'the of in from class section value what is show me how many rows where and x.y a.dart line 1 - full body defined does have ▢ \uE0000\uE001 set to like , ( ) == "q q" ` \' count please first 3 lines is not'.split(
      ' ',
    ),
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 12 }), (parts) => {
      const query = parseQuery(parts.join(' '));
      if (query !== null) expect(query.file).not.toBe('');
    }),
  );
});

test('a request of more than two thousand letters is not read', () => {
  expect(parseQuery(`show ${'x'.repeat(2_000)} in a.dart`)).toBeNull();
});
