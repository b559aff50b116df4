import fc from 'fast-check';
import type { FieldEdit } from '../../src/vault/edit.ts';
import type { Yaml } from '../../src/vault/frontmatter.ts';

/*
 * Notes as odd as people and programs write them, made of pieces whose places are known independently of the code under
 * test: an entry, or what stands between two of them.
 */

export interface Piece {
  /** Comments and blank lines before the entry. */
  readonly between: string;
  readonly key: string;
  readonly source: string;
}

export interface OddNote {
  readonly head: string;
  readonly pieces: readonly Piece[];
  /** Comments and blank lines before the closing fence. */
  readonly last: string;
  readonly close: string;
  readonly body: string;
}

export function textOf({ head, pieces, last, close, body }: OddNote): string {
  return head + pieces.map(({ between, source }) => between + source).join('') + last + close + body;
}

// --- entries ---------------------------------------------------------------------------------------------------------

const LONG = 'a very long line, '.repeat(5_556); // 100 kB

/** Keys as they are written, and what they mean. The last ones only look like duplicates of the first. */
const KEYS: readonly (readonly [written: string, key: string])[] = [
  ['state', 'state'],
  ['"state"', 'state'],
  ["'owner'", 'owner'],
  ['owner ', 'owner'],
  ['due', 'due'],
  ['"due" ', 'due'],
  ['summary', 'summary'],
  ['tags', 'tags'],
  ['related_to', 'related_to'],
  ['"state "', 'state '],
  ['State', 'State'],
  ['état', 'état'],
  ['état', 'état'], // decomposed
  ['"\\x61b"', 'ab'],
  ['42', '42'],
  ['constructor', 'constructor'],
  ['toString', 'toString'],
  ['two words', 'two words'],
  ['🏠', '🏠'],
  ['?q', '?q'],
  ['-dash', '-dash'],
];

/** What an edit is asked to change: fields that may be there, and some that never are. */
const FIELDS = ['state', 'owner', 'due', 'summary', 'tags', 'related_to', 'constructor', 'blocked_on', 'no'];

const inline = [
  ...['open', '42', '3.50', 'true', 'yes', 'no', '012', '0o14', '12:30', '1_000', 'null', '~', '.inf', '1e3', '+1'],
  ...['2026-11-21', '2026-11-21T10:00:00', '2026-11-21 10:00:00Z', '=', '"[[house]]"', "'[[a|b]]'", '"🏠 \\u00e9"'],
  ...[
    '"a # b"',
    "'it''s'",
    "''",
    '""',
    '"a\\nb"',
    '"tab\\tand\\0nul"',
    'tab\there',
    'a:b',
    'http://x.org/#y',
    'é\u0301',
  ],
  ...['a\u00a0b', '"line\u2028separator"', 'next\u0085line', '"\\ud800 alone"', '{a: 1, b: [2]}', '{}', '[]', '<<'],
  ...['[a, "[[b]]", c]', '[ a,b ,c ]', '&anchor x', '!!str 12', '!tag x', '"trailing blanks   "   ', '%x', 'a\\b'],
];
const long = [
  ': one\n  two\n  three # end\n',
  ': "one\n\n  # two"\n',
  ": 'one\n   two'   # end\n",
  ':\n  below\n',
  ': # why\n  "below" # end\n',
  ': |\n  line one\n  # no comment\n\n  three\n',
  ': |- # head\n  line\n\n    more\n',
  ': >\n  folded\n  text\n\n  more\n',
  ': >-\n  folded\n',
  ': |2\n   indented\n',
  ': |1-\n  one deeper\n',
  ': >2-\n    two deeper\n',
  ': |\n\ttab at the start? no:\n'.replace('\t', '  \t'),
  ': [\n    a, # one\n    b\n  ] # end\n',
  ': [\n"[[a]]",\n    b,\n  ]\n'.replace('\n"', '\n  "'),
  ': {\n    a: 1, # one\n    b: [x]\n  }\n',
  ':\n  nested: 1\n  # about the deeper one\n  deeper:\n    - x # y\n',
  ':\n- a\n-   b # c\n# between\n- "[[d]]"\n',
  ':\n  - a\n\n  - |\n    text\n  - k: v\n    w: x\n',
  ':\n    - *no\n'.replace('*no', '"*no"'),
  ':\n',
  ':  # nothing yet\n',
  ': \t# a tab before\n',
  `: ${LONG}\n`,
  `: "${LONG}"   # long\n`,
];
const keeping = [': |+\n  kept\n\n\n', ': >+ # kept\n  kept\n\n', ': |2+\n   kept\n\n'];
const comment = fc.constantFrom('', '', '', ' # why', '  #[[not a link]]: x', '\t# tab');

const entrySource = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constantFrom(' ', '  '), fc.constantFrom(...inline), comment).map(onOneLine) },
  { weight: 4, arbitrary: fc.constantFrom(...long) },
  { weight: 1, arbitrary: fc.constantFrom(...keeping) },
);

