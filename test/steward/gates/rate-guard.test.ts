import { describe, expect, test } from 'vitest';
import { questionRefusal, takeQuestions } from '../../../src/steward/gate-limits.ts';
import {
  backoff,
  backoffUntil,
  emptyGuard,
  type GuardTarget,
  type RateGuardState,
  rateGuardState,
  release,
  reserve,
  usage,
} from '../../../src/steward/gates.ts';
import { ownTime } from '../../support/own-time.ts';

import { DAY, HOUR, MINUTE, NOW } from '../samples.ts';

const task = (n: number, matter: string | null = `matter/${n}.md`): GuardTarget => ({
  kind: 'task',
  path: `task/${n}.md`,
  matter,
});
const matter = (path: string): GuardTarget => ({ kind: 'matter', path, matter: null });

/** Spends `times`, each at its own task and matter, `step` apart; returns the state and the last moment. */
function spent(times: number, step: number, start = NOW): { state: RateGuardState; now: number } {
  let state = emptyGuard();
  for (let n = 0; n < times; n++) {
    const answer = reserve(state, task(n), start + n * step);
    if (!answer.ok) throw new Error(`refused at ${n} by ${answer.window}`);
    state = answer.state;
  }
  return { state, now: start + (times - 1) * step };
}

describe('windows', () => {
  test('60 a minute, and the 61st when the first is a minute old', () => {
    const { state, now } = spent(60, 100);
    expect(reserve(state, task(99), now)).toMatchObject({
      ok: false,
      window: 'minute',
      cap: 60,
      used: 60,
      freeAt: NOW + MINUTE,
    });
    expect(reserve(state, task(99), NOW + MINUTE - 1).ok).toBe(false);
    expect(reserve(state, task(99), NOW + MINUTE).ok).toBe(true);
  });
  test('600 an hour', () => {
    const { state, now } = spent(600, 2000);
    expect(reserve(state, task(999), now)).toMatchObject({ ok: false, window: 'hour', freeAt: NOW + HOUR });
  });
  test('6000 a day', () => {
    const { state, now } = spent(6000, 7000);
    expect(reserve(state, task(9999), now)).toMatchObject({ ok: false, window: 'day', cap: 6000, freeAt: NOW + DAY });
    expect(reserve(state, task(9999), NOW + DAY).ok).toBe(true);
  });
  test('6 per task a day, whatever its matter', () => {
    let state = emptyGuard();
    for (let n = 0; n < 6; n++) state = reserve(state, task(1, `matter/${n}.md`), NOW + n * HOUR).state;
    expect(reserve(state, task(1), NOW + 6 * HOUR)).toMatchObject({ ok: false, window: 'task', freeAt: NOW + DAY });
    expect(reserve(state, task(2), NOW + 6 * HOUR).ok).toBe(true);
  });
  test('50 per matter a day, its tasks and itself together', () => {
    let state = emptyGuard();
    for (let n = 0; n < 49; n++) state = reserve(state, task(n, 'matter/house.md'), NOW + n * MINUTE).state;
    state = reserve(state, matter('matter/house.md'), NOW + HOUR).state;
    expect(reserve(state, task(100, 'matter/house.md'), NOW + HOUR)).toMatchObject({
      ok: false,
      window: 'matter',
      cap: 50,
    });
    expect(reserve(state, task(100, 'matter/trip.md'), NOW + HOUR).ok).toBe(true);
    expect(reserve(state, task(100, null), NOW + HOUR).ok).toBe(true);
  });
  test('of several full windows the one that stays full longest is named', () => {
    let state = emptyGuard();
    for (let n = 0; n < 6; n++) state = reserve(state, task(1), NOW).state;
    for (let n = 10; n < 64; n++) state = reserve(state, task(n), NOW).state;
    expect(reserve(state, task(1), NOW)).toMatchObject({ ok: false, window: 'task' });
    expect(reserve(state, task(2), NOW)).toMatchObject({ ok: false, window: 'minute' });
  });
});

test('a refusal spends nothing; a release gives the place back', () => {
  let state = emptyGuard();
  for (let n = 0; n < 5; n++) state = reserve(state, task(1), NOW).state;
  const sixth = reserve(state, task(1), NOW);
  if (!sixth.ok) throw new Error('refused');
  const refused = reserve(sixth.state, task(1), NOW);
  expect(refused.ok).toBe(false);
  expect(refused.state.entries).toHaveLength(6);
  expect(reserve(release(refused.state, sixth.id), task(1), NOW).ok).toBe(true);
  expect(release(refused.state, 12345).entries).toHaveLength(6);
});

