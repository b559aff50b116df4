import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readStream } from '../../src/streams/read-stream.ts';
import type { SignalDraft } from '../../src/streams/signal.ts';
import { type SignalSurroundings, signalBody } from '../../src/vault/event-text.ts';
import { stem } from '../../src/vault/layout.ts';
import { dateInWords, linkTo } from '../../src/vault/note-text.ts';
import { liveParts } from '../injection/live.ts';
import { matter, settings, task } from '../support/notes.ts';
import { type Source, sourcesIn } from '../support/source-tree.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const SRC = path.resolve(import.meta.dirname, '../../src');
/** What puts words into a note that the program writes. */
const WRITES = /\b(?:noteText|changeTable|keptPart)\(/;
/** Where these are defined, and where the words stand. */
const WORDS = /^vault\/(?:event-text|signal-text|note-text)\b/;
const LITERAL = /'[^'\n]*'|"[^"\n]*"|`[^`]*`/g;
/** Three words in a row are a sentence, or a part of one. */
const SENTENCE = /\p{L}{2,}[,:;]? \p{L}+[,:;]? \p{L}{2,}/u;
/** Where a declaration begins. */
const DECLARATION = /^(?:export |abstract |async |function |class |const |interface |type )/gm;
/** Errors say their sentences where they are thrown. */
const OF_AN_ERROR = /\b(?:message|hint):\s*$/;

/** Returns the sentences among the literals of a source, but for those of errors. */
function sentencesIn({ file, text, code }: Source): string[] {
  return [...code.matchAll(LITERAL)].flatMap(({ 0: literal, index }) => {
    const said = text.slice(index, index + literal.length).replace(/\$\{[^}]*\}/g, '…');
    return SENTENCE.test(said) && !OF_AN_ERROR.test(code.slice(0, index)) ? [`${file}: ${said}`] : [];
  });
}

/** Splits a source into its declarations: a file has more subjects than the note that one of its functions writes. */
function declarationsIn(source: Source): Source[] {
  const starts = [0, ...[...source.code.matchAll(DECLARATION)].map(({ index }) => index)];
  return starts.map((from, at) => ({
    ...source,
    text: source.text.slice(from, starts[at + 1]),
    code: source.code.slice(from, starts[at + 1]),
  }));
}

const writers = sourcesIn(SRC)
  .filter(({ file }) => !WORDS.test(file))
  .flatMap(declarationsIn)
  .filter(({ code }) => WRITES.test(code));

test('a function that writes a note contains no sentence: the words of notes are in src/vault', () => {
  expect(writers.length).toBeGreaterThan(10);
  expect(writers.flatMap(sentencesIn)).toEqual([]);
});

