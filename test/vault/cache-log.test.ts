// Over 5 s: it writes and compacts files with thousands of records.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Saving } from '../../src/vault/cache.ts';
import { Layout } from '../../src/vault/layout.ts';
import { DEFAULT_MAPPING } from '../../src/vault/record.ts';
import { Seal } from '../../src/vault/seal.ts';
import { Vault } from '../../src/vault/vault.ts';
import { lawRuns } from '../support/laws.ts';
import { matter, task } from '../support/notes.ts';
import { testSeal } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const ALL: Saving = { isHeld: () => false, demand: () => {}, hasTime: () => true };
const SEAL = testSeal();
const FIRST = 'records-00000001.cache';

function vaultOf(count: number): TempVault {
  const notes = Array.from({ length: count }, (_, nth) => [`task/${nth}.md`, task({ due: '2036-01-01' })] as const);
  const temp = new TempVault({ ...Object.fromEntries(notes), 'matter/house.md': matter() });
  fs.mkdirSync(temp.places.cache, { recursive: true });
  return temp;
}

async function opened(temp: TempVault, seal: Seal = SEAL): Promise<Vault> {
  const vault = new Vault(temp.root, new Layout(), DEFAULT_MAPPING);
  await vault.open(temp.places.cache, seal);
  return vault;
}

/** Returns how many notes a start has to read: those that the cache does not tell of. */
async function readAtStart(temp: TempVault): Promise<number> {
  const { catalogue } = await opened(temp);
  return catalogue.saved.unsaved.size;
}

async function saved(count: number): Promise<{ temp: TempVault; vault: Vault }> {
  const temp = vaultOf(count);
  const vault = await opened(temp);
  await vault.saveCache(ALL);
  return { temp, vault };
}

const recordsOf = (vault: Vault) => new Map([...vault.catalogue.entries()].map((record) => [record.path, record]));
const parts = (temp: TempVault) => fs.readdirSync(temp.places.cache).sort();
const bytesIn = (temp: TempVault) =>
  parts(temp).reduce((sum, name) => sum + fs.statSync(path.join(temp.places.cache, name)).size, 0);
const partOf = (temp: TempVault, name = FIRST) => path.join(temp.places.cache, name);

/** Changes a note and has the vault see it. */
function edit(temp: TempVault, vault: Vault, file: string, text: string): void {
  temp.write(file, text);
  vault.look([file]);
}

describe('to save', () => {
  test('costs what has changed, whatever else there is', async () => {
    const { temp, vault } = await saved(500);
    const before = bytesIn(temp);
    edit(temp, vault, 'task/7.md', task({ due: '2036-02-02' }));
    await vault.saveCache(ALL);
    expect(bytesIn(temp) - before).toBeLessThan(2_000);
    expect(await readAtStart(temp)).toBe(0);
    const now = bytesIn(temp);
    await vault.saveCache(ALL);
    expect(bytesIn(temp)).toBe(now);
  });

  test('many times over keeps the files in proportion to the notes, and loses none', async () => {
    const { temp, vault } = await saved(300);
    const once = bytesIn(temp);
    for (let round = 0; round < 30; round += 1) {
      for (let nth = 0; nth < 100; nth += 1) edit(temp, vault, `task/${nth}.md`, task({ headline: `round ${round}` }));
      await vault.saveCache(ALL);
      expect(bytesIn(temp)).toBeLessThan(8 * once);
    }
    expect(await readAtStart(temp)).toBe(0);
    expect([...(await opened(temp)).catalogue.paths()].sort()).toEqual([...vault.catalogue.paths()].sort());
  });

  test('what is gone tells the next start so', async () => {
    const { temp, vault } = await saved(5);
    temp.remove('task/3.md');
    vault.lose(['task/3.md']);
    await vault.saveCache(ALL);
    const next = await opened(temp);
    expect(next.movedMeanwhile).toEqual([]);
    expect(next.catalogue.saved.unsaved.size).toBe(0);
  });

  test('leaves alone what is still needed as it was', async () => {
    const { temp, vault } = await saved(3);
    edit(temp, vault, 'task/1.md', task({ state: 'done' }));
    await vault.saveCache({ ...ALL, isHeld: (file) => file === 'task/1.md' });
    const next = await opened(temp);
    expect(next.editedMeanwhile).toMatchObject([
      { path: 'task/1.md', before: { fields: { state: 'open' } }, after: { fields: { state: 'done' } } },
    ]);
    await vault.saveCache(ALL);
    expect((await opened(temp)).editedMeanwhile).toEqual([]);
  });

  test('without time leaves the rest to the next time', async () => {
    const { temp, vault } = await saved(3);
    edit(temp, vault, 'task/1.md', task({ state: 'done' }));
    await vault.saveCache({ ...ALL, hasTime: () => false });
    expect(await readAtStart(temp)).toBe(1);
    await vault.saveCache(ALL);
    expect(await readAtStart(temp)).toBe(0);
  });

  test('on a disk that refuses is said, and made up for', async () => {
    const { temp, vault } = await saved(3);
    edit(temp, vault, 'task/1.md', task({ state: 'done' }));
    const write = vi.spyOn(fs, 'writeFileSync').mockImplementation(() => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    });
    await expect(vault.saveCache(ALL)).rejects.toThrow(/disk is full/);
    write.mockRestore();
    await vault.saveCache(ALL);
    expect(await readAtStart(temp)).toBe(0);
  });

  test('by whoever has lost the vault writes nothing', async () => {
    const { temp, vault } = await saved(3);
    const before = bytesIn(temp);
    edit(temp, vault, 'task/1.md', task({ state: 'done' }));
    const demand = () => {
      throw new Error('lost');
    };
    await expect(vault.saveCache({ ...ALL, demand })).rejects.toThrow('lost');
    expect(bytesIn(temp)).toBe(before);
    expect(vault.catalogue.saved.unsaved).toContain('task/1.md');
  });
});

