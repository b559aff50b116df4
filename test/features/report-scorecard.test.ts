import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  adviceOn,
  adviceSentence,
  automaticWords,
  BARS,
  type Case,
  computeShare,
  countUnanswered,
  evaluateFate,
  FATES,
  groupCases,
  modeTally,
  moreSenders,
  OUTCOMES,
  tallyReport,
  unknownSentence,
} from '../../src/features/report.ts';
import { MODES, type Mode } from '../../src/steward/gates.ts';
import { DAY, NOW } from '../steward/samples.ts';
import { lawRuns } from '../support/laws.ts';

const outcome = fc.constantFrom(...OUTCOMES, null);
const anyCase: fc.Arbitrary<Case> = fc.record({
  event: fc.string(),
  at: fc.integer({ min: NOW - 30 * DAY, max: NOW }),
  target: fc.constant('task/pay.md'),
  decision: fc.constantFrom('likely_done', 'state_change'),
  class: fc.constantFrom('state_change', 'context_edit'),
  sources: fc.uniqueArray(fc.constantFrom('mail', 'bank', 'constructor', '__proto__'), { maxLength: 3 }),
  outcome: fc.constantFrom('acted', 'proposed', 'recorded'),
  fate: fc.constantFrom(...FATES),
  licensed: fc.boolean(),
  inMode: fc.record({ shadow: outcome, live: outcome, live_high_confidence_only: outcome }),
});
const cases = fc.array(anyCase, { maxLength: 40 });

function one(parts: Partial<Case> = {}): Case {
  return {
    ...{ event: 'e', at: NOW, target: null, decision: 'likely_done', class: 'state_change', sources: ['mail'] },
    ...{
      outcome: 'recorded',
      fate: 'borne_out',
      licensed: true,
      inMode: { shadow: 'recorded', live: 'acted', live_high_confidence_only: 'acted' },
    },
    ...parts,
  };
}

describe('a tally', () => {
  test('counts every case once among what was done, once among the fates, and right with wrong as they say', () => {
    fc.assert(
      fc.property(cases, (all) => {
        const tally = tallyReport(all);
        expect(tally.acted + tally.proposed + tally.shadow).toBe(all.length);
        expect(Object.values(tally.fates).reduce((sum, count) => sum + count, 0)).toBe(all.length);
        let [right, wrong] = [0, 0];
        for (const { fate } of all) {
          if (['confirmed', 'borne_out'].includes(fate)) right += 1;
          if (['dismissed', 'reversed', 'contradicted'].includes(fate)) wrong += 1;
        }
        expect([tally.right, tally.wrong]).toEqual([right, wrong]);
        expect(tally.precision).toEqual(computeShare(right, right + wrong));
      }),
    );
  });

  test('of a group counts the cases that bear its name, whatever it is', () => {
    fc.assert(
      fc.property(cases, (all) => {
        const groups = groupCases(all, ({ sources }) => sources);
        expect(groups.map(({ name }) => name)).toEqual([...new Set(all.flatMap(({ sources }) => sources))].sort());
        for (const { name, tally } of groups) {
          expect(tally).toEqual(tallyReport(all.filter(({ sources }) => sources.includes(name))));
        }
      }),
    );
  });

  test('of a mode counts what it would have acted upon', () => {
    fc.assert(
      fc.property(cases, fc.constantFrom(...MODES), (all, mode) => {
        const tally = modeTally(mode, all);
        const acts = all.filter(({ inMode }) => inMode[mode] === 'acted');
        expect(tally.acts).toBe(acts.length);
        expect(tally.right + tally.wrong).toBe(acts.filter(({ fate }) => evaluateFate(fate) !== 'undecided').length);
      }),
    );
  });

  test('what nobody said anything about is what is open for more than a week, or ended in silence', () => {
    fc.assert(
      fc.property(cases, (all) => {
        const open = all.filter(({ fate, at }) => fate === 'open' && at < NOW - 7 * DAY).length;
        expect(countUnanswered(all, NOW)).toBe(open + all.filter(({ fate }) => fate === 'silent').length);
      }),
    );
  });
});