describe('backoff', () => {
  test.each([
    [null, 60_000],
    [5, 5000],
    [-1, 60_000],
    [Number.NaN, 60_000],
    [10 * 86_400, DAY],
  ])('retry-after %d', (seconds, ms) => {
    expect(backoffUntil(backoff(emptyGuard(), seconds, NOW), NOW)).toBe(NOW + ms);
  });
  test('no question is put before, then all are; looks at notes are not held back', () => {
    const state = backoff(emptyGuard(), 30, NOW);
    expect(questionRefusal(state, NOW + 29_999)).toMatchObject({ window: 'backoff', freeAt: NOW + 30_000 });
    expect(takeQuestions(state, 0, NOW).refusal?.window).toBe('backoff');
    expect(questionRefusal(state, NOW + 30_000)).toBeNull();
    expect(reserve(state, task(1), NOW).ok).toBe(true);
  });
  test('a shorter one never shortens a longer one', () => {
    expect(backoffUntil(backoff(backoff(emptyGuard(), 600, NOW), 5, NOW), NOW)).toBe(NOW + 600_000);
  });
});

describe('a clock set back', () => {
  test('frees nothing, and holds nothing longer than a day', () => {
    const { state } = spent(60, 0);
    const earlier = NOW - 365 * DAY;
    const refused = reserve(state, task(99), earlier);
    expect(refused).toMatchObject({ ok: false, window: 'minute', freeAt: earlier + MINUTE });
    expect(reserve(refused.state, task(99), earlier + MINUTE).ok).toBe(true);
    expect(usage(refused.state, earlier + DAY).day.used).toBe(0);
  });
  test('set back by a day, what was spent keeps its age: nobody is locked out for longer than it had to last', () => {
    let state = emptyGuard();
    for (let n = 0; n < 6; n++) state = reserve(state, task(1), NOW + n * 4 * HOUR).state;
    const earlier = NOW + 21 * HOUR - DAY; // the newest is an hour old, and now seems to lie ahead
    const refused = reserve(state, task(1), earlier);
    expect(refused).toMatchObject({ ok: false, window: 'task', used: 6, freeAt: earlier + 4 * HOUR });
    expect(reserve(refused.state, task(1), earlier + 4 * HOUR).ok).toBe(true);
  });
  test('a backoff lasts a day at most', () => {
    const earlier = NOW - 365 * DAY;
    const { state, refusal } = takeQuestions(backoff(emptyGuard(), 60, NOW), 1, earlier);
    expect(refusal).toMatchObject({ window: 'backoff', freeAt: earlier + DAY });
    expect(questionRefusal(state, earlier + DAY)).toBeNull();
  });
});

describe('state', () => {
  test('survives JSON', () => {
    const { state } = spent(10, 1000);
    expect(rateGuardState.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });
  test('stays bounded, and sorted whatever is read', () => {
    const entries = Array.from({ length: 7000 }, (_, n) => ({ id: n, at: NOW - n, task: null, matter: null }));
    const state = rateGuardState.parse({ nextId: 7000, entries });
    expect(state.entries).toHaveLength(6000);
    expect(state.entries.at(-1)?.at).toBe(NOW);
    expect(reserve(state, task(1), NOW + 2 * DAY).state.entries).toHaveLength(1);
  });
  test('is small enough and quick enough when full', () => {
    const { state, now } = spent(6000, 7000);
    const start = ownTime();
    for (let n = 0; n < 100; n++) reserve(state, task(n), now);
    expect(ownTime() - start).toBeLessThan(1000);
  });
  test('usage names the busiest task and matter', () => {
    let state = emptyGuard();
    for (let n = 0; n < 3; n++) state = reserve(state, task(1), NOW).state;
    state = reserve(state, task(2, 'matter/1.md'), NOW).state;
    expect(usage(state, NOW + 1)).toEqual({
      minute: { used: 4, cap: 60 },
      hour: { used: 4, cap: 600 },
      day: { used: 4, cap: 6000 },
      task: { used: 3, cap: 6 },
      matter: { used: 4, cap: 50 },
    });
    expect(usage(state, NOW + MINUTE).minute.used).toBe(0);
  });
});
