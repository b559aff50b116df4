import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { carriedFrom, findQuoted } from '../../src/roundtable/citations.ts';
import '../support/laws.ts';
import { lawRuns } from '../support/laws.ts';

const RESULT = [
  '[Research result for ada | deterministic | 0.1s]:',
  'src/merger.dart:10-14 — function relevanceGate',
  '```',
  'bool relevanceGate(x) {',
  '  final floor = 0.62;',
  '  if (x < floor) return false;',
  '  return true;',
  '}',
  '```',
  'tuning.dart:3',
  '```',
  'const floor = 0.62;',
  '```',
].join('\n');
const COUNT =
  '[Research result for ada | deterministic | 0.1s]:\n7 of 96 rows of offers.csv where late == true.\nRows: offers.csv:4-9, 31.';

const carried = (result: string, ...texts: string[]) => carriedFrom(result, findQuoted(texts));

describe('of a result is carried on', () => {
  test('the lines that somebody cited, verbatim and under their place', () => {
    expect(carried(RESULT, 'The floor is 0.62 (merger.dart:11).')).toEqual([
      { lines: 'src/merger.dart:11', text: '  final floor = 0.62;' },
    ]);
    expect(carried(RESULT, 'See src/merger.dart:11-12.', 'It ends at merger.dart:14, as tuning.dart:3 says.')).toEqual([
      { lines: 'src/merger.dart:11-12', text: '  final floor = 0.62;\n  if (x < floor) return false;' },
      { lines: 'src/merger.dart:14', text: '}' },
      { lines: 'tuning.dart:3', text: 'const floor = 0.62;' },
    ]);
  });

  test.each([
    ['nobody cited it', 'I hold.'],
    ['another file was cited', 'notmerger.dart:11 says so.'],
    ['other lines were cited', 'src/merger.dart:40 says so.'],
    ['it was only asked for', 'Please: [[request: show src/merger.dart:11]]'],
    ['its figure was repeated without its place', 'The floor is 0.62.'],
  ])('nothing where %s', (_, text) => {
    expect(carried(RESULT, text)).toEqual([]);
  });

  test('a count, where it was repeated or one of its places was cited', () => {
    const both = [{ text: '7 of 96 rows of offers.csv where late == true.' }, { text: 'Rows: offers.csv:4-9, 31.' }];
    expect(carried(COUNT, 'Late are 7 of the 96 rows.')).toEqual(both);
    expect(carried(COUNT, 'It is late (offers.csv:5).')).toEqual(both);
    expect(carried(COUNT, 'There are 17 of 960 rows.')).toEqual([]);
    expect(carried(COUNT, 'There are 7 rows.')).toEqual([]);
  });

  test('a fence that is longer, since the file holds one', () => {
    const result = 'head\nnotes.md:2-4\n````\n```\nx = 1\n```\n````';
    expect(carried(result, 'As notes.md:3 says.')).toEqual([{ lines: 'notes.md:3', text: 'x = 1' }]);
  });

  test('LAW: only what stands in it, whatever it holds', () => {
    const line = fc.oneof(
      fc.constantFrom('```', '````', 'a.md:1', 'a.md:2-3', '"b c.md":4', '3 of 9 rows.'),
      fc.string(),
    );
    const cites = fc.constantFrom('a.md:1', 'a.md:1-3', 'c.md:4', '3 of the 9');
    fc.assert(
      fc.property(fc.array(line), fc.array(cites), (lines, said) => {
        const result = ['head', ...lines].join('\n');
        for (const { text } of carried(result, ...said)) expect(result).toContain(text);
      }),
      { numRuns: lawRuns() },
    );
  });
});
