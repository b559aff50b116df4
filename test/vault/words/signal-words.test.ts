import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readStream } from '../../../src/daemon/read-stream.ts';
import type { SignalDraft } from '../../../src/stream/draft.ts';
import { type SignalSurroundings, signalBody } from '../../../src/vault/choice-words.ts';
import { stem } from '../../../src/vault/note-names.ts';
import { dateInWords, linkTo } from '../../../src/vault/notes.ts';
import { liveParts } from '../../injection/live.ts';
import { matter, settings, task } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench } from '../../support/workspace.ts';

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
      'It is about [[dentist]] ([[health]]), and leaves you nothing to do.',
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
        /^From The desk \(desk\\@dentist\.example\), 8 January 2035, \d{1,2}:20: Your appointment$/,
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
