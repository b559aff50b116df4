import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EditResult, editFields, type FieldEdit, restoreFields } from '../../src/vault/edit.ts';
import { StewardError } from '../../src/vault/errors.ts';
import { type Frontmatter, readNote, type Yaml } from '../../src/vault/frontmatter.ts';
import { lawRuns } from '../support/laws.ts';

/*
 * The generator knows where every entry begins and ends, independently of the code under test: a note is made of pieces,
 * and each piece is either an entry or what stands between two of them.
 */

const RUNS = lawRuns();
const OLD_KEYS = ['state', 'owner', 'tags', 'related_to', 'due', 'summary', 'two words', 'schlüssel'] as const;
const KEYS = [...OLD_KEYS, 'pending_confirmation', 'no', 'blocked_on'] as const;

interface Piece {
  /** Comments and blank lines before the entry. */
  readonly between: string;
  readonly key: string;
  readonly source: string;
}

interface Note {
  readonly head: string;
  readonly pieces: readonly Piece[];
  readonly last: string;
  readonly tail: string;
}

const textOf = ({ head, pieces, last, tail }: Note) =>
  head + pieces.map(({ between, source }) => between + source).join('') + last + tail;

// --- generators ------------------------------------------------------------------------------------------------------

const comment = fc.constantFrom('', '', '', ' # why', '  #[[not a link]]: x');
const scalar = fc.constantFrom(
  ...[
    'open',
    '42',
    '3.50',
    'true',
    '~',
    'null',
    '2026-11-21',
    '12:30',
    '"[[house]]"',
    '"a # b"',
    "'it''s'",
    "''",
    '""',
  ],
  ...['"a\\nb"', 'a:b', 'http://x.org/#y', 'über alles', '"🏠 \\u00e9"', '{a: 1, b: [2]}', '{}', '0o14', '.nan', '1e3'],
);
const member = fc.constantFrom('a', '"[[a]]"', '"[[b|B]]"', "'c'", '42', '~', 'two words', '"x, y"', 'b', 'null');
const blockMember = fc.oneof(
  { weight: 6, arbitrary: member },
  { weight: 1, arbitrary: fc.constantFrom('', 'k: v', '[x, y]', '|\n      text', '"long\n      text"', '- nested') },
);
const inner = fc.constantFrom('', '', '', '\n', '    # inner\n');

const inlineEntry = fc
  .tuple(fc.constantFrom(' ', '  '), scalar, comment)
  .map(([gap, value, end]) => `:${gap}${value}${end}\n`);
const emptyEntry = fc.constantFrom(':\n', ': \n', ': # nothing yet\n', ':   # nothing yet\n', ': ""\n', ' : x\n');
const longEntry = fc.constantFrom(
  ': one\n  two\n  three # end\n',
  ': "one\n\n  # two"\n',
  ": 'one\n   two'   # end\n",
  ':\n  below\n',
  ': # why\n  "below" # end\n',
  ': |\n  line one\n  # line two\n',
  ': |- # head\n  line\n\n    more\n',
  ': >\n  folded\n  text\n',
  ': |2\n   indented\n',
  ':\n  nested: 1\n  deeper:\n    - x # y\n',
  ':\n  nested:\n',
  ': [\n    a, # one\n    b\n  ] # end\n',
);
const keepEntry = fc.constantFrom(': |+\n  kept\n\n\n', ': >+\n  kept\n\n');
const listEntry = fc
  .tuple(
    fc.constantFrom('', '  ', '    '),
    fc.constantFrom('- ', '-   '),
    comment,
    fc.array(fc.tuple(inner, blockMember, comment), { minLength: 1, maxLength: 4 }),
  )
  .map(([indent, dash, end, members]) => `:${end}\n${members.map((one) => memberLine(indent, dash, one)).join('')}`);
const flowEntry = fc
  .tuple(
    fc.constantFrom('', ' '),
    fc.array(member, { maxLength: 4 }),
    fc.constantFrom(', ', ',', ' , ', ',\n  '),
    comment,
  )
  .map(([pad, members, comma, end]) => `: [${pad}${members.join(comma)}${pad}]${end}\n`);

