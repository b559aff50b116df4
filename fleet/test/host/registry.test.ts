import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Registry } from '../../src/host/registry.ts';
import { giveId, vaultId } from '../../src/host/vault-id.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a host keeps its id and its vaults from one process to the next', () => {
  const state = tempFolder();
  const first = new Registry(state);
  first.put('v-00000000000000000001', '/vaults/one');
  first.put('v-00000000000000000002', '/vaults/two');
  first.remove('v-00000000000000000002');
  const second = new Registry(state);
  expect(second.host).toBe(first.host);
  expect(second.host).toMatch(/^h-[0-9a-f]{20}$/);
  expect(second.ids()).toEqual(['v-00000000000000000001']);
  expect(second.pathOf('v-00000000000000000001')).toBe('/vaults/one');
  expect(second.pathOf('v-00000000000000000002')).toBeNull();
  expect(second.pathOf('../../../etc/passwd')).toBeNull();
  expect(() => second.put('../host', '/vaults/one')).toThrow();
});

test('a vault that was brought here is found by its id, and noted', () => {
  const [state, disks] = [tempFolder(), tempFolder()];
  const root = path.join(disks, 'brought');
  fs.mkdirSync(root);
  fs.mkdirSync(path.join(disks, 'another'));
  const id = giveId(root);
  expect(vaultId(root)).toBe(id);
  const registry = new Registry(state);
  expect(registry.find(id, [])).toBeNull();
  expect(registry.find('v-00000000000000000001', [disks])).toBeNull();
  expect(registry.find(id, ['/nowhere', disks])).toBe(root);
  expect(registry.pathOf(id)).toBe(root);
});

test('it tells of vaults that come and go', async () => {
  const registry = new Registry(tempFolder());
  const { promise, resolve } = Promise.withResolvers<string>();
  const watcher = registry.watch(resolve);
  registry.put('v-00000000000000000001', '/vaults/one');
  expect(await promise).toBe('v-00000000000000000001');
  watcher.close();
});

test('a file of an id that is none is said, and no vault gets two ids by it', () => {
  const root = tempFolder();
  expect(vaultId(root)).toBeNull();
  fs.mkdirSync(path.join(root, '.steward'));
  fs.writeFileSync(path.join(root, '.steward', 'fleet.json'), '{"id":"../../x"}');
  expect(() => vaultId(root)).toThrow(/cannot be read/);
});
