import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/vault/errors.ts';
import { fieldPosition, keyPosition, MAX_FRONTMATTER_CHARS, readNote } from '../../src/vault/frontmatter.ts';
import { MAX_NOTE_BYTES } from '../../src/vault/layout.ts';
import { ownTime } from '../support/own-time.ts';

function noteOf(text: string | Buffer) {
  const result = readNote('matter/house.md', Buffer.from(text));
  if (!result.ok) throw new Error(`${result.trouble.code}: ${result.trouble.message}`);
  return result.note;
}

function troubleOf(text: string | Buffer): Diagnostic {
  const result = readNote('matter/house.md', Buffer.from(text));
  if (result.ok) throw new Error(`read as ${JSON.stringify(result.note.data)}`);
  return result.trouble;
}

describe('the fences', () => {
  test('fields between two lines of three dashes', () => {
    const note = noteOf('---\nstate: open\nlist: [a, b]\n---\n# Title\n');
    expect(note.data).toEqual({ state: 'open', list: ['a', 'b'] });
    expect(note.block).toEqual({ start: 4, end: 29, firstLine: 2, eol: '\n' });
  });

  test.each([
    ['an empty line above', '\n---\nsteward: false\nlist:\n  - a\n---\n', 2],
    ['a blank in front', ' ---\na: 1\n---\n', 1],
    ['two BOMs', '\uFEFF\uFEFF---\na: 1\n---\n', 1],
    ['a remark behind', '--- # mine\na: 1\n---\n', 1],
    ['a directive above', '%YAML 1.2\n---\na: 1\n---\n', 2],
    ['lines that end as on an old Mac', '---\ra: 1\rsteward: false\r---\rText\r', 1],
  ])('fields with %s are refused, and not taken for text', (_, text, line) => {
    expect(troubleOf(text)).toMatchObject({ code: 'frontmatter-misplaced', line });
  });

  test('a BOM, CRLF, blanks behind the fences, a closing ..., no final newline', () => {
    const text = '\uFEFF--- \t\r\nstate: open\r\n...  ';
    const note = noteOf(text);
    expect(note.data).toEqual({ state: 'open' });
    expect(note.block?.eol).toBe('\r\n');
    expect(text.slice(note.block?.start, note.block?.end)).toBe('state: open\r\n');
    expect(note.text).toBe(text);
  });

  test.each([
    '# Title\n---\na: 1\n---\n',
    '----\na: 1\n---\n',
    '\n---\na sentence\n---\n',
    '--- a sentence\n---\n',
    'text',
  ])('no frontmatter: %j', (text) => {
    const note = noteOf(text);
    expect(note.data).toEqual({});
    expect(note.block).toBe(null);
  });

  test.each(['---\n---\n', '---\n# only a comment\n---', '---\n\n\n...\ntext', '---\nnull\n---\n'])(
    'no fields: %j',
    (text) => {
      expect(noteOf(text).data).toEqual({});
      expect(noteOf(text).block).not.toBe(null);
    },
  );

  test('a line that only begins with dashes does not close, as gray-matter alone would have it', () => {
    expect(noteOf('---\na: "b\n ---c"\n---x: 1\n---\n').data).toEqual({ a: 'b ---c', '---x': 1 });
  });

  test('LS, PS and a lone CR end no line', () => {
    expect(troubleOf('---\na: "x\u2028---\u2028"\n').code).toBe('frontmatter-unclosed');
    expect(troubleOf('---\na: x\r---\r').code).toBe('frontmatter-unclosed');
  });

  test('an unclosed fence is reported, for it is probably being written', () => {
    expect(troubleOf('---\nstate: op')).toMatchObject({
      code: 'frontmatter-unclosed',
      line: 1,
      column: 1,
      excerpt: '---\n^',
    });
    expect(troubleOf('---').code).toBe('frontmatter-unclosed');
  });

  test.each(['js', 'javascript', 'coffee', 'json', 'toml', 'cson', 'coffeescript'])(
    '--- %s is never executed',
    (language) => {
      const mark = join(mkdtempSync(join(tmpdir(), 'steward-fence-')), 'ran');
      const code = `{ ran: (globalThis.fenceRan = true, require("fs").writeFileSync(${JSON.stringify(mark)}, "")) }`;
      for (const gap of ['', ' ']) {
        const found = troubleOf(`---${gap}${language}\n${code}\n---\n`);
        expect(found).toMatchObject({ code: 'frontmatter-language', line: 1, column: 4 + gap.length });
        expect(found.excerpt).toBe(`---${gap}${language}\n${' '.repeat(3 + gap.length)}^`);
      }
      expect('fenceRan' in globalThis).toBe(false);
    },
  );
});

