import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODES } from '../../../src/steward/gates/mode.ts';
import { adviceOn, BARS } from '../../../src/steward/hindsight/advice.ts';
import { FATES, findingOf } from '../../../src/steward/hindsight/hindsight.ts';
import { adviceSentence } from '../../../src/steward/hindsight/report-words.ts';
import {
  type Case,
  groupsOf,
  type ModeTally,
  modeTally,
  OUTCOMES,
  tallyOf,
} from '../../../src/steward/hindsight/scorecard.ts';
import { shareOf } from '../../../src/steward/hindsight/wilson.ts';
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
          if (['dismissed', 'reversed', 'undone', 'contradicted'].includes(fate)) wrong += 1;
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

  test('of a mode counts what it would have acted upon, and what is silent for more than a week', () => {
    fc.assert(
      fc.property(cases, fc.constantFrom(...MODES), (all, mode) => {
        const tally = modeTally(mode, all, NOW);
        const acts = all.filter(({ inMode }) => inMode[mode] === 'acted');
        expect(tally.acts).toBe(acts.length);
        expect(tally.right + tally.wrong).toBe(acts.filter(({ fate }) => findingOf(fate) !== 'undecided').length);
        expect(tally.unheard).toBe(acts.filter(({ fate, at }) => fate === 'open' && at < NOW - 7 * DAY).length);
      }),
    );
  });
});

describe('advice', () => {
  const tallies = (all: readonly Case[]): readonly ModeTally[] => MODES.map((mode) => modeTally(mode, all, NOW));
  const times = (count: number, parts: Partial<Case> = {}) => Array.from({ length: count }, () => one(parts));

  test('12 of 12 right: the first live mode is ready, the next one asks for more, with its figures', () => {
    const [high, live] = adviceOn('shadow', tallies(times(12)));
    expect(high).toMatchObject({ mode: 'live_high_confidence_only', ready: true, right: 12, decided: 12, more: null });
    expect(live).toMatchObject({ mode: 'live', ready: false, missing: 'cases', more: 8 });
    expect(high && adviceSentence(high)).toBe(
      'live_high_confidence_only is ready: 12 of 12 right, at least 75 % with 95 % confidence (it asks for 12 decided and at least 75 %).',
    );
    expect(live && adviceSentence(live)).toBe(
      'live is not ready: 12 of 12 right, at least 75 % with 95 % confidence; it asks for 20 decided and at least 80 %. 8 more, all right, would do.',
    );
  });

  test('is never given on too little, nor on too little certainty, nor where most is silent', () => {
    expect(adviceOn('shadow', tallies(times(11)))[0]).toMatchObject({ ready: false, missing: 'cases', more: 1 });
    const doubtful = [...times(12), ...times(2, { fate: 'dismissed' })];
    expect(adviceOn('shadow', tallies(doubtful))[0]).toMatchObject({ ready: false, missing: 'certainty' });
    const silent = [...times(20), ...times(21, { fate: 'open', at: NOW - 8 * DAY })];
    expect(adviceOn('shadow', tallies(silent))[0]).toMatchObject({ ready: false, missing: 'silence', more: null });
    expect(adviceOn('shadow', tallies([...times(20), ...times(21, { fate: 'open' })]))[0]).toMatchObject({
      ready: true,
    });
    expect(adviceOn('shadow', tallies([]))[0]).toMatchObject({ ready: false, low: null, decided: 0 });
  });

  test('says of modes above the present one only', () => {
    expect(adviceOn('live_high_confidence_only', tallies(times(30))).map(({ mode }) => mode)).toEqual(['live']);
    expect(adviceOn('live', tallies(times(30)))).toEqual([]);
  });

  test('is ready exactly where the bar is met, and what is said to be lacking would do', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 12 }), (right, wrong) => {
        const all = [...times(right), ...times(wrong, { fate: 'reversed' })];
        for (const { mode, ready, more, bar } of adviceOn('shadow', tallies(all))) {
          expect(bar).toBe(BARS[mode as 'live']);
          const low = shareOf(right, right + wrong)?.low ?? 0;
          expect(ready).toBe(right + wrong >= bar.decided && low >= bar.low);
          if (more === null) continue;
          const later = adviceOn('shadow', tallies([...all, ...times(more)])).find((next) => next.mode === mode);
          expect(later?.ready).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});
