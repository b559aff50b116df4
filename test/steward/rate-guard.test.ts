import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  backoff,
  backoffUntil,
  emptyGuard,
  findRefusal,
  freeSlots,
  type GuardTarget,
  type RateGuardState,
  rateGuardState,
  release,
  reserve,
  slotUsage,
  takeSlots,
  unreadableGuard,
} from '../../src/steward/rate-guard.ts';
import { lawRuns } from '../support/laws.ts';
import { ownTime } from '../support/own-time.ts';
import { DAY, HOUR, MINUTE, NOW } from './samples.ts';

/** Senders that share the slots of a note and may use all of them. */
const LICENSED = { senders: [], licensed: true };

describe('questions about notes', () => {
  const task = (n: number, matter: string | null = `matter/${n}.md`): GuardTarget => ({
    kind: 'task',
    path: `task/${n}.md`,
    matter,
    ...LICENSED,
  });
  const matter = (path: string): GuardTarget => ({ kind: 'matter', path, matter: null, ...LICENSED });

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
    expect(reserve(release(refused.state, sixth.slot.id), task(1), NOW).ok).toBe(true);
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
    test('no question is put before, then all are', () => {
      const state = backoff(emptyGuard(), 30, NOW);
      expect(findRefusal(state, null, NOW + 29_999)).toMatchObject({ window: 'backoff', freeAt: NOW + 30_000 });
      expect(takeSlots(state, 0, null, NOW).refusal?.window).toBe('backoff');
      expect(findRefusal(state, null, NOW + 30_000)).toBeNull();
      expect(reserve(state, task(1), NOW).ok).toBe(false);
      expect(reserve(state, task(1), NOW + 30_000).ok).toBe(true);
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
      expect(slotUsage(refused.state, earlier + DAY).day.used).toBe(0);
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
      const { state, refusal } = takeSlots(backoff(emptyGuard(), 60, NOW), 1, null, earlier);
      expect(refusal).toMatchObject({ window: 'backoff', freeAt: earlier + DAY });
      expect(findRefusal(state, null, earlier + DAY)).toBeNull();
    });
  });

  describe('state', () => {
    test('survives JSON', () => {
      const { state } = spent(10, 1000);
      expect(rateGuardState.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
    });
    test('stays bounded, and sorted whatever is read', () => {
      const entries = Array.from({ length: 7000 }, (_, n) => ({
        task: null,
        matter: null,
        senders: [],
        sent: true,
        id: n,
        at: NOW - n,
      }));
      const state = rateGuardState.parse({ ...emptyGuard(), nextId: 7000, entries });
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
      expect(slotUsage(state, NOW + 1)).toEqual({
        minute: { used: 4, cap: 60 },
        hour: { used: 4, cap: 600 },
        day: { used: 4, cap: 6000 },
        task: { used: 3, cap: 6 },
        matter: { used: 4, cap: 50 },
      });
      expect(slotUsage(state, NOW + MINUTE).minute.used).toBe(0);
    });
  });
});

