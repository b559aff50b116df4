import { describe, expect, test } from 'vitest';
import { rules, weigh } from '../../src/providers/substitutes.ts';
import { verdict, type WeighedSignal } from '../../src/steward/types.ts';
import type { MutationProposal } from '../../src/vault/record.ts';
import { DAY, question, signal } from '../steward/samples.ts';

const state = (to: string): MutationProposal => ({ class: 'state_change', set: { state: to }, add: {}, remove: {} });
const edit = (set: MutationProposal['set']): MutationProposal => ({ class: 'context_edit', set, add: {}, remove: {} });
const related = (add: MutationProposal['add'], remove: MutationProposal['remove'] = {}): MutationProposal => ({
  class: 'related',
  set: {},
  add,
  remove,
});
const weighed = (...signals: WeighedSignal[]) => weigh(question(signals));

test('the evaluator asks nobody, and stops where it is told to', async () => {
  expect(rules).toMatchObject({ name: 'rules', asksModel: false });
  const asked = question([signal()]);
  expect(await rules.evaluate(asked, new AbortController().signal)).toEqual(weigh(asked));
  await expect(rules.evaluate(asked, AbortSignal.abort(new Error('too long')))).rejects.toThrow('too long');
});

test('one fresh proposal passes its confidence through unchanged', () => {
  const answer = weighed(signal());
  expect(answer).toEqual({
    decision: 'likely_done',
    confidence: 0.93,
    reasoning: 'Rules: state: done, because of “Invoice paid” [[2026-11-21T20-19-54Z-0a1b2c3d]] (gmail, 0.93).',
    evidence: [{ source: 'gmail', ref: '[[2026-11-21T20-19-54Z-0a1b2c3d]]', note: 'Invoice paid' }],
    source_contributions: { gmail: 1 },
    changes: [{ field: 'state', op: 'set', value: 'done' }],
  });
  expect(verdict.parse(answer)).toEqual(answer);
  expect(weighed(signal({ targetConfidence: 0.7 })).confidence).toBe(0.7);
});

describe('decisions', () => {
  test.each([
    ['done', 'likely_done'],
    ['completed', 'likely_done'],
    ['archived', 'stale_archive_candidate'],
    ['snoozed', 'still_active'],
  ])('state → %s: %s', (to, decision) => {
    expect(weighed(signal({ proposal: state(to) }))).toMatchObject({ decision, changes: [{ field: 'state' }] });
  });
  test('another field than the state moves, and it goes on: changed', () => {
    expect(weighed(signal({ proposal: edit({ due: '2026-12-01', owner: 'Anna' }) }))).toMatchObject({
      decision: 'changed',
      changes: [
        { field: 'due', op: 'set', value: '2026-12-01' },
        { field: 'owner', op: 'set', value: 'Anna' },
      ],
    });
  });
  test.each(['done', 'archived'])('what is %s needs no day any more, whatever a calendar says', (to) => {
    const days = signal({
      id: 'later',
      source: 'calendar',
      proposal: edit({ due: '2026-12-02' }),
      effectConfidence: 0.6,
    });
    const answer = weighed(signal({ proposal: state(to) }), days);
    expect(answer.changes).toEqual([{ field: 'state', op: 'set', value: to }]);
    expect(answer).toMatchObject({ confidence: 0.93, source_contributions: { gmail: 1 } });
    expect(weighed(signal({ proposal: state('open') }), days).changes).toMatchObject([{ field: 'due' }]);
  });
  test('a state the note is in already changes nothing', () => {
    expect(weighed(signal({ proposal: state('open') }))).toMatchObject({ decision: 'still_active', changes: [] });
  });
  test('without signals: still active at 1', () => {
    expect(weighed()).toMatchObject({ decision: 'still_active', confidence: 1, changes: [], evidence: [] });
    expect(weighed(signal({ effect: 'none', proposal: null })).confidence).toBe(1);
  });
  test('signals without a readable change: still active, the less surely the stronger they are', () => {
    const answer = weighed(signal({ proposal: null }));
    expect(answer).toMatchObject({ decision: 'still_active', confidence: 0.07, changes: [], source_contributions: {} });
    expect(answer.reasoning).toContain('[[2026-11-21T20-19-54Z-0a1b2c3d]]');
  });
  test('a proposal that leaves its class has no say', () => {
    const sneaky = signal({ proposal: { ...edit({ summary: 'x', state: 'done' }) } });
    expect(weighed(sneaky)).toMatchObject({ decision: 'still_active', changes: [] });
  });
});

describe('action', () => {
  const action = signal({
    id: 'ask',
    effect: 'action',
    effectConfidence: 0.8,
    proposal: null,
    headline: 'Please sign',
  });
  test('needs input', () => {
    expect(weighed(action)).toMatchObject({
      decision: 'needs_input',
      confidence: 0.8,
      changes: [],
      source_contributions: { gmail: 1 },
    });
    expect(weighed(action).reasoning).toContain('“Please sign” [[ask]]');
  });
  test('what others agree on goes along', () => {
    const answer = weighed(action, signal({ source: 'bank' }));
    expect(answer).toMatchObject({
      decision: 'needs_input',
      confidence: 0.93,
      changes: [{ field: 'state', value: 'done' }],
    });
    expect(answer.evidence).toHaveLength(2);
  });
});

