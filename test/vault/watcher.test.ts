import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ownPlacesRefusal } from '../../src/vault/files.ts';
import { Layout } from '../../src/vault/layout.ts';
import { inSlices } from '../../src/vault/time.ts';
import {
  FolderWatcher,
  PolledFolders,
  VaultWalk,
  type WatchedFolder,
  type Watcher,
  watchByChokidar,
  watcherFor,
} from '../../src/vault/watcher.ts';
import { listed as walked } from '../support/listing.ts';
import { TempVault } from '../support/temp-vault.ts';

const layout = new Layout();
const FILES = { 'matter/house.md': 'x', 'task/2026/pay.md': 'x', 'archive/old.md': 'x', '.steward/lock': '' };

/** What a watcher said, and somebody who waits for it. */
class Heard {
  readonly touched = new Set<string>();
  readonly told: string[] = [];
  readonly failed: string[] = [];
  stirred = 0;
  #look = () => {};

  readonly handlers = {
    told: (file: string, isWrite: boolean) =>
      this.#said(() => this.told.push(`${isWrite ? 'written' : 'named'} ${file}`)),
    touched: (file: string) => this.#said(() => this.touched.add(file)),
    stirred: () => this.#said(() => (this.stirred += 1)),
    failed: (reason: string) => this.#said(() => this.failed.push(reason)),
  };

  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#look = () => {
        if (holds()) resolve();
      };
      this.#look();
    });
  }

  #said(act: () => unknown): void {
    act();
    this.#look();
  }
}

type Make = (watched: WatchedFolder) => Watcher | Promise<Watcher>;

async function watching(make: Make, files: Readonly<Record<string, string>> = FILES) {
  const vault = new TempVault(files);
  const heard = new Heard();
  const watcher = await make({ root: vault.root, layout, linked: new Map(), handlers: heard.handlers });
  onTestFinished(() => watcher.close());
  /** Lists the vault, as a sweep does. */
  const list = async () => {
    const nothing = () => {};
    const visitor = { enter: (folder: string) => watcher.enter(folder), file: nothing, note: nothing, leave: nothing };
    await inSlices(new VaultWalk(vault.root, layout).through(visitor));
    await watcher.settle();
  };
  await list();
  return { vault, heard, watcher, list };
}

const ways: readonly [string, Make][] = [
  ['one watch a folder', (watched) => new FolderWatcher(watched)],
  ['polled folders', (watched) => new PolledFolders(watched, new FolderWatcher(watched), 20)],
  ['chokidar', watchByChokidar],
];

describe.each(ways)('%s', (_, make) => {
  test('tells of a note that is new, written, replaced, renamed or gone', async () => {
    const { vault, heard } = await watching(make);
    vault.write('task/2026/new.md', 'x');
    await heard.until(() => heard.touched.has('task/2026/new.md'));
    fs.appendFileSync(vault.at('matter/house.md'), 'more');
    await heard.until(() => heard.touched.has('matter/house.md'));
    fs.renameSync(vault.at('task/2026/new.md'), vault.at('matter/moved.md'));
    await heard.until(() => heard.touched.has('matter/moved.md'));
    heard.touched.clear();
    fs.rmSync(vault.at('matter/moved.md'));
    await heard.until(() => heard.touched.has('matter/moved.md'));
  });

  test('knows a file that is moved in from one that is written', async () => {
    const { vault, heard } = await watching(make);
    const outside = path.join(vault.home, 'part');
    fs.writeFileSync(outside, 'x');
    fs.renameSync(outside, vault.at('matter/moved.md'));
    fs.writeFileSync(vault.at('matter/written.md'), 'x');
    await heard.until(() => heard.told.includes('written matter/written.md'));
    const of = (file: string) => [...new Set(heard.told)].filter((told) => told.endsWith(file));
    expect(of('moved.md')).toEqual(['named matter/moved.md']);
    expect(of('written.md')).toEqual(['named matter/written.md', 'written matter/written.md']);
  });

  test('tells of the settings note', async () => {
    const { vault, heard } = await watching(make);
    vault.write('steward.md', 'x');
    await heard.until(() => heard.touched.has('steward.md'));
  });

  test('asks for a listing where a folder comes, goes or is another', async () => {
    const { vault, heard, list } = await watching(make);
    fs.mkdirSync(vault.at('signal'));
    await heard.until(() => heard.stirred > 0);
    await list();
    vault.write('signal/a.md', 'x');
    await heard.until(() => heard.touched.has('signal/a.md'));
    heard.stirred = 0;
    fs.renameSync(vault.at('task/2026'), path.join(vault.home, 'elsewhere'));
    await heard.until(() => heard.stirred > 0);
    await list();
    heard.stirred = 0;
    fs.renameSync(path.join(vault.home, 'elsewhere'), vault.at('task/2026'));
    await heard.until(() => heard.stirred > 0);
    await list();
    heard.touched.clear();
    fs.appendFileSync(vault.at('task/2026/pay.md'), 'more');
    await heard.until(() => heard.touched.has('task/2026/pay.md'));
  });

  test('says nothing of other notes, of hidden ones, and of the program’s own folder', async () => {
    const { vault, heard } = await watching(make);
    vault.write('archive/new.md', 'x');
    vault.write('.steward/state', 'x');
    vault.write('matter/.hidden.md', 'x');
    vault.write('matter/last.md', 'x');
    await heard.until(() => heard.touched.has('matter/last.md'));
    expect([...heard.touched].filter((file) => file !== 'matter/last.md')).toEqual([]);
  });
});