describe('questions to providers', () => {
  /** Puts `times` questions, `step` apart. */
  function put(times: number, step: number): RateGuardState {
    let state = emptyGuard();
    for (let n = 0; n < times; n += 1) {
      const taken = takeSlots(state, 1, null, NOW + n * step);
      expect(taken.refusal).toBeNull();
      state = taken.state;
    }
    return state;
  }

  describe('windows', () => {
    test.each([
      ['minute', 60, 100, MINUTE],
      ['hour', 600, 2000, HOUR],
      ['day', 6000, 7000, DAY],
    ] as const)('%s: %d, and one more when the first has left it', (window, cap, step, ms) => {
      const state = put(cap, step);
      const now = NOW + (cap - 1) * step;
      expect(findRefusal(state, null, now)).toEqual({ window, cap, used: cap, freeAt: NOW + ms });
      expect(findRefusal(state, null, NOW + ms - 1)).not.toBeNull();
      expect(findRefusal(state, null, NOW + ms)).toBeNull();
    });
    test('many at once take a place each, and wait until there is room for all', () => {
      const state = put(20, 1000);
      expect(freeSlots(state, NOW + 20_000)).toBe(40);
      expect(takeSlots(state, 40, null, NOW + 20_000).refusal).toBeNull();
      expect(takeSlots(state, 45, null, NOW + 20_000).refusal).toMatchObject({ freeAt: NOW + 4000 + MINUTE });
      expect(takeSlots(state, 61, null, NOW + 20_000).refusal).toMatchObject({ freeAt: NOW + 19_000 + MINUTE });
    });
    test('a refusal takes no place', () => {
      const state = put(60, 0);
      expect(takeSlots(state, 1, null, NOW).state.entries).toHaveLength(60);
    });
  });

  test('while a provider is left alone, there is no room, and none is asked to look either', () => {
    const state = backoff(emptyGuard(), 30, NOW);
    expect(freeSlots(state, NOW)).toBe(0);
    expect(takeSlots(state, 0, null, NOW).refusal?.window).toBe('backoff');
    expect(takeSlots(state, 0, null, NOW + 30_000).refusal).toBeNull();
  });

  test('a clock that was set back frees nothing, and holds nothing longer than it had to last', () => {
    const state = put(60, 0);
    const earlier = NOW - 365 * DAY;
    const { refusal, state: kept } = takeSlots(state, 1, null, earlier);
    expect(refusal).toMatchObject({ window: 'minute', freeAt: earlier + MINUTE });
    expect(findRefusal(kept, null, earlier + MINUTE)).toBeNull();
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
            const taken = takeSlots(state, count, null, now);
            expect(taken.refusal === null).toBe(fits);
            if (taken.refusal !== null) expect(taken.refusal.freeAt).toBeGreaterThan(now);
            if (fits) list.push(...Array<number>(count).fill(now));
            state = taken.state;
          }
          const { minute, hour, day } = slotUsage(state, now);
          expect([minute.used, hour.used, day.used]).toEqual([
            inLast(MINUTE, now),
            inLast(HOUR, now),
            inLast(DAY, now),
          ]);
        }
      }),
      { numRuns: lawRuns(40) },
    );
  });
});

describe('the first dispatch of a question and its retries', () => {
  const PAY: GuardTarget = {
    kind: 'task',
    path: 'task/pay.md',
    matter: 'matter/house.md',
    senders: ['mail'],
    licensed: true,
  };

  function reserved(state: RateGuardState) {
    const reservation = reserve(state, PAY, NOW);
    if (!reservation.ok) throw new Error(`refused by ${reservation.window}`);
    return reservation;
  }

  test('the first uses the reserved slot, and each retry takes another for the same note', () => {
    const { state, slot } = reserved(emptyGuard());
    const first = takeSlots(state, 1, slot, NOW);
    expect(slotUsage(first.state, NOW)).toMatchObject({ minute: { used: 1 }, task: { used: 1 }, matter: { used: 1 } });
    const second = takeSlots(first.state, 1, slot, NOW);
    expect(slotUsage(second.state, NOW)).toMatchObject({ minute: { used: 2 }, task: { used: 2 }, matter: { used: 2 } });
    const third = takeSlots(second.state, 1, slot, NOW);
    expect(takeSlots(third.state, 1, slot, NOW).refusal).toMatchObject({ window: 'task_sender', used: 3, cap: 3 });
  });

  test('a slot that was used is not given back; one that was only reserved is', () => {
    const { state, slot } = reserved(emptyGuard());
    expect(release(state, slot.id).entries).toEqual([]);
    expect(release(takeSlots(state, 1, slot, NOW).state, slot.id).entries).toHaveLength(1);
  });

  test('a backoff that began meanwhile holds a reserved slot back, too', () => {
    const { state, slot } = reserved(emptyGuard());
    expect(takeSlots(backoff(state, 60, NOW), 1, slot, NOW).refusal?.window).toBe('backoff');
  });
});