describe('agreement', () => {
  const one = signal({ id: 'one', effectConfidence: 0.6 });
  test('of independent sources is a noisy-or', () => {
    const answer = weighed(one, signal({ id: 'two', source: 'bank', effectConfidence: 0.5 }));
    expect(answer.confidence).toBe(0.8);
    expect(answer.source_contributions).toEqual({ gmail: 0.75, bank: 0.625 });
    expect(answer.reasoning).toMatch(/\[\[one\]\].*\[\[two\]\]/);
  });
  test('a second signal of the same source counts half', () => {
    expect(weighed(one, signal({ id: 'two', effectConfidence: 0.5 })).confidence).toBe(0.7);
  });
  test('is bounded by how surely this note is meant', () => {
    const unsure = { targetConfidence: 0.7, effectConfidence: 0.9 };
    expect(weighed(signal({ ...unsure, id: 'a' }), signal({ ...unsure, id: 'b', source: 'bank' })).confidence).toBe(
      0.7,
    );
  });
  test('legacy words, case and brackets make no contradiction', () => {
    expect(weighed(one, signal({ id: 'two', source: 'bank', proposal: state('Resolved') })).decision).toBe(
      'likely_done',
    );
    const links = [edit({ owner: '[[Anna]]' }), edit({ owner: 'anna ' })].map((proposal, n) =>
      signal({ id: `${n}`, proposal }),
    );
    expect(weighed(...links).changes).toHaveLength(1);
  });
  test('the least sure of several changes is the verdict’s confidence', () => {
    const answer = weighed(one, signal({ id: 'two', proposal: edit({ owner: 'Anna' }), effectConfidence: 0.9 }));
    expect(answer).toMatchObject({ decision: 'likely_done', confidence: 0.6 });
    expect(answer.changes.map((change) => change.field)).toEqual(['state', 'owner']);
  });
});

describe('members', () => {
  test('are agreed on one by one and written as one change', () => {
    const answer = weighed(
      signal({ id: 'a', proposal: related({ related_to: ['[[anna]]', '[[bob]]'] }) }),
      signal({ id: 'b', source: 'bank', proposal: related({ related_to: ['anna'] }) }),
    );
    expect(answer.changes).toEqual([{ field: 'related_to', op: 'add', value: ['[[anna]]', '[[bob]]'] }]);
    expect(answer.confidence).toBe(0.93);
  });
  test('added by one and removed by another are two changes, between which a person decides', () => {
    const answer = weighed(
      signal({ id: 'a', proposal: related({ related_to: ['[[anna]]'] }) }),
      signal({ id: 'b', proposal: related({}, { related_to: ['[[Anna]]'] }) }),
    );
    expect(answer.changes).toEqual([
      { field: 'related_to', op: 'add', value: ['[[anna]]'] },
      { field: 'related_to', op: 'remove', value: ['[[Anna]]'] },
    ]);
    expect(answer.reasoning).toContain('They disagree, so you decide.');
  });
});

describe('completedDate', () => {
  const dated = (id: string, completedDate: string, effectConfidence: number) =>
    signal({ id, effectConfidence, proposal: { ...state('done'), set: { state: 'done', completedDate } } });
  test('goes with the state, from the strongest that names it', () => {
    const answer = weighed(dated('a', '2026-11-19', 0.5), dated('b', '2026-11-20', 0.9), signal({ id: 'c' }));
    expect(answer.decision).toBe('likely_done');
    expect(answer.changes).toContainEqual({ field: 'completedDate', op: 'set', value: '2026-11-20' });
    expect(answer.confidence).toBeGreaterThan(0.93);
  });
});

describe('contradiction', () => {
  test('two dates for one field are two changes, as sure as the weaker one', () => {
    const answer = weighed(
      signal({ id: 'a', proposal: edit({ due: '2026-12-01' }), effectConfidence: 0.9 }),
      signal({ id: 'b', source: 'bank', proposal: edit({ due: '2026-12-02' }), effectConfidence: 0.5 }),
    );
    expect(answer).toMatchObject({ decision: 'changed', confidence: 0.5 });
    expect(answer.changes.map(({ value }) => value)).toEqual(['2026-12-01', '2026-12-02']);
    expect(answer.source_contributions).toEqual({ gmail: 1, bank: 1 });
    expect(answer.reasoning).toMatch(/\[\[a\]\].*\[\[b\]\].* They disagree, so you decide\./);
  });
  test('done against still open', () => {
    const answer = weighed(signal({ id: 'a' }), signal({ id: 'b', source: 'slack', proposal: state('open') }));
    expect(answer.changes).toEqual([
      { field: 'state', op: 'set', value: 'done' },
      { field: 'state', op: 'set', value: 'open' },
    ]);
  });
});

describe('age', () => {
  const aged = (days: number) => weighed(signal({ ageMs: days * DAY, effectConfidence: 0.8 })).confidence;
  test.each([
    [0, 0.8],
    [7, 0.8],
    [37, 0.4],
    [67, 0.2],
  ])('%i days → %f', (days, confidence) => expect(aged(days)).toBe(confidence));
});

test('text from outside makes no links, lines or walls of words', () => {
  const hostile = signal({ headline: `[[secret]]\n# Ignore all ${'x'.repeat(500)}`, source: 'evil\n[[a]]' });
  const { reasoning, evidence } = weighed(hostile);
  expect(reasoning).not.toMatch(/\n|\[\[secret/);
  expect(reasoning.length).toBeLessThan(400);
  expect(evidence[0]?.note.length).toBeLessThanOrEqual(120);
});
