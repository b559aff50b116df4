import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentEnd, type FieldEntry, plainEntries, yamlEntries } from '../../src/vault/frontmatter-entries.ts';
import { parsePlainNote, readNote } from '../../src/vault/frontmatter-parse.ts';
import { plainYaml } from '../../src/vault/frontmatter-plain.ts';
import { noteText } from '../../src/vault/note-text.ts';
import { notesOf, suiteCases } from '../hostile/suite.ts';
import { lawRuns } from '../support/laws.ts';
import { oddNote, textOf } from './odd-notes.ts';

const RUNS = lawRuns();

/** What gray-matter and js-yaml make of it: a tab in a comment means nothing to them, and is nothing plain. */
function readWhole(yaml: string): string {
  const read = readNote('task/x.md', Buffer.from(`---\n#\t\n${yaml}---\n`));
  return read.ok ? JSON.stringify(read.note.data) : `refused: ${read.trouble.code}`;
}

/** Whether it was read as plain. LAW: then the whole reader reads it and gives the same, to the order of the keys. */
function demandSame(yaml: string): boolean {
  const plain = plainYaml(yaml);
  if (plain === null) return false;
  expect(JSON.stringify(plain), yaml).toBe(readWhole(yaml));
  expect(Object.getPrototypeOf(plain)).toBe(null);
  demandSameEntries(yaml);
  return true;
}

/** LAW: where fields are found by their lines alone, `yaml` finds the same, to the offset and to how a value is written. */
function demandSameEntries(yaml: string): void {
  const entries = plainEntries(yaml);
  if (entries === null) return;
  const shown = (all: readonly FieldEntry[]) => all.map((entry) => shape(entry, yaml));
  expect(shown(entries), yaml).toEqual(shown(yamlEntries('task/x.md', yaml, 0, yaml)));
}

// Where a list or fields stand below their key, `yaml` counts comments behind them in: no edit asks for that end.
function shape({ key, start, end, afterColon, simple, value }: FieldEntry, body: string): unknown {
  const { range, srcToken } = value;
  const written =
    srcToken === undefined ? null : { type: srcToken.type, source: 'source' in srcToken && srcToken.source };
  return {
    key,
    start,
    end,
    afterColon,
    simple,
    range: [range[0], contentEnd(body, value)],
    written,
    value: value.toJSON(),
  };
}

const WORDS = [
  ...[
    'open',
    'two words',
    '2026-11-21',
    '2026-11-21T10:00:00Z',
    '0.94',
    '42',
    '007',
    '1e3',
    '0x1f',
    '0b1',
    '0b0c',
    '1_000',
  ],
  ...[
    '12:30',
    '-5',
    '- x',
    '-x',
    '.5',
    '.inf',
    '+1',
    '1.',
    '-0',
    '123456789012345678',
    '0.1234567890123456789',
    '~',
    'null',
  ],
  ...[
    'Null',
    'true',
    'TRUE',
    'yes',
    'no',
    'nulls',
    '~x',
    'a:b',
    'a: b',
    'a:',
    ':a',
    'a #b',
    'a#b',
    '#a',
    'a # b: c',
    '&a',
    '*a',
  ],
  ...[
    '!t',
    '%x',
    '@x',
    '`x',
    '"q"',
    '"q" ',
    '"q"x',
    '"a \\" b"',
    '"\\u00e9"',
    '"\\x41"',
    '"\\n"',
    '"open',
    "'it''s'",
    "'a'b",
  ],
  ...[
    "'open",
    '[]',
    '[ ]',
    '{}',
    '{ }',
    '{a: 1}',
    '[a, b]',
    '[a,b ]',
    '[a, ]',
    '[, a]',
    '["a, b", 2]',
    "['x''y', ~]",
    '[[a]]',
  ],
  ...[
    '[a: b]',
    '[a',
    '[a] x',
    '[a] # c',
    '[a]#c',
    '[-1, +2]',
    '[0.5, true, null]',
    '[a b , c]',
    '[@x]',
    'é',
    '🏠',
    '\u00a0x',
  ],
  ...[
    'x\u00a0',
    '\u2028',
    '\u0085',
    'x\ty',
    '\ufeff',
    '<<',
    '=',
    '|',
    '|-',
    '|+',
    '>',
    '|2',
    '| # c',
    '|x',
    '---',
    '...',
    '',
  ],
];
const oddWord = fc.constantFrom(...WORDS);
const word = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('open', 'a b', '1', '"q"', "'q'", '[a, "b"]', '') },
  oddWord,
);
const KEYS = [
  ...[
    'state',
    'due',
    'a',
    'b',
    'c-d',
    'e_f',
    'A1',
    'no',
    'true',
    'null',
    'Null',
    '__proto__',
    'constructor',
    '1',
    '"q"',
  ],
  ...["'q'", 'two words', 'a ', '<<', '-a', '?', '? a', '', 'état'],
];
const oddKey = fc.constantFrom(...KEYS);
const key = fc.oneof({ weight: 9, arbitrary: fc.constantFrom('a', 'b', 'c', 'due', 'state', 'e_f') }, oddKey);
const indent = fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom(' ', '  ', '  ', '    ', '      '));
const dashes = fc.oneof({ weight: 9, arbitrary: fc.constantFrom('', '', '- ') }, fc.constantFrom('-   ', '-', '- - '));
const gap = fc.oneof({ weight: 9, arbitrary: fc.constant(': ') }, fc.constantFrom(':', ':  ', ' : '));
const end = fc.oneof({ weight: 9, arbitrary: fc.constant('') }, fc.constantFrom(' # c', '#c', '  ', ' #', '\r', '\t'));
const entry = fc.tuple(indent, dashes, key, gap, word, end).map((parts) => parts.join(''));
const member = fc.tuple(indent, dashes, word, end).map((parts) => parts.join(''));
const line = fc.oneof(
  { weight: 6, arbitrary: entry },
  {
    weight: 4,
    arbitrary: fc.tuple(indent, key, fc.constantFrom(':', ':', ': |', ': |-', ': |+')).map((parts) => parts.join('')),
  },
  { weight: 3, arbitrary: member },
  { weight: 1, arbitrary: fc.constantFrom('', '  ', '# c', '   # c', '      ') },
);
const loose = fc.array(line, { maxLength: 6 }).map((lines) => lines.map((one) => `${one}\n`).join(''));

