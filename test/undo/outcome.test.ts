import { expect, test } from 'vitest';
import { calibrationFigures, calibrationText } from '../../src/steward/learning/calibration.ts';
import { outcomeSentence, refusal } from '../../src/undo/undo.ts';
import { OUTCOMES, type UndoRecipe } from '../../src/vault/records.ts';

const NOW = Date.UTC(2026, 10, 21, 20, 19, 54);
const recipe: UndoRecipe = {
  expires_at: '2026-11-21T20:19:54Z',
  vault_patch: { target: 'task/pay.md', before_sha256: '', after_sha256: '', fields: {} },
  plane_revert: null,
};

test('why an event cannot be taken back, in the order in which it is asked', () => {
  expect(refusal(null, NOW)).toBe('refused');
  expect(refusal({ recipe: null, reversed: true }, NOW)).toBe('not-applied');
  expect(refusal({ recipe, reversed: true }, NOW + 1)).toBe('already-reversed');
  expect(refusal({ recipe, reversed: false }, NOW + 1)).toBe('expired');
  expect(refusal({ recipe, reversed: false }, NOW)).toBeNull();
});

test('an end that cannot be read never comes to pass as an undo', () => {
  expect(refusal({ recipe: { ...recipe, expires_at: 'some day' }, reversed: false }, NOW)).toBe('expired');
});

test('every outcome has a sentence of its own', () => {
  const sentences = OUTCOMES.map(outcomeSentence);
  expect(new Set(sentences).size).toBe(OUTCOMES.length);
});

test.each([
  [0.83, 0.73],
  [1, 0.9],
  [0.05, 0],
])('a calibration %f → %f reads back as it was written', (before, after) => {
  expect(calibrationFigures(calibrationText(before, after))).toEqual({ before, after });
});

test.each(['', 'x → y', '0.5', '0.5 → '])('%j is no calibration', (text) => {
  expect(calibrationFigures(text)).toBeNull();
});