test('a sentence is found in quotes and in templates, and not in comments and errors', () => {
  const lines = [
    "const one = 'Nothing waits for you.';",
    '// nothing waits for you',
    'const two = `It is $' + '{one} and it stays`;',
  ];
  const text = [...lines, "const three = { message: 'Nothing waits for you.' };"].join('\n');
  const code = text
    .replace('// nothing waits for you', ' '.repeat(24))
    .replace(/(?<=')[^'\n]+(?=')/g, (said) => ' '.repeat(said.length));
  expect(sentencesIn({ file: 'a.ts', text, code, imports: [], exported: [] })).toEqual([
    "a.ts: 'Nothing waits for you.'",
    'a.ts: `It is … and it stays`',
  ]);
});

const never = new AbortController().signal;
const AROUND: SignalSurroundings = { note: (path) => linkTo(stem(path)), where: 'Read in [[stream/a.eml]].' };
const DRAFT: SignalDraft = {
  id: '2035-01-08T08-20-00Z-0123abcd',
  type: 'signal',
  created: '2035-01-08T08:21:00Z',
  origin_at: '2035-01-08T08:20:00Z',
  source_type: 'mail',
  pattern: 'desk@dentist.example',
  from: 'The desk <desk@dentist.example>',
  sender_known: 'named',
  authenticated: 'pass',
  authenticated_by: 'mx.sample.example',
  source_event_path: 'stream/a.eml',
  raw_quote: 'moved to 16 January',
  target_kind: 'task',
  target_path: 'task/dentist.md',
  target_matter_path: 'matter/health.md',
  target_confidence: 0.95,
  target_candidates: ['task/dentist.md'],
  target_ambiguous: false,
  target_evidence: [],
  target_near: true,
  effect: 'mutation',
  effect_confidence: 0.9,
  effect_confidence_raw: 0.95,
  mutation_proposal: { class: 'context_edit', set: { due: '2035-01-16' } },
  reasoning: 'Phrase "date: moved to" in the text.',
  headline: 'Your appointment',
  status: 'unrouted',
  extracted_by: 'rules (embedded)',
};

function firstLine(more: Partial<SignalDraft>): string {
  return signalBody({ ...DRAFT, ...more }, AROUND).split('\n')[0] ?? '';
}

describe('the first sentence of a signal note', () => {
  test.each<[string, Partial<SignalDraft>, string]>([
    ['a new day', {}, 'It says that [[dentist]] ([[health]]) is due on 16 January 2035.'],
    ['with its time', { time: '09:20' }, 'It says that [[dentist]] ([[health]]) is due on 16 January 2035, 9:20.'],
    [
      'where the field itself has one',
      { mutation_proposal: { class: 'context_edit', set: { due: '2035-01-16T14:05:00' } }, time: '14:05' },
      'It says that [[dentist]] ([[health]]) is due on 16 January 2035, 14:05.',
    ],
    [
      'done',
      { mutation_proposal: { class: 'state_change', set: { state: 'done' } } },
      'It says that [[dentist]] ([[health]]) is done.',
    ],
    [
      'of a matter',
      {
        target_kind: 'matter',
        target_path: 'matter/health.md',
        mutation_proposal: { class: 'state_change', set: { state: 'archived' } },
      },
      'It says that [[health]] is called off.',
    ],
    [
      'which of several',
      { target_ambiguous: true, target_candidates: ['task/a.md', 'task/b.md'] },
      'It says that one of these is due on 16 January 2035: [[a]], [[b]]. Say which one.',
    ],
    [
      'a text of another field',
      { mutation_proposal: { class: 'context_edit', set: { current_state: 'Wait for [[x]] #now' } } },
      'It says that [[dentist]] ([[health]]) has a new current_state: Wait for \\[\\[x\\]\\] \\#now.',
    ],
    [
      'a relation',
      { mutation_proposal: { class: 'related', add: { related_to: ['[[car]]'] } } },
      'It says that [[dentist]] ([[health]]) has \\[\\[car\\]\\] in related_to.',
    ],
    [
      'a question',
      { mutation_proposal: null, effect: 'action' },
      'It concerns [[dentist]] ([[health]]). Have a look: no change is proposed.',
    ],
    [
      'news',
      { mutation_proposal: null, effect: 'none' },
      'It is about [[dentist]] ([[health]]), and needs no action from you.',
    ],
  ])('%s', (_, more, sentence) => {
    expect(firstLine(more)).toBe(sentence);
  });

  test('then who, when, in which words, and where it stands', () => {
    const warnings = ['the sender is new'];
    expect(
      signalBody({ ...DRAFT, warnings }, AROUND)
        .split('\n\n')
        .slice(1),
    ).toEqual([
      expect.stringMatching(
        /^From desk\\@dentist\.example \(The desk\), 8 January 2035, \d{1,2}:20: Your appointment$/,
      ),
      '> moved to 16 January',
      'Read in [[stream/a.eml]].',
      'Why: Phrase "date: moved to" in the text.',
      'Beware: the sender is new',
    ]);
  });

  test('nothing that a sender or a model writes is live in it', () => {
    const words = fc.oneof(
      fc.constantFrom('![[secret]]', '<img src=x onerror=y>', '%%', '`= 1`', '[a](file:///x)', '# h', '::', '<% x %>'),
      fc.string({ maxLength: 60 }),
    );
    fc.assert(
      fc.property(words, words, words, words, (one, two, three, four) => {
        const set = { current_state: one };
        const mutation_proposal = { class: 'context_edit' as const, set };
        const said = { headline: two, from: three, reasoning: four, raw_quote: one, doubts: [two], mutation_proposal };
        const body = signalBody({ ...DRAFT, ...said }, AROUND);
        expect(liveParts(body.replace(/^> /m, ''), ['[[dentist]]', '[[health]]', '[[stream/a.eml]]'])).toEqual([]);
      }),
    );
  });
});

describe('the time of day of an appointment', () => {
  const MAIL = [
    ...['From: The desk <desk@dentist.example>', 'To: robin@sample.example', 'Subject: Your appointment'],
    ...[`Date: ${new Date().toUTCString()}`, 'Message-ID: <7@dentist.example>', ''],
    `Your dentist appointment has been moved to 16 January ${new Date().getFullYear() + 1} at 9:20.`,
    '',
  ].join('\r\n');

  test('stays in the headline and the sentence, where the field has the day alone', async () => {
    const vault = new TempVault({
      'steward.md': settings(),
      'matter/health.md': matter({ senders: ['desk@dentist.example'] }),
      'task/dentist appointment.md': task({ parent_matter: '[[health]]', due: '2026-12-01' }),
      'stream/a.eml': MAIL,
    });
    const bench = await Bench.open(vault);
    await readStream(bench.ports, 'stream/a.eml', never);
    const [note = ''] = vault.paths('signal');
    const day = `16 January ${new Date().getFullYear() + 1}, 9:20`;
    expect(vault.fields(note)).toMatchObject({
      headline: `Your appointment: ${day}`,
      mutation_proposal: { set: { due: `${new Date().getFullYear() + 1}-01-16` } },
    });
    expect(vault.fields(note)).not.toHaveProperty('time');
    expect(vault.read(note)).toContain(`It says that [[dentist appointment]] ([[health]]) is due on ${day}.`);
    expect(vault.read(note)).toContain('Read in [[stream/a.eml]].');
  });
});

test('a date in words', () => {
  expect(['2026-12-16', '2026-12-16T09:20:00', '2026-12-01 00:05', 'soon', '2026-13-01'].map(dateInWords)).toEqual([
    '16 December 2026',
    '16 December 2026, 9:20',
    '1 December 2026, 0:05',
    'soon',
    '2026-13-01',
  ]);
});
