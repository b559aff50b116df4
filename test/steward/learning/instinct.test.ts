import { describe, expect, test } from 'vitest';
import {
  afterContradiction,
  afterDismissal,
  afterEdit,
  afterPatterns,
  afterReversal,
  afterReversalUndone,
  afterRight,
  carriedOver,
  effectConfidence,
  type Instinct,
  initialInstinct,
  priorOf,
  withConfidence,
  withoutRight,
} from '../../../src/steward/learning.ts';
import { NOW } from '../samples.ts';

const ANNA = 'mail:anna@notary.example';
const live = (parts: Partial<Instinct> = {}): Instinct => ({ ...initialInstinct(ANNA), status: 'live', ...parts });
const times = (count: number, start: Instinct, step: (one: Instinct) => Instinct) =>
  Array.from({ length: count }).reduce((one: Instinct) => step(one), start);
const right = (one: Instinct) => afterRight(one, 1);
const dismissed = (one: Instinct) => afterDismissal(one, NOW);
const reversed = (one: Instinct) => afterReversal(one, NOW);
const edit = (one: Instinct, parts: Partial<Parameters<typeof afterEdit>[1]>) =>
  afterEdit(one, { prior: null, confidence: null, pinned: one.pinned, ...parts });

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
  ['agent', 0.7],
  ['other', 0.7],
  ['carrier_pigeon', 0.7],
  ['constructor', 0.7],
])('%s starts at %f', (source, prior) => {
  expect(priorOf(source)).toBe(prior);
  expect(initialInstinct(source)).toMatchObject({
    ...{ source, prior, confidence: prior, status: 'pending' },
    ...{ observations: 0, wrong: 0, reversals: 0, pinned: false },
  });
});

test('a pattern starts where its channel stands, and a signal is believed as far as its source', () => {
  expect(initialInstinct(ANNA)).toMatchObject({ source: ANNA, prior: 0.9 });
  expect(initialInstinct(ANNA, 0.62)).toMatchObject({ prior: 0.62, confidence: 0.62 });
  expect(effectConfidence(0.93, { confidence: 0.9 })).toBe(0.837);
});

describe('a right outcome', () => {
  test('draws to 1 for the source that bore most, and to its share for another, to four decimals', () => {
    expect(afterRight(live(), 1)).toMatchObject({ confidence: 0.91, observations: 1, wrong: 0 });
    expect(afterRight(live(), 0.5)).toMatchObject({ confidence: 0.86, observations: 1 });
    expect(afterRight(live({ confidence: 0.3333 }), 1).confidence).toBe(0.4);
  });
  test('ends a row of wrong ones', () => {
    expect(right(live({ wrong: 4, wrongInARow: 4 }))).toMatchObject({ wrong: 4, wrongInARow: 0, status: 'live' });
  });
});

describe('a wrong outcome', () => {
  test('dismissed −0.05, taken back −0.1, changed within its week −0.1; only what is taken back is a reversal', () => {
    const said = { wrong: 1, wrongInARow: 1, lastNegativeAt: NOW, observations: 0 };
    expect(dismissed(live())).toMatchObject({ ...said, confidence: 0.85, reversals: 0 });
    expect(afterContradiction(live(), NOW)).toMatchObject({ ...said, confidence: 0.8, reversals: 0 });
    expect(reversed(live())).toMatchObject({ ...said, confidence: 0.8, reversals: 1 });
    expect(reversed(live({ confidence: 0.05 })).confidence).toBe(0);
  });
  test('reversed itself gives the exact former confidence back', () => {
    const before = live({ confidence: 0.0333, status: 'live' });
    const back = afterReversalUndone(reversed(before), before.confidence);
    expect(back).toMatchObject({ confidence: 0.0333, reversals: 0, wrong: 0, wrongInARow: 0 });
  });
  test('of something confirmed takes the right outcome back, never below none', () => {
    expect(withoutRight(live({ observations: 5 })).observations).toBe(4);
    expect(withoutRight(live()).observations).toBe(0);
  });
});

test('a channel moves by a fifth of what its patterns moved, and counts nothing', () => {
  const channel = { ...initialInstinct('mail'), status: 'live' as const };
  expect(afterPatterns(channel, -0.1)).toEqual({ ...channel, confidence: 0.88 });
  expect(afterPatterns(channel, 0.01)).toEqual({ ...channel, confidence: 0.902 });
  expect(afterPatterns(channel, 0)).toEqual(channel);
  expect(withConfidence(afterPatterns(channel, -0.1), 0.9)).toEqual(channel);
});

describe('pending', () => {
  const start = initialInstinct(ANNA);
  test('until three outcomes, right or wrong, then live', () => {
    expect(times(2, start, right).status).toBe('pending');
    expect(times(3, start, right).status).toBe('live');
    expect(right(dismissed(right(start))).status).toBe('live');
  });
  test('what the patterns do is no outcome of the channel', () => {
    const channel = times(20, initialInstinct('mail'), (one) => afterPatterns(one, 0.01));
    expect(channel).toMatchObject({ status: 'pending', observations: 0 });
  });
});

