import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ownPlacesRefusal } from '../../../src/vault/disk/own-places.ts';
import { listed as walked } from '../../support/listing.ts';
import { TempVault } from '../../support/temp-vault.ts';

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
    'task/again': 'it is a link to a folder that is read already, or leads round in a circle',
    'task/out': 'it is a link that leads out of the vault',
  });
});

test('two links to one folder are one folder, and the other is named', async () => {
  const { found, passedOver } = await listed({ 'both/a.md': TASK }, { task: 'both', matter: 'both' });
  expect(found).toHaveLength(1);
  expect(Object.values(passedOver)).toEqual([
    'it is a link to a folder that is read already, or leads round in a circle',
  ]);
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
  expect(ownPlacesRefusal(vault.root)?.message).toMatch(/round in a circle/);
});
