import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editFields } from '../../src/vault/edit.ts';
import { readNote } from '../../src/vault/frontmatter.ts';
import { Layout } from '../../src/vault/layout.ts';
import { noteText } from '../../src/vault/note-text.ts';
import { DEFAULT_MAPPING, readRecord, type VaultRecord } from '../../src/vault/record.ts';
import { packRecord, recordEdits, recordValue, unpackRecord } from '../../src/vault/record-text.ts';
import { lawRuns } from '../support/laws.ts';

const FILE = 'event/steward-action-2026-11-21T20-19-54Z-pay.md';
const STAT = { mtimeMs: 1, ctimeMs: 1, size: 10, ino: 7 };
const EVENT = {
  ...{ confirm: false, change: 'state open → done', waiting: true, outcome: 'proposed', type: 'steward-action' },
  ...{ timestamp: '2026-11-21T20:19:54Z', target_path: 'task/pay.md', undo_recipe: null },
};
const INSIDE = {
  gates: [{ gate: 'mode', held: false, reason: 'It is in shadow.' }],
  says: 'open proposal',
  seal: 'ab12',
};

function recordIn(text: string): VaultRecord {
  return readRecord(new Layout(), DEFAULT_MAPPING, FILE, STAT, Buffer.from(text));
}

function unpacked(text: string) {
  const read = readNote(FILE, Buffer.from(text));
  if (!read.ok) throw new Error(read.trouble.message);
  return unpackRecord('event', FILE, read.note);
}

function dataIn(text: string) {
  const read = unpacked(text);
  if (!read.ok) throw new Error(read.trouble.message);
  return read.data;
}

