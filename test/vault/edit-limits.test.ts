import { describe, expect, test } from 'vitest';
import { editFields, type FieldEdit, openDocument, restoreFields, verified } from '../../src/vault/edit.ts';
import { StewardError } from '../../src/vault/errors.ts';
import { readNote } from '../../src/vault/frontmatter.ts';
import { add, drop, edited, FILE, refused, remove, set } from './edit-support.ts';

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
    [
      'that does not do what was meant',
      '---\nx: opne\n# c\na: 1\nb: 2\n---\ntext\n',
      "wouldn't have the intended value",
    ],
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
