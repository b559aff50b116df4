import { expect, test } from 'vitest';
import { type Candidate, gather } from '../../../src/steward/disposition.ts';
import { fields, HOUR, NOW } from '../samples.ts';

const TARGET = 'task/pay.md';

function candidate(id: string, parts: Partial<Candidate> = {}): Candidate {
  const speaker = { source: 'mail:anna@notary.example', effectConfidence: 0.6 };
  return { path: `signal/${id}.md`, id, fields: fields(), speaker, targetPath: TARGET, at: NOW, ...parts };
}
function gathered(candidates: readonly Candidate[], weighed: readonly string[] = []) {
  return gather(candidates, { targetPath: TARGET, weighed: new Set(weighed), now: NOW });
}
const ids = (candidates: readonly Candidate[], weighed?: readonly string[]) =>
  gathered(candidates, weighed).signals.map((one) => one.id);

test('what is targeted here, has an effect, is not applied and not weighed', () => {
  const candidates = [
    candidate('here'),
    candidate('elsewhere', { targetPath: 'task/other.md' }),
    candidate('nowhere', { targetPath: null }),
    candidate('none', { fields: fields({ effect: 'none' }) }),
    candidate('applied', { fields: fields({ status: 'applied' }) }),
    candidate('skipped', { fields: fields({ status: 'skipped' }) }),
    candidate('action', { fields: fields({ effect: 'action' }) }),
    candidate('off', { fields: fields({ steward: false }) }),
    candidate('by-id'),
    candidate('by-path'),
  ];
  expect(ids(candidates, ['by-id', 'signal/by-path.md']).toSorted()).toEqual(['action', 'here', 'skipped']);
});

test('newest first; a late one still counts; a twin counts once; no time counts last', () => {
  const candidates = [
    candidate('old', { at: NOW - 900 * 24 * HOUR }),
    candidate('new'),
    candidate('unknown', { at: null }),
    candidate('middle', { at: NOW - HOUR }),
    candidate('new', { path: 'signal/2026/new.md' }),
  ];
  expect(ids(candidates)).toEqual(['new', 'middle', 'old', 'unknown']);
});

test('at most 50, and the rest waits', () => {
  const many = Array.from({ length: 60 }, (_, n) => candidate(`s${String(n).padStart(2, '0')}`, { at: NOW - n }));
  const first = gathered(many);
  expect(first.signals).toHaveLength(50);
  expect(first.waiting).toBe(10);
  expect(first.signals[0]?.id).toBe('s00');
  const second = gathered(
    many,
    first.signals.map((one) => one.id),
  );
  expect(second.signals.map((one) => one.id)).toEqual(many.slice(50).map((one) => one.id));
  expect(second.waiting).toBe(0);
});

test('ambiguous ones are set apart with the reason', () => {
  const unsure = candidate('unsure', { fields: fields({ target_ambiguous: true, target_candidates: ['a', 'b'] }) });
  const { signals, ambiguous } = gathered([unsure, candidate('sure')]);
  expect(signals.map((one) => one.id)).toEqual(['sure']);
  expect(ambiguous).toEqual([
    { path: 'signal/unsure.md', id: 'unsure', reason: 'The signal may mean any of several notes: a, b.' },
  ]);
});

test('the age is never negative', () => {
  const { signals } = gathered([candidate('future', { at: NOW + HOUR }), candidate('past', { at: NOW - HOUR })]);
  expect(signals.map((one) => one.ageMs)).toEqual([0, HOUR]);
});

test('who speaks says how far a signal is believed, not what its note claims', () => {
  const speaker = { source: 'other', effectConfidence: 0.42 };
  const claims = fields({ source_type: 'mail', effect_confidence: 1 });
  const { signals } = gathered([candidate('claims', { fields: claims, speaker })]);
  expect(signals).toMatchObject([{ source: 'other', effectConfidence: 0.42 }]);
});
