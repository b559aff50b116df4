import { expect, test } from 'vitest';
import { programWords } from '../../../../src/cli/commands/source/words.ts';

test.each([
  [
    ['pass', 'show', '-p', 'x y'],
    ['pass', 'show', '-p', 'x y'],
  ],
  [['pass show mail/inbox'], ['pass', 'show', 'mail/inbox']],
  [['  op read "op://mail box/inbox"  '], ['op', 'read', 'op://mail box/inbox']],
  [['sh -c \'echo "$X" | cat\''], ['sh', '-c', 'echo "$X" | cat']],
  [['a=b"c d"e'], ['a=bc de']],
  [['say ""'], ['say', '']],
])('%j is %j', (given, words) => {
  expect(programWords(given)).toEqual(words);
});

test('a quote that is not closed is said', () => {
  expect(() => programWords(['pass "show'])).toThrow('not closed');
});
