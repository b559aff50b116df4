import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COLUMNS, readPart, type Shown, shownOf, written } from '../bench/figures/page.ts';
import { absent, atMostTimes, onceRow, rowOf } from '../bench/figures/row.ts';
import { Samples } from '../bench/figures/samples.ts';
import { MEASURES } from '../bench/measures.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const PAGE = fs.readFileSync(path.join(PROJECT, 'docs/dev/performance.md'), 'utf8');
const README = fs.readFileSync(path.join(PROJECT, 'README.md'), 'utf8');
const shown = readPart(PAGE);
const RUNS = Number(process.env.LAW_RUNS ?? 200);

test('the figures on the page were written by the bench itself: read back and written again they are the same', () => {
  expect(shown).not.toBeNull();
  expect(shown?.columns).toEqual(COLUMNS);
  expect(shown?.rows.length).toBeGreaterThan(MEASURES.length);
  expect(shown === null ? '' : written(PAGE, shown)).toBe(PAGE);
});

test('README quotes figures of the same run', () => {
  const speed = README.slice(README.indexOf('## Speed'), README.indexOf('## Read on'));
  const figures = speed.match(/[\d.]+ (?:ms|MB)/g) ?? [];
  expect(figures).toHaveLength(2);
  const measured = shown?.rows.map(([, found]) => found).join('\n');
  for (const figure of figures) expect(measured).toContain(figure);
});

test('each figure has its unit, each ratio its times, each goal its limit', () => {
  for (const row of shown?.rows ?? []) {
    const [what = '', found = '', goal = '', rounds = ''] = row;
    expect(row, what).toHaveLength(COLUMNS.length);
    expect(found, what).toMatch(/^(–|[\d.]+( (ms|s|MB|kB|%))?( \([\d.]+–[\d.]+\))?)(, .+)?$/);
    if (/× *(: NO)?$/.test(goal)) expect(found, what).toMatch(/, [\d.]+ ×( \([\d.]+–[\d.]+\))?(, |$)/);
    expect(goal, what).toMatch(/^(≤ [\d.]+( (ms|s|MB|kB|%|×))?( more than .+?)?(: NO)?)?$/);
    expect(rounds, what).toMatch(/^\d+$/);
  }
});

test('a part that somebody has edited is not taken for one that the bench has written', () => {
  expect(readPart(PAGE.replace('| what |', '| what it is |'))).toBeNull();
  expect(readPart(PAGE.replace(/^\| (.*) \|$/m, '| $1 | more |'))).toBeNull();
  expect(readPart('no part at all')).toBeNull();
});

test('a page shows the figures with a goal, what they continue, and what could not be measured', () => {
  const goal = { aim: { of: 'value', atMost: 1 } } as const;
  const rows = [
    ...[onceRow('a', 'a start', 1, {}), onceRow('b', '… its processor time', 1, {}), onceRow('c', '… again', 2, goal)],
    ...[onceRow('d', 'a stop', 1, {}), onceRow('e', '… its processor time', 1, {}), absent('f', 'a search', 'no rg')],
  ];
  const machine = { node: 'v24', cpus: 2, model: 'any', memoryGiB: 1, disk: 'ext4', load: 0 };
  const report = {
    schemaVersion: 1,
    at: '2026-11-28T00:00:00Z',
    seconds: 1,
    isQuick: false,
    machine,
    rows,
    failed: [],
  } as const;
  const shownRows = shownOf({ ...report, failed: [] }).rows.map(([what, , limit]) => [what, limit]);
  expect(shownRows).toEqual([
    ['a start', ''],
    ['… again', '≤ 1 ms: NO'],
    ['a search', ''],
  ]);
});

test('of the blocks of a daemon a page shows loading and the longest, and the range of the figure that the goal is about', () => {
  const goal = { aim: { of: 'value', atMost: 50 } } as const;
  const [measured, floor] = [new Samples([2, 4, 6]), new Samples([1, 2, 3])];
  const rows = [
    ...[
      onceRow('blocks.10.loading', 'longest block: loading', 80, goal),
      onceRow('blocks.10.cold.start', '… start', 20, goal),
    ],
    ...[onceRow('blocks.10.cold.tick', '… tick', 60, goal), onceRow('blocks.10.cached.start', '… cached', 30, goal)],
    rowOf({ id: 'a', what: 'a', measured, floor: { of: 'b', samples: floor }, aim: atMostTimes(3) }),
    rowOf({ id: 'b', what: 'b', measured, floor: { of: 'b', samples: floor }, ...goal }),
  ];
  const machine = { node: 'v24', cpus: 2, model: 'any', memoryGiB: 1, disk: 'ext4', load: 0 };
  const report = { schemaVersion: 1, at: '2026-11-28T00:00:00Z', seconds: 1, isQuick: false, machine, rows } as const;
  expect(shownOf({ ...report, rows, failed: [] }).rows).toEqual([
    ['longest block: loading', '80 ms', '≤ 50 ms: NO', '1'],
    ['… tick', '60 ms', '≤ 50 ms: NO', '1'],
    ['a', '4 ms, 2 ×', '≤ 3 ×', '3'],
    ['b', '4 ms (2–6)', '≤ 50 ms', '3'],
  ]);
});

test('every measure has its line on the page, and no other has', () => {
  const table = PAGE.slice(PAGE.indexOf('## Measures and floors'), PAGE.indexOf('**Blocks.'));
  const named = [...table.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(
    ([, names = '']) => names.match(/\w+/g) ?? [],
  );
  expect(named.toSorted()).toEqual(MEASURES.map(({ name }) => name).toSorted());
});

const text = fc.string({ unit: 'binary' });
const cell = fc.oneof(
  text,
  fc.constantFrom('|', ' | ', '<!-- to here -->', '&#124;', '&amp;lt;', '\n\n| a |', '$&', '---'),
);
const line = cell.map(asShown).filter((one) => one !== '');
const part: fc.Arbitrary<Shown> = fc.record({
  head: fc.array(line, { minLength: 1, maxLength: 3 }),
  columns: fc.constant(COLUMNS),
  rows: fc.array(fc.tuple(...COLUMNS.map(() => cell.map(asShown))), { minLength: 1, maxLength: 5 }),
});

test('whatever the cells hold, what is written is read back, and the rest of the page stays', () => {
  fc.assert(
    fc.property(part, (one) => {
      const page = written(PAGE, one);
      expect(readPart(page)).toEqual(one);
      expect(written(page, shown ?? one)).toBe(PAGE);
    }),
    { numRuns: RUNS },
  );
});

/** A cell is one line of text. */
function asShown(cell: string): string {
  return cell.replaceAll(/\s+/g, ' ').trim();
}
