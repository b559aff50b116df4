import { describe, expect, test } from 'vitest';
import { type Diagnostic, StewardError } from '../../../src/vault/errors.ts';
import { openDocument } from '../../../src/vault/frontmatter/document.ts';
import { editFields, type FieldEdit, restoreFields } from '../../../src/vault/frontmatter/edit.ts';
import { readNote } from '../../../src/vault/frontmatter/parse.ts';
import { verified } from '../../../src/vault/frontmatter/verify.ts';
import type { Yaml } from '../../../src/vault/records/values.ts';

const FILE = 'matter/house.md';

/** The note with this frontmatter after the edits, only what stands between its fences; taken back on the way. */
function edited(yaml: string, ...edits: FieldEdit[]): string {
  const text = `---\n${yaml}---\n# Title\n`;
  const result = editFields(FILE, text, edits);
  expect(restoreFields(FILE, result.text, result.patch).text).toBe(text);
  expect(result.text.startsWith('---\n')).toBe(true);
  expect(result.text.endsWith('---\n# Title\n')).toBe(true);
  return result.text.slice(4, -'---\n# Title\n'.length);
}

function refused(yaml: string, ...edits: FieldEdit[]): Diagnostic {
  try {
    edited(yaml, ...edits);
  } catch (error) {
    if (error instanceof StewardError) return error.trouble;
    throw error;
  }
  throw new Error('was not refused');
}

const set = (field: string, value: Yaml): FieldEdit => ({ op: 'set', field, value });
const add = (field: string, ...members: string[]): FieldEdit => ({ op: 'add', field, members });
const remove = (field: string, ...members: string[]): FieldEdit => ({ op: 'remove', field, members });
const drop = (field: string): FieldEdit => ({ op: 'delete', field });

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

describe('the recipe', () => {
  test('holds both values and the whole former entry, and only of what changed', () => {
    const { patch } = editFields(FILE, '---\r\nx: "open" # c\r\ny: 1\r\n---\r\n', [
      set('x', 'done'),
      set('y', 1),
      add('z', 'a'),
    ]);
    expect(patch).toEqual({
      fields: {
        x: { before: 'open', after: 'done', before_source: 'x: "open" # c\r\n' },
        z: { before: null, after: ['a'], before_source: null },
      },
    });
  });

  test('puts one field back and leaves what a person did to the others since', () => {
    const { text, patch } = editFields(FILE, '---\na: 1\nx: open # c\n---\nold\n', [set('x', 'done'), set('due', 1)]);
    const since = text.replace('a: 1', '# mine\na: 2').replace('due: 1', 'due: 1\nz: "mine"').replace('old', 'new');
    expect(restoreFields(FILE, since, patch).text).toBe('---\n# mine\na: 2\nx: open # c\nz: "mine"\n---\nnew\n');
  });

  test('puts an entry to the end where the one it stood behind is gone', () => {
    const { patch } = editFields(FILE, '---\na: 1\nx: 2\nb: 3\n---\n', [drop('x')]);
    expect(restoreFields(FILE, '---\nb: 3\n---\n', patch).text).toBe('---\nb: 3\nx: 2\n---\n');
  });

  test.each(['x: 1\nother: 2\n', '---\nx: 1\n', 'x: 1\n---\n', 'x: 1', 'y: 1\n', 'x: [\n', ''])(
    'that was tampered with is refused: %j',
    (before_source) => {
      const patch = { fields: { x: { before: 1, after: 2, before_source } } };
      expect(() => restoreFields(FILE, '---\nx: 2\nb: 3\n---\n', patch)).toThrow(StewardError);
    },
  );
});

describe('a note without frontmatter', () => {
  test.each([
    ['text\n', '---\nx: v\n---\ntext\n'],
    ['no newline', '---\nx: v\n---\nno newline'],
    ['\uFEFFtext\r\nmore', '\uFEFF---\r\nx: v\r\n---\r\ntext\r\nmore'],
    ['----\n', '---\nx: v\n---\n----\n'],
  ])('gets one, and loses it again: %j', (text, after) => {
    const result = editFields(FILE, text, [set('x', 'v')]);
    expect(result.text).toBe(after);
    expect(result.patch.created_frontmatter).toBe(true);
    const undone = restoreFields(FILE, result.text, result.patch);
    expect(undone.text).toBe(text);
    expect(undone.patch.created_frontmatter).toBe(undefined);
    expect(restoreFields(FILE, undone.text, undone.patch)).toEqual({ ...result, changed: true });
  });

  test('keeps the fences where a person has added a field', () => {
    const { patch } = editFields(FILE, 'text\n', [set('x', 'v')]);
    expect(restoreFields(FILE, '---\nx: v\ny: 1\n---\ntext\n', patch).text).toBe('---\ny: 1\n---\ntext\n');
  });

  test('keeps the fences where the note would else be empty', () => {
    const { patch } = editFields(FILE, 'text\n', [set('x', 'v')]);
    expect(restoreFields(FILE, '---\nx: v\n---\n', patch).text).toBe('---\n---\n');
  });

  test('is left alone by an edit that changes nothing', () => {
    expect(editFields(FILE, 'text\n', [drop('x'), remove('y', 'a')])).toMatchObject({ text: 'text\n', changed: false });
  });
});

test('CRLF, a BOM, blanks behind the fences, ... and a missing final newline stay', () => {
  const text = '\uFEFF--- \r\nx: open # c\r\ny:\r\n- a\r\n...\t';
  const { text: after } = editFields(FILE, text, [set('x', 'done'), add('y', 'b'), set('z', ['c'])]);
  expect(after).toBe('\uFEFF--- \r\nx: done # c\r\ny:\r\n- a\r\n- b\r\nz:\r\n  - "c"\r\n...\t');
});

