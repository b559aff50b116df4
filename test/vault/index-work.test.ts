import fs from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { Catalogue, RecordStore } from '../../src/vault/index.ts';
import { Layout } from '../../src/vault/layout.ts';
import { DEFAULT_MAPPING, readRecord } from '../../src/vault/record.ts';
import { Seal } from '../../src/vault/seal.ts';
import { atOnce } from '../../src/vault/time.ts';
import { Vault } from '../../src/vault/vault.ts';
import { matter, signal, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';

const STAT = { mtimeMs: 1, ctimeMs: 1, size: 1, ino: 1 };
const MATTERS = 3;
const TASKS = 300;

afterEach(() => vi.restoreAllMocks());

/** Notes of a small house with many tasks, by path. */
function notes(): Record<string, string> {
  const matters = Array.from({ length: MATTERS }, (_, nth) => [`matter/m${nth}.md`, matter()] as const);
  const tasks = Array.from({ length: TASKS }, (_, nth) => {
    const text = task({ parent_matter: `[[m${nth % MATTERS}]]`, due: '2026-12-01' });
    return [`task/${nth % 7}/t${nth}.md`, text] as const;
  });
  return Object.fromEntries([...matters, ...tasks]);
}

test('a first look opens, looks at and reads each note once, and asks for nothing else of its path', async () => {
  const vault = new TempVault(notes());
  const [open, fstat, read, close, real, lstat] = (
    ['openSync', 'fstatSync', 'readSync', 'closeSync', 'readlinkSync', 'lstatSync'] as const
  ).map((name) => vi.spyOn(fs, name));
  const known = new Vault(vault.root, new Layout(), DEFAULT_MAPPING);
  await known.open(vault.at('.steward/cache/records'), new Seal(Buffer.alloc(32)));
  const count = MATTERS + TASKS;
  expect(known.catalogue.size).toBe(count);
  // One more for the cache, which is not there, and of which alone the path is looked at.
  for (const calls of [open, fstat, read, close]) expect(calls?.mock.calls.length).toBeLessThanOrEqual(count + 1);
  expect(real?.mock.calls.length).toBe(0);
  expect(lstat?.mock.calls.map(([file]) => file)).toEqual([vault.at('.steward/cache/records')]);
});

test('a start with its cache looks at each note once, opens none, and goes over none of them again', async () => {
  const vault = new TempVault(notes());
  const cache = vault.at('.steward/cache/records');
  fs.mkdirSync(cache, { recursive: true });
  const opened = async () => {
    const known = new Vault(vault.root, new Layout(), DEFAULT_MAPPING);
    await known.open(cache, new Seal(Buffer.alloc(32)));
    return known;
  };
  await (await opened()).saveCache({ isHeld: () => false, demand: () => {}, hasTime: () => true });
  const [open, lstat] = [vi.spyOn(fs, 'openSync'), vi.spyOn(fs, 'lstatSync')];
  const again = vi.spyOn(RecordStore.prototype, 'statOf');
  const known = await opened();
  expect(known.catalogue.size).toBe(MATTERS + TASKS);
  expect(open.mock.calls.every(([file]) => String(file).startsWith(cache))).toBe(true);
  expect(lstat.mock.calls.filter(([file]) => String(file).endsWith('.md')).length).toBe(MATTERS + TASKS);
  expect(again.mock.calls.length).toBe(0);
});

test('whoever asks for what is wrong or due unpacks one task of each matter, and those that are meant', () => {
  const known = new Catalogue();
  for (const [file, text] of Object.entries(notes())) {
    known.put(readRecord(new Layout(), DEFAULT_MAPPING, file, STAT, Buffer.from(text)));
  }
  const unpack = vi.spyOn(RecordStore.prototype, 'unpack');
  expect([known.agenda.doubtful(), atOnce(known.agenda.strays()), known.agenda.dueBy('2026-11-30')]).toEqual([
    [],
    [],
    [],
  ]);
  expect(unpack.mock.calls.length).toBeLessThanOrEqual(MATTERS);
});

test('whoever asks what can be weighed unpacks no signal that was applied, asks for nothing, or is not to be heard', () => {
  const known = new Catalogue();
  const put = (file: string, text: string) =>
    known.put(readRecord(new Layout(), DEFAULT_MAPPING, file, STAT, Buffer.from(text)));
  const over = [{ status: 'applied' }, { effect: 'none' }, { steward: false }];
  put('matter/house.md', matter());
  for (let nth = 0; nth < MATTERS * TASKS; nth += 1) {
    put(`signal/${nth}.md`, signal({ target_path: 'matter/house.md', ...over[nth % over.length] }));
  }
  put('signal/skipped.md', signal({ target_path: '[[house]]', status: 'skipped' }));
  put('signal/new.md', signal({ target_path: 'matter/house.md' }));
  const house = known.get('matter/house.md');
  if (house?.kind !== 'matter') throw new Error('the matter is not there');
  const unpack = vi.spyOn(RecordStore.prototype, 'unpack');
  const weighable = known.signalsFor(house, 'weighable').map(({ path }) => path);
  expect(weighable.sort()).toEqual(['signal/new.md', 'signal/skipped.md']);
  expect(unpack.mock.calls.length).toBeLessThanOrEqual(2);
  expect(known.signalsFor(house).length).toBe(MATTERS * TASKS + 2);
});
