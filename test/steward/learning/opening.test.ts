import { expect, test } from 'vitest';
import { initialInstinct, instinctNote, openingOf } from '../../../src/steward/learning.ts';
import { MAY_EDIT } from '../../../src/vault/history-block.ts';

const ANNA = {
  ...initialInstinct('mail:anna@northgate-notary.example'),
  observations: 11,
  wrong: 1,
  status: 'live',
} as const;

test('an instinct note says first what it measures, and what that means', () => {
  expect(openingOf(ANNA)).toEqual([
    'What anna\\@northgate-notary.example said by mail was right 11 of 12 times. It may act alone from 0.85 on, where every gate holds.',
    MAY_EDIT,
  ]);
  expect(openingOf({ ...ANNA, source: 'bank', observations: 1, wrong: 1, reversals: 1, status: 'pending' })[0]).toBe(
    'What came by bank was right 1 of 2 times. You took it back once. That is little so far. It may act alone from 0.95 on, where every gate holds.',
  );
  expect(openingOf({ ...ANNA, observations: 0, wrong: 5, reversals: 3, status: 'pruned' })[0]).toBe(
    'What anna\\@northgate-notary.example said by mail was right 0 of 5 times. You took it back 3 times. It was wrong too often, so the steward no longer listens to it: set `pinned: true` above to let it speak again.',
  );
});

test('what a sender is called is not live in it', () => {
  const text = instinctNote('instinct/x.md', { ...ANNA, source: 'mail:![[secret]] <img> |x|' }, [
    { at: '2026-11-21T20:19:01Z', what: 'confirmed', before: 0.9, after: 0.91, observations: 1 },
  ]);
  expect(text.split('\n').find((line) => line.startsWith('What '))).not.toMatch(/\[\[|<|(?<!\\)\|/);
  expect(text).toContain(MAY_EDIT);
});
