import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addNews,
  choosePolicy,
  type News,
  NOTIFY,
  type NotifyMemory,
  type Policy,
  planMessages,
} from '../../src/channels/outbox.ts';
import { lastAt, nextAt, quietUntil } from '../../src/vault/time.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.UTC(2026, 0, 1);

const moment = fc.integer({ min: START, max: START + 800 * DAY });
const minute = fc.integer({ min: 0, max: 1439 });
const EACH: Policy = { want: 'each', digestAt: null, quiet: null, atMost: 5 };

function news(key: string): News {
  const nothing = { event: null, target: null, change: null, from: null, quote: null, warning: null, candidates: [] };
  return { key, kind: 'proposal', ...nothing, at: 0 };
}

describe('the hours, in every zone and over every change of the clock', () => {
  test('the next moment is the first one, within a day and an hour', () => {
    fc.assert(
      fc.property(minute, moment, (at, now) => {
        const next = nextAt(at, now);
        expect(next).toBeGreaterThanOrEqual(now);
        expect(next - now).toBeLessThanOrEqual(DAY + 60 * MINUTE);
        expect(lastAt(at, now)).toBeLessThanOrEqual(now);
        expect(now - lastAt(at, now)).toBeLessThanOrEqual(DAY + 60 * MINUTE);
      }),
    );
  });

  test('quiet ends, and at its end it is not quiet', () => {
    fc.assert(
      fc.property(minute, minute, moment, (from, to, now) => {
        const until = quietUntil({ from, to }, now);
        if (until === null) return;
        expect(until).toBeGreaterThan(now);
        // An hour that is lived twice may be quiet twice.
        const after = quietUntil({ from, to }, until);
        expect(after === null || after - until <= 2 * 60 * MINUTE).toBe(true);
      }),
    );
  });
});

interface Told {
  readonly keys: readonly string[];
  readonly at: number;
}

/** What is told of things that come up at moments, where the daemon looks at these moments and whenever it is asked to. */
function toldOf(arrivals: readonly { readonly at: number; readonly key: string }[], policy: Policy): Told[] {
  let memory: NotifyMemory = NOTIFY.empty();
  const told: Told[] = [];
  const look = (now: number, fresh: readonly News[]) => {
    memory = addNews(
      memory,
      fresh.filter(({ key }) => memory.told[key] === undefined),
      policy,
      now,
    );
    const keys = memory.pending.map(({ key }) => key);
    const step = planMessages(memory, policy, ['ntfy'], now);
    memory = step.memory;
    if (step.says) told.push({ keys, at: now });
    return step.next;
  };
  let wake: number | null = null;
  for (const { at, key } of arrivals.toSorted((one, other) => one.at - other.at)) {
    while (wake !== null && wake <= at) wake = look(wake, []);
    wake = look(at, [news(key)]);
  }
  for (let tries = 0; wake !== null && tries < 50; tries += 1) wake = look(wake, []);
  return told;
}

const arrivals = fc.array(
  fc.record({ at: fc.integer({ min: START, max: START + 3 * DAY }), key: fc.stringMatching(/^[a-f]{1,2}$/) }),
  { maxLength: 40 },
);

describe('the pace', () => {
  test('nothing is told twice, no more than allowed on a day, and never while it is quiet', () => {
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 0, max: 6 }), minute, minute, (come, atMost, from, to) => {
        const policy = { ...EACH, atMost, quiet: { from, to } };
        const told = toldOf(come, policy);
        const keys = told.flatMap((one) => one.keys);
        expect(new Set(keys).size).toBe(keys.length);
        const days = Map.groupBy(told, ({ at }) => new Date(at).toDateString());
        for (const [, messages] of days) expect(messages.length).toBeLessThanOrEqual(atMost);
        for (const { at } of told) expect(quietUntil(policy.quiet, at)).toBeNull();
      }),
    );
  });

  test('where there is room for all, all is told, within ten seconds and as one where it came together', () => {
    const at = START + 12 * 60 * MINUTE;
    const come = ['a', 'b', 'c'].map((key, nth) => ({ at: at + nth * 3000, key }));
    expect(toldOf(come, EACH)).toEqual([{ keys: ['a', 'b', 'c'], at: at + 10_000 }]);
  });

  test('a digest is due once a day, whenever the daemon looks, and the first one not at once', () => {
    const policy = { ...EACH, digestAt: 450 };
    let memory = NOTIFY.empty();
    let due = 0;
    for (let now = START; now < START + 10 * DAY; now += 17 * MINUTE) {
      const step = planMessages(memory, policy, [], now);
      memory = step.memory;
      if (step.digest !== null) due += 1;
    }
    expect(due).toBeGreaterThanOrEqual(9);
    expect(due).toBeLessThanOrEqual(10);
  });
});

test('what a vault may say of messages', () => {
  const silent = {
    notify: null,
    notify_digest_at: 450,
    notify_quiet_hours: null,
    notify_at_most: 5,
    quiet_hours: null,
  };
  expect(choosePolicy(silent, false).want).toBe('off');
  expect(choosePolicy(silent, true)).toMatchObject({ want: 'each', quiet: { from: 1320, to: 420 } });
  expect(choosePolicy({ ...silent, notify: 'each' }, false).want).toBe('digest');
  expect(choosePolicy({ ...silent, notify: 'off' }, true).want).toBe('off');
  expect(choosePolicy({ ...silent, quiet_hours: { from: 1, to: 2 } }, true).quiet).toEqual({ from: 1, to: 2 });
  expect(
    choosePolicy({ ...silent, notify_quiet_hours: 'none', quiet_hours: { from: 1, to: 2 } }, true).quiet,
  ).toBeNull();
});

describe('where the clock is changed', () => {
  const before = process.env.TZ;
  beforeAll(() => {
    process.env.TZ = 'Europe/Berlin';
  });
  afterAll(() => {
    process.env.TZ = before;
  });

  test('a time that the night leaves out comes an hour later, one that it has twice comes once', () => {
    const spring = new Date('2026-03-28T20:00:00Z').getTime();
    expect(new Date(nextAt(150, spring)).toISOString()).toBe('2026-03-29T01:30:00.000Z');
    const autumn = new Date('2026-10-24T20:00:00Z').getTime();
    const first = nextAt(150, autumn);
    expect(new Date(first).toISOString()).toBe('2026-10-25T00:30:00.000Z');
    expect(new Date(nextAt(150, first + 1)).toISOString()).toBe('2026-10-26T01:30:00.000Z');
  });

  test('quiet hours last from clock to clock, and digests come once a day', () => {
    const night = { from: 22 * 60, to: 7 * 60 };
    const hours = (from: string) => ((quietUntil(night, Date.parse(from)) ?? 0) - Date.parse(from)) / (60 * MINUTE);
    expect([hours('2026-03-28T21:00:00Z'), hours('2026-10-24T20:00:00Z')]).toEqual([8, 10]);
    const policy = { ...EACH, digestAt: 150 };
    let memory = NOTIFY.empty();
    const due: string[] = [];
    for (let now = Date.parse('2026-10-23T12:00:00Z'); now < Date.parse('2026-10-27T12:00:00Z'); now += 7 * MINUTE) {
      const step = planMessages(memory, policy, [], now);
      memory = step.memory;
      if (step.digest !== null) due.push(new Date(now).toISOString().slice(0, 10));
    }
    expect(due).toEqual(['2026-10-24', '2026-10-25', '2026-10-26', '2026-10-27']);
  });
});
