import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Layout } from '../../../src/vault/layout.ts';
import { awayReason, diff, list, statInside } from '../../../src/vault/watch/scan.ts';
import { TempVault } from '../../support/temp-vault.ts';

const layout = new Layout();

test('lists what is read, names other notes, counts conflict copies, ignores the rest', async () => {
  const vault = new TempVault({
    'steward.md': '',
    'matter/2026/house.md': 'x',
    'diary/today.md': 'x',
    'task/pay (conflicted copy x).md': 'x',
    '.obsidian/app.md': 'x',
    'task/.hidden.md': 'x',
    'task/picture.png': 'x',
    'stream/deep/er/a.eml': 'x',
  });
  const listing = await list(vault.root, layout);
  expect([...listing.files.keys()].sort()).toEqual(['matter/2026/house.md', 'steward.md', 'stream/deep/er/a.eml']);
  expect([...listing.notes]).toEqual(['diary/today.md']);
  expect([...listing.conflictCopies]).toEqual(['task/pay (conflicted copy x).md']);
  expect(listing.unreadable.size).toBe(0);
});

test('a FIFO, a folder named like a note, a link that leads out, in a circle or nowhere: no notes', async () => {
  const vault = new TempVault({ 'task/real.md': 'x' });
  execFileSync('mkfifo', [vault.at('task/pipe.md')]);
  fs.mkdirSync(vault.at('task/folder.md'));
  fs.writeFileSync(path.join(vault.home, 'secret.md'), 'x');
  fs.symlinkSync(path.join(vault.home, 'secret.md'), vault.at('task/out.md'));
  fs.symlinkSync('circle.md', vault.at('task/circle.md'));
  fs.symlinkSync('nowhere.md', vault.at('task/dangling.md'));
  fs.symlinkSync('..', vault.at('task/up'));
  fs.symlinkSync('real.md', vault.at('task/alias.md'));
  const listing = await list(vault.root, layout);
  expect([...listing.files.keys()].sort()).toEqual(['task/alias.md', 'task/real.md']);
  expect(statInside(vault.root, 'task/pipe.md')).toBeNull();
  expect(statInside(vault.root, '../secret.md')).not.toBe(statInside(vault.root, 'task/out.md'));
});

describe('a difference', () => {
  test('is what is new, changed or gone, by size, time, inode', async () => {
    const vault = new TempVault({ 'task/a.md': 'a', 'task/b.md': 'b', 'task/c.md': 'c' });
    const known = (await list(vault.root, layout)).files;
    vault.write('task/a.md', 'a'); // the same bytes in another file
    vault.remove('task/b.md');
    vault.write('task/d.md', 'd');
    const found = diff(known, await list(vault.root, layout));
    expect([...found.changed].sort()).toEqual(['task/a.md', 'task/d.md']);
    expect(found.gone).toEqual(['task/b.md']);
  });

  test('is seen where neither size nor mtime changed', async () => {
    const vault = new TempVault({ 'task/a.md': 'aaaa' });
    const { files } = await list(vault.root, layout);
    const { atime, mtime } = fs.statSync(vault.at('task/a.md'));
    fs.writeFileSync(vault.at('task/a.md'), 'bbbb');
    fs.utimesSync(vault.at('task/a.md'), atime, mtime);
    expect(diff(files, await list(vault.root, layout)).changed).toEqual(['task/a.md']);
  });
});

describe('away', () => {
  const files = { 'matter/a.md': 'x', 'matter/b.md': 'x', 'task/one.md': 'x', '.steward/lock': '' };
  const reasonAfter = async (change: (vault: TempVault) => void): Promise<string | null> => {
    const vault = new TempVault(files);
    const known = (await list(vault.root, layout)).files;
    change(vault);
    return awayReason(vault.root, layout, [...known.keys()], await list(vault.root, layout));
  };

  test.each<[string, (vault: TempVault) => void, RegExp | null]>([
    ['nothing happened', () => {}, null],
    ['one of two notes deleted', (vault) => vault.remove('matter/a.md'), null],
    ['the only note deleted', (vault) => vault.remove('task/one.md'), null],
    [
      'every one of several gone',
      (vault) => ['a', 'b'].map((name) => vault.remove(`matter/${name}.md`)),
      /suddenly empty/,
    ],
    ['a record folder gone', (vault) => vault.remove('task'), /task.*vanished/],
    ['.steward gone', (vault) => vault.remove('.steward'), /\.steward is gone/],
    ['the root gone', (vault) => fs.rmSync(vault.root, { recursive: true }), /cannot be read \(ENOENT\)/],
    ['a folder that held no record gone', (vault) => vault.write('event/x.txt', ''), null],
  ])('%s', async (_, change, expected) => {
    const reason = await reasonAfter(change);
    if (expected === null) expect(reason).toBeNull();
    else expect(reason).toMatch(expected);
  });
});