describe('pruned', () => {
  test('below 0.2, not at it', () => {
    expect(dismissed(live({ confidence: 0.25 }))).toMatchObject({ confidence: 0.2, status: 'live' });
    expect(dismissed(live({ confidence: 0.2499 })).status).toBe('pruned');
  });
  test('after five wrong ones without a right one, not four', () => {
    expect(times(4, live(), dismissed).status).toBe('live');
    expect(times(5, live(), dismissed)).toMatchObject({ status: 'pruned', confidence: 0.65 });
    expect(times(4, right(times(4, live(), dismissed)), dismissed).status).toBe('live');
    expect(times(5, initialInstinct(ANNA), dismissed).status).toBe('pruned');
  });
  test('a right outcome later does not bring it back by itself, a person’s pin does', () => {
    const gone = times(5, live(), dismissed);
    expect(right(gone).status).toBe('pruned');
    expect(edit(gone, { pinned: true })).toMatchObject({ status: 'live', pinned: true, pinnedBy: 'person' });
  });
  test('never what a person pinned', () => {
    const pinned = edit(live({ confidence: 0.01 }), { pinned: true });
    expect(times(9, pinned, reversed)).toMatchObject({ status: 'live', confidence: 0, pinned: true });
  });
  test('the program’s own pin goes with it', () => {
    const own = live({ confidence: 0.95, observations: 12, pinned: true, pinnedBy: 'steward' });
    expect(times(5, own, dismissed)).toMatchObject({ status: 'pruned', pinned: false, pinnedBy: null });
  });
});

describe('the program’s own pin', () => {
  const sure = live({ confidence: 0.95, observations: 9 });
  test('from 0.9 on, with the tenth observation', () => {
    expect(sure.pinned).toBe(false);
    expect(right(sure)).toMatchObject({ pinned: true, pinnedBy: 'steward', observations: 10 });
    expect(afterRight({ ...sure, confidence: 0.9 }, 0.9)).toMatchObject({ confidence: 0.9, pinned: true });
    expect(afterRight({ ...sure, confidence: 0.9 }, 0.89).pinned).toBe(false);
    expect(right({ ...sure, observations: 8 }).pinned).toBe(false);
  });
  test('never by wrong ones or by the patterns alone', () => {
    const channel = { ...sure, source: 'mail', observations: 40 };
    expect(afterPatterns(channel, 0.1).pinned).toBe(false);
    expect(dismissed(channel).pinned).toBe(false);
  });
  test('has a floor of 0.5, which never lifts what a person set below it', () => {
    const own = { ...right(sure), confidence: 0.55 };
    expect(reversed(own).confidence).toBe(0.5);
    expect(reversed(reversed(own)).confidence).toBe(0.5);
    const set = edit(own, { confidence: 0.3 });
    expect(dismissed(set).confidence).toBe(0.3);
    expect(dismissed(edit(live({ confidence: 0.52 }), { pinned: true })).confidence).toBe(0.47);
  });
  test('taken away by a person it never comes back by itself', () => {
    const off = edit(right(sure), { pinned: false });
    expect(off).toMatchObject({ pinned: false, pinnedBy: 'person' });
    expect(times(30, off, right).pinned).toBe(false);
  });
});

test('a person’s edit is taken as it stands, and no edit changes nothing', () => {
  expect(edit(live(), { prior: 0.4, confidence: 0.2, pinned: true })).toMatchObject({
    ...{ prior: 0.4, confidence: 0.2, pinned: true, pinnedBy: 'person' },
  });
  expect(edit(live(), {})).toEqual(live());
});

describe('carried over from before only outcomes taught', () => {
  const old = live({ source: 'mail', prior: 0.9, confidence: 0.98, observations: 12 });
  test('the confidence goes down to the prior where it is above, the observations stay', () => {
    expect(carriedOver(old)).toEqual({ ...old, confidence: 0.9 });
    expect(carriedOver({ ...old, confidence: 0.4 })).toEqual({ ...old, confidence: 0.4 });
  });
  test('a pin of the program that it would not set today is gone; any other stays', () => {
    const own = { ...old, pinned: true, pinnedBy: 'steward' as const };
    expect(carriedOver(own)).toMatchObject({ pinned: true, pinnedBy: 'steward' });
    expect(carriedOver({ ...own, observations: 9 })).toMatchObject({ pinned: false, pinnedBy: null });
    expect(carriedOver({ ...own, prior: 0.7 })).toMatchObject({ pinned: false, confidence: 0.7 });
    expect(carriedOver({ ...own, observations: 0, pinnedBy: 'person' })).toMatchObject({ pinned: true });
  });
});
