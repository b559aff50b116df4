import { expect, test } from 'vitest';
import { priceOf } from '../../src/steward/prices.ts';

test('what a person has set counts before what is known, and what nobody knows has no price', () => {
  expect(priceOf('claude-sonnet-5-5', null, null)).toEqual({ read: 2, written: 10 });
  expect(priceOf('claude-haiku-4-5-20251001', null, null)).toEqual({ read: 1, written: 5 });
  expect(priceOf('claude-sonnet-5-5', 3, 15)).toEqual({ read: 3, written: 15 });
  expect(priceOf('claude-sonnet-5-5', 3, null)).toEqual({ read: 2, written: 10 });
  expect(priceOf('llama3', null, null)).toBeNull();
  expect(priceOf('constructor', null, null)).toBeNull();
});