function memberLine(indent: string, dash: string, [before, source, end]: [string, string, string]): string {
  return `${before}${indent}${dash}${source}${source.startsWith('|') ? '' : end}\n`;
}

const between = fc.constantFrom('', '', '', '', '\n', '# about\n', '\n# one\n\n# two\n', ' # indented\n');
const entry = fc.oneof(inlineEntry, inlineEntry, emptyEntry, longEntry, listEntry, listEntry, flowEntry);
const piece = fc.record({ between, key: fc.constantFrom(...OLD_KEYS), source: entry });
const shape = fc.record({
  bom: fc.constantFrom('', '', '\uFEFF'),
  crlf: fc.boolean(),
  indent: fc.constantFrom('', '', '', '', '  '),
  open: fc.constantFrom('---', '---', '--- \t'),
  close: fc.constantFrom('---', '---', '...', '---  '),
  body: fc.constantFrom('\n', '\n# Title\n\ntext\n\n---\nmore: text\n', '\nno final newline', ''),
});

function noteFrom(
  pieces: readonly Piece[],
  last: string,
  frame: typeof shape extends fc.Arbitrary<infer T> ? T : never,
): Note {
  const dressed = (text: string) => {
    const indented = text.replace(/^(?=.*\S)/gm, frame.indent);
    return frame.crlf ? indented.replaceAll('\n', '\r\n') : indented;
  };
  const eol = frame.crlf ? '\r\n' : '\n';
  return {
    head: `${frame.bom}${frame.open}${eol}`,
    pieces: pieces.map((one) => ({
      between: dressed(one.between),
      key: one.key,
      source: dressed(one.key + one.source),
    })),
    last: dressed(last),
    tail: frame.close + (frame.crlf ? frame.body.replaceAll('\n', '\r\n') : frame.body),
  };
}

const notesOf = (one: fc.Arbitrary<Piece>) =>
  fc
    .tuple(fc.uniqueArray(one, { selector: ({ key }) => key, maxLength: 6 }), between, shape)
    .map(([pieces, last, frame]) => noteFrom(pieces, last, frame))
    .filter((note) => read(textOf(note)) !== null);

const note = notesOf(piece);
const bareText = fc.constantFrom('text', 'text\r\nmore\r\n', '\uFEFF# Title\n', '----\nx\n', '\n\ntext\n');

const word = fc.constantFrom(
  ...[
    'yes',
    'No',
    'on',
    'y',
    '012',
    '12:30',
    '2026-11-21',
    '2026-11-21T10:00:00',
    'null',
    '~',
    '',
    ' x',
    'x ',
    '- x',
    '# x',
    'a: b',
  ],
  ...[
    'a #b',
    'a:',
    '[[house]]',
    '[[a|b]] and more',
    '*x',
    '&x',
    '!x',
    '%x',
    '@x',
    '`x',
    '{x}',
    '[x]',
    '"x"',
    "'x'",
    "it's",
    '1e3',
    '.inf',
  ],
  ...[
    '0x1F',
    '+1',
    '<<',
    '=',
    '---',
    '...',
    'two\nlines',
    'tab\there',
    '🏠',
    'é\u0301',
    '\u2028',
    '\u0085',
    '\u007f',
    '\uFEFF',
    '\\',
    'a\r\nb',
  ],
);
const text = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
);
const single: fc.Arbitrary<Yaml> = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const value: fc.Arbitrary<Yaml> = fc.oneof(
  { weight: 3, arbitrary: single },
  { weight: 1, arbitrary: fc.array(single, { maxLength: 3 }) },
);
const members = fc.array(
  fc.oneof(fc.constantFrom('a', 'b', 'c', '[[a]]', '[[b|B]]', '42', 'x, y', 'open', 'new'), text),
  { minLength: 1, maxLength: 3 },
);
const field = fc.constantFrom(...KEYS);
const edit: fc.Arbitrary<FieldEdit> = fc.oneof(
  fc.record({ op: fc.constant('set' as const), field, value }),
  fc.record({ op: fc.constant('add' as const), field, members }),
  fc.record({ op: fc.constant('remove' as const), field, members }),
  fc.record({ op: fc.constant('delete' as const), field }),
);
const edits = fc
  .array(edit, { minLength: 1, maxLength: 4 })
  .filter((all) =>
    all.every((one) => one.op !== 'delete' || all.filter(({ field }) => field === one.field).length === 1),
  );

