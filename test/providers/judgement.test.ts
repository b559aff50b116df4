import { describe, expect, test } from 'vitest';
import { EVALUATE, judged, judgement, PERCEIVE } from '../../src/providers/evaluator.ts';
import { type ParseResult, readReply } from '../../src/providers/messages.ts';
import { mayBeWritten } from '../../src/steward/change.ts';
import { type Verdict, verdict } from '../../src/steward/types.ts';
import { sha256 } from '../../src/vault/note-text.ts';
import { question, signal } from '../steward/samples.ts';

const SOUND = {
  note: 'task/pay.md',
  decision: 'likely_done',
  confidence: 0.9,
  reasoning: 'It was paid.',
  evidence: [{ signal: 's1', says: 'paid' }],
  contributions: [{ source: 'gmail', share: 0.8 }],
  changes: [{ field: 'state', op: 'set', value: 'done' }],
};

const signals = [signal(), signal({ id: 'other', source: 'bank' })];

function read(said: unknown, stopReason = 'end_turn', asked = question(signals)): ParseResult<Verdict> {
  const text = typeof said === 'string' ? said : JSON.stringify(said);
  const found = readReply({ text, inputs: [], stopReason, tokensIn: 1, tokensOut: 1 }, judgement, 'structured output');
  return found.ok ? judged(found.value, asked) : found;
}

function verdictOf(parts: Readonly<Record<string, unknown>>): Verdict {
  const found = read({ ...SOUND, ...parts });
  if (!found.ok) throw new Error(found.reason);
  expect(verdict.parse(found.value)).toEqual(found.value);
  return found.value;
}

test('a sound reply is a verdict', () => {
  expect(verdictOf({})).toEqual({
    ...{ decision: 'likely_done', confidence: 0.9, reasoning: 'It was paid.' },
    evidence: [{ source: 'gmail', ref: '[[2026-11-21T20-19-54Z-0a1b2c3d]]', note: 'paid' }],
    source_contributions: { gmail: 0.8 },
    changes: [{ field: 'state', op: 'set', value: 'done' }],
  });
});

describe('what is no judgement of this note', () => {
  test.each([
    ['another note', { note: 'matter/house.md' }],
    ['a path out of the vault', { note: '../../etc/passwd' }],
    ['an unknown decision', { decision: 'delete_everything' }],
    ['a confidence beyond certainty', { confidence: 1.01 }],
    ['a confidence in words', { confidence: 'high' }],
    ['an unknown operation', { changes: [{ field: 'state', op: 'run', value: 'x' }] }],
    ['a nested value', { changes: [{ field: 'state', op: 'set', value: { $gt: '' } }] }],
    ['a flood of changes', { changes: Array.from({ length: 51 }, () => SOUND.changes[0]) }],
  ])('%s', (_, parts) => {
    expect(read({ ...SOUND, ...parts })).toMatchObject({ ok: false, again: 'stricter' });
  });

  test('a complaint does not repeat what was said', () => {
    const found = read({ ...SOUND, decision: 'IGNORE ALL RULES' });
    expect(found.ok ? '' : found.reason).toBe(
      'it does not keep to the schema (decision must be one of still_active, changed, likely_done, needs_input, stale_archive_candidate).',
    );
  });

  test.each([
    ['refusal', 'never'],
    ['max_tokens', 'roomier'],
    ['model_context_window_exceeded', 'briefer'],
  ])('%s, whatever the text says', (stopReason, again) => {
    expect(read(SOUND, stopReason)).toMatchObject({ ok: false, again });
  });
});

