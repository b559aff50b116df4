import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Layout } from '../../src/vault/layout.ts';
import { DEFAULT_MAPPING } from '../../src/vault/record.ts';
import { Vault } from '../../src/vault/vault.ts';
import { matter, task } from '../support/notes.ts';
import { testSeal } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';

const ALL = { isHeld: () => false, demand: () => {}, hasTime: () => true };
const FILES = { 'matter/house.md': matter(), 'task/pay.md': task(), 'task/bad.md': '---\nstate: [\n---\n' };

async function opened(temp: TempVault, mapping = DEFAULT_MAPPING): Promise<Vault> {
  const vault = new Vault(temp.root, new Layout(), mapping);
  await vault.open(temp.places.cache, testSeal());
  return vault;
}

async function cached(): Promise<{ temp: TempVault; file: string; before: Vault }> {
  const temp = new TempVault(FILES);
  fs.mkdirSync(temp.places.cache, { recursive: true });
  const before = await opened(temp);
  await before.saveCache(ALL);
  const file = path.join(temp.places.cache, 'records-00000001.cache');
  return { temp, file, before };
}

test('a start from the cache knows the same records', async () => {
  const { temp, before } = await cached();
  const after = await opened(temp);
  expect([...after.catalogue.entries()]).toEqual([...before.catalogue.entries()]);
});

test('what changed, came or went since is read anew', async () => {
  const { temp } = await cached();
  temp.write('task/pay.md', task({ state: 'done' }));
  temp.write('task/bad.md', task({ state: 'open' }));
  temp.write('task/new.md', task());
  temp.remove('matter/house.md');
  temp.write('matter/boat.md', matter());
  const { catalogue } = await opened(temp);
  expect(catalogue.get('task/pay.md')).toMatchObject({ fields: { state: 'done' } });
  expect(catalogue.get('task/bad.md')?.kind).toBe('task');
  expect(catalogue.get('task/new.md')?.kind).toBe('task');
  expect(catalogue.get('matter/house.md')).toBeUndefined();
});

test.each([
  ['torn', (text: string) => text.slice(0, text.length - 20)],
  ['changed by hand', (text: string) => text.replace('"state":"open"', '"state":"done"')],
  ['empty', () => ''],
  ['something else', () => '[]'],
])('a cache that is %s is not believed', async (_, spoil) => {
  const { temp, file, before } = await cached();
  fs.writeFileSync(file, spoil(fs.readFileSync(file, 'utf8')));
  const after = await opened(temp);
  expect([...after.catalogue.entries()]).toEqual([...before.catalogue.entries()]);
});

test('a cache made under another field mapping is not believed', async () => {
  const { temp } = await cached();
  temp.write('task/other.md', '---\nvorgang: house\n---\n');
  const { catalogue } = await opened(temp, { vorgang: 'parent_matter' });
  expect(catalogue.get('task/other.md')).toMatchObject({ fields: { parent_matter: 'house' } });
});
