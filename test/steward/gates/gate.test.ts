import { describe, expect, test } from 'vitest';
import { questionGate, takeQuestions } from '../../../src/steward/gate-limits.ts';
import { backoff, emptyGuard, reserve } from '../../../src/steward/gates.ts';
import {
  DEFAULT_THRESHOLDS,
  discretionGate,
  discretionThreshold,
  judge,
  modeGate,
  rateGate,
} from '../../../src/steward/gates-gate.ts';
import { effectiveMode, modeOf, parseMode } from '../../../src/steward/gates-rounding.ts';
import { EXIT, StewardError } from '../../../src/vault/errors.ts';
import { ACTS_FROM, DISCRETION_EDGES, MODE_OUTCOMES } from '../../support/gates.ts';
import { NOW, signal } from '../samples.ts';

describe('mode', () => {
  test('the ceiling is shadow unless it says otherwise', () => {
    expect(parseMode(undefined)).toBe('shadow');
    expect(parseMode('')).toBe('shadow');
    expect(parseMode(' live ')).toBe('live');
    expect(parseMode('live_high_confidence_only')).toBe('live_high_confidence_only');
  });
  test('an unknown word is exit 78 and says which words are known', () => {
    try {
      parseMode('on');
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof StewardError)) throw error;
      expect(error.exit).toBe(EXIT.settings);
      expect(error.trouble.code).toBe('settings-mode');
      expect(error.trouble.hint).toContain('live_high_confidence_only');
    }
  });
  test('the vault and the caller only lower', () => {
    expect(effectiveMode('live', null, null)).toBe('live');
    expect(effectiveMode('live', 'shadow', null)).toBe('shadow');
    expect(effectiveMode('live', 'live', 'live_high_confidence_only')).toBe('live_high_confidence_only');
    expect(effectiveMode('shadow', 'live', 'live')).toBe('shadow');
    expect(effectiveMode('live_high_confidence_only', 'live', null)).toBe('live_high_confidence_only');
    expect(modeOf('LIVE!')).toBeNull();
  });
});

describe('discretion', () => {
  test.each(DISCRETION_EDGES)('%i observations → %f', (observations, threshold) => {
    expect(discretionThreshold(observations, null)).toBe(threshold);
    expect(discretionThreshold(observations, 0.5)).toBe(0.5);
    expect(discretionThreshold(observations, 0)).toBe(0);
  });

  test('one signal that clears its own source’s threshold is enough, and clears means ≥', () => {
    const thresholdOf = (source: string) => (source === 'bank' ? 0.75 : 0.95);
    const signals = [signal({ effectConfidence: 0.9 }), signal({ source: 'bank', effectConfidence: 0.75 })];
    expect(discretionGate(signals, thresholdOf)).toMatchObject({ held: true, figure: 0.75, threshold: 0.75 });
    const below = discretionGate([signal({ effectConfidence: 0.94999 })], thresholdOf);
    expect(below.held).toBe(false);
    expect(below.sentence).toContain('gmail');
    expect(discretionGate([], thresholdOf)).toMatchObject({ held: false, figure: null });
  });
  test('floating point does not close a gate that is met', () => {
    expect(discretionGate([signal({ effectConfidence: 0.1 + 0.7 })], () => 0.8).held).toBe(true);
  });
});

describe('the mode’s threshold', () => {
  test.each(MODE_OUTCOMES)('%s at %f: %s', (mode, confidence, outcome) => {
    const gate = modeGate(mode, confidence, DEFAULT_THRESHOLDS);
    expect(gate.held).toBe(outcome === 'act');
    expect(gate.threshold).toBe(ACTS_FROM[mode]);
    expect(gate.sentence).toContain(String(gate.threshold));
    expect(judge(mode, [gate])).toBe(outcome);
  });
});

test('judge: shadow records, live acts where all hold, else proposes', () => {
  const open = modeGate('live', 0.9, DEFAULT_THRESHOLDS);
  const shut = modeGate('live', 0.1, DEFAULT_THRESHOLDS);
  expect(judge('shadow', [open])).toBe('record');
  expect(judge('live', [open, open])).toBe('act');
  expect(judge('live', [open, shut])).toBe('propose');
  expect(judge('live_high_confidence_only', [shut])).toBe('propose');
});

test('the rate guard as a gate', () => {
  const target = { kind: 'task', path: 'task/a.md', matter: null, asksModel: true } as const;
  let state = emptyGuard();
  expect(rateGate(reserve(state, target, NOW)).held).toBe(true);
  for (let n = 0; n < 6; n++) state = reserve(state, target, NOW).state;
  const full = rateGate(reserve(state, target, NOW));
  expect(full).toMatchObject({ held: false, figure: 6, threshold: 6 });
  expect(full.sentence).toContain('6 of 6 used by this task in a day; free at 2026-11-22T20:19:54Z');
  const held = takeQuestions(backoff(emptyGuard(), 60, NOW), 1, NOW).refusal;
  expect(held && questionGate(held).sentence).toContain('asked for a pause');
});
