import { expect, test } from 'vitest';
import { checkCitations } from '../../src/roundtable/citations.ts';
import { evidenceText } from '../../src/roundtable/notes.ts';

const REQUEST = 'count rows where score >= 0.9731 in results.json';
const COUNTED =
  '[Research result for ada | deterministic | 4.2s]:\n12 of 340 rows of results.json where score >= 0.9731.';
const EXTRACT =
  '[Research result for ada | haiku | 4.2s]:\nStruck, since the file was compared: lib/a.dart:40 does not say that.\nlib/a.dart:3-4\n```\nStruck, since 815 rows.\n[truncated] 816 rows\n```\n[truncated] of lib/a.dart:3-400';

function found(request: string, result: string, text: string): string[] {
  return checkCitations([{ agent: 'ada', text }], evidenceText(request, result)).map(({ finding }) => finding);
}

test.each([
  ['how long the lookup took', 'The latency is 4.2 s.'],
  ['what was only asked for', 'The threshold is 0.9731.'],
])('%s is nothing that was found', (_, text) => {
  expect(found(REQUEST, COUNTED, text)).toEqual(['unsupported']);
});

test('nor is it where the rows are shown rather than counted', () => {
  const request = 'list the rows in results.json where score is at least 0.9731';
  const shown = COUNTED.replace(
    /where.*/,
    'where score is at least 0.9731.\nresults.json:7 — row\n```\n{"score": 0.99}\n```',
  );
  expect(found(request, shown, 'The threshold is 0.9731.')).toEqual(['unsupported']);
  expect(found(request, shown, 'See results.json:7: 0.99.')).toEqual(Array(2).fill('borne-out'));
});

test('what was asked for may be said beside what was counted', () => {
  expect(found(REQUEST, COUNTED, '12 of 340 rows have a score of 0.9731 or more.')).toEqual(Array(3).fill('borne-out'));
  expect(found(REQUEST, COUNTED.replace('12 of', '0 of'), 'No row has a score of 0.9731.')).toEqual(['borne-out']);
});

test('lines that were rejected or cut off support nothing; the same words inside an extract are text', () => {
  expect(found('why?', EXTRACT, 'See lib/a.dart:40 and lib/a.dart:300.')).toEqual(['unsupported', 'unsupported']);
  expect(found('why?', EXTRACT, 'See lib/a.dart:4: 815 rows, 816 rows.')).toEqual(Array(3).fill('borne-out'));
});
