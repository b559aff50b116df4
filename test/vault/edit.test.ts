import { describe, expect, test } from 'vitest';
import { editFields } from '../../src/vault/edit.ts';
import type { Yaml } from '../../src/vault/frontmatter.ts';
import { add, drop, edited, FILE, refused, remove, set } from './edit-support.ts';

describe('set', () => {
  test.each<[string, string, Yaml, string]>([
    ['the token only', 'a: 1\nx:   open   # why\nb: 2\n', 'done', 'a: 1\nx:   done   # why\nb: 2\n'],
    ['double quotes stay', 'x: "open"\n', 'done', 'x: "done"\n'],
    ['single quotes stay', "x: 'open' # c\n", "it's", "x: 'it''s' # c\n"],
    ['a plain text that would be misread is quoted', 'x: open\n', 'yes', 'x: "yes"\n'],
    ['an empty value', 'x:\nb: 1\n', 'done', 'x: done\nb: 1\n'],
    ['an empty value with blanks', 'x:  \nb: 1\n', 'done', 'x: done\nb: 1\n'],
    ['an empty value before a comment', 'x: # why\n', 'done', 'x: done # why\n'],
    ['an empty value before comment lines', 'x:\n  # why\nb: 1\n', 'done', 'x: done\n  # why\nb: 1\n'],
    ['a value on the next line', 'x: # why\n  open # c\n', 'done', 'x: # why\n  done # c\n'],
    ['a block scalar', 'x: |- # c\n  one\n  # two\n\nb: 1\n', 'done', 'x: done # c\n\nb: 1\n'],
    ['a block scalar that keeps its blank lines', 'x: |+\n  one\n\n\nb: 1\n', 'done', 'x: done\nb: 1\n'],
    ['a block scalar of nothing', 'x: |\nb: 1\n', 'done', 'x: done\nb: 1\n'],
    ['a plain text over lines', 'x: one\n  two # c\nb: 1\n', 'done', 'x: done # c\nb: 1\n'],
    ['a quoted text over lines', 'x: "one\n\n  # two" # c\nb: 1\n', 'done', 'x: "done" # c\nb: 1\n'],
    ['a list at column 0', 'x: # c\n- a\n# inner\n- b\n# outer\nb: 1\n', 'done', 'x: done # c\n# outer\nb: 1\n'],
    ['a list in brackets', 'x: [a, b] # c\n', 'done', 'x: done # c\n'],
    ['a mapping', 'x:\n  y: 1\n  z:\n    - 2\nb: 1\n', 'done', 'x: done\nb: 1\n'],
    ['an alias', 'a: &v open\nx: *v # c\n', 'done', 'a: &v open\nx: done # c\n'],
    ['a quoted key', '"x" : open\n', 'done', '"x" : done\n'],
    ['a list over a list', 'x: # c\n    -   a\nb: 1\n', ['b', 'c'], 'x: # c\n    -   b\n    -   c\nb: 1\n'],
    ['a list over a list in brackets', "x: ['a'] # c\n", ['b', 'c'], "x: ['b', 'c'] # c\n"],
    ['a list over a text', 'x: open # c\n', ['a', 1], 'x: # c\n  - "a"\n  - 1\n'],
    ['a list over a text on the next line', 'x: # why\n  open # c\n', ['a'], 'x: # why\n  - "a" # c\n'],
    ['an empty list over a list', 'x:\n  - a\nb: 1\n', [], 'x: []\nb: 1\n'],
    ['null', 'x: open # c\n', null, 'x: null # c\n'],
  ])('%s', (_, before, value, after) => {
    expect(edited(before, set('x', value))).toBe(after);
  });

  test.each<[Yaml, string]>([
    ['done', 'done'],
    ['2026-11-21', '2026-11-21'],
    ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00Z'],
    ['3 rooms, a garden: quiet', '"3 rooms, a garden: quiet"'],
    ['3 rooms (and a garden)', '3 rooms (and a garden)'],
    [true, 'true'],
    [0.85, '0.85'],
    [-0, '0'],
    ['[[house]]', '"[[house]]"'],
    ['see [[house]]', '"see [[house]]"'],
    ['two\nlines', '"two\\nlines"'],
    ['\u2028\u007f', '"\\u2028\\u007f"'],
    ...[
      'yes',
      'No',
      'ON',
      'off',
      'y',
      'n',
      'true',
      'NULL',
      '~',
      '',
      '012',
      '12',
      '1e3',
      '0x1F',
      '12:30',
      '.inf',
      '+1',
    ].map(quoted),
    ...[
      'a: b',
      'a:',
      'a #b',
      ' a',
      'a ',
      '- a',
      '# a',
      '*a',
      '&a',
      '!a',
      '%a',
      '@a',
      '`a',
      '{a',
      '[a',
      '>a',
      '|a',
      '<<',
      '=',
    ].map(quoted),
  ])('a new field with %j', (value, source) => {
    expect(edited('a: 1\n', set('x', value))).toBe(`a: 1\nx: ${source}\n`);
  });

  function quoted(text: string): [Yaml, string] {
    return [text, JSON.stringify(text)];
  }

  test.each([
    ['two words', 'two words'],
    ['no', '"no"'],
    ['12', '"12"'],
    ['a: b', '"a: b"'],
  ])('a new key %s', (field, source) => {
    expect(edited('a: 1\n', set(field, 'v'))).toBe(`a: 1\n${source}: v\n`);
  });

  test('a new field goes behind everything else, a comment and a block scalar included', () => {
    expect(edited('a: |\n  text\n# c\n\n', set('x', 'v'))).toBe('a: |\n  text\n# c\n\nx: v\n');
    expect(edited('a: |+\n  text\n\n\n', set('x', 'v'))).toBe('a: |+\n  text\n\n\nx: v\n');
    expect(edited('  a: 1\n', set('x', ['v']))).toBe('  a: 1\n  x:\n    - "v"\n');
    expect(edited('', set('x', 'v'))).toBe('x: v\n');
  });

  test('the value that is there already changes nothing, however it is written', () => {
    const text = "---\nx: 'open'\ny: [a]\n---\n";
    expect(
      editFields(FILE, text, [set('x', 'open'), set('y', ['a']), add('y', 'a'), remove('y', 'b'), drop('z')]),
    ).toEqual({
      text,
      patch: { fields: {} },
      changed: false,
    });
  });
});