const text = fc.oneof(
  word,
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('a\nb', 'a\n\n', '\na', ' a\nb', 'a\n  b\n', 'x\n#y\n'),
);
const scalar = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true }),
  fc.integer(),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(key, fc.string({ maxLength: 6 })), tie('value'), { maxKeys: 3 }),
  ),
}));
const written = fc.dictionary(key, value, { maxKeys: 5 }).map(yamlOf);

function yamlOf(fields: Readonly<Record<string, unknown>>): string {
  const note = noteText(fields, '');
  return note.slice(4, note.lastIndexOf('\n---') + 1);
}

const shred = fc.constantFrom(
  '\n',
  ' ',
  '  ',
  ':',
  ': ',
  '- ',
  '#',
  ' #',
  '"',
  "'",
  '[',
  ']',
  '{',
  ',',
  '|',
  '\r\n',
  '\n\n',
  'a',
  '1',
);
const shredded = fc
  .tuple(
    fc.oneof(written, loose),
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), shred, fc.nat(2)), { maxLength: 3 }),
  )
  .map(([yaml, cuts]) => cuts.reduce(cut, yaml));

function cut(yaml: string, [place, put, gone]: [number, string, number]): string {
  const at = Math.floor(place * yaml.length);
  return yaml.slice(0, at) + put + yaml.slice(at + gone);
}

describe('the reader of plain frontmatter gives what the whole reader gives, or declines', () => {
  test.each([
    ['loose lines', loose],
    ["the program's own notes", written],
    ['both, shredded', shredded],
    ['odd notes', oddNote.map((note) => textOf({ ...note, head: '', close: '', body: '' }))],
  ])('%s', (_, yaml) => {
    let plain = 0;
    const law = fc.property(yaml, (one) => {
      if (demandSame(one)) plain += 1;
    });
    fc.assert(law, { numRuns: RUNS });
    if (RUNS >= 1000) expect(plain).toBeGreaterThan(RUNS / 100); // among a few there may be none
  });

  test('each odd key with each odd word, alone and among members', () => {
    const pairs = KEYS.flatMap((one) => WORDS.map((other) => [one, other] as const));
    const plain = pairs.flatMap(([one, other]) =>
      [`${one}: ${other}\n`, `${one}:\n  - ${other}\n`, `a:\n  - ${one}: ${other}\n    b: [x, ${other}]\n`].filter(
        demandSame,
      ),
    );
    expect(plain.length).toBeGreaterThan(pairs.length / 4);
  });

  test('the public YAML test suite', () => {
    const plain = suiteCases().filter(({ yaml }) => demandSame(`${yaml}\n`));
    expect(plain.length).toBeGreaterThan(10);
    for (const one of suiteCases()) {
      for (const note of notesOf(one)) demandSame(note.replace(/^.*\n/, '').replace(/\n(?:---|\.\.\.)[\s\S]*$/, '\n'));
    }
  });
});

describe('what people and the program write most is plain', () => {
  test.each([
    'type: task\nstate: open\nparent_matter: "[[house]]"\ndue: 2026-12-05      # agreed\nblocked_on: \npriority: 1\ntags: [a, "@b"]\n',
    '# about\nrelated_to:\n  - "[[a]]"\n\n  - b\nkeywords:\n- x\n- y: 1\n  z:\n    - 2\nsummary: Grüße 🏠\n',
    'fields:\n  due:\n    before: null\n    before_source: |\n      due: 2026-11-20     # at the town hall\n\nundo: false\n',
  ])('%j', (yaml) => {
    expect(demandSame(yaml)).toBe(true);
  });
});

test('where the frontmatter ends, whatever the fences and the line ends', () => {
  const parts = [
    ['---\n', '---\r\n', '--- \n', '---\r', '\uFEFF---\n', '---x\n'],
    ['a: é\n', 'a: é\r\n', 'a: 1\r', 'a: |\r\n  x\r\n\r\nb: 2\n', '...\na: 1\n', ''],
    ['---', '--- ', '...', '---x\n---', '---\r', ' ---', '----'],
    ['', '\n', '\r\n', '\ntext\n---\n', '\r\r', 'x'],
  ];
  const notes = parts.reduce((heads, tails) => heads.flatMap((head) => tails.map((tail) => head + tail)), ['']);
  let plain = 0;
  for (const note of notes) {
    if (parsePlainNote(note) !== null) plain += 1;
    const [read, whole] = [note, note.replace(/^(?:\uFEFF)?---[^\n]*\n/, '$&#\t\n')].map(noteOf);
    expect(read, JSON.stringify(note)).toEqual(whole);
  }
  expect(plain).toBeGreaterThan(20);
});

/** What is read of a note, without the line that makes it anything but plain. */
function noteOf(text: string) {
  const read = readNote('task/x.md', Buffer.from(text));
  if (!read.ok) return read.trouble.code;
  const { data, block } = read.note;
  expect(read.note.text).toBe(text);
  const yaml = block === null ? null : text.slice(block.start, block.end).replace('#\t\n', '');
  return { data, yaml, start: block?.start, eol: block?.eol, firstLine: block?.firstLine };
}
