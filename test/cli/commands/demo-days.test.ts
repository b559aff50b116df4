import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { daysMoved, yearsTo } from '../../../src/cli/commands/demo.ts';

test.each([
  ['2026-11-23', 0],
  ['2026-11-26', 0],
  ['2026-11-27', 1],
  ['2027-01-01', 1],
  ['2027-11-26', 1],
  ['2027-11-27', 2],
  ['2025-06-01', 0], // a clock that is behind
])('on %s the example is moved by %i years', (today, years) => {
  expect(yearsTo(today)).toBe(years);
});

test('what lies ahead is moved, what has happened is not', () => {
  const text =
    'due: 2026-12-01 # [[steward-action-2026-11-03T09-30-00Z-x]]\nsnoozed_until: "2027-02-13"\non 20 Nov 2026';
  expect(daysMoved(text, 2)).toBe(
    'due: 2028-12-01 # [[steward-action-2026-11-03T09-30-00Z-x]]\nsnoozed_until: "2029-02-13"\non 20 Nov 2026',
  );
  expect(daysMoved('moved to 12 December 2026.\n', 1)).toBe('moved to 12 December 2027.\n');
  expect(daysMoved(text, 0)).toBe(text);
});

test('the first open task of the example is due on the day after the last one for which it is written', () => {
  const folder = path.resolve(import.meta.dirname, '../../..', 'vault-example/task');
  const due = fs
    .readdirSync(folder)
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
    .filter((text) => !/^(state|status): .?(done|resolved|archived)/m.test(text))
    .flatMap((text) => /^due: .?(\d{4}-\d\d-\d\d)(?!.*overdue)/m.exec(text)?.[1] ?? [])
    .sort();
  expect(yearsTo(due[0] ?? '')).toBe(1);
  expect(yearsTo(due[0]?.replace('-27', '-26') ?? '')).toBe(0);
});
