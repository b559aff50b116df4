import { expect, test } from 'vitest';
import { budgetLines } from '../../src/cli/print-budget.ts';

const none = { tokens: null, usd: null };

test('what models took stands beside what they may take; where there is neither, nothing is said', () => {
  expect(budgetLines({ vault: { tokens: 0, usd: 0, caps: none }, matters: [] })).toEqual([]);
  expect(budgetLines(undefined)).toEqual([]);
  const vault = { tokens: 1500, usd: 0.123456, caps: { tokens: 10_000, usd: null } };
  const matters = [{ matter: 'matter/house.md', tokens: 1500, usd: 0.123456, caps: { tokens: null, usd: 0.5 } }];
  expect(budgetLines({ vault, matters })).toEqual([
    'models, last 24 h: 1500/10000 tokens, 0.1235 USD',
    '  matter/house.md: 1500 tokens, 0.1235/0.5 USD',
  ]);
});