test('through a link, a note is known by the path of the link', async () => {
  const { vault, heard, list } = await watching((watched) => new FolderWatcher(watched));
  fs.symlinkSync('../archive', vault.at('matter/old'));
  await heard.until(() => heard.stirred > 0);
  await list();
  fs.appendFileSync(vault.at('archive/old.md'), 'more');
  await heard.until(() => heard.touched.has('matter/old/old.md'));
});

test('a folder out of the vault is not watched, whatever link leads to it', async () => {
  const { vault, heard, list } = await watching((watched) => new FolderWatcher(watched));
  fs.mkdirSync(path.join(vault.home, 'outside'));
  fs.symlinkSync('../../outside', vault.at('matter/out'));
  await heard.until(() => heard.stirred > 0);
  await list();
  heard.touched.clear();
  fs.writeFileSync(path.join(vault.home, 'outside', 'secret.md'), 'x');
  vault.write('matter/last.md', 'x');
  await heard.until(() => heard.touched.has('matter/last.md'));
  expect([...heard.touched]).toEqual(['matter/last.md']);
});

test('there is a watch for each record folder and what leads to it, and none for a note; those of gone folders are let go', async () => {
  const opened = vi.spyOn(fs, 'watch');
  onTestFinished(() => opened.mockRestore());
  const { vault, watcher, list } = await watching((watched) => new FolderWatcher(watched));
  const folders = () => (watcher instanceof FolderWatcher ? [...watcher.folders].sort() : []);
  expect(folders()).toEqual(['', 'matter', 'task', 'task/2026']);
  expect(opened).toHaveBeenCalledTimes(4);
  await list();
  expect(opened).toHaveBeenCalledTimes(4);
  fs.rmSync(vault.at('task/2026'), { recursive: true });
  await list();
  expect(folders()).toEqual(['', 'matter', 'task']);
});

test.each(['ENOSPC', 'EMFILE'])('the limit of watches (%s) is said once, and not asked for again', async (code) => {
  const real = fs.watch.bind(fs);
  const opened = vi.spyOn(fs, 'watch');
  onTestFinished(() => opened.mockRestore());
  opened.mockImplementation(((folder: string, ...rest: []) => {
    if (folder.endsWith('task')) throw Object.assign(new Error(`${code}: no more watches`), { code });
    return real(folder, ...rest);
  }) as never);
  const { vault, heard, list } = await watching((watched) => new FolderWatcher(watched));
  expect(heard.failed).toHaveLength(1);
  const { length } = opened.mock.calls;
  await list();
  expect(opened.mock.calls).toHaveLength(length);
  expect(heard.failed).toHaveLength(1);
  // What is watched already still is.
  fs.writeFileSync(vault.at('steward.md'), 'x');
  await heard.until(() => heard.touched.has('steward.md'));
});

