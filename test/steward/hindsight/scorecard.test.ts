import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODES, type Mode } from '../../../src/steward/gates-rounding.ts';
import {
  adviceOn,
  adviceSentence,
  BARS,
  type Case,
  FATES,
  findingOf,
  groupsOf,
  modeTally,
  OUTCOMES,
  shareOf,
  tallyOf,
  unheardIn,
  unknownSentence,
} from '../../../src/steward/hindsight.ts';
import { lawRuns } from '../../support/laws.ts';
import { DAY, NOW } from '../samples.ts';

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
  inMode: fc.record({ shadow: outcome, live: outcome, live_high_confidence_only: outcome }),
});
const cases = fc.array(anyCase, { maxLength: 40 });

function one(parts: Partial<Case> = {}): Case {
  return {
    ...{ event: 'e', at: NOW, target: null, decision: 'likely_done', class: 'state_change', sources: ['mail'] },
    ...{
      outcome: 'recorded',
      fate: 'borne_out',
      inMode: { shadow: 'recorded', live: 'acted', live_high_confidence_only: 'acted' },
    },
    ...parts,
  };
}

describe('a tally', () => {
  test('counts every case once among what was done, once among the fates, and right with wrong as they say', () => {
    fc.assert(
      fc.property(cases, (all) => {
        const tally = tallyOf(all);
        expect(tally.acted + tally.proposed + tally.shadow).toBe(all.length);
        expect(Object.values(tally.fates).reduce((sum, count) => sum + count, 0)).toBe(all.length);
        let [right, wrong] = [0, 0];
        for (const { fate } of all) {
          if (['confirmed', 'kept', 'borne_out'].includes(fate)) right += 1;
          if (['dismissed', 'reversed', 'contradicted'].includes(fate)) wrong += 1;
        }
        expect([tally.right, tally.wrong]).toEqual([right, wrong]);
        expect(tally.precision).toEqual(shareOf(right, right + wrong));
      }),
    );
  });

  test('of a group counts the cases that bear its name, whatever it is', () => {
    fc.assert(
      fc.property(cases, (all) => {
        const groups = groupsOf(all, ({ sources }) => sources);
        expect(groups.map(({ name }) => name)).toEqual([...new Set(all.flatMap(({ sources }) => sources))].sort());
        for (const { name, tally } of groups) {
          expect(tally).toEqual(tallyOf(all.filter(({ sources }) => sources.includes(name))));
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
        expect(tally.right + tally.wrong).toBe(acts.filter(({ fate }) => findingOf(fate) !== 'undecided').length);
      }),
    );
  });

  test('what nobody said anything about is what is open for more than a week, or ended in silence', () => {
    fc.assert(
      fc.property(cases, (all) => {
        const open = all.filter(({ fate, at }) => fate === 'open' && at < NOW - 7 * DAY).length;
        expect(unheardIn(all, NOW)).toBe(open + all.filter(({ fate }) => fate === 'silent').length);
      }),
    );
  });
});

describe('advice', () => {
  const times = (count: number, parts: Partial<Case> = {}) => Array.from({ length: count }, () => one(parts));
  const advice = (all: readonly Case[], mode: Mode = 'shadow') => adviceOn(mode, all, NOW);
  const sentences = (all: readonly Case[]) => advice(all).map(adviceSentence);
  const silently = { inMode: { shadow: 'recorded', live: 'proposed', live_high_confidence_only: 'proposed' } } as const;

  test('12 of 12 right: the first live mode is ready, the next one asks for more, with its figures', () => {
    const [high, live] = advice(times(12));
    expect(high).toMatchObject({ mode: 'live_high_confidence_only', ready: true, right: 12, decided: 12, more: null });
    expect(live).toMatchObject({ mode: 'live', ready: false, missing: 'cases', more: 8 });
    expect(sentences(times(12))).toEqual([
      'live_high_confidence_only: ready. 12 decisions known, 12 right: at least 75 % with 95 % confidence.',
      'live: not yet. 12 of 20 decisions known, 12 right. 8 more right decisions needed.',
    ]);
  });

  test('counts all that was decided, though no mode would have acted upon any of it', () => {
    const all = [...times(19, silently), ...times(1, { ...silently, fate: 'dismissed' })];
    expect(advice(all).map(({ ready, acts }) => [ready, acts])).toEqual([
      [true, { right: 0, wrong: 0 }],
      [true, { right: 0, wrong: 0 }],
    ]);
  });

  test.each<[string, readonly Case[], string]>([
    [
      'too few are known',
      [...times(13, silently), ...times(1, { ...silently, fate: 'dismissed' })],
      'live: not yet. 14 of 20 decisions known, 13 right. 6 more right decisions needed.',
    ],
    ['one is missing', times(19), 'live: not yet. 19 of 20 decisions known, 19 right. 1 more right decision needed.'],
    [
      'too few are right',
      [...times(16, silently), ...times(4, { ...silently, fate: 'contradicted' })],
      'live: not yet. 20 decisions known, 16 right: at least 58 % with 95 % confidence. It needs at least 70 %. 10 more right decisions needed.',
    ],
    [
      'it would have been wrong by itself',
      [...times(28, silently), ...times(5), ...times(1, { fate: 'reversed' })],
      'live: not yet. 34 decisions known, 33 right: at least 85 % with 95 % confidence. Of the 6 changes it would have made alone, 1 was wrong.',
    ],
    [
      'most of it is silent',
      [...times(20), ...times(15, { fate: 'open', at: NOW - 8 * DAY }), ...times(6, { fate: 'silent' })],
      'live: not yet. 20 decisions known, 20 right: at least 83 % with 95 % confidence. 21 more are older than a week and still undecided: more than the 20 known ones.',
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
        const all = [...times(right, silently), ...times(wrong, { ...silently, fate: 'reversed' })];
        for (const { mode, ready, more, bar } of advice(all)) {
          expect(bar).toBe(BARS[mode]);
          const low = shareOf(right, right + wrong)?.low ?? 0;
          expect(ready).toBe(right + wrong >= bar.decided && low >= bar.low);
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
  const named = (all: readonly Case[]) => unknownSentence(groupsOf(all, ({ sources }) => sources));
  expect(named([one()])).toBeNull();
  expect(named([...open('bank', 1), ...open('mail:a@x.example', 3), one({ sources: ['slack'] })])).toBe(
    'Still undecided: 3 from mail:a@x.example, 1 from bank.',
  );
  expect(named(['a', 'b', 'c', 'd', 'e', 'f', 'g'].flatMap((name) => open(name, 1)))).toMatch(
    /1 from e, and from 2 others\.$/,
  );
});
