import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DEFAULT_FOLDERS,
  fold,
  isConflictCopy,
  isHidden,
  Layout,
  type PathKind,
  plainPath,
  stem,
} from '../../src/vault/layout.ts';
import { linkKey, linkTarget, wikilink } from '../../src/vault/links.ts';
import { eventFields } from '../../src/vault/record.ts';
import { lawRuns } from '../support/laws.ts';
import { matter, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const layout = new Layout();

test.each<[string, PathKind]>([
  ['matter/house.md', 'matter'],
  ['matter/2026/house.md', 'matter'],
  ['Matter/House.MD', 'matter'],
  ['task/pay.md', 'task'],
  ['event/x.md', 'event'],
  ['stream/mail/a.eml', 'stream'],
  ['stream/a.md', 'stream'],
  ['steward.md', 'settings'],
  ['Steward.md', 'settings'],
  ['notes/steward.md', 'note'],
  ['roundtable/1/briefing.md', 'note'],
  ['diary/2026.md', 'note'],
  ['matters/house.md', 'note'],
  ['archive/matter/house.md', 'note'],
  ['matter/house.txt', 'ignored'],
  ['matter/picture.png', 'ignored'],
  ['matter/.house.md', 'ignored'],
  ['matter/.trash/house.md', 'ignored'],
  ['.steward/tmp/house.md', 'ignored'],
  ['.obsidian/app.md', 'ignored'],
  ['matter/house.md.1234567', 'ignored'],
  ['stream/a.eml.part', 'ignored'],
  ['task/pay (conflicted copy x).md', 'conflict-copy'],
  ['stream/a.sync-conflict-20261121-201954-ABCDEFG.eml', 'conflict-copy'],
])('%s is %s', (file, kind) => {
  expect(layout.kindOf(file)).toBe(kind);
});

test('folders may have other names, also in other folders and letters', () => {
  const own = new Layout({ ...DEFAULT_FOLDERS, matter: 'Vorgänge', task: 'gtd/tasks' });
  expect(own.kindOf('vorga\u0308nge/haus.md')).toBe('matter');
  expect(own.kindOf('gtd/tasks/a.md')).toBe('task');
  expect(own.kindOf('matter/haus.md')).toBe('note');
});

test('what a path is does not depend on what was asked before', () => {
  const files = [
    'task/a.md',
    'a.md',
    'steward.md',
    'task',
    'TASK/a.md',
    'stream/a.md',
    'task/deep/a.md',
    'tasks/a.md',
    '/a.md',
  ];
  for (const before of files) {
    for (const file of files) {
      layout.kindOf(before);
      expect([before, file, layout.kindOf(file)]).toEqual([before, file, new Layout().kindOf(file)]);
    }
  }
});

test.each([
  ['[[house]]', 'house'],
  ['  [[house]]  ', 'house'],
  ['![[house]]', 'house'],
  ['[[matter/house|our house]]', 'matter/house'],
  ['[[house#Costs]]', 'house'],
  ['[[house#^block|there]]', 'house'],
  ['[[matter/house.md]]', 'matter/house'],
  ['house', 'house'],
  ['matter/house.md', 'matter/house'],
  ['./matter/house.md', 'matter/house'],
  ['/matter/house.md', 'matter/house'],
  ['[our house](matter/our%20house.md)', 'matter/our house'],
  ['[our house](<matter/our house.md>)', 'matter/our house'],
  ['[x](100%.md)', '100%'],
  ['', ''],
  ['[[]]', ''],
])('%s leads to %s', (written, target) => {
  expect(linkTarget(written)).toBe(target);
});

test('keys meet across case and normal forms', () => {
  expect(linkKey('[[Cafe\u0301]]')).toBe(linkKey('caf\u00e9.md'));
});

test('a link is written as a wikilink with the bare name', () => {
  expect(wikilink('matter/2026/House.md')).toBe('[[House]]');
});

test.each([
  'house (Conflicted copy PHONE 202611212019).md',
  'house (conflicted copy laptop 202611212019).md',
  'house.sync-conflict-20261121-201954-ABCDEFG.md',
  "house (Robin's conflicted copy 2026-11-21).md",
  'house (CONFLICTED COPY).md',
])('a conflict copy: %s', (name) => {
  expect(isConflictCopy(name)).toBe(true);
});

test.each(['house.md', 'conflict with the neighbour.md', 'a copy.md', 'sync-conflict.md', 'Copy of house.md'])(
  'a note like any other: %s',
  (name) => {
    expect(isConflictCopy(name)).toBe(false);
  },
);

test.each([
  '.house.md',
  '.obsidian',
  'house.md~',
  'house.md.tmp',
  '.house.md.swp',
  'x.part',
  'house.md.1234567',
  'mail.eml.crdownload',
])('hidden or temporary: %s', (name) => {
  expect(isHidden(name)).toBe(true);
});

test.each(['house.md', 'v1.2.md', 'tmp.md', 'part 2.md', 'invoice.20261121.md'])('not hidden: %s', (name) => {
  expect(isHidden(name)).toBe(false);
});

test('names compare case-folded and in one normal form', () => {
  expect(fold('Caf\u0065\u0301')).toBe(fold('CAF\u00c9'));
  expect(fold('Straße')).toBe(fold('STRAßE'));
});

test('a title is the file name', () => {
  expect(stem('matter/2026/House v1.2.md')).toBe('House v1.2');
  expect(stem('matter/House.MD')).toBe('House');
});

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
