import { expect, test } from 'vitest';
import { answered, paymentCases } from './payment-case.ts';

const first = paymentCases('first.yaml').map(answered);
const late = paymentCases('late.yaml').map(answered);
const all = [...first, ...late];

test('the set is large enough to tell, in six languages', () => {
  expect(all.length).toBeGreaterThanOrEqual(100);
  expect(new Set(all.map(({ asked }) => asked.lang)).size).toBe(6);
});

test('nothing is so sure that it could be done wrongly without a person', () => {
  expect(all.filter(({ isWronglySure }) => isWronglySure).map(({ asked, got }) => `${asked.id}: ${got}`)).toEqual([]);
});

test('no fewer lines are read rightly than were', () => {
  expect(first.filter(({ isMeant }) => isMeant)).toHaveLength(60);
  expect(late.filter(({ isMeant }) => isMeant).length).toBeGreaterThanOrEqual(39);
});

// Without a reference, and without a due day nearby, a payment may be last month's: it is proposed.
test('no fewer of them are as sure as they might be', () => {
  expect(first.filter(({ isRight }) => isRight).length).toBeGreaterThanOrEqual(50);
  expect(late.filter(({ isRight }) => isRight).length).toBeGreaterThanOrEqual(31);
});

test('every quote stands in its line, word for word', () => {
  const odd = all.flatMap(({ asked: { line }, meanings }) =>
    meanings.filter(({ quote }) => ![line.purpose, line.to].some((text) => text.includes(quote)) || quote.length > 50),
  );
  expect(odd.map(({ quote }) => quote)).toEqual([]);
});