function onOneLine([gap, value, end]: [string, string, string]): string {
  return `:${gap}${value}${end}\n`;
}

const between = fc.constantFrom('', '', '', '', '\n', '# about\n', '\n# one\n\n# two\n', '  # indented\n', '   \n');

const piece: fc.Arbitrary<Piece> = fc
  .record({ between, name: fc.constantFrom(...KEYS), source: entrySource })
  .map(({ name: [written, key], ...one }) => ({ between: one.between, key, source: written + one.source }));

/** Another entry of the same key, as a person writes it anew. */
export const rewritten: fc.Arbitrary<string> = entrySource;

// --- notes -----------------------------------------------------------------------------------------------------------

const frame = fc.record({
  bom: fc.constantFrom('', '', '\uFEFF'),
  crlf: fc.boolean(),
  indent: fc.constantFrom('', '', '', '', '', '  '),
  open: fc.constantFrom('---', '---', '--- \t'),
  close: fc.constantFrom('---', '---', '...', '---  ', '... '),
  body: fc.constantFrom(
    '\n',
    '\n# Title\n\ntext\n\n---\nmore: text\n',
    '\nno final newline',
    '',
    '\n\tcode\u2028sep\n- [ ] box\n\n\n',
  ),
});

/** A note with frontmatter, which may be empty. */
export const oddNote: fc.Arbitrary<OddNote> = fc
  .tuple(fc.uniqueArray(piece, { selector: ({ key }) => key, maxLength: 6 }), between, frame)
  .map(([pieces, last, { bom, crlf, indent, open, close, body }]) => {
    const dressed = (text: string) => {
      const indented = text.replace(/^(?=.*\S)/gm, indent);
      return crlf ? indented.replaceAll('\n', '\r\n') : indented;
    };
    const dry = apart(pieces);
    return {
      head: `${bom}${open}${crlf ? '\r\n' : '\n'}`,
      pieces: dry.map((one) => ({ ...one, between: dressed(one.between), source: dressed(one.source) })),
      last: dressed(betweenBehind(dry.at(-1), last)),
      close,
      body: crlf ? body.replaceAll('\n', '\r\n') : body,
    };
  });

function apart(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((one, nth) => ({ ...one, between: betweenBehind(pieces[nth - 1], one.between) }));
}

/** Blank lines behind a scalar that keeps them, and indented lines behind any block scalar, would belong to it. */
function betweenBehind(one: Piece | undefined, text: string): string {
  if (keeps(one)) return '';
  return /^[^\n]*: [|>]/.test(one?.source ?? '') && /^ /m.test(text) ? '' : text;
}

export function keeps(one: Piece | undefined): boolean {
  return one !== undefined && /^[^\n]*: [|>]2?\+/.test(one.source);
}

/** A note without frontmatter. */
export const bareText = fc.constantFrom('text', 'a\r\nb\r\n', '\uFEFF# Title\n', '----\nx\n', '\n\ntext\n', '--- no\n');

// --- edits -----------------------------------------------------------------------------------------------------------

const word = fc.constantFrom(
  ...[
    'done',
    'yes',
    'No',
    'y',
    '012',
    '12:30',
    '2026-11-21',
    'null',
    '~',
    '',
    ' x',
    'x ',
    '- x',
    '# x',
    'a: b',
    'a #b',
  ],
  ...[
    '[[house]]',
    '[[a|b]] and more',
    '*x',
    '&x',
    '{x}',
    '"x"',
    "it's",
    '1e3',
    '<<',
    '---',
    '...',
    'two\nlines',
    'a\r\nb',
  ],
  ...['tab\there', '🏠', 'é\u0301', '\u2028', '\u0085', '\u007f', '\uFEFF', '\\', '\ud800', '\0', '__proto__', 'x\t'],
);
const text = fc.oneof(
  { weight: 4, arbitrary: word },
  {
    weight: 1,
    arbitrary: fc.array(fc.integer({ max: 0xffff }), { maxLength: 9 }).map((all) => String.fromCharCode(...all)),
  },
);
const single: fc.Arbitrary<Yaml> = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const value = fc.oneof({ weight: 3, arbitrary: single }, fc.array(single, { maxLength: 3 }));
const members = fc.array(fc.oneof(fc.constantFrom('a', '[[b]]', 'c', '42', 'x, y'), text), {
  minLength: 1,
  maxLength: 3,
});

const field = fc.constantFrom(...FIELDS);
export const edit: fc.Arbitrary<FieldEdit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant('set' as const), field, value }) },
  fc.record({ op: fc.constant('add' as const), field, members }),
  fc.record({ op: fc.constant('remove' as const), field, members }),
  fc.record({ op: fc.constant('delete' as const), field }),
);
/** What a decision does at once: each field is named once. */
export const edits = fc.uniqueArray(edit, { selector: ({ field: name }) => name, minLength: 1, maxLength: 3 });
