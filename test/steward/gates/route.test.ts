import { expect, test } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../../src/steward/gates/gate.ts';
import { MODES, type Mode } from '../../../src/steward/gates/mode.ts';
import { routeAlone } from '../../../src/steward/gates/route.ts';
import { ACTS_FROM, LOW_EXPERIENCE } from '../../support/gates.ts';
import { fields } from '../samples.ts';

function route(parts: Record<string, unknown> = {}, mode: Mode = 'live', discretion = LOW_EXPERIENCE) {
  return routeAlone(fields(parts), { mode, thresholds: DEFAULT_THRESHOLDS, discretion });
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
  [{ target_ambiguous: true }, 'not certain'],
  [{ status: 'applied' }, 'applied already'],
  [{ status: 'skipped' }, 'skipped already'],
  [{ steward: false }, 'steward: false'],
])('%j is of no kind to be routed', (parts, reason) => {
  expect(route(parts)).toMatchObject({ route: false, gates: [] });
  expect(route(parts).reason).toContain(reason);
});

test('its own discretion must be cleared, exactly at the threshold too', () => {
  expect(route({ effect_confidence: LOW_EXPERIENCE }).route).toBe(true);
  expect(route({ effect_confidence: 0.9499 })).toMatchObject({ route: false });
  expect(route({ effect_confidence: 0.9499 }).reason).toContain('discretion');
});

test('the mode’s threshold holds; shadow is judged as live', () => {
  expect(route({ target_confidence: 0.59 }).reason).toContain('mode');
  for (const mode of MODES) {
    expect(route({ target_confidence: ACTS_FROM[mode] }, mode).route).toBe(true);
    expect(route({ target_confidence: ACTS_FROM[mode] - 0.01 }, mode).route).toBe(false);
  }
});