// --- helpers ---------------------------------------------------------------------------------------------------------

function read(source: string): Frontmatter | null {
  const result = readNote('n.md', Buffer.from(source));
  return result.ok ? result.note.data : null;
}

/** The edit, or null where it was refused as not exactly possible; refusals are counted, so that they stay rare. */
function attempt(source: string, all: readonly FieldEdit[], refusals?: string[]): EditResult | null {
  try {
    return editFields('n.md', source, all);
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
    if (!['edit-unsupported', 'edit-would-change-more'].includes(error.trouble.code)) throw error;
    refusals?.push(`${error.trouble.code}: ${error.message}\n${JSON.stringify(all)}\n${source}`);
    return null;
  }
}

const touched = (all: readonly FieldEdit[]) => new Set(all.map((one) => one.field));

function demandRoundTrip(source: string, edited: EditResult): void {
  const undone = restoreFields('n.md', edited.text, edited.patch);
  expect(undone.text).toBe(source);
  const redone = restoreFields('n.md', undone.text, undone.patch);
  expect(redone.text).toBe(edited.text);
  expect(restoreFields('n.md', redone.text, redone.patch).text).toBe(source);
}

// --- laws ------------------------------------------------------------------------------------------------------------

test('taking back gives the same bytes, taking back the taking back the edited ones', () => {
  fc.assert(
    fc.property(fc.oneof(note.map(textOf), bareText), edits, (source, all) => {
      const edited = attempt(source, all);
      if (edited !== null) demandRoundTrip(source, edited);
    }),
    { numRuns: RUNS },
  );
});

test('the same holds beside block scalars that keep their blank lines', () => {
  const kept = notesOf(fc.record({ between, key: fc.constantFrom(...OLD_KEYS), source: fc.oneof(keepEntry, entry) }));
  fc.assert(
    fc.property(kept.map(textOf), edits, (source, all) => {
      const edited = attempt(source, all);
      if (edited !== null) demandRoundTrip(source, edited);
    }),
    { numRuns: Math.ceil(RUNS / 3) },
  );
});

test('one edit leaves every byte before and after its entry, and its recipe holds the whole entry', () => {
  fc.assert(
    fc.property(note, edit, (before, one) => {
      const source = textOf(before);
      const edited = attempt(source, [one]);
      if (edited === null || !edited.changed) return;
      const nth = before.pieces.findIndex(({ key }) => key === one.field);
      const end = before.last + before.tail;
      if (nth === -1) {
        expect(edited.text.startsWith(source.slice(0, source.length - before.tail.length))).toBe(true);
        expect(edited.text.endsWith(before.tail)).toBe(true);
        expect(edited.patch.fields[one.field]?.before_source).toBe(null);
        return;
      }
      const piece = before.pieces[nth];
      const first = textOf({ ...before, pieces: before.pieces.slice(0, nth), last: piece?.between ?? '', tail: '' });
      const rest = textOf({ ...before, head: '', pieces: before.pieces.slice(nth + 1), last: '', tail: end });
      expect(edited.patch.fields[one.field]?.before_source).toBe(piece?.source);
      expect(edited.text.startsWith(first)).toBe(true);
      expect(edited.text.endsWith(rest)).toBe(true);
      expect(edited.text.length).toBeGreaterThanOrEqual(first.length + rest.length);
    }),
    { numRuns: RUNS },
  );
});

