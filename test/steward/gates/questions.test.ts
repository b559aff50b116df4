import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { questionRefusal, questionUsage, roomForQuestions, takeQuestions } from '../../../src/steward/gate-limits.ts';
import { backoff, emptyGuard, type RateGuardState, rateGuardState } from '../../../src/steward/gates.ts';
import { DAY, HOUR, MINUTE, NOW } from '../samples.ts';
import '../../support/laws.ts';
import { lawRuns } from '../../support/laws.ts';

/** Puts `times` questions, `step` apart. */
function put(times: number, step: number): RateGuardState {
  let state = emptyGuard();
  for (let n = 0; n < times; n += 1) {
    const taken = takeQuestions(state, 1, NOW + n * step);
    expect(taken.refusal).toBeNull();
    state = taken.state;
  }
  return state;
}

describe('windows', () => {
  test.each([
    ['questions_per_minute', 60, 100, MINUTE],
    ['questions_per_hour', 600, 2000, HOUR],
    ['questions_per_day', 6000, 7000, DAY],
  ] as const)('%s: %d, and one more when the first has left it', (window, cap, step, ms) => {
    const state = put(cap, step);
    const now = NOW + (cap - 1) * step;
    expect(questionRefusal(state, now)).toEqual({ window, cap, used: cap, freeAt: NOW + ms });
    expect(questionRefusal(state, NOW + ms - 1)).not.toBeNull();
    expect(questionRefusal(state, NOW + ms)).toBeNull();
  });
  test('many at once take a place each, and wait until there is room for all', () => {
    const state = put(20, 1000);
    expect(roomForQuestions(state, NOW + 20_000)).toBe(40);
    expect(takeQuestions(state, 40, NOW + 20_000).refusal).toBeNull();
    expect(takeQuestions(state, 45, NOW + 20_000).refusal).toMatchObject({ freeAt: NOW + 4000 + MINUTE });
    expect(takeQuestions(state, 61, NOW + 20_000).refusal).toMatchObject({ freeAt: NOW + 19_000 + MINUTE });
  });
  test('a refusal takes no place', () => {
    const state = put(60, 0);
    expect(takeQuestions(state, 1, NOW).state.questions).toHaveLength(60);
  });
});

test('while a provider is left alone, there is no room, and none is asked to look either', () => {
  const state = backoff(emptyGuard(), 30, NOW);
  expect(roomForQuestions(state, NOW)).toBe(0);
  expect(takeQuestions(state, 0, NOW).refusal?.window).toBe('backoff');
  expect(takeQuestions(state, 0, NOW + 30_000).refusal).toBeNull();
});

test('a clock that was set back frees nothing, and holds nothing longer than it had to last', () => {
  const state = put(60, 0);
  const earlier = NOW - 365 * DAY;
  const { refusal, state: kept } = takeQuestions(state, 1, earlier);
  expect(refusal).toMatchObject({ window: 'questions_per_minute', freeAt: earlier + MINUTE });
  expect(questionRefusal(kept, earlier + MINUTE)).toBeNull();
});

test('the file stays bounded whatever was written into it; one of an earlier version is read', () => {
  const questions = Array.from({ length: 9000 }, (_, n) => NOW - (n % 7) * HOUR);
  const read = rateGuardState.parse(JSON.parse(JSON.stringify({ ...emptyGuard(), questions })));
  expect(read.questions).toHaveLength(6000);
  expect(read.questions).toEqual(read.questions.toSorted((one, other) => one - other));
  expect(rateGuardState.parse({ nextId: 3, entries: [], backoffUntil: null }).questions).toEqual([]);
});

test('law: it lets through exactly what a plain list of moments would, at every limit', () => {
  const step = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 2 * HOUR }));
  const run = fc.record({ step, count: fc.integer({ min: 1, max: 30 }), times: fc.integer({ min: 1, max: 80 }) });
  fc.assert(
    fc.property(fc.array(run, { minLength: 1, maxLength: 25 }), (runs) => {
      let state = emptyGuard();
      const list: number[] = [];
      const inLast = (ms: number, now: number) => list.filter((at) => at > now - ms).length;
      let now = NOW;
      for (const { step: ms, count, times } of runs) {
        for (let n = 0; n < times; n += 1) {
          now += ms;
          const fits =
            inLast(MINUTE, now) + count <= 60 && inLast(HOUR, now) + count <= 600 && inLast(DAY, now) + count <= 6000;
          const taken = takeQuestions(state, count, now);
          expect(taken.refusal === null).toBe(fits);
          if (taken.refusal !== null) expect(taken.refusal.freeAt).toBeGreaterThan(now);
          if (fits) list.push(...Array<number>(count).fill(now));
          state = taken.state;
        }
        const { minute, hour, day } = questionUsage(state, now);
        expect([minute.used, hour.used, day.used]).toEqual([inLast(MINUTE, now), inLast(HOUR, now), inLast(DAY, now)]);
      }
    }),
    { numRuns: lawRuns(40) },
  );
});
