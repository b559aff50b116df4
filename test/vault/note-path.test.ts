import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainPath } from '../../src/vault/note-path.ts';
import { eventFields } from '../../src/vault/records.ts';
import { lawRuns } from '../support/laws.ts';
import { matter, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const PATHS = ['task/pay.md', 'task/2026/Pay the rent.md', 'task/Ünïted.md', 'task/100%.md', 'matter/house.md'];

test.each(PATHS)('%s is spelled as the catalogue spells it', (path) => {
  expect(plainPath(path)).toBe(path);
});

const twist = fc.constantFrom(
  ...[
    '/',
    '//',
    './',
    '../',
    '/.',
    '/..',
    '\\',
    '\0',
    '%00',
    '%2e%2e/',
    ' ',
    '.',
    'file:',
    'FILE:///',
    'C:',
    '~/',
    '\u2028',
  ],
  ...['\u0085', '\r', '\n', 'task/', 'task/../', '.steward/', '\u202e', '\ufeff', '|x', '#x', '?x', ':stream'],
);
const spelling = fc.oneof(
  fc
    .tuple(fc.constantFrom(...PATHS), fc.array(fc.tuple(twist, fc.nat(20)), { maxLength: 3 }))
    .map(([path, twists]) => twists.reduce((text, [piece, at]) => text.slice(0, at) + piece + text.slice(at), path)),
  fc.constantFrom(...PATHS).map((path) => path.normalize('NFD')),
  fc.constantFrom(...PATHS).map((path) => path.toUpperCase()),
  fc.constantFrom(...PATHS).map((path) => encodeURI(path)),
  fc.string(),
);

test('whatever the spelling, it leads to a note under the catalogue’s own, or to none', async () => {
  const files = PATHS.map((path) => [path, path.startsWith('task') ? task() : matter()] as const);
  const bench = await Bench.open(new TempVault(Object.fromEntries(files)));
  await bench.sweep();
  const { catalogue } = bench;
  let led = 0;
  fc.assert(
    fc.property(spelling, (written) => {
      const event = { type: 'steward-action', timestamp: '2026-11-22T20:00:00Z', target_path: written };
      const target = eventFields.parse(event).target_path;
      const found = target === null ? undefined : catalogue.get(catalogue.currentPath(target));
      led += found === undefined ? 0 : 1;
      if (found !== undefined) expect(PATHS).toContain(found.path);
      // No second file name is tried: where the catalogue has none, there is none.
      if (found === undefined && target !== null) expect(PATHS).not.toContain(target);
      if (target !== null) expect(plainPath(target)).toBe(target);
    }),
    { numRuns: lawRuns() },
  );
  expect(led).toBeGreaterThan(lawRuns() / 30);
});