describe('shares of senders', () => {
  const by = (senders: readonly string[], licensed = false, n = 1): GuardTarget => ({
    kind: 'task',
    path: `task/${n}.md`,
    matter: 'matter/house.md',
    senders,
    licensed,
  });
  /** Reserves a slot for each target in turn; returns the state and, for each, the window that refused it, or null. */
  function run(targets: readonly GuardTarget[], start = emptyGuard()) {
    let state = start;
    const refused = targets.map((target, nth) => {
      const answer = reserve(state, target, NOW + nth * MINUTE);
      state = answer.state;
      return answer.ok ? null : answer.window;
    });
    return { state, refused, now: NOW + targets.length * MINUTE };
  }
  const times = <One>(count: number, one: One): One[] => Array.from({ length: count }, () => one);

  test("a sender has half of a task's slots, licensed or not; others still have theirs", () => {
    for (const licensed of [false, true]) {
      const flood = run(times(30, by(['mail:stranger'], licensed)));
      expect(flood.refused).toEqual([null, null, null, ...times(27, 'task_sender')]);
      expect(reserve(flood.state, by(['mail:anna']), flood.now).ok).toBe(true);
    }
  });

  test('the last slot of a task is reserved for licensed senders', () => {
    const { state, now } = run([...times(3, by(['a'])), ...times(2, by(['b']))]);
    expect(reserve(state, by(['c']), now)).toMatchObject({ ok: false, window: 'task_reserved', used: 5, cap: 5 });
    expect(reserve(state, by([]), now)).toMatchObject({ ok: false, window: 'task_reserved' });
    const last = reserve(state, by(['c'], true), now);
    expect(last.ok).toBe(true);
    expect(reserve(last.state, by(['d'], true), now)).toMatchObject({ ok: false, window: 'task', used: 6, cap: 6 });
  });

  test('the same of a matter: 25 for one sender, the fiftieth for licensed senders', () => {
    const tasks = (sender: string, count: number, from: number) =>
      Array.from({ length: count }, (_, nth) => by([sender], false, from + nth));
    const { state, refused, now } = run([...tasks('a', 26, 0), ...tasks('b', 24, 100), ...tasks('c', 1, 200)]);
    expect(refused.filter((window) => window !== null)).toEqual(['matter_sender', 'matter_reserved']);
    expect(reserve(state, by(['c'], true, 300), now).ok).toBe(true);
  });

  test('a question about several senders is only refused if each of them has had its half', () => {
    const { state, now } = run(times(3, by(['a'])));
    expect(reserve(state, by(['a', 'b']), now).ok).toBe(true);
    expect(reserve(state, by(['a']), now)).toMatchObject({ ok: false, window: 'task_sender', freeAt: NOW + DAY });
  });
});

describe('a state that could not be read', () => {
  test('counts as full for one minute, not as empty', () => {
    const state = unreadableGuard(NOW);
    expect(findRefusal(state, null, NOW)).toMatchObject({ window: 'unreadable', freeAt: NOW + MINUTE });
    expect(freeSlots(state, NOW)).toBe(0);
    expect(takeSlots(state, 1, null, NOW + MINUTE - 1).refusal?.window).toBe('unreadable');
    expect(takeSlots(state, 1, null, NOW + MINUTE).refusal).toBeNull();
  });
  test('a moment far ahead holds for a minute at most', () => {
    const asked = takeSlots({ ...unreadableGuard(NOW), fullUntil: NOW + DAY }, 1, null, NOW);
    expect(takeSlots(asked.state, 1, null, NOW + MINUTE).refusal).toBeNull();
  });
  test.each([{}, { nextId: 0, entries: 'none' }, { nextId: 0, entries: [], backoffUntil: 'for ever' }, 'full'])(
    '%j is not read as an empty one',
    (written) => {
      expect(rateGuardState.safeParse(written).success).toBe(false);
    },
  );
});
