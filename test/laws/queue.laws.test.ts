import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answered, expired, makeTurnQueue, next, type Queue, spoke } from '../../src/roundtable/log.ts';
import { lawRuns } from '../support/laws.ts';

const RUNS = lawRuns();
const TIMEOUT = 120;

/** What comes at one step: whether whoever speaks asks for something, how long it takes, and which result then comes. */
const step = fc.record({
  asks: fc.boolean(),
  takes: fc.nat(90),
  /** A result that comes after the message: one of those still out, by its place among them, or none. */
  result: fc.option(fc.nat(20), { nil: null }),
});
const agents = fc
  .uniqueArray(fc.constantFrom('ada', 'ben', 'cleo', 'dan', 'eve', 'finn'), { minLength: 1 })
  .chain((names) => fc.tuple(...names.map((name) => fc.record({ name: fc.constant(name), left: fc.nat(3) }))));

interface Said {
  readonly agent: string;
  readonly asked: boolean;
}
interface Course {
  readonly said: readonly Said[];
  /** Who still waited each time that somebody spoke, and each time that nobody could. */
  readonly intermissions: readonly Queue[];
  readonly late: number;
  readonly steps: number;
  readonly end: Queue;
}

/** Holds a speaking phase to its end: after the steps nobody asks any more, and no result ever comes. */
function hold(start: Queue, steps: readonly { asks: boolean; takes: number; result: number | null }[]): Course {
  const said: Said[] = [];
  const intermissions: Queue[] = [];
  const out: number[] = [];
  let [queue, now, id, late, count] = [start, 0, 0, 0, 0];
  for (; ; count += 1) {
    const { asks, takes, result } = steps[count] ?? { asks: false, takes: 1, result: null };
    const what = next(queue);
    if (what.do === 'end') return { said, intermissions, late, steps: count, end: queue };
    now += takes;
    if (what.do === 'speak') {
      const request = asks ? { id: ++id, since: now } : null;
      const spoken = spoke(queue, what.agent, request);
      queue = spoken.queue;
      said.push({ agent: what.agent, asked: request !== null && !spoken.refused });
      if (request !== null && !spoken.refused) out.push(request.id);
    } else {
      intermissions.push(queue);
      if (result === null) now = Math.max(now, what.oldest.since + TIMEOUT);
    }
    const came = result === null ? undefined : out.splice(result % Math.max(1, out.length), 1)[0];
    if (came !== undefined) {
      const taken = answered(queue, came);
      queue = taken.queue;
      if (!taken.taken) late += 1;
    }
    queue = expired(queue, now, TIMEOUT).queue;
    if (count > 10_000) throw new Error('it does not end');
  }
}

const course = fc.tuple(agents, fc.array(step, { maxLength: 60 })).map(([who, steps]) => ({
  who,
  ...hold(makeTurnQueue(who), steps),
}));

describe('laws of the speaking phase', () => {
  test('it always ends, with everyone done', () => {
    fc.assert(
      fc.property(course, ({ who, end }) => {
        expect(end.line).toEqual([]);
        expect(end.done.map(({ name }) => name).sort()).toEqual(who.map(({ name }) => name).sort());
      }),
      { numRuns: RUNS },
    );
  });

  test('nobody starves: everyone speaks, and everyone speaks first once before anybody speaks twice', () => {
    fc.assert(
      fc.property(course, ({ who, said }) => {
        expect(said.slice(0, who.length).map(({ agent }) => agent)).toEqual(who.map(({ name }) => name));
      }),
      { numRuns: RUNS },
    );
  });

  test('everyone who asked speaks again, whatever came of the request', () => {
    fc.assert(
      fc.property(course, ({ said }) => {
        said.forEach(({ agent, asked }, at) => {
          const again = said.slice(at + 1).some((later) => later.agent === agent);
          expect(again).toBe(asked);
        });
      }),
      { numRuns: RUNS },
    );
  });

  test('nobody asks more often than it may, nor twice at a time', () => {
    fc.assert(
      fc.property(course, ({ who, said, end }) => {
        for (const { name, left } of who) {
          const asked = said.filter((one) => one.agent === name && one.asked).length;
          expect(asked).toBeLessThanOrEqual(left);
          expect([...end.line, ...end.done].find((one) => one.name === name)?.left).toBe(left - asked);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('there is an intermission only when everyone left waits', () => {
    fc.assert(
      fc.property(course, ({ intermissions }) => {
        for (const { line } of intermissions) {
          expect(line.length).toBeGreaterThan(0);
          expect(line.every(({ request }) => request !== null)).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('the order in which results come changes no one’s last word: all speak as often', () => {
    const many = fc.tuple(agents, fc.infiniteStream(fc.nat()));
    fc.assert(
      fc.property(many, ([who, order]) => {
        // Everyone asks as often as it may; results come in any order, each in time.
        const often = (steps: Parameters<typeof hold>[1]) => {
          const counts = new Map<string, number>();
          for (const { agent } of hold(makeTurnQueue(who), steps).said) counts.set(agent, (counts.get(agent) ?? 0) + 1);
          return [...counts].sort();
        };
        const shuffled = [...order.take(60)].map((result) => ({ asks: true, takes: 0, result }));
        const inTurn = shuffled.map((one) => ({ ...one, result: 0 }));
        expect(often(shuffled)).toEqual(often(inTurn));
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the speaking phase by example', () => {
  const three = makeTurnQueue(['ada', 'ben', 'cleo'].map((name) => ({ name, left: 1 })));
  const order = (queue: Queue) => queue.line.map(({ name }) => name);

  test('whoever asks goes to the back while the others speak', () => {
    const { queue } = spoke(three, 'ada', { id: 1, since: 0 });
    expect(order(queue)).toEqual(['ben', 'cleo', 'ada']);
    expect(next(queue)).toEqual({ do: 'speak', agent: 'ben' });
    expect(next(answered(queue, 1).queue)).toEqual({ do: 'speak', agent: 'ben' });
  });

  test('a request beyond the budget is refused, and its speaker is done', () => {
    const once = answered(spoke(three, 'ada', { id: 1, since: 0 }).queue, 1).queue;
    const { queue, refused } = spoke(once, 'ada', { id: 2, since: 9 });
    expect(refused).toBe(true);
    expect(order(queue)).toEqual(['ben', 'cleo']);
  });

  test('a result that comes when its time is up is late', () => {
    const { queue } = spoke(three, 'ada', { id: 1, since: 0 });
    expect(expired(queue, 119, TIMEOUT).givenUp).toEqual([]);
    const after = expired(queue, 120, TIMEOUT);
    expect(after.givenUp).toEqual([1]);
    expect(answered(after.queue, 1).taken).toBe(false);
    expect(answered(queue, 1).taken).toBe(true);
    expect(answered(answered(queue, 1).queue, 1).taken).toBe(false);
  });

  test('when everyone left waits there is an intermission, until the oldest result', () => {
    let queue = spoke(three, 'ada', { id: 1, since: 5 }).queue;
    queue = spoke(queue, 'ben', null).queue;
    queue = spoke(queue, 'cleo', { id: 2, since: 3 }).queue;
    expect(next(queue)).toEqual({ do: 'intermission', oldest: { id: 2, since: 3 } });
    expect(next(answered(queue, 2).queue)).toEqual({ do: 'speak', agent: 'cleo' });
  });
});
