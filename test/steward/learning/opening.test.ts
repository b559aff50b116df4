import { expect, test } from 'vitest';
import { initialInstinct } from '../../../src/steward/learning/instinct.ts';
import { instinctNote, openingOf } from '../../../src/steward/learning/instinct-note.ts';
import { MAY_EDIT } from '../../../src/vault/notes/history-block.ts';

const ANNA = {
  ...initialInstinct('mail:anna@northgate-notary.example'),
  observations: 11,
  wrong: 1,
  status: 'live',
} as const;

test('an instinct note says first what it measures, and what that means', () => {
  expect(openingOf(ANNA)).toEqual([
    'How often mail from anna\\@northgate-notary.example was right: in 11 of 12 outcomes. One of them may act alone from 0.85 on, where all else allows it.',
    MAY_EDIT,
  ]);
  expect(openingOf({ ...ANNA, source: 'bank', observations: 1, wrong: 1, reversals: 1, status: 'pending' })[0]).toBe(
    'How often signals of bank were right: in 1 of 2 outcomes. Once it was taken back. That is little so far. One of them may act alone from 0.95 on, where all else allows it.',
  );
  expect(openingOf({ ...ANNA, observations: 0, wrong: 5, reversals: 3, status: 'pruned' })[0]).toBe(
    'How often mail from anna\\@northgate-notary.example was right: in 0 of 5 outcomes. 3 times it was taken back. It was wrong too often and is not heard any more: `pinned: true` above lets it speak again.',
  );
});

test('what a sender is called is not live in it', () => {
  const text = instinctNote('instinct/x.md', { ...ANNA, source: 'mail:![[secret]] <img> |x|' }, [
    { at: '2026-11-21T20:19:01Z', what: 'confirmed', before: 0.9, after: 0.91, observations: 1 },
  ]);
  expect(text.split('\n').find((line) => line.startsWith('How often'))).not.toMatch(/\[\[|<|(?<!\\)\|/);
  expect(text).toContain(MAY_EDIT);
});
