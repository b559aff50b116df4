import { expect, test } from 'vitest';
import { loadSource } from '../../src/evidence/files.ts';
import { lookUp } from '../../src/evidence/query.ts';
import { parseQuery } from '../../src/evidence/request.ts';

// A request that is answered by itself, and is not what was asked, is worse than one that is not: these need somebody who
// understands them, or are answered as they are meant.

const RUNS = `id,cost,status,day,owner
1,500,failed,2026-01-02,
2,1500,ok,2026-02-02,anna
3,2500,failed,2026-03-02,
4,3,open,,bob
`;
const GUIDE = '# Guide\n## Usage\nuse it\n## Known errors\nnone\n';
const CODE =
  'export function load(name: string): string {\n  return name;\n}\nexport class Gate {\n  load() { return 1; }\n}\n';

function said(request: string, file: string, text: string): string | null {
  const query = parseQuery(request);
  if (query?.file !== file) return null; // no such file is registered
  const finding = lookUp(query, loadSource(file, Buffer.from(text)));
  return finding === null || (!finding.found && 'maybe' in query) ? null : finding.statements.join(' ');
}

test.each([
  'cost > 1,000',
  'cost > $5',
  'cost > 5%',
  'cost is over 1k',
  'cost is above average',
  'cost is under half',
  'cost > id',
  'cost is the same as id',
  'cost is 1,500',
  'cost is zero',
  'cost is even',
  'cost is highest',
  'owner is empty',
  'owner is not empty',
  'owner is missing',
  'owner is set',
  'owner is none',
  'owner equals status',
  'status is FAILED',
  'day is before today',
  'day is after March',
  'day is before 2026-03',
])('rows where %s are not counted by guessing', (where) => {
  expect(said(`how many rows in runs.csv where ${where}`, 'runs.csv', RUNS)).toBeNull();
});

test.each(['have a cost', 'have no owner', 'with no owner', 'with any owner'])(
  'rows in it %s: they are not those of a field of that name',
  (tail) => {
    expect(said(`how many rows in runs.csv ${tail}`, 'runs.csv', RUNS)).toBeNull();
  },
);

test.each([
  ['status is open', '1 of 4'],
  ['status is cancelled', '0 of 4'],
  ["status is 'FAILED'", '0 of 4'],
  ["owner is ''", '2 of 4'],
  ['cost > 1000', '2 of 4'],
  ['cost is 1500', '1 of 4'],
  ['owner is null', '2 of 4'],
])('rows where %s are counted as they are', (where, count) => {
  expect(said(`how many rows in runs.csv where ${where}`, 'runs.csv', RUNS)).toContain(`${count} rows`);
});

test('a word about values is a value where a row holds it', () => {
  const text = 'id,state\n1,missing\n2,set\n';
  expect(said('how many rows in a.csv where state is missing', 'a.csv', text)).toContain('1 of 2 rows');
});

test('a row without a date is neither before nor after one', () => {
  const answer = said('how many rows in runs.csv where day is before 2026-02-10', 'runs.csv', RUNS);
  expect(answer).toContain('2 of 4 rows');
  expect(answer).toContain('Not to be compared as asked, in 1 row: runs.csv:5.');
});

test.each([
  ['show me the second section in guide.md', 'guide.md', GUIDE],
  ['show me the section after Usage in guide.md', 'guide.md', GUIDE],
  ['show me the section on errors in guide.md', 'guide.md', GUIDE],
  ['what is in section 2 of guide.md', 'guide.md', GUIDE],
  ['show me every class in code.ts', 'code.ts', CODE],
  ['show me the function in code.ts', 'code.ts', CODE],
  ['show me the exported function in code.ts', 'code.ts', CODE],
  ['show me the return type of load in code.ts', 'code.ts', CODE],
])('%s: nothing of that name says nothing', (request, file, text) => {
  expect(said(request, file, text)).toBeNull();
});

test('a name that is misspelt is still said to be nowhere', () => {
  expect(said('show me the function lod in code.ts', 'code.ts', CODE)).toContain('No part of code.ts is named lod.');
});
