import fs from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { atOnce } from '../../../src/vault/disk/slices.ts';
import { Catalogue } from '../../../src/vault/index/catalogue.ts';
import { Packing } from '../../../src/vault/index/packing.ts';
import { DEFAULT_MAPPING, readRecord } from '../../../src/vault/index/record.ts';
import { Layout } from '../../../src/vault/layout.ts';
import { Seal } from '../../../src/vault/seal.ts';
import { Vault } from '../../../src/vault/watch/vault.ts';
import { matter, task } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';

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

test('a first look opens, looks at and reads each note once, and resolves no path of it', async () => {
  const vault = new TempVault(notes());
  const [open, fstat, read, close, real] = (
    ['openSync', 'fstatSync', 'readSync', 'closeSync', 'readlinkSync'] as const
  ).map((name) => vi.spyOn(fs, name));
  const known = new Vault(vault.root, new Layout(), DEFAULT_MAPPING);
  await known.open(vault.at('.steward/cache/records'), new Seal(Buffer.alloc(32)));
  const count = MATTERS + TASKS;
  expect(known.catalogue.size).toBe(count);
  // One more for the cache, which is not there.
  for (const calls of [open, fstat, read, close]) expect(calls?.mock.calls.length).toBeLessThanOrEqual(count + 1);
  expect(real?.mock.calls.length).toBe(0);
});

test('whoever asks for what is wrong or due unpacks one task of each matter, and those that are meant', () => {
  const known = new Catalogue();
  for (const [file, text] of Object.entries(notes())) {
    known.put(readRecord(new Layout(), DEFAULT_MAPPING, file, STAT, Buffer.from(text)));
  }
  const unpack = vi.spyOn(Packing.prototype, 'unpack');
  expect([known.agenda.doubtful(), atOnce(known.agenda.strays()), known.agenda.dueBy('2026-11-30')]).toEqual([
    [],
    [],
    [],
  ]);
  expect(unpack.mock.calls.length).toBeLessThanOrEqual(MATTERS);
});
