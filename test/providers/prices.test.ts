import { expect, test } from 'vitest';
import { findPrice } from '../../src/steward/budget.ts';

test('what a person has set counts before what is known, and what nobody knows has no price', () => {
  expect(findPrice('claude-sonnet-5-5', null, null)).toEqual({ read: 2, written: 10 });
  expect(findPrice('claude-haiku-4-5-20251001', null, null)).toEqual({ read: 1, written: 5 });
  expect(findPrice('claude-sonnet-5-5', 3, 15)).toEqual({ read: 3, written: 15 });
  expect(findPrice('claude-sonnet-5-5', 3, null)).toEqual({ read: 2, written: 10 });
  expect(findPrice('llama3', null, null)).toBeNull();
  expect(findPrice('constructor', null, null)).toBeNull();
});