describe('the record of an event note', () => {
  const text = noteText(packRecord('event', { ...INSIDE, ...EVENT }), 'Body.');

  test('is one line, the last property, that a person can read', () => {
    expect(text.split('\n---\n')[0]?.split('\n').at(-1)).toBe(
      `record: '1 {"gates":[{"gate":"mode","held":false,"reason":"It is in shadow."}],"says":"open proposal","seal":"ab12"}'`,
    );
    expect(recordIn(text)).toMatchObject({
      kind: 'event',
      fields: { says: 'open proposal', seal: 'ab12', outcome: 'proposed', gates: [{ gate: 'mode', held: false }] },
    });
  });

  test('is the only place of its fields: properties of their names are ignored', () => {
    const without = { kind: 'event', fields: { seal: null, gates: [] } };
    expect(recordIn(noteText({ ...EVENT, ...INSIDE }, 'Body.'))).toMatchObject(without);
    expect(recordIn(text.replace(/^record: .*$/m, 'record: ""'))).toMatchObject(without);
  });

  test('is the only place of its fields, once it is there', () => {
    const beside = text.replace(/^waiting:/m, 'seal: cd34\ntaught: right\npending_cleared: true\nwaiting:');
    expect(recordIn(beside)).toMatchObject({ fields: { seal: 'ab12', taught: null, pending_cleared: false } });
    const within = text.replace('"says"', '"waiting":false,"outcome":"acted","confirm":true,"says"');
    expect(recordIn(within)).toMatchObject({ fields: { waiting: true, outcome: 'proposed', confirm: false } });
  });

  test.each([
    ['cut off', `'1 {"gates":[{"gate":"mode"'`],
    ['a text', 'Robin was here'],
    ['a number', '1'],
    ['a list', "'1 []'"],
    ['nested without end', `'1 {"gates":${'['.repeat(600)}${']'.repeat(600)}}'`],
    ['without a version', `'{"seal":"ab12"}'`],
    ['of version 0', `'0 {"seal":"ab12"}'`],
    ['a map', '{a: 1}'],
  ])('%s is a problem of the note, with line and caret', (_, written) => {
    const damaged = text.replace(/^record: .*$/m, `record: ${written}`);
    const line = damaged.split('\n').findIndex((one) => one.startsWith('record:')) + 1;
    const record = recordIn(damaged);
    expect(record).toMatchObject({
      kind: 'bad',
      trouble: { code: 'field-invalid', file: FILE, line, column: 9, message: expect.stringContaining('record') },
    });
    expect(record.kind === 'bad' ? record.trouble.excerpt : '').toMatch(/^record: .*\n {8}\^$/);
  });

  test('of a later version is left for that version', () => {
    const newer = recordIn(text.replace(`record: '1 `, `record: '2 `));
    expect(newer).toMatchObject({ kind: 'bad', trouble: { code: 'note-newer', line: 10, column: 9 } });
  });

  test('with a wrong value inside is shown at its line', () => {
    const wrong = recordIn(text.replace('"says"', '"pending_patch":{"target":7},"says"'));
    expect(wrong).toMatchObject({
      kind: 'bad',
      trouble: { code: 'field-invalid', line: 10, message: 'In record: pending_patch.target must be text.' },
    });
  });

  test('means nothing in what a person drops, until the program has dealt with it', () => {
    const dropped = (more: object) =>
      recordIn(noteText({ reverses: '[[x]]', type: 'steward-action-reversed', ...more }, ''));
    expect(dropped({ record: 'my own' })).toMatchObject({ kind: 'reversal', fields: { reverses: '[[x]]' } });
    expect(dropped({ record: 'my own', outcome: 'reversed' })).toMatchObject({ kind: 'bad' });
  });

  test('LAW: whatever it holds comes back, and no program takes any of it for a link, a template, HTML or a comment', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('[[a]]', '![[a]]', '](x)', '<%', '%>', '%%', '::', 'https://x.example', '{{', '`', '<b>', "it's"),
      fc.constantFrom(
        ' '.repeat(60),
        '\u00a0'.repeat(60),
        '\u202e',
        '\u200b',
        '\u2028',
        '\0',
        '\ud800',
        '\u{e0041}',
        ': #',
      ),
    );
    const texts = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(texts), fc.dictionary(texts, texts), (adopted, moved) => {
        const fields = { ...EVENT, says: adopted.join(''), adopted, lesson: { by: null, none: null, moved } };
        const written = noteText(packRecord('event', fields), 'Body.');
        expect({ ...dataIn(written) }).toEqual(JSON.parse(JSON.stringify(fields)));
        const line = /^record: (.*)$/m.exec(written)?.[1] ?? '';
        expect(line).toMatch(/^'.*'$/);
        expect(line).not.toMatch(/[<>`\p{Cf}]|\[\[|!\[|\]\(|%%|::|:\/\/|\{\{|\s{17}/u);
      }),
      { numRuns: lawRuns() },
    );
  });
});

describe('an edit of the record', () => {
  const packed = noteText(packRecord('event', { ...EVENT, ...INSIDE, later_version: 1 }), 'Body.');
  const edited = (text: string, values: Parameters<typeof recordEdits>[1]) => {
    const read = readNote(FILE, Buffer.from(text));
    if (!read.ok) throw new Error(read.trouble.message);
    return editFields(FILE, text, recordEdits(read.note.data, values)).text;
  };

  test('changes that value alone', () => {
    expect(edited(packed, { says: 'over' })).toBe(packed.replace('open proposal', 'over'));
    expect(edited(packed, { taught: 'right', seal: 'cd34' })).toBe(
      packed.replace('"seal":"ab12"', '"seal":"cd34","taught":"right"'),
    );
    expect(edited(packed, { says: 'open proposal' })).toBe(packed);
  });

  test('keeps what it does not know', () => {
    const known = packed.replace('"says"', '"from_later":{"a":[1]},"says"');
    expect(edited(known, { says: 'over' })).toContain('"from_later":{"a":[1]}');
  });

  test('makes the record of a note without one', () => {
    const bare = noteText(EVENT, 'Body.');
    expect(edited(bare, { says: 'over' })).toBe(
      bare.replace('\n---\n', `\nrecord: "1 {\\"says\\":\\"over\\"}"\n---\n`),
    );
  });

  test('is none where the record cannot be read', () => {
    const data = { record: '1 {', says: 'x' };
    expect(recordEdits(data, { says: 'over' })).toEqual([]);
    expect(recordValue(data, 'says')).toBeNull();
  });

  test('a number beyond all bounds is null, as the seal sees it', () => {
    expect(recordValue({ record: '1 {"says":1e999}' }, 'says')).toBeNull();
  });
});
