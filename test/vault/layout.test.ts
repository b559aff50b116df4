import { expect, test } from 'vitest';
import { DEFAULT_FOLDERS, Layout, type PathKind } from '../../src/vault/layout.ts';

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
