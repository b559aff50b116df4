import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isAddressedToProgram } from '../../src/reading/rules.ts';
import { eventWith } from '../support/events.ts';

const CASES = path.join(import.meta.dirname, 'cases', 'orders.tsv');

test('orders to a program are told from what people write, in six languages', () => {
  const lines = fs.readFileSync(CASES, 'utf8').split('\n').slice(1, -1);
  const read = lines.map((line) => line.split('\t'));
  const wrong = read.filter(([is, text = '']) => isAddressedToProgram(eventWith({ text })) !== (is === 'yes'));
  expect(wrong).toEqual([]);
});