describe('advice', () => {
  const times = (count: number, parts: Partial<Case> = {}) => Array.from({ length: count }, () => one(parts));
  const advice = (all: readonly Case[], mode: Mode = 'shadow') => adviceOn(mode, all, NOW);
  const sentences = (all: readonly Case[]) => advice(all).map(adviceSentence);
  const silently = {
    licensed: false,
    inMode: { shadow: 'recorded', live: 'proposed', live_high_confidence_only: 'proposed' },
  } as const;

  test('12 of 12 right: the first live mode is ready, the next one asks for more, with its figures', () => {
    const [high, live] = advice(times(12));
    expect(high).toMatchObject({ mode: 'live_high_confidence_only', ready: true, right: 12, decided: 12, more: null });
    expect(live).toMatchObject({ mode: 'live', ready: false, missing: 'cases', more: 8 });
    expect(sentences(times(12))).toEqual([
      'live_high_confidence_only: ready. 12 decisions known, 12 right: 100 % of 12 (75 % to 100 %).',
      'live: not yet. 12 of 20 decisions known, 12 right: 100 % of 12 (75 % to 100 %). 8 more right decisions needed.',
    ]);
  });

  test('counts all that was decided, and needs something that the mode would have applied', () => {
    const all = [...times(19, silently), ...times(1, { ...silently, fate: 'dismissed' })];
    expect(advice([...all, one()]).map(({ ready }) => ready)).toEqual([true, true]);
    expect(advice(all).map(({ ready, missing }) => [ready, missing])).toEqual([
      [false, 'licence'],
      [false, 'licence'],
    ]);
  });

  test.each<[string, readonly Case[], string]>([
    [
      'too few are known',
      [...times(13, silently), ...times(1, { ...silently, fate: 'dismissed' })],
      'live: not yet. 14 of 20 decisions known, 13 right: 92 % of 14 (68 % to 99 %). 6 more right decisions needed. No licence covers any of these changes: see `steward licence`.',
    ],
    [
      'one is missing',
      times(19),
      'live: not yet. 19 of 20 decisions known, 19 right: 100 % of 19 (83 % to 100 %). 1 more right decision needed.',
    ],
    [
      'no licence covers any',
      times(20, silently),
      'live: not yet. 20 decisions known, 20 right: 100 % of 20 (83 % to 100 %). No licence covers any of these changes: see `steward licence`.',
    ],
    [
      'another gate failed for all that a licence covers',
      times(20, { ...silently, licensed: true }),
      'live: not yet. 20 decisions known, 20 right: 100 % of 20 (83 % to 100 %). It would not have applied the changes that a licence covers: other gates failed.',
    ],
    [
      'nothing is known of what it would have applied',
      [...times(20, silently), ...times(2, { fate: 'open' })],
      "live: not yet. 20 decisions known, 20 right: 100 % of 20 (83 % to 100 %). The outcome of the changes that it would have applied isn't known yet.",
    ],
    [
      'too few are right',
      [...times(15, silently), one(), ...times(4, { ...silently, fate: 'contradicted' })],
      'live: not yet. 20 decisions known, 16 right: 80 % of 20 (58 % to 92 %). It needs at least 70 %. 10 more right decisions needed.',
    ],
    [
      'it would have been wrong by itself',
      [...times(28, silently), ...times(5), ...times(1, { fate: 'reversed' })],
      'live: not yet. 34 decisions known, 33 right: 97 % of 34 (85 % to 100 %). Of the 6 changes it would have applied, 1 was wrong: 16 % of 6 (3 % to 57 %).',
    ],
    [
      'most of it is silent',
      [...times(20), ...times(15, { fate: 'open', at: NOW - 8 * DAY }), ...times(6, { fate: 'silent' })],
      'live: not yet. 20 decisions known, 20 right: 100 % of 20 (83 % to 100 %). 21 more are older than a week and still undecided: more than the 20 known ones.',
    ],
  ])('live is not ready where %s', (_, all, sentence) => expect(sentences(all)[1]).toBe(sentence));

  test('what is a few days old and open keeps nothing back', () => {
    expect(advice([...times(20), ...times(21, { fate: 'open' })])[1]).toMatchObject({ ready: true, unheard: 0 });
    expect(advice([])[0]).toMatchObject({ ready: false, low: null, decided: 0, more: 12 });
  });

  test('says of modes above the present one only', () => {
    expect(advice(times(30), 'live_high_confidence_only').map(({ mode }) => mode)).toEqual(['live']);
    expect(advice(times(30), 'live')).toEqual([]);
  });

  test('is ready exactly where the bar is met, and what is said to be lacking would do', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 12 }), (right, wrong) => {
        const all = [one(), ...times(right, silently), ...times(wrong, { ...silently, fate: 'reversed' })];
        for (const { mode, ready, more, bar } of advice(all)) {
          expect(bar).toBe(BARS[mode]);
          const low = computeShare(right + 1, right + 1 + wrong)?.low ?? 0;
          expect(ready).toBe(right + 1 + wrong >= bar.decided && low >= bar.low);
          if (more === null) continue;
          const [fewer, enough] = [more - 1, more].map((count) => [...all, ...times(count, silently)]);
          expect(advice(enough ?? []).find((next) => next.mode === mode)?.ready).toBe(true);
          expect(advice(fewer ?? []).find((next) => next.mode === mode)?.ready).toBe(false);
        }
      }),
      { numRuns: lawRuns(60) },
    );
  });
});

test('the sources of which nothing is known yet are named with how many, the most first', () => {
  const open = (name: string, count: number) =>
    Array.from({ length: count }, () => one({ sources: [name], fate: 'open' }));
  const named = (all: readonly Case[]) => unknownSentence(groupCases(all, ({ sources }) => sources));
  expect(named([one()])).toBeNull();
  expect(named([...open('bank', 1), ...open('mail:a@x.example', 3), one({ sources: ['slack'] })])).toBe(
    'Still undecided: 3 from mail:a@x.example, 1 from bank.',
  );
  expect(named(['a', 'b', 'c', 'd', 'e', 'f', 'g'].flatMap((name) => open(name, 1)))).toMatch(
    /1 from e, and from 2 others\.$/,
  );
});

test('no bound on wrong automatic changes is under half a per cent before 600 of them were right', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 600 }), (changes) => {
      const share = computeShare(0, changes);
      const bound = Number(/to ([\d.]+) %\)$/.exec(automaticWords({ changes, wrong: 0, share }))?.[1]);
      expect(bound).toBeGreaterThan(0.5);
    }),
  );
  expect(automaticWords({ changes: 3, wrong: 1, share: computeShare(1, 3) })).toBe(
    '3 changes made without asking, 1 known to be wrong: 33.3 % of 3 (6.1 % to 79.3 %)',
  );
  expect(automaticWords({ changes: 0, wrong: 0, share: null })).toBe('0 changes made without asking');
});

test('one sender that is not listed is one', () => {
  expect([1, 2].map(moreSenders)).toEqual(['1 more sender', '2 more senders']);
});