test('an entry that goes does not leave its blank lines to one that is replaced with it', () => {
  expect(edited('a: |+\n  text\nx: 1\n\nb: 2\n', drop('x'), set('a', 'v'))).toBe('a: v\n\nb: 2\n');
});

describe('reading again abandons an edit', () => {
  const before = '---\nx: open\n# c\na: 1\nb: 2\n---\ntext\n';

  test.each([
    ['that does not do what was meant', '---\nx: opne\n# c\na: 1\nb: 2\n---\ntext\n', 'would not hold what was meant'],
    [
      'that brings another field',
      '---\nx: done\n# c\na: 1\nb: 2\nc: 3\n---\ntext\n',
      'other fields would come, go or move',
    ],
    ['that loses one', '---\nx: done\n# c\na: 1\n---\ntext\n', 'other fields would come, go or move'],
    ['that changes another value', '---\nx: done\n# c\na: 1\nb: 3\n---\ntext\n', '"b" would change too'],
    ['that moves the field', '---\n# c\na: 1\nx: done\nb: 2\n---\ntext\n', 'the order of fields would change'],
    ['that changes a comment', '---\nx: done\n# d\na: 1\nb: 2\n---\ntext\n', 'bytes outside'],
    ['that changes a fence', '---\nx: done\n# c\na: 1\nb: 2\n...\ntext\n', 'bytes outside'],
    ['that changes the text below', '---\nx: done\n# c\na: 1\nb: 2\n---\nText\n', 'bytes outside'],
  ])('%s', (_, after, why) => {
    expect(() => verified(openDocument(FILE, before), openDocument(FILE, after), new Map([['x', 'done']]))).toThrow(
      why,
    );
  });

  test('that loses the text where it makes or unmakes the fences', () => {
    const bare = openDocument(FILE, 'text\n');
    const fenced = openDocument(FILE, '---\nx: done\n---\nText\n');
    expect(() => verified(bare, fenced, new Map([['x', 'done']]))).toThrow('bytes outside');
    expect(() => verified(fenced, bare, new Map([['x', undefined]]))).toThrow('bytes outside');
  });
});

describe('what cannot be done exactly is refused', () => {
  test.each<[string, string, FieldEdit[]]>([
    ['an anchored value', 'x: &v open\n', [set('x', 'done')]],
    ['an anchored value, deleted', 'x: &v open\n', [drop('x')]],
    ['a tagged value', 'x: !!str 5\n', [set('x', 'done')]],
    ['a complex key', '? x\n: open\n', [set('x', 'done')]],
    ['fields in braces', '{x: open}\n', [set('x', 'done')]],
    ['a key that is no text', '3: open\n', [set('3', 'done')]],
    ['a lone carriage return', 'x: open\ry: 1\n', [set('x', 'done')]],
    ['a byte order mark in front of the first key', '\uFEFFx: open\n', [set('x', 'done')]],
    ['the same beside a key of that name', '\uFEFFx: open\nx: 1\n', [set('y', 'done')]],
    ['a field twice in one edit, once deleted', 'x: open\n', [drop('x'), set('x', 'done')]],
    ['an infinite number', 'x: 1\n', [set('x', Number.POSITIVE_INFINITY)]],
    ['a name with a line break', 'x: 1\n', [set('a\nb', 1)]],
    ['__proto__', 'x: 1\n', [set('__proto__', 1)]],
    ['an anchored member', 'x: [&a b, c]\n', [remove('x', 'b')]],
  ])('%s', (_, yaml, edits) => {
    const found = refused(yaml, ...edits);
    expect(found.code).toBe('edit-unsupported');
    expect(found.message).toMatch(/\.$/);
    expect(found.hint).not.toBe('');
  });

  test('a member whose anchor others need', () => {
    expect(refused('x:\n  - &v a\n  - b\ny: *v\n', remove('x', 'a')).code).toBe('edit-would-change-more');
  });

  test('an entry whose going would change the block scalar above it', () => {
    expect(refused('a: |+\n  text\nx: 1\n\nb: 2\n', drop('x')).code).toBe('edit-would-change-more');
  });

  test('fields beside such a one are edited all the same', () => {
    expect(edited('a: &v !!str 5\n? k\n: l\n<<: {m: 1}\nx: open\nb: *v\n', set('x', 'done'))).toBe(
      'a: &v !!str 5\n? k\n: l\n<<: {m: 1}\nx: done\nb: *v\n',
    );
  });

  test.each([
    '',
    '---\nx: op',
    '---js\n1\n---\n',
    '---\nx: 1\nx: 2\n---\n',
    '---\nx: [\n---\n',
    `---\nx: ${'['.repeat(9000)}\n---\n`,
  ])('a note that cannot be read: %#', (text) => {
    const wrong = readNote(FILE, Buffer.from(text));
    if (wrong.ok) throw new Error('is read');
    const because = { ...wrong.trouble, code: 'edit-unreadable' };
    for (const change of [
      () => editFields(FILE, text, [set('x', 1)]),
      () => restoreFields(FILE, text, { fields: {} }),
    ]) {
      expect(change).toThrow(expect.objectContaining({ trouble: because }));
    }
  });

  test('a note that would grow past what is read', () => {
    const text = `---\nx: 1\n---\n${'x'.repeat(1024 * 1024 - 20)}`;
    expect(() => editFields(FILE, text, [set('x', 'y'.repeat(100))])).toThrow(/abandoned.*at most/);
  });
});
