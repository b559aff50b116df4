import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BudgetCaps,
  type BudgetState,
  budgetGate,
  budgetState,
  emptyBudget,
  emptyLedger,
  entered,
  type LedgerEntry,
  type LedgerState,
  ledgerState,
  maxSpend,
  recordSpend,
  releaseSpend,
  reserveSpend,
  spenders,
  spent,
  spentBy,
  sumSpending,
  WEEK,
} from '../../src/steward/budget.ts';
import { lawRuns } from '../support/laws.ts';
import { DAY, HOUR, MINUTE, NOW } from './samples.ts';

describe('budget', () => {
  const NONE: BudgetCaps = { vaultTokens: null, vaultUsd: null, matterTokens: null, matterUsd: null };
  const call = (tokens: number, usd = 0, matter: string | null = 'matter/house.md') => ({
    matter,
    cost: { tokens, usd },
  });

  /** A state after these calls, one a minute. */
  function made(calls: readonly ReturnType<typeof call>[]): BudgetState {
    return calls.reduce((state, one, n) => reserveSpend(state, one, NONE, NOW + n * MINUTE).state, emptyBudget());
  }

  describe('what a day may cost', () => {
    test.each([
      ['budget_tokens_per_day', { vaultTokens: 1000 }],
      ['budget_usd_per_day', { vaultUsd: 1 }],
      ['budget_tokens_per_matter_per_day', { matterTokens: 1000 }],
      ['budget_usd_per_matter_per_day', { matterUsd: 1 }],
    ] as const)('%s refuses what does not fit, and has room again when enough is a day old', (window, cap) => {
      const caps = { ...NONE, ...cap };
      const state = made([call(400, 0.4), call(500, 0.5)]);
      expect(reserveSpend(state, call(100, 0.1), caps, NOW + HOUR).ok).toBe(true);
      const refused = reserveSpend(state, call(200, 0.2), caps, NOW + HOUR);
      expect(refused).toMatchObject({ ok: false, refusal: { window, freeAt: NOW + DAY } });
      expect(reserveSpend(state, call(200, 0.2), caps, NOW + DAY - 1).ok).toBe(false);
      expect(reserveSpend(state, call(200, 0.2), caps, NOW + DAY).ok).toBe(true);
    });

    test('a matter’s budget is its own', () => {
      const caps = { ...NONE, matterTokens: 1000 };
      const state = made([call(1000)]);
      expect(reserveSpend(state, call(1), caps, NOW + HOUR).ok).toBe(false);
      expect(reserveSpend(state, call(1, 0, 'matter/boat.md'), caps, NOW + HOUR).ok).toBe(true);
      expect(reserveSpend(state, call(1, 0, null), caps, NOW + HOUR).ok).toBe(true);
    });

    test('nothing is nothing: a budget of 0 refuses even a call that is expected to cost nothing', () => {
      const refused = reserveSpend(emptyBudget(), call(0), { ...NONE, vaultUsd: 0 }, NOW);
      expect(refused).toMatchObject({ ok: false, refusal: { window: 'budget_usd_per_day', freeAt: NOW + DAY } });
    });

    test('what was set aside is settled by what it took, or given back', () => {
      const asked = reserveSpend(emptyBudget(), call(1000, 1), NONE, NOW);
      if (!asked.ok) throw new Error('refused');
      expect(spent(asked.state, NOW)).toEqual({ tokens: 1000, usd: 1 });
      expect(spent(recordSpend(asked.state, asked.id, { tokens: 300, usd: 0.2 }), NOW)).toEqual({
        tokens: 300,
        usd: 0.2,
      });
      expect(spent(releaseSpend(asked.state, asked.id), NOW)).toEqual({ tokens: 0, usd: 0 });
    });

    test('cents are summed exactly enough', () => {
      const caps = { ...NONE, vaultUsd: 0.3 };
      expect(reserveSpend(made([call(0, 0.1), call(0, 0.1)]), call(0, 0.1), caps, NOW + HOUR).ok).toBe(true);
    });

    test('the dearest of the day, and who spent', () => {
      const state = made([call(10, 3), call(30, 1, 'matter/boat.md'), call(20, 2, null)]);
      expect(maxSpend(state, NOW + HOUR)).toEqual({ tokens: 30, usd: 3 });
      expect(spenders(state, NOW + HOUR)).toEqual(['matter/boat.md', 'matter/house.md']);
      expect(maxSpend(state, NOW + 2 * DAY)).toEqual({ tokens: 0, usd: 0 });
    });

    test('the gate says it in one sentence', () => {
      const refused = reserveSpend(made([call(900)]), call(200), { ...NONE, matterTokens: 1000 }, NOW + HOUR);
      if (refused.ok) throw new Error('not refused');
      expect(budgetGate(refused.refusal)).toMatchObject({ name: 'budget', held: false, figure: 900, threshold: 1000 });
      expect(budgetGate(refused.refusal).sentence).toMatch(
        /^budget: 900 of 1000 tokens used by this matter in a day, and the next call may take 200; free at .*Z\.$/,
      );
    });

    test('survives JSON, and stays bounded and sorted whatever is read', () => {
      const state = made([call(1, 1), call(2, 2, null)]);
      expect(budgetState.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
      const one = { id: 1, matter: null, tokens: 1, usd: 0, settled: true };
      const many = Array.from({ length: 21_000 }, (_, n) => ({ ...one, at: NOW - n }));
      expect(budgetState.parse({ entries: many }).entries).toHaveLength(20_000);
    });
  });

  describe('laws', () => {
    const amount = fc.integer({ min: 0, max: 100 });
    const step = fc.record({
      tokens: amount,
      usd: amount,
      took: fc.option(amount),
      matter: fc.constantFrom(null, 'a', 'b'),
      gap: fc.oneof(
        { weight: 5, arbitrary: fc.integer({ min: 0, max: 4 * HOUR }) },
        { weight: 1, arbitrary: fc.integer({ min: -DAY, max: 2 * DAY }) },
      ),
    });
    const cap = fc.option(fc.integer({ min: 0, max: 300 }));
    const caps = fc.record({ vaultTokens: cap, vaultUsd: cap, matterTokens: cap, matterUsd: cap });

    test('it allows exactly what a plain sum over the last day allows, and freeAt tells the truth', () => {
      fc.assert(
        fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), caps, (steps, limits) => {
          let state = emptyBudget();
          let now = NOW;
          for (const { tokens, usd, took, matter, gap } of steps) {
            now += gap;
            const asked = reserveSpend(state, { matter, cost: { tokens, usd } }, limits, now);
            state = asked.state;
            const day = state.entries.slice(0, asked.ok ? -1 : undefined);
            expect(day.every((one) => one.at <= now && one.at > now - DAY)).toBe(true);
            expect(asked.ok).toBe(allowed(day, { matter, tokens, usd }, limits));
            if (asked.ok) {
              if (took !== null) state = recordSpend(state, asked.id, { tokens: took, usd: took });
            } else {
              const { freeAt } = asked.refusal;
              expect(freeAt).toBeGreaterThan(now);
              expect(freeAt).toBeLessThanOrEqual(now + DAY);
              expect(reserveSpend(state, { matter, cost: { tokens, usd } }, limits, freeAt - 1).ok).toBe(false);
            }
          }
        }),
        { numRuns: lawRuns() },
      );
    });

    /** The rules written down a second time. */
    function allowed(
      day: BudgetState['entries'],
      one: { matter: string | null; tokens: number; usd: number },
      limits: BudgetCaps,
    ): boolean {
      const mine = day.filter(({ matter }) => matter === one.matter);
      const sum = (entries: BudgetState['entries'], unit: 'tokens' | 'usd') =>
        entries.reduce((all, e) => all + e[unit], 0);
      const fits = (used: number, more: number, cap: number | null) =>
        cap === null || (used < cap && used + more <= cap);
      const ofMatter =
        one.matter === null ||
        (fits(sum(mine, 'tokens'), one.tokens, limits.matterTokens) &&
          fits(sum(mine, 'usd'), one.usd, limits.matterUsd));
      return (
        ofMatter &&
        fits(sum(day, 'tokens'), one.tokens, limits.vaultTokens) &&
        fits(sum(day, 'usd'), one.usd, limits.vaultUsd)
      );
    }
  });
});