test('fields the edits do not name hold what they held, in the same order', () => {
  fc.assert(
    fc.property(note.map(textOf), edits, (source, all) => {
      const edited = attempt(source, all);
      if (edited === null) return;
      const others = (data: Frontmatter | null) => Object.entries(data ?? {}).filter(([key]) => !touched(all).has(key));
      expect(others(read(edited.text))).toEqual(others(read(source)));
    }),
    { numRuns: RUNS },
  );
});

test('a field that is set holds the value, whatever text it is and however the former one was written', () => {
  fc.assert(
    fc.property(fc.oneof(note.map(textOf), bareText), field, value, (source, name, wanted) => {
      const edited = attempt(source, [{ op: 'set', field: name, value: wanted }]);
      if (edited !== null) expect(JSON.stringify(read(edited.text)?.[name])).toBe(JSON.stringify(wanted));
    }),
    { numRuns: RUNS },
  );
});

test('an edit of another field in between stays, and the former entry comes back all the same', () => {
  fc.assert(
    fc.property(fc.oneof(note.map(textOf), bareText), edits, edits, (source, first, others) => {
      // Where somebody indented the whole frontmatter and all of it is gone, nobody can know the indent of what comes next.
      fc.pre(!/^\uFEFF?---[^\n]*\n\s* \S/.test(source));
      const later = others.filter((one) => one.op !== 'delete' && !touched(first).has(one.field));
      const edited = attempt(source, first);
      const both = edited && attempt(edited.text, later);
      const alone = attempt(source, later);
      if (both === null || alone === null || edited === null) return;
      expect(restoreFields('n.md', both.text, edited.patch).text).toBe(alone.text);
    }),
    { numRuns: RUNS },
  );
});

test('whatever stands in a note, reading it never throws, and an edit is exact or refused', () => {
  const shred = fc.constantFrom(
    ...[
      'a',
      'b',
      ':',
      ': ',
      '- ',
      '\n',
      '\n  ',
      '\n- ',
      '#',
      ' # c',
      '"',
      "'",
      '[',
      ']',
      '{',
      '}',
      ',',
      '&a ',
      '*a',
      '!',
      '|',
      '>+',
      '? ',
      '\r\n',
    ],
    ...['state: ', 'tags:', '\t', '---', '...', '%', '@', '\\', '<<: ', '\u2028', '\u0085', '\uFEFF', '\r', '1e9', '~'],
  );
  const junk = fc.oneof(
    { weight: 5, arbitrary: shred },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
  );
  const shreds = fc.array(junk, { maxLength: 14 }).map((parts) => parts.join(''));
  const mangled = fc
    .tuple(fc.constantFrom('', '\uFEFF'), shreds, shreds, fc.constantFrom('\n', '\r\n'))
    .map(([bom, one, two, eol]) => `${bom}---${eol}${one}${eol}state: open${eol}${two}${eol}---${eol}text`);
  fc.assert(
    fc.property(mangled, edits, (source, all) => {
      if (read(source) === null) return;
      const edited = attempt(source, all);
      if (edited === null) return;
      demandRoundTrip(source, edited);
      const others = (data: Frontmatter | null) => Object.entries(data ?? {}).filter(([key]) => !touched(all).has(key));
      expect(others(read(edited.text))).toEqual(others(read(source)));
    }),
    { numRuns: RUNS * 4 },
  );
});

test('ordinary notes are seldom refused', () => {
  const refusals: string[] = [];
  let tried = 0;
  fc.assert(
    fc.property(note.map(textOf), edit, (source, one) => {
      tried++;
      attempt(source, [one], refusals);
    }),
    { numRuns: RUNS },
  );
  const more = refusals.filter((one) => one.startsWith('edit-would-change-more'));
  if (process.env.LAW_SHOW) console.log(refusals.length, tried, more.slice(0, 8).join('\n=====\n'));
  expect(more.length).toBeLessThan(tried / 20);
  expect(refusals.length).toBeLessThan(tried / 5);
});
