import { expect, test } from 'vitest';
import { routeAlone } from '../../../src/steward/gates-freshness-gate.ts';
import { DEFAULT_THRESHOLDS, type Gate } from '../../../src/steward/gates-gate.ts';
import { MODES, type Mode } from '../../../src/steward/gates-rounding.ts';
import { ACTS_FROM, LOW_EXPERIENCE } from '../../support/gates.ts';
import { fields } from '../samples.ts';

interface Asked {
  readonly mode?: Mode;
  readonly effect?: number;
  readonly standing?: readonly Gate[];
}

function route(parts: Record<string, unknown> = {}, { mode = 'live', effect = 0.97, standing = [] }: Asked = {}) {
  const speaker = { source: 'mail:anna@notary.example', effectConfidence: effect };
  const gates = { mode, thresholds: DEFAULT_THRESHOLDS, discretion: LOW_EXPERIENCE, standing };
  return routeAlone(fields(parts), speaker, gates);
}

function sender(held: boolean): Gate {
  return { name: 'sender', held, figure: 0, threshold: 5, sentence: 'sender: nobody knows them.' };
}

test('a signal that clears both gates is routed, at min(target, effect)', () => {
  expect(route({ target_confidence: 0.8 })).toMatchObject({ route: true, confidence: 0.8 });
  expect(route().gates.map((gate) => [gate.name, gate.held])).toEqual([
    ['discretion', true],
    ['mode', true],
  ]);
});

test.each([
  [{ effect: 'action' }, 'effect is action'],
  [{ effect: 'none' }, 'effect is none'],
  [{ mutation_proposal: null }, 'proposes no change'],
  [{ target_ambiguous: true }, 'may mean several'],
  [{ status: 'applied' }, 'applied already'],
  [{ status: 'skipped' }, 'skipped already'],
  [{ steward: false }, 'steward: false'],
])('%j is of no kind to be routed', (parts, reason) => {
  expect(route(parts)).toMatchObject({ route: false, gates: [] });
  expect(route(parts).reason).toContain(reason);
});

test('its own discretion must be cleared, exactly at the threshold too', () => {
  expect(route({}, { effect: LOW_EXPERIENCE }).route).toBe(true);
  expect(route({}, { effect: 0.9499 })).toMatchObject({ route: false });
  expect(route({}, { effect: 0.9499 }).reason).toContain('not sure enough');
});

test('what the note says of its own effect counts for nothing: the speaker does', () => {
  expect(route({ effect_confidence: 1 }, { effect: 0.6 })).toMatchObject({ route: false, confidence: 0.6 });
  expect(route({ effect_confidence: 0 }, { effect: 0.97 })).toMatchObject({ route: true, confidence: 0.97 });
});

test('the sender’s standing is asked as well, and named with the other gates', () => {
  expect(route({}, { standing: [sender(true)] }).gates.map(({ name }) => name)).toEqual([
    ...['sender', 'discretion', 'mode'],
  ]);
  expect(route({}, { standing: [sender(true)] }).route).toBe(true);
  expect(route({}, { standing: [sender(false)] })).toMatchObject({
    route: false,
    reason: 'nobody knows them.',
  });
});

test('the mode’s threshold holds; shadow is judged as live', () => {
  expect(route({ target_confidence: 0.59 }).reason).toContain('live needs 0.60');
  for (const mode of MODES) {
    expect(route({ target_confidence: ACTS_FROM[mode] }, { mode }).route).toBe(true);
    expect(route({ target_confidence: ACTS_FROM[mode] - 0.01 }, { mode }).route).toBe(false);
  }
});
