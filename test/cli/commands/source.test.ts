import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { programWords } from '../../../src/cli/commands/source.ts';

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

test('the home of whoever typed it stands for ~/ at the beginning of a word alone', () => {
  const home = path.join(os.homedir(), 'secrets/inbox');
  expect(programWords(['cat ~/secrets/inbox'])).toEqual(['cat', home]);
  expect(programWords(['cat "~/x" a~/b --from=~/c ~anna/d'])).toEqual(['cat', '~/x', 'a~/b', '--from=~/c', '~anna/d']);
});

test('a quote that is not closed is said', () => {
  expect(() => programWords(['pass "show'])).toThrow('not closed');
});
