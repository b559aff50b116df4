import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HEAD } from '../bench/figures/cells.ts';
import { readPart, type Shown, written } from '../bench/figures/page.ts';
import { MEASURES } from '../bench/measures.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const PAGE = fs.readFileSync(path.join(PROJECT, 'docs/dev/performance.md'), 'utf8');
const README = fs.readFileSync(path.join(PROJECT, 'README.md'), 'utf8');
const shown = readPart(PAGE);
const RUNS = Number(process.env.LAW_RUNS ?? 200);

test('the figures on the page were written by the bench itself: read back and written again they are the same', () => {
  expect(shown).not.toBeNull();
  expect(shown?.columns).toEqual(HEAD);
  expect(shown?.rows.length).toBeGreaterThan(MEASURES.length);
  expect(shown === null ? '' : written(PAGE, shown)).toBe(PAGE);
});

test('README quotes figures of the same run', () => {
  const speed = README.slice(README.indexOf('## Speed'), README.indexOf('## Read on'));
  const figures = speed.match(/[\d.]+ (?:ms|MB)/g) ?? [];
  expect(figures).toHaveLength(3);
  const measured = shown?.rows.map(([, found]) => found).join('\n');
  for (const figure of figures) expect(measured).toContain(figure);
});

test('each figure has its unit, each ratio its times, each aim its answer', () => {
  for (const row of shown?.rows ?? []) {
    const [what = '', measured = '', , ratio = '', aim = '', met = '', rounds = ''] = row;
    expect(row, what).toHaveLength(HEAD.length);
    expect(measured, what).toMatch(/^(–|[\d.]+( (ms|s|MB|kB|%))?( \([\d.]+–[\d.]+\))?)(, .+)?$/);
    expect(ratio, what).toMatch(/^([\d.]+ ×( \([\d.]+–[\d.]+\))?)?$/);
    expect(aim === '' ? met : `${aim} ${met}`, what).toMatch(/^(≤ .+ (yes|NO))?$/);
    expect(rounds, what).toMatch(/^\d+$/);
  }
});

test('a part that somebody has edited is not taken for one that the bench has written', () => {
  expect(readPart(PAGE.replace('| what |', '| what it is |'))).toBeNull();
  expect(readPart(PAGE.replace(/^\| (.*) \|$/m, '| $1 | more |'))).toBeNull();
  expect(readPart('no part at all')).toBeNull();
});

test('every measure has its line on the page, and no other has', () => {
  const table = PAGE.slice(PAGE.indexOf('## What is measured'), PAGE.indexOf('**How a block'));
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
  columns: fc.constant(HEAD),
  rows: fc.array(fc.tuple(...HEAD.map(() => cell.map(asShown))), { minLength: 1, maxLength: 5 }),
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