describe('add', () => {
  test.each<[string, string, string[], string]>([
    ['a list', 'x:\n- a # one\n# after\n', ['b'], 'x:\n- a # one\n- b\n# after\n'],
    ['in its own quoting and indent', "x:\n   -  'a'\nb: 1\n", ['b'], "x:\n   -  'a'\n   -  'b'\nb: 1\n"],
    ['plain where the others are', 'x:\n  - "a"\n  - b\n', ['c', 'no'], 'x:\n  - "a"\n  - b\n  - c\n  - "no"\n'],
    ['after a long member', 'x:\n  - |\n    text\n\nb: 1\n', ['c'], 'x:\n  - |\n    text\n  - "c"\n\nb: 1\n'],
    ['what is there is skipped', 'x:\n  - "[[a]]"\n', ['[[a]]', '[[b]]', '[[b]]'], 'x:\n  - "[[a]]"\n  - "[[b]]"\n'],
    ['brackets', 'x: [a, b] # c\n', ['c', 'd, e'], 'x: [a, b, c, "d, e"] # c\n'],
    ['brackets with blanks', 'x: [ "a" ]\n', ['c'], 'x: [ "a", "c" ]\n'],
    ['brackets with a last comma', 'x: [a,]\n', ['c'], 'x: [a, c,]\n'],
    ['brackets over lines', 'x: [\n  a, # one\n  b # two\n  ]\n', ['c'], 'x: [\n  a, # one\n  b, c # two\n  ]\n'],
    ['brackets with more than plain members', 'x: [!!str a, b: 1] # c\n', ['c'], 'x: [!!str a, b: 1, "c"] # c\n'],
    ['empty brackets', 'x: [] # c\n', ['c'], 'x: ["c"] # c\n'],
    ['nothing', 'x: # c\nb: 1\n', ['[[a]]'], 'x: # c\n  - "[[a]]"\nb: 1\n'],
    ['null', 'x: ~ # c\n', ['a'], 'x: # c\n  - "a"\n'],
    ['absent', 'b: 1\n', ['a', 'b'], 'b: 1\nx:\n  - "a"\n  - "b"\n'],
    ['a single text', "x: '[[a]]' # c\nb: 1\n", ['[[b]]'], 'x: # c\n  - \'[[a]]\'\n  - "[[b]]"\nb: 1\n'],
    ['a number', 'x: 42\n', ['b'], 'x:\n  - 42\n  - "b"\n'],
    ['a text over lines', 'x: |-\n  one\n  two\n', ['b'], 'x:\n  - "one\\ntwo"\n  - "b"\n'],
  ])('%s', (_, before, members, after) => {
    expect(edited(before, add('x', ...members))).toBe(after);
  });

  test('not to a mapping', () => {
    expect(refused('x: {a: 1}\n', add('x', 'b'))).toMatchObject({ code: 'edit-unsupported', file: FILE });
  });
});

