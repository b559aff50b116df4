import { expect, test } from 'vitest';
import { budgetLines } from '../../src/cli/commands/status-sections.ts';
import { costLines } from '../../src/cli/print.ts';

const none = { tokens: null, usd: null };

test('what models took stands beside what they may take; where nothing is limited, nothing is said', () => {
  expect(budgetLines({ vault: { tokens: 1500, usd: 0, caps: none }, matters: [], shared: null })).toEqual([]);
  const vault = { tokens: 1500, usd: 0.123456, caps: { tokens: 10_000, usd: null } };
  const matters = [{ matter: 'matter/house.md', tokens: 1500, usd: 0.123456, caps: { tokens: null, usd: 0.5 } }];
  expect(budgetLines({ vault, matters, shared: null })).toEqual([
    'budget, last 24 h: 1500/10000 tokens, 0.12 USD',
    '  matter/house.md: 1500 tokens, 0.12/0.5 USD',
  ]);
});

test('of many matters the dearest are named', () => {
  const caps = { tokens: 1000, usd: null };
  const matters = Array.from({ length: 8 }, (_, index) => ({ matter: `m${index}`, tokens: index, usd: 0, caps }));
  const lines = budgetLines({ vault: { tokens: 28, usd: 0, caps }, matters, shared: null });
  expect(lines.map((line) => line.trim().split(':')[0])).toEqual([
    'budget, last 24 h',
    ...['m7', 'm6', 'm5', 'm4', 'm3', 'and 3 cheaper matters'],
  ]);
});

const NOTHING = { questions: 0, tokens: 0, usd: 0, unpriced: 0, models: [], matters: [] };

test('what models took, by model and for the dearest matters', () => {
  const sum = { questions: 12, tokens: 20_400, usd: 0.0612, unpriced: 0 };
  const local = { questions: 1, tokens: 900, usd: 0, unpriced: 1 };
  const week = {
    ...{ questions: 13, tokens: 21_300, usd: 0.0612, unpriced: 1 },
    models: [
      { model: 'claude-sonnet-5-5', ...sum, priceSettings: null },
      { model: 'llama3', ...local, priceSettings: ['model_price_in', 'model_price_out'] },
    ],
    matters: [{ matter: 'matter/house.md', ...sum }],
  };
  expect(costLines({ day: NOTHING, week })).toEqual([
    'models, last 24 h: no questions',
    'models, last 7 days: 13 questions, 21300 tokens, 0.06 USD and 1 without a price',
    '  claude-sonnet-5-5: 12 questions, 20400 tokens, 0.06 USD',
    '  llama3: 1 question, 900 tokens, no price known; set model_price_in and model_price_out in steward.md',
    '  most expensive: matter/house.md 0.06 USD',
  ]);
  expect(costLines({ day: NOTHING, week: NOTHING })).toEqual([]);
});