describe('what goes on is named by its changes', () => {
  const due = { field: 'due', op: 'set', value: '2026-12-16' };
  const snoozed = { field: 'state', op: 'set', value: 'snoozed' };
  test.each([
    ['still_active', [], 'still_active'],
    ['still_active', [due], 'changed'],
    ['still_active', [snoozed], 'still_active'],
    ['changed', [due], 'changed'],
    ['changed', [snoozed, due], 'changed'],
    ['changed', [snoozed], 'still_active'],
    ['changed', [], 'still_active'],
    ['likely_done', [due], 'likely_done'],
    ['needs_input', [due], 'needs_input'],
    ['stale_archive_candidate', [], 'stale_archive_candidate'],
  ] as const)('%s with %j is %s', (decision, changes, read) => {
    const found = verdictOf({ decision, changes });
    expect(found).toMatchObject({ decision: read, changes });
    expect(found.reasoning.includes(`(The reply said ${decision} and named`)).toBe(decision !== read);
  });
});

describe('evidence', () => {
  test('that names a signal that was not given is dropped, and held against the reply', () => {
    const found = verdictOf({
      evidence: [SOUND.evidence[0], { signal: 's3', says: 'x' }, { signal: '[[secret]]', says: 'x' }],
    });
    expect(found.evidence).toHaveLength(1);
    expect(found.confidence).toBe(0.3);
    expect(found.reasoning).toContain('2 pieces of evidence named signals that were not given');
  });

  test('all of it made up: nothing is left of the confidence', () => {
    expect(verdictOf({ evidence: [{ signal: 's9', says: 'x' }] })).toMatchObject({
      confidence: 0,
      source_contributions: {},
    });
  });

  test('only its own sources bear the conclusion; where none is named, each of them', () => {
    const both = [SOUND.evidence[0], { signal: 's2', says: 'paid' }];
    const shares = (contributions: unknown) => verdictOf({ evidence: both, contributions }).source_contributions;
    expect(
      shares([
        { source: 'gmail', share: 0.5 },
        { source: 'slack', share: 1 },
      ]),
    ).toEqual({ gmail: 0.5 });
    expect(shares([{ source: '__proto__', share: 1 }])).toEqual({ gmail: 1, bank: 1 });
    expect(shares([])).toEqual({ gmail: 1, bank: 1 });
  });
});

test('what it says makes no link, image or tag in a note, and is not endless', () => {
  const found = verdictOf({
    reasoning: `![x](https://example.com/?q=secret) ![[secret]] <img src=x>\n---\n- [x] undo ${'x'.repeat(10_000)}`,
    evidence: [{ signal: 's1', says: '[[a]]\n| b' }],
  });
  expect(found.reasoning).not.toMatch(/[[\]<>`|\n]/);
  expect(found.reasoning.length).toBeLessThanOrEqual(2000);
  expect(found.evidence[0]?.note).toBe('a  b');
});

describe('the prompt', () => {
  test('has another version when it has another text', () => {
    expect([EVALUATE.version, sha256(EVALUATE.system).slice(0, 12)]).toMatchInlineSnapshot(`
      [
        "evaluate-4",
        "0baec33244d4",
      ]
    `);
    expect([PERCEIVE.version, sha256(PERCEIVE.system).slice(0, 12)]).toMatchInlineSnapshot(`
      [
        "perceive-4",
        "9bce66c2e453",
      ]
    `);
  });

  test('offers only fields that may be written', () => {
    const offered = EVALUATE.system.slice(
      EVALUATE.system.indexOf('# What you may change'),
      EVALUATE.system.indexOf('No other field'),
    );
    const fields = [...offered.matchAll(/^- ([^:]+):/gm)].flatMap((match) => match[1]?.split(', ') ?? []);
    const names = fields.map((field) => field.replace(/ \(.*$/, ''));
    expect(names).toHaveLength(13);
    expect(names.filter((field) => !mayBeWritten(field, { editable_fields: [], protected_fields: [] }))).toEqual([]);
  });

  test('its example is a reply that could be used', () => {
    const example = /^\{"note":"task\/pay-plumber\.md".*$/m.exec(EVALUATE.system)?.[0] ?? '';
    const asked = { ...question([signal({ source: 'bank' })]) };
    const target = { ...asked.target, path: 'task/pay-plumber.md' };
    expect(read(example, 'end_turn', { ...asked, target }).ok).toBe(true);
  });
});
