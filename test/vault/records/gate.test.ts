import { expect, test } from 'vitest';
import { recordedGates } from '../../../src/vault/records.ts';

test('gates are read with their figures', () => {
  const gate = { gate: 'mode', figure: 0.82, threshold: 0.6, held: true, reason: 'clears.' };
  expect(recordedGates.parse([gate])).toEqual([gate]);
  expect(recordedGates.parse([{ gate: 'writing', held: false, reason: 'no.' }])).toEqual([
    { gate: 'writing', figure: null, threshold: null, held: false, reason: 'no.' },
  ]);
});

test('gates written as sentences, as the first version did, are read too', () => {
  expect(recordedGates.parse(['refuses: rate guard: 60 of 60 used; free at noon: later.'])).toEqual([
    { gate: 'rate_guard', figure: null, threshold: null, held: false, reason: '60 of 60 used; free at noon: later.' },
  ]);
});

test.each([[undefined], [null], ['nonsense'], [7], [[7, null, 'x', {}, { gate: 'mode' }]]])(
  '%j holds none',
  (gates) => {
    expect(recordedGates.parse(gates)).toEqual([]);
  },
);

test('a figure that is none is left out, the gate is not', () => {
  const odd = { gate: 'mode', figure: 'high', threshold: {}, held: false, reason: 4 };
  expect(recordedGates.parse([odd])).toEqual([
    { gate: 'mode', figure: null, threshold: null, held: false, reason: '' },
  ]);
});