describe('whatever ends the program', () => {
  test('LAW: a file that was cut off anywhere is whole up to there, and the start knows all notes', async () => {
    const { temp, vault } = await saved(40);
    for (let nth = 0; nth < 5; nth += 1) {
      edit(temp, vault, `task/${nth}.md`, task({ headline: 'once more' }));
      await vault.saveCache(ALL);
    }
    const whole = fs.readFileSync(partOf(temp));
    const known = recordsOf(vault);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length }), async (length) => {
        fs.writeFileSync(partOf(temp), whole.subarray(0, length));
        const next = await opened(temp);
        expect(recordsOf(next)).toEqual(known);
        await next.saveCache(ALL);
        expect(await readAtStart(temp)).toBe(0);
        for (const name of parts(temp)) if (name !== FIRST) fs.rmSync(partOf(temp, name));
      }),
      { numRuns: lawRuns(60) },
    );
  });

  test('what follows half a block goes into a file of its own', async () => {
    const { temp } = await saved(10);
    fs.appendFileSync(partOf(temp), '{"seal":"');
    const next = await opened(temp);
    edit(temp, next, 'task/1.md', task({ state: 'done' }));
    await next.saveCache(ALL);
    expect(parts(temp)).toEqual([FIRST, 'records-00000002.cache']);
    expect(await readAtStart(temp)).toBe(0);
  });
});

describe('what another has put there', () => {
  test('in the middle of a part takes what follows in that part, and no more', async () => {
    const { temp, vault } = await saved(10);
    const first = fs.statSync(partOf(temp)).size;
    edit(temp, vault, 'task/1.md', task({ state: 'done' }));
    await vault.saveCache(ALL);
    const bytes = fs.readFileSync(partOf(temp));
    bytes[first + 120] = (bytes[first + 120] ?? 0) ^ 1;
    fs.writeFileSync(partOf(temp), bytes);
    expect(await readAtStart(temp)).toBe(1);
  });

  test.each([
    ['a block is left out', (blocks: readonly Buffer[]) => [blocks[0], blocks[2]], 2],
    ['blocks are exchanged', (blocks: readonly Buffer[]) => [blocks[0], blocks[2], blocks[1]], 2],
    ['a block comes twice', (blocks: readonly Buffer[]) => [blocks[0], blocks[1], blocks[1], blocks[2]], 1],
    ['the first is missing', (blocks: readonly Buffer[]) => [blocks[1], blocks[2]], 4],
  ])('is not believed where %s', async (_, change, read) => {
    const { temp, vault } = await saved(3);
    const cuts = [0, fs.statSync(partOf(temp)).size];
    for (const file of ['task/1.md', 'task/2.md']) {
      edit(temp, vault, file, task({ state: 'done' }));
      await vault.saveCache(ALL);
      cuts.push(fs.statSync(partOf(temp)).size);
    }
    const bytes = fs.readFileSync(partOf(temp));
    const blocks = cuts.slice(1).map((cut, nth) => bytes.subarray(cuts[nth], cut));
    fs.writeFileSync(partOf(temp), Buffer.concat(change(blocks).flatMap((block) => block ?? [])));
    expect(await readAtStart(temp)).toBe(read);
  });

  test('under another number is not believed, and is cleared away', async () => {
    const { temp, vault } = await saved(3);
    fs.renameSync(partOf(temp), partOf(temp, 'records-00000009.cache'));
    const next = await opened(temp);
    expect(next.catalogue.saved.unsaved.size).toBe(vault.catalogue.size);
    await next.saveCache(ALL);
    expect(parts(temp)).toEqual(['records-00000010.cache']);
  });

  test('by another key is not believed', async () => {
    const { temp, vault } = await saved(3);
    const next = await opened(temp, new Seal(Buffer.alloc(32)));
    expect(next.catalogue.saved.unsaved.size).toBe(vault.catalogue.size);
  });

  test('is not added to: neither a link that leads out, nor a file that has grown or is gone', async () => {
    const { temp, vault } = await saved(3);
    const outside = path.join(temp.home, 'precious');
    fs.renameSync(partOf(temp), outside);
    fs.symlinkSync(outside, partOf(temp));
    const before = fs.readFileSync(outside);
    edit(temp, vault, 'task/1.md', task({ state: 'done' }));
    await vault.saveCache(ALL);
    expect(fs.readFileSync(outside)).toEqual(before);
    fs.appendFileSync(partOf(temp, 'records-00000002.cache'), 'theirs');
    edit(temp, vault, 'task/2.md', task({ state: 'done' }));
    await vault.saveCache(ALL);
    expect(parts(temp)).toEqual([FIRST, 'records-00000002.cache', 'records-00000003.cache']);
    expect(fs.readFileSync(outside)).toEqual(before);
  });

  test.each([
    ['a folder', (file: string) => fs.mkdirSync(file)],
    ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
    ['far too high a number', (file: string) => fs.writeFileSync(file.replace('00000002', '99999999'), 'x')],
  ])('holds nothing up: %s', async (_, put) => {
    const { temp } = await saved(3);
    put(partOf(temp, 'records-00000002.cache'));
    const next = await opened(temp);
    expect(next.catalogue.saved.unsaved.size).toBe(0);
    edit(temp, next, 'task/1.md', task({ state: 'done' }));
    await next.saveCache(ALL);
    expect(await readAtStart(temp)).toBe(0);
    expect(parts(temp).filter((name) => name.includes('9999'))).toEqual([]);
  });
});