describe('usage ledger', () => {
  const entry = { model: 'some-model', matter: 'matter/house.md', tokens: 1000, usd: 0.01 };
  const ledgerAfter = (entries: readonly [at: number, parts: Partial<LedgerEntry>][]): LedgerState =>
    entries.reduce((state, [at, parts]) => entered(state, { ...entry, ...parts }, at), emptyLedger());

  test('questions add up by the hour, and leave the day and the week', () => {
    const state = ledgerAfter([
      [NOW, {}],
      [NOW + MINUTE, {}],
      [NOW + 3 * DAY, { tokens: 500 }],
    ]);
    expect(state.rows).toHaveLength(2);
    const now = NOW + 3 * DAY;
    expect(sumSpending(state, DAY, now)).toEqual({ questions: 1, tokens: 500, usd: 0.01, unpriced: 0 });
    expect(sumSpending(state, WEEK, now)).toMatchObject({ questions: 3, tokens: 2500 });
    expect(sumSpending(state, WEEK, NOW + WEEK + HOUR)).toMatchObject({ questions: 1 });
    expect(sumSpending(state, WEEK, NOW + 2 * WEEK)).toEqual({ questions: 0, tokens: 0, usd: 0, unpriced: 0 });
    expect(entered(state, entry, NOW + 2 * WEEK).rows).toHaveLength(1);
  });

  test('the dearest come first; what has no price is counted, and what has no matter is named for none', () => {
    const state = ledgerAfter([
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
    const state = ledgerAfter([
      [NOW + 365 * DAY, {}],
      [NOW, {}],
    ]);
    expect(sumSpending(state, WEEK, NOW)).toMatchObject({ questions: 2 });
    expect(sumSpending(state, WEEK, NOW + 8 * DAY)).toMatchObject({ questions: 0 });
  });

  test('law: however much is asked, the file is bounded, and the sums are whole', () => {
    const matters = fc.integer({ min: 0, max: 400 }).map((each) => `matter/${each}.md`);
    fc.assert(
      fc.property(fc.array(matters, { minLength: 200, maxLength: 400 }), (asked) => {
        const made = asked.map((matter, index): [number, { matter: string }] => [NOW + index * 6 * MINUTE, { matter }]);
        const state = ledgerAfter(made);
        const now = NOW + asked.length * 6 * MINUTE;
        expect(sumSpending(state, WEEK, now)).toMatchObject({ questions: asked.length, tokens: 1000 * asked.length });
        expect(ledgerState.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
      }),
      { numRuns: lawRuns(5) },
    );
    const many = Array.from({ length: 6000 }, (_, index): [number, { matter: string }] => [
      NOW + index * MINUTE,
      { matter: `matter/${index}.md` },
    ]);
    const state = ledgerAfter(many);
    expect(state.rows.length).toBeLessThanOrEqual(1500);
    expect(sumSpending(state, WEEK, NOW + 6000 * MINUTE)).toMatchObject({ questions: 6000, tokens: 6_000_000 });
  });
});
