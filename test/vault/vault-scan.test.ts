import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Comparison, FirstReading, KnownFiles, RecordCache } from '../../src/vault/cache.ts';
import { statInside } from '../../src/vault/files.ts';
import { Layout } from '../../src/vault/layout.ts';
import { DEFAULT_MAPPING } from '../../src/vault/record.ts';
import { inSlices } from '../../src/vault/time.ts';
import { Deletions, judge } from '../../src/vault/vault.ts';
import { VaultWalk } from '../../src/vault/watcher.ts';
import { listed } from '../support/listing.ts';
import { testSeal } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';

const layout = new Layout();
const nothing = () => {};

/** The files of a vault as first read. */
async function known({ root }: TempVault): Promise<KnownFiles> {
  const files = new KnownFiles(root, layout, DEFAULT_MAPPING, { settings: nothing, sources: nothing });
  const cache = await RecordCache.read({ folder: '', key: '', seal: testSeal() });
  await inSlices(new VaultWalk(root, layout).through(new FirstReading(files, cache)));
  return files;
}

/** A walk through the vault, held against what is known. */
async function compared(files: KnownFiles) {
  const walk = new VaultWalk(files.root, layout);
  const found = new Comparison(files, nothing);
  await inSlices(walk.through(found));
  return { walk, found };
}

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
  const listing = await listed(vault.root);
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
  const listing = await listed(vault.root);
  expect([...listing.files.keys()].sort()).toEqual(['task/alias.md', 'task/real.md']);
  expect(statInside(vault.root, 'task/pipe.md')).toBeNull();
  expect(statInside(vault.root, '../secret.md')).not.toBe(statInside(vault.root, 'task/out.md'));
});

describe('a difference', () => {
  test('is what is new, changed or gone, by size, time, inode', async () => {
    const vault = new TempVault({ 'task/a.md': 'a', 'task/b.md': 'b', 'task/c.md': 'c', 'diary/b.md': 'b' });
    const files = await known(vault);
    vault.write('task/a.md', 'a'); // the same bytes in another file
    vault.remove('task/b.md');
    vault.remove('diary/b.md');
    vault.write('task/d.md', 'd');
    vault.write('diary/d.md', 'd');
    const { found } = await compared(files);
    expect([...found.changed].sort()).toEqual(['task/a.md', 'task/d.md']);
    expect(found.appeared).toEqual(['diary/d.md']);
    const missing = await inSlices(found.missing(new Map()));
    expect(missing).toEqual({ isWhole: false, files: ['task/b.md'], notes: ['diary/b.md'] });
  });

  test('is seen where neither size nor mtime changed', async () => {
    const vault = new TempVault({ 'task/a.md': 'aaaa' });
    const files = await known(vault);
    const { atime, mtime } = fs.statSync(vault.at('task/a.md'));
    fs.writeFileSync(vault.at('task/a.md'), 'bbbb');
    fs.utimesSync(vault.at('task/a.md'), atime, mtime);
    expect((await compared(files)).found.changed).toEqual(['task/a.md']);
  });

  test('is none where one note took the place of another in number alone', async () => {
    const vault = new TempVault({ 'task/a.md': 'a', 'task/b.md': 'b' });
    const files = await known(vault);
    vault.remove('task/a.md');
    vault.write('task/c.md', 'c');
    const { found } = await compared(files);
    expect(await inSlices(found.missing(new Map()))).toEqual({ isWhole: false, files: ['task/a.md'], notes: [] });
  });

  test('is seen where another note becomes known while the folder is listed', async () => {
    const vault = new TempVault({ 'task/a.md': 'a', 'task/b.md': 'b' });
    const files = await known(vault);
    vault.remove('task/a.md');
    vault.write('task/c.md', 'c');
    const found = new Comparison(files, (folder) => {
      if (folder === 'task') files.look('task/c.md', { changes: [], streamed: [] }); // as a watcher announces it
    });
    await inSlices(new VaultWalk(files.root, layout).through(found));
    expect(await inSlices(found.missing(new Map()))).toEqual({ isWhole: false, files: ['task/a.md'], notes: [] });
  });

  test('does not look through a link that took the place of a known folder', async () => {
    const vault = new TempVault({ 'task/2026/a.md': 'a', 'task/b.md': 'b' });
    const files = await known(vault);
    fs.renameSync(vault.at('task/2026'), path.join(vault.home, 'outside'));
    fs.symlinkSync('../../outside', vault.at('task/2026'));
    const { walk, found } = await compared(files);
    expect(walk.passedOver.get('task/2026')).toBe('it is a link that leads out of the vault');
    expect((await inSlices(found.missing(new Map()))).files).toEqual(['task/2026/a.md']);
  });
});

test('a folder in which nothing is missing is asked about by number alone', async () => {
  const vault = new TempVault({
    ...Object.fromEntries(Array.from({ length: 50 }, (_, nth) => [`task/${nth}.md`, 'x'])),
    'signal/a.md': 'x',
    'signal/b.md': 'x',
  });
  const files = await known(vault);
  const opened = vi.spyOn(fs, 'opendirSync');
  onTestFinished(() => opened.mockRestore());
  const { found } = await compared(files);
  expect(await stepsOf(found)).toBe(0);
  expect(opened.mock.calls.map(([folder]) => path.relative(vault.root, String(folder))).sort()).toEqual([
    '',
    'signal',
    'task',
  ]);
  opened.mockClear();
  vault.remove('signal/a.md');
  await stepsOf((await compared(files)).found);
  expect(opened.mock.calls.map(([folder]) => path.relative(vault.root, String(folder))).sort()).toEqual([
    '',
    'signal',
    'signal',
    'task',
  ]);
});

async function stepsOf(found: Comparison): Promise<number> {
  return [...found.missing(new Map())].length;
}

describe('away', () => {
  const files = { 'matter/a.md': 'x', 'matter/b.md': 'x', 'task/one.md': 'x', '.steward/lock': '' };
  const reasonAfter = async (change: (vault: TempVault) => void): Promise<string | null> => {
    const vault = new TempVault(files);
    const before = await known(vault);
    change(vault);
    const { walk, found } = await compared(before);
    return (await inSlices(judge(before, walk, found, new Deletions(), 0))).reason;
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