describe('bytes that are no note', () => {
  test.each([
    ['', 'note-empty'],
    [' \n\t\r\n', 'note-empty'],
    ['\uFEFF', 'note-empty'],
    [Buffer.from([0x2d, 0x00, 0x2d]), 'note-binary'],
    [Buffer.from('---\na: 1\n---\n', 'utf16le'), 'note-binary'],
    [Buffer.from([0x61, 0xff, 0x62]), 'note-not-utf8'],
    ['x'.repeat(MAX_NOTE_BYTES + 1), 'note-too-large'],
    [`---\na: ${'x'.repeat(MAX_FRONTMATTER_CHARS)}\n---\n`, 'frontmatter-too-large'],
  ])('%#', (bytes, code) => {
    expect(troubleOf(bytes).code).toBe(code);
    expect(troubleOf(bytes).file).toBe('matter/house.md');
  });

  test('a desert of blank lines is refused at once; gray-matter alone would take a minute over it', () => {
    const started = ownTime();
    expect(troubleOf(`---\na: 1\n${'\n'.repeat(250_000)}b: 2\n---\n`).code).toBe('frontmatter-too-large');
    expect(ownTime() - started).toBeLessThan(1000);
  });
});

describe('values', () => {
  test('the core schema: no dates, no octal, no sexagesimal, no yes and no', () => {
    const text = '---\nd: 2026-11-21\nt: 2026-11-21T10:00:00\no: 012\ns: 12:30\ny: yes\nn: ~\ne:\ntrue: 1\n---\n';
    const data = { d: '2026-11-21', t: '2026-11-21T10:00:00', o: 12, s: '12:30', y: 'yes', n: null, e: null, true: 1 };
    expect(noteOf(text).data).toEqual(data);
  });

  test('what JSON cannot hold becomes text', () => {
    const { data } = noteOf('---\na: .nan\nb: [.inf, -.INF]\nc: &c {d: .nan}\ne: *c\n---\n');
    expect(data).toEqual({ a: '.nan', b: ['.inf', '-.inf'], c: { d: '.nan' }, e: { d: '.nan' } });
    expect(JSON.parse(JSON.stringify(data))).toEqual(data);
  });

  test('keys that mean something to JavaScript, or are no texts, do no harm', () => {
    const { data } = noteOf('---\n__proto__: {polluted: true}\nconstructor: 1\n? {a: b}\n: 2\n3: 4\n---\n');
    expect(Object.keys(data)).toContain('__proto__');
    expect('polluted' in {}).toBe(false);
    expect('polluted' in data).toBe(false);
    expect(data['3']).toBe(4);
  });

  test('a field named excerpt_separator is a field, not an option of gray-matter', () => {
    expect(noteOf('---\nexcerpt_separator: {toString: 1}\n---\n').data).toEqual({ excerpt_separator: { toString: 1 } });
  });

  test('the same bad note is bad each time, and data is not shared between reads', () => {
    for (let nth = 0; nth < 2; nth++) expect(troubleOf('---\na: [\n---\n').code).toBe('frontmatter-yaml');
    expect(noteOf('---\na: [1]\n---\n').data).not.toBe(noteOf('---\na: [1]\n---\n').data);
  });
});

describe('aliases', () => {
  test('are read, as long as they stay small', () => {
    expect(noteOf('---\na: &x [1, 2]\nb: *x\n---\n').data).toEqual({ a: [1, 2], b: [1, 2] });
  });

  test('a bomb is refused, and quickly', () => {
    const levels = 'bcdefghij'.split('').map((key, nth) => {
      const former = `*${'abcdefghij'[nth]}`;
      return `${key}: &${key} [${Array(10).fill(former).join(', ')}]`;
    });
    const started = ownTime();
    const found = troubleOf(`---\na: &a [x, x]\n${levels.join('\n')}\n---\n`);
    expect(found).toMatchObject({ code: 'frontmatter-aliases', line: 3, column: 8 });
    expect(ownTime() - started).toBeLessThan(1000);
  });

  test.each(['a: &a [*a]', 'a: &a {b: *a}', '&a x: &b [[*b, *b]]'])('a circle does not hang: %s', (yaml) => {
    expect(troubleOf(`---\n${yaml}\n---\n`).code).toBe('frontmatter-aliases');
  });

  test('a long frontmatter without aliases is not taken for a bomb', () => {
    expect(noteOf(`---\na:\n${'- x\n'.repeat(9_000)}---\n`).data.a).toHaveLength(9_000);
    expect(noteOf(`---\na: ${'long, '.repeat(40_000)}\n---\n`).data.a).toMatch(/^long, long/);
  });

  test('more values than a person writes are not read: they would hold everything up', () => {
    const found = troubleOf(`---\na:\n${'- x\n'.repeat(60_000)}---\n`);
    expect(found).toMatchObject({ code: 'frontmatter-too-large', line: 2 });
    expect(found.message).toContain('some 10000 values');
  });
});

