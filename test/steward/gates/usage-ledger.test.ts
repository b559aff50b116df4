import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DAY,
  emptyLedger,
  entered,
  type LedgerEntry,
  type LedgerState,
  ledgerState,
  spentBy,
  spentIn,
  WEEK,
} from '../../../src/steward/gate-limits.ts';
import { lawRuns } from '../../support/laws.ts';
import { HOUR, MINUTE, NOW } from '../samples.ts';

const entry = { model: 'some-model', matter: 'matter/house.md', tokens: 1000, usd: 0.01 };
const after = (entries: readonly [at: number, parts: Partial<LedgerEntry>][]): LedgerState =>
  entries.reduce((state, [at, parts]) => entered(state, { ...entry, ...parts }, at), emptyLedger());

test('questions add up by the hour, and leave the day and the week', () => {
  const state = after([
    [NOW, {}],
    [NOW + MINUTE, {}],
    [NOW + 3 * DAY, { tokens: 500 }],
  ]);
  expect(state.rows).toHaveLength(2);
  const now = NOW + 3 * DAY;
  expect(spentIn(state, DAY, now)).toEqual({ questions: 1, tokens: 500, usd: 0.01, unpriced: 0 });
  expect(spentIn(state, WEEK, now)).toMatchObject({ questions: 3, tokens: 2500 });
  expect(spentIn(state, WEEK, NOW + WEEK + HOUR)).toMatchObject({ questions: 1 });
  expect(spentIn(state, WEEK, NOW + 2 * WEEK)).toEqual({ questions: 0, tokens: 0, usd: 0, unpriced: 0 });
  expect(entered(state, entry, NOW + 2 * WEEK).rows).toHaveLength(1);
});

test('the dearest come first; what has no price is counted, and what has no matter is named for none', () => {
  const state = after([
    [NOW, { model: 'cheap', usd: 0.001 }],
    [NOW, { model: 'free', usd: null, tokens: 9000, matter: 'matter/trip.md' }],
    [NOW, { model: 'dear', usd: 1 }],
  ]);
  const none = entered(state, { ...entry, matter: null }, NOW);
  expect(spentBy('model', none, DAY, NOW).map(([name]) => name)).toEqual(['dear', 'some-model', 'cheap', 'free']);
  expect(spentBy('matter', none, DAY, NOW)).toEqual([
    ['matter/house.md', { questions: 2, tokens: 2000, usd: 1.001, unpriced: 0 }],
    ['matter/trip.md', { questions: 1, tokens: 9000, usd: 0, unpriced: 1 }],
  ]);
});

test('a clock that was ahead leaves nothing behind that never ends', () => {
  const state = after([
    [NOW + 365 * DAY, {}],
    [NOW, {}],
  ]);
  expect(spentIn(state, WEEK, NOW)).toMatchObject({ questions: 2 });
  expect(spentIn(state, WEEK, NOW + 8 * DAY)).toMatchObject({ questions: 0 });
});

test('law: however much is asked, the file is bounded, and the sums are whole', () => {
  const matters = fc.integer({ min: 0, max: 400 }).map((each) => `matter/${each}.md`);
  fc.assert(
    fc.property(fc.array(matters, { minLength: 200, maxLength: 400 }), (asked) => {
      const made = asked.map((matter, index): [number, { matter: string }] => [NOW + index * 6 * MINUTE, { matter }]);
      const state = after(made);
      const now = NOW + asked.length * 6 * MINUTE;
      expect(spentIn(state, WEEK, now)).toMatchObject({ questions: asked.length, tokens: 1000 * asked.length });
      expect(ledgerState.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
    }),
    { numRuns: lawRuns(5) },
  );
  const many = Array.from({ length: 6000 }, (_, index): [number, { matter: string }] => [
    NOW + index * MINUTE,
    { matter: `matter/${index}.md` },
  ]);
  const state = after(many);
  expect(state.rows.length).toBeLessThanOrEqual(1500);
  expect(spentIn(state, WEEK, NOW + 6000 * MINUTE)).toMatchObject({ questions: 6000, tokens: 6_000_000 });
});
