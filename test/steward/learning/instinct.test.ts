import { describe, expect, test } from 'vitest';
import {
  afterDismissal,
  afterEdit,
  afterObservation,
  afterReversal,
  afterReversalUndone,
  afterTick,
  effectConfidence,
  type Instinct,
  initialInstinct,
  instinctCounters,
  priorOf,
} from '../../../src/steward/learning/instinct.ts';
import { NOW } from '../samples.ts';

const live = (parts: Partial<Instinct> = {}): Instinct => ({ ...initialInstinct('mail'), status: 'live', ...parts });
const ticks = (start: Instinct, ...contributions: (number | null)[]) =>
  contributions.reduce((one: Instinct, share) => afterTick(one, share), start);

test.each([
  ['gmail', 1],
  ['gmail_unknown', 0.7],
  ['mail', 0.9],
  ['slack', 0.95],
  ['slack_channel', 0.6],
  ['gcal', 0.8],
  ['calendar', 0.8],
  ['sure', 0.9],
  ['bank', 0.9],
  ['plane', 0.9],
  ['vexa', 0.85],
  ['transcript', 0.85],
  ['vault_edit', 0.95],
  ['other', 0.7],
  ['carrier_pigeon', 0.7],
  ['constructor', 0.7],
])('%s starts at %f', (source, prior) => {
  expect(priorOf(source)).toBe(prior);
  expect(initialInstinct(source)).toMatchObject({
    source,
    prior,
    confidence: prior,
    status: 'pending',
    observations: 0,
  });
});

test('the average is 0.9 and 0.1, to four decimals', () => {
  expect(afterTick(live({ confidence: 0.9 }), 0.5).confidence).toBe(0.86);
  expect(afterTick(live({ confidence: 0.3333 }), 1).confidence).toBe(0.4);
  expect(afterTick(live({ confidence: 0.9 }), null).confidence).toBe(0.9);
  expect(effectConfidence(0.93, { confidence: 0.9 })).toBe(0.837);
});

test('a reversal −0.1, a dismissal −0.05, floor 0, an observation +1', () => {
  expect(afterReversal(live(), NOW)).toMatchObject({ confidence: 0.8, reversals: 1, lastNegativeAt: NOW });
  expect(afterReversal(live({ confidence: 0.05 }), NOW).confidence).toBe(0);
  expect(afterDismissal(live(), NOW)).toMatchObject({ confidence: 0.85, reversals: 0, lastNegativeAt: NOW });
  expect(afterObservation(live()).observations).toBe(1);
});

test('undoing a reversal gives the exact former confidence back', () => {
  const before = live({ confidence: 0.0333 });
  const undone = afterReversalUndone(afterReversal(before, NOW), before.confidence);
  expect(undone).toMatchObject({ confidence: 0.0333, reversals: 0 });
});

describe('pending', () => {
  test('for three ticks, then live if it gave a signal', () => {
    const two = ticks(initialInstinct('mail'), 0.8, null);
    expect(two.status).toBe('pending');
    expect(ticks(two, null).status).toBe('live');
  });
  test('else pruned, unless a person pinned it', () => {
    expect(ticks(initialInstinct('mail'), null, null, null).status).toBe('pruned');
    expect(ticks({ ...initialInstinct('mail'), pinned: true }, null, null, null).status).toBe('live');
  });
});

describe('pruning', () => {
  test('below 0.2 for three ticks in a row, not two', () => {
    const low = live({ confidence: 0.1 });
    expect(ticks(low, 0, 0).status).toBe('live');
    expect(ticks(low, 0, 0, 0).status).toBe('pruned');
    expect(ticks(low, 0, 0, null, 0).status).toBe('pruned');
  });
  test('one tick above breaks the row', () => {
    const start = live({ confidence: 0.19 });
    expect(ticks(start, 0, 0, 1, 0, 0).status).toBe('live');
  });
  test('a person’s pin is never pruned, and brings a pruned source back', () => {
    expect(ticks(live({ confidence: 0, pinned: true }), 0, 0, 0, 0, 0)).toMatchObject({
      status: 'live',
      confidence: 0,
    });
    const back = afterEdit(live({ status: 'pruned' }), { prior: null, confidence: null, pinned: true });
    expect(back).toMatchObject({ status: 'live', pinned: true });
  });
});

describe('the program’s own pin', () => {
  test('above 0.9 twice running, with a floor of 0.5', () => {
    const once = ticks(live({ confidence: 0.95 }), 1);
    expect(once.pinned).toBe(false);
    const twice = ticks(once, 1);
    expect(twice).toMatchObject({ pinned: true, counters: { autoPinned: true } });
    expect(ticks(twice, ...Array<number>(50).fill(0)).confidence).toBe(0.5);
    let reversed = twice;
    for (let n = 0; n < 9; n++) reversed = afterReversal(reversed, NOW);
    expect(reversed.confidence).toBe(0.5);
  });
  test('exactly 0.9 is not above, silence is no evidence, and a reversal breaks the row', () => {
    expect(ticks(live({ confidence: 0.9 }), 0.9, 0.9, 0.9).pinned).toBe(false);
    expect(ticks(live({ source: 'gmail', confidence: 1 }), null, null, null).pinned).toBe(false);
    expect(ticks(afterReversal(ticks(live({ confidence: 1 }), 1), NOW), 1).pinned).toBe(false);
  });
  test('the floor never lifts what a person set below it', () => {
    const pinned = ticks(live({ confidence: 1 }), 1, 1);
    const set = afterEdit(pinned, { prior: null, confidence: 0.3, pinned: true });
    expect(ticks(set, 0).confidence).toBe(0.3);
  });
});

describe('a person’s edit', () => {
  test('is taken as it stands', () => {
    expect(afterEdit(live(), { prior: 0.4, confidence: 0.2, pinned: true })).toMatchObject({
      prior: 0.4,
      confidence: 0.2,
      pinned: true,
      counters: { autoPinned: false },
    });
    expect(afterEdit(live(), { prior: null, confidence: null, pinned: false })).toEqual(live());
  });
  test('a pin taken away is gone until it is earned anew', () => {
    const off = afterEdit(ticks(live({ confidence: 1 }), 1, 1), { prior: null, confidence: null, pinned: false });
    expect(ticks(off, 1).pinned).toBe(false);
    expect(ticks(off, 1, 1).pinned).toBe(true);
  });
});

test('counters that cannot be read start anew', () => {
  expect(instinctCounters.parse({ ticks: 'x', low: -1 })).toEqual(initialInstinct('mail').counters);
});