describe('what is wrong, and where', () => {
  test.each([
    ['a field twice', 'a: 1\nb: 2\na: 3', 'frontmatter-duplicate-key', 4, 1, 'a: 3\n^'],
    ['a list in place of fields', '\n- a', 'frontmatter-not-a-mapping', 3, 1, '- a\n^'],
    ['a sentence in place of fields', 'just text', 'frontmatter-not-a-mapping', 2, 1, 'just text\n^'],
    ['a colon in a value', 'a: 1\nb: c: d', 'frontmatter-yaml', 3, 5, 'b: c: d\n    ^'],
    ['a tab', '\ta: 1', 'frontmatter-yaml', 2, 3, '\ta: 1\n\t ^'],
    ['a quote left open', 'a: "x\nb: 1', 'frontmatter-yaml', 3, 5, 'b: 1\n    ^'],
    ['an unknown alias', 'a: *x', 'frontmatter-yaml', 2, 6, 'a: *x\n     ^'],
    [
      'a tag that would make a function',
      'a: !!js/function "x"',
      'frontmatter-yaml',
      2,
      21,
      `a: !!js/function "x"\n${' '.repeat(20)}^`,
    ],
    ['a second document', 'a: 1\n--- b', 'frontmatter-yaml', 2, 1, 'a: 1\n^'],
  ])('%s', (_, yaml, code, line, column, excerpt) => {
    const found = troubleOf(`---\n${yaml}\n---\ntext\n`);
    expect(found).toMatchObject({ code, line, column, excerpt });
    expect(found.message).toMatch(/^The .*\.$/);
    expect(found.hint).not.toBe('');
    expect(troubleOf(`\uFEFF---\r\n${yaml.replaceAll('\n', '\r\n')}\r\n---\r\n`)).toMatchObject({
      code,
      line,
      column,
      excerpt,
    });
  });

  test('the name of the field that stands twice is said', () => {
    expect(troubleOf('---\n"two words": 1\n"two words": 2\n---\n').message).toContain('"two words"');
  });

  test('nesting past 100 is refused', () => {
    expect(troubleOf(`---\na: ${'['.repeat(5000)}\n---\n`).code).toBe('frontmatter-yaml');
  });

  test('columns count characters, long lines are shown in part, control characters are not shown at all', () => {
    expect(troubleOf('---\n"🏠🏠": *x\n---\n')).toMatchObject({ column: 9, excerpt: `"🏠🏠": *x\n${' '.repeat(8)}^` });
    const long = troubleOf(`---\n${'k'.repeat(500)}: b: c\n---\n`);
    expect(long.column).toBe(504);
    const [shown = '', caret = ''] = (long.excerpt ?? '').split('\n');
    expect(shown.length).toBeLessThanOrEqual(120);
    expect(shown.slice(caret.length - 1)).toBe(': c');
    expect(troubleOf('---\na: \u001b[31m: *x: y\n---\n').excerpt).not.toContain('\u001b');
  });
});

describe('where a field stands', () => {
  const text =
    "---\n# state: no\nstate:  opne # c\n\"two words\": x\n'it''s': y\ntags:\n  - state: z\na.b: 1\nempty:\n---\nstate: body\n";

  test.each([
    ['state', 3, 9, 'state:  opne # c\n        ^'],
    ['two words', 4, 14, `"two words": x\n${' '.repeat(13)}^`],
    ["it's", 5, 10, `'it''s': y\n${' '.repeat(9)}^`],
    ['tags', 6, 1, 'tags:\n^'],
    ['a.b', 8, 6, 'a.b: 1\n     ^'],
    ['empty', 9, 1, 'empty:\n^'],
  ])('%s', (key, line, column, excerpt) => {
    expect(fieldPosition(noteOf(text), key)).toEqual({ line, column, excerpt });
    const crlf = noteOf(`\uFEFF${text.replaceAll('\n', '\r\n')}`);
    expect(fieldPosition(crlf, key)).toEqual({ line, column, excerpt });
  });

  test.each([
    ['state', 3],
    ['two words', 4],
    ["it's", 5],
    ['empty', 9],
  ])('%s: its key', (key, line) => {
    expect(keyPosition(noteOf(text), key)).toMatchObject({ line, column: 1 });
    expect(keyPosition(noteOf(text.replaceAll(/^(?=["'\w])(?!--)/gm, ' ')), key)).toMatchObject({ line, column: 2 });
  });

  test('null where there is no such field', () => {
    expect(keyPosition(noteOf(text), 'axb')).toBe(null);
    expect(fieldPosition(noteOf(text), 'axb')).toBe(null);
    expect(fieldPosition(noteOf('text'), 'state')).toBe(null);
  });
});
