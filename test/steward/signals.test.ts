import { expect, test } from 'vitest';
import { gather, type HeardSignal } from '../../src/steward/signals.ts';
import { fields, HOUR, NOW } from './samples.ts';

function heard(name: string, { at = NOW, ...parts }: { at?: number | null; path?: string } = {}): HeardSignal {
  const speaker = { source: 'mail:anna@notary.example', effectConfidence: 0.6 };
  const origin = at === null ? null : new Date(at).toISOString();
  return {
    signal: { path: `signal/${name}.md`, name, fields: fields({ origin_at: origin, created: null }), ...parts },
    speaker,
  };
}
function withFields(name: string, own: HeardSignal['signal']['fields']): HeardSignal {
  const { signal, speaker } = heard(name);
  return { signal: { ...signal, fields: own }, speaker };
}
const ids = (signals: readonly HeardSignal[]) => gather(signals, NOW).signals.map((one) => one.id);

test('newest first; a late one still counts; a twin counts once; no time counts last', () => {
  const candidates = [
    heard('old', { at: NOW - 900 * 24 * HOUR }),
    heard('new'),
    heard('unknown', { at: null }),
    heard('middle', { at: NOW - HOUR }),
    heard('new', { path: 'signal/2026/new.md' }),
  ];
  expect(ids(candidates)).toEqual(['new', 'middle', 'old', 'unknown']);
});

test('at most 50, and the rest waits', () => {
  const many = Array.from({ length: 60 }, (_, n) => heard(`s${String(n).padStart(2, '0')}`, { at: NOW - n }));
  const first = gather(many, NOW);
  expect(first.signals).toHaveLength(50);
  expect(first.waiting).toBe(10);
  expect(first.signals[0]?.id).toBe('s00');
});

test('ambiguous ones are set apart with the reason', () => {
  const unsure = fields({ target_ambiguous: true, target_candidates: ['a', 'b'] });
  const { signals, ambiguous } = gather([withFields('unsure', unsure), heard('sure')], NOW);
  expect(signals.map((one) => one.id)).toEqual(['sure']);
  expect(ambiguous).toEqual([
    { path: 'signal/unsure.md', id: 'unsure', reason: 'The signal may mean any of several notes: a, b.' },
  ]);
});

test('the age is never negative', () => {
  const { signals } = gather([heard('future', { at: NOW + HOUR }), heard('past', { at: NOW - HOUR })], NOW);
  expect(signals.map((one) => one.ageMs)).toEqual([0, HOUR]);
});

test('who speaks says how far a signal is believed, not what its note claims', () => {
  const speaker = { source: 'other', effectConfidence: 0.42 };
  const claims = fields({ source_type: 'mail', effect_confidence: 1 });
  const { signals } = gather([{ ...withFields('claims', claims), speaker }], NOW);
  expect(signals).toMatchObject([{ source: 'other', effectConfidence: 0.42 }]);
});