test('on a disk of others, a folder in which a note comes is listed again, though the system says nothing', async () => {
  const opened = vi.spyOn(fs, 'watch').mockImplementation((() => ({ on: () => {}, close: () => {} })) as never);
  onTestFinished(() => opened.mockRestore());
  const { vault, heard } = await watching((watched) => new PolledFolders(watched, new FolderWatcher(watched), 5));
  const timer = setInterval(() => vault.write(`task/2026/${performance.now()}.md`, 'x'), 20);
  onTestFinished(() => clearInterval(timer));
  await heard.until(() => heard.stirred > 0);
  expect(heard.touched.size).toBe(0);
});

test.runIf(process.platform === 'linux').each([
  [5_000, false],
  [5_001, true],
])('a vault of %i files is watched folder by folder: %s', async (files, isLed) => {
  const vault = new TempVault(FILES);
  const { handlers } = new Heard();
  const watcher = await watcherFor({ root: vault.root, layout, linked: new Map(), handlers }, false, files);
  onTestFinished(() => watcher.close());
  expect(watcher.isLed).toBe(isLed);
});

const TASK = '---\ntype: task\nstate: open\n---\n';

async function listed(files: Record<string, string>, links: Record<string, string>) {
  const vault = new TempVault(files);
  fs.mkdirSync(path.join(vault.home, 'outside'));
  for (const [link, to] of Object.entries(links)) {
    fs.mkdirSync(path.dirname(vault.at(link)), { recursive: true });
    fs.symlinkSync(to, vault.at(link));
  }
  const { files: found, linked, passedOver } = await walked(vault.root);
  return { found: [...found.keys()].sort(), linked: [...linked.keys()], passedOver: Object.fromEntries(passedOver) };
}

test('a record folder, the stream, and a folder in a record folder may be links inside the vault', async () => {
  const { found, linked, passedOver } = await listed(
    { 'archive/todo/a.md': TASK, 'archive/mail/a.eml': 'x', 'archive/old/b.md': TASK },
    { task: 'archive/todo', stream: 'archive/mail', 'matter/old': '../archive/old' },
  );
  expect(found).toEqual(['matter/old/b.md', 'stream/a.eml', 'task/a.md']);
  expect(linked.sort()).toEqual(['matter/old', 'stream', 'task']);
  expect(passedOver).toEqual({});
});

test('a link below a linked folder is judged as any other', async () => {
  const { found, passedOver } = await listed(
    { 'archive/todo/a.md': TASK },
    { task: 'archive/todo', 'archive/todo/again': '../todo', 'archive/todo/out': '../../../outside' },
  );
  expect(found).toEqual(['task/a.md']);
  expect(passedOver).toEqual({
    'task/again': 'it is a link to a folder that is read already, or a circular link',
    'task/out': 'it is a link that leads out of the vault',
  });
});

test('two links to one folder are one folder, and the other is named', async () => {
  const { found, passedOver } = await listed({ 'both/a.md': TASK }, { task: 'both', matter: 'both' });
  expect(found).toHaveLength(1);
  expect(Object.values(passedOver)).toEqual(['it is a link to a folder that is read already, or a circular link']);
});

test('a link elsewhere in the vault is nobody’s business', async () => {
  expect(await listed({ 'notes/a.md': 'x' }, { 'notes/out': '../../outside', attic: 'notes' })).toEqual({
    found: [],
    linked: [],
    passedOver: {},
  });
});

test('the program’s own folder may be a link inside the vault, and its folders none', () => {
  const vault = new TempVault({ 'own/tmp/x': '', 'elsewhere/x': '' });
  fs.symlinkSync('own', vault.at('.steward'));
  expect(ownPlacesRefusal(vault.root)).toBeNull();
  fs.symlinkSync('../elsewhere', vault.at('own/history'));
  expect(ownPlacesRefusal(vault.root)?.trouble).toMatchObject({ code: 'own-folder-link', file: '.steward/history' });
  fs.rmSync(vault.at('own/history'));
  fs.rmSync(vault.at('.steward'));
  fs.symlinkSync('.steward', vault.at('.steward'));
  expect(ownPlacesRefusal(vault.root)?.message).toMatch(/circular link/);
});