describe('remove', () => {
  test.each<[string, string, string[], string]>([
    [
      'a line',
      'x: # c\n  - a # one\n  # two\n  - "b" # two\n\n  - c\nb: 1\n',
      ['b'],
      'x: # c\n  - a # one\n  # two\n\n  - c\nb: 1\n',
    ],
    ['the first', 'x:\n- a\n- b\n', ['a'], 'x:\n- b\n'],
    [
      'the last, with the comment over it',
      'x:\n  - a # one\n  # two\n  - b\n# after\n',
      ['b'],
      'x:\n  - a # one\n# after\n',
    ],
    ['every one that is the same', 'x: [a, b, a]\n', ['a'], 'x: [b]\n'],
    ['all', 'x: # c\n- a\n# two\n- b\nb: 1\n', ['a', 'b'], 'x: [] # c\nb: 1\n'],
    ['the first in brackets', 'x: [ a, b,  c ] # c\n', ['a'], 'x: [ b,  c ] # c\n'],
    ['the middle one', 'x: [a, "b, b",  c]\n', ['b, b'], 'x: [a, c]\n'],
    ['the last in brackets', 'x: [a, b, c ]\n', ['c', 'a'], 'x: [b ]\n'],
    ['all in brackets', 'x: [a]\n', ['a'], 'x: []\n'],
    ['a single text', 'x: "[[a]]" # c\n', ['[[a]]'], 'x: [] # c\n'],
    ['a member written as a number', 'x:\n  - 42\n  - b\n', ['42'], 'x:\n  - b\n'],
    ['a long member', 'x:\n  - a\n  - |\n    text\n\n  - c\n', ['text\n'], 'x:\n  - a\n\n  - c\n'],
  ])('%s', (_, before, members, after) => {
    expect(edited(before, remove('x', ...members))).toBe(after);
  });
});

describe('delete', () => {
  test('takes the entry and its comment, and leaves the lines between', () => {
    expect(edited('a: 1\n# about\nx:\n  - a # c\n\nb: 2\n', drop('x'))).toBe('a: 1\n# about\n\nb: 2\n');
    expect(edited('x: 1\n', drop('y'))).toBe('x: 1\n');
  });

  test('several entries come back to their places, among comments', () => {
    const yaml = '# first\na: 1\n# about b\n\nb: 2\n# about c\nc: 3\nd: 4\n# last\n';
    expect(edited(yaml, drop('c'), drop('a'), drop('b'), set('e', 5))).toBe(
      '# first\n# about b\n\n# about c\nd: 4\n# last\ne: 5\n',
    );
  });

  test('the recipe says behind which entry it stood', () => {
    const { patch } = editFields(FILE, '---\na: 1\nx: 2 # c\n# about y\ny: 3\n---\n', [
      drop('a'),
      drop('x'),
      drop('y'),
    ]);
    expect(patch.fields).toEqual({
      a: { before: 1, after: null, before_source: 'a: 1\n', behind: '' },
      x: { before: 2, after: null, before_source: 'x: 2 # c\n', behind: 'a' },
      y: { before: 3, after: null, before_source: 'y: 3\n', behind: 'x\n# about y\n' },
    });
  });
});
