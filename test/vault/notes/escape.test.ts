import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readNote } from '../../../src/vault/frontmatter-parse.ts';
import { noteText } from '../../../src/vault/note-text.ts';
import { escapeMarkdown, linkTo, liveMark, unmarked } from '../../../src/vault/notes.ts';
import { liveParts } from '../../injection/live.ts';

const MARKS = [
  '[[',
  ']]',
  '![',
  '](',
  '<%',
  '%>',
  '%%',
  '::',
  '://',
  '`',
  '$',
  '#',
  '|',
  '\\',
  '~~~',
  '&#',
  '---',
  '> ',
  '1. ',
  'www.',
  'a@b',
  '^x',
  '\n',
  '\u202e',
  '\u{e0041}',
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...MARKS), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

describe('text from outside in a body', () => {
  test('law: is nothing but text, whatever it holds', () => {
    fc.assert(fc.property(hostile, (text) => void expect(liveParts(escapeMarkdown(text), [])).toEqual([])));
  });

  test('law: reads the same', () => {
    const visible = hostile.map((text) => unmarked(text));
    fc.assert(
      fc.property(visible, (text) => void expect(escapeMarkdown(text).replace(/\\([!-/:-@[-`{-~])/g, '$1')).toBe(text)),
    );
  });

  test.each([
    ['![x](https://evil.example/p.png)', '!\\[x\\](https\\://evil.example/p.png)'],
    ['<%* run() %>', '\\<\\%* run() %\\>'],
    ['state:: done %%', 'state\\:\\: done \\%\\%'],
    ['# Heading', '\\# Heading'],
    ['- [x] undo', '\\- \\[x\\] undo'],
    ['1. first', '1\\. first'],
    [
      'Rechnung 114 ist bezahlt: 50 % von 840,00 € (am 12.11.)',
      'Rechnung 114 ist bezahlt: 50 % von 840,00 € (am 12.11.)',
    ],
  ])('%s', (text, expected) => expect(escapeMarkdown(text)).toBe(expected));

  test('links that the program wrote itself stay links, and no others', () => {
    expect(escapeMarkdown('paid, by [[one]] and [[diary]]', ['one'])).toBe('paid, by [[one]] and \\[\\[diary\\]\\]');
    expect(linkTo('pay-deposit')).toBe('[[pay-deposit]]');
    expect(linkTo('a]] ![[b')).toBe('a\\]\\] !\\[\\[b');
  });
});

describe('a template', () => {
  test('law: stands nowhere in the frontmatter of a note, and is read back as it was', () => {
    const words = fc.array(fc.constantFrom('<%', '%>', '<', '%', '>', 'a', ' ', '"', "'", ': ', '\n', '\\', '-'), {
      maxLength: 10,
    });
    const text = words.map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        text,
        fc.dictionary(text, text, { maxKeys: 3 }),
        fc.array(text, { maxLength: 3 }),
        (one, map, list) => {
          const written = noteText({ one, map, list, plain: 'yes' }, '');
          expect(written).not.toMatch(/<%|%>/);
          const read = readNote('note.md', Buffer.from(written));
          expect(read.ok && read.note.data).toEqual({ one, map, list, plain: 'yes' });
        },
      ),
    );
  });
});

test.each([
  ['Waits for the notary, 50 % paid (see invoice #114a)', null],
  ['Family 👨‍👩‍👧: $500 each', null],
  ['![x](x)', 'an embed'],
  ['[renew](x)', 'a link with a text'],
  ['https://evil.example', 'an address'],
  ['<img src=x>', 'HTML'],
  ['`$= 1`', 'code'],
  ['<% x %>', 'a template'],
  ['paid\u202e', 'hidden text'],
])('in a field: %s', (text, mark) => expect(liveMark(text)).toBe(mark));
