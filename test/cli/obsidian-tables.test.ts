import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addTables, tablesFor } from '../../src/cli/obsidian-files.ts';
import { DEFAULT_FOLDERS, FOLDER_KINDS } from '../../src/vault/layout.ts';
import { Base } from '../support/bases/base-file.ts';
import { showView } from '../support/bases/shown-view.ts';
import { Moment, VaultFile } from '../support/bases/values.ts';
import { settings } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const SHIPPED = fs.readFileSync(path.join(PROJECT, 'vault-example/Steward.base'), 'utf8');
const NOW = Moment.of('2026-11-23 09:00:00');

/** Which files of a vault are in the inbox of its tables. */
function inbox(tables: string, ...paths: readonly string[]): string[] {
  const files = paths.map((file) => new VaultFile(file, 1, NOW, { waiting: true, timestamp: '2026-11-23T08:00:00Z' }));
  return showView(new Base(tables), 'Inbox', files, NOW).rows.map((row) => row.path);
}

describe('the folder names of a vault', () => {
  test('the default ones leave the file as it is shipped', () => {
    expect(tablesFor(SHIPPED, DEFAULT_FOLDERS)).toBe(SHIPPED);
  });

  test('each folder that is asked for is one of the vault, and every kind that people look at is asked for', () => {
    const asked = new Set([...SHIPPED.matchAll(/inFolder\((.*?)\)/g)].map(([, name]) => name));
    const looked = FOLDER_KINDS.filter((kind) => kind !== 'stream' && kind !== 'roundtable');
    expect([...asked].sort()).toEqual(looked.map((kind) => `"${kind}"`).sort());
    expect(SHIPPED.match(/inFolder\(/g)?.length).toBe(SHIPPED.match(/'file\.inFolder\("\w+"\)'/g)?.length);
  });

  test.each([
    'audit',
    'Steward/the log',
    "Anna's log",
    'a "log"',
    `Anna's "log"`,
    'log: # 1',
    'Ereignisse & mehr',
    '日誌',
  ])('%s: the tables show what lies there, and nothing of a folder with the former name', (name) => {
    const tables = tablesFor(SHIPPED, { ...DEFAULT_FOLDERS, event: name });
    expect(inbox(tables, `${name}/2026-11/a.md`, `${name}/b.md`, 'event/c.md', `${name}s/d.md`)).toEqual([
      `${name}/2026-11/a.md`,
      `${name}/b.md`,
    ]);
  });

  test('one that takes the former name of another folder is not mistaken for it', () => {
    const tables = tablesFor(SHIPPED, { ...DEFAULT_FOLDERS, event: 'task', task: 'event' });
    expect(inbox(tables, 'task/a.md', 'event/b.md')).toEqual(['task/a.md']);
  });

  test('LAW: whatever a folder is called, the file can be read and shows just this folder', () => {
    const name = fc
      .string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
      .filter((one) => !/[/\\\p{Cc}]|^\.|\s$/u.test(one));
    fc.assert(
      fc.property(name, (event) => {
        const tables = tablesFor(SHIPPED, { ...DEFAULT_FOLDERS, event });
        expect(inbox(tables, `${event}/a.md`, `x${event}/b.md`)).toEqual([`${event}/a.md`]);
      }),
    );
  });
});

describe('the tables of a vault', () => {
  test('have the folder names of its settings', () => {
    const vault = new TempVault({ 'steward.md': settings({ folder_event: 'audit', folder_task: 'TaskNotes/Tasks' }) });
    fs.mkdirSync(vault.places.tmp, { recursive: true });
    expect(addTables(vault.root, vault.places.tmp, DEFAULT_FOLDERS)).toBe(true);
    expect(vault.read('Steward.base')).toContain('file.inFolder("TaskNotes/Tasks")');
    expect(inbox(vault.read('Steward.base'), 'audit/a.md', 'event/b.md')).toEqual(['audit/a.md']);
    expect(addTables(vault.root, vault.places.tmp, DEFAULT_FOLDERS)).toBe(false);
  });

  test('come with init, and a file that is there already stays to the byte', () => {
    const vault = new TempVault({ 'steward.md': settings({ folder_event: 'audit' }) });
    const init = () =>
      spawnSync(process.execPath, [path.join(PROJECT, 'bin/steward.js'), 'init', vault.root, '--yes'], {
        encoding: 'utf8',
      });
    expect(init()).toMatchObject({ status: 0, stdout: expect.stringContaining('made Steward.base') });
    expect(inbox(vault.read('Steward.base'), 'audit/a.md', 'event/b.md')).toEqual(['audit/a.md']);
    vault.write('Steward.base', 'views: mine');
    expect(init()).toMatchObject({ status: 0 });
    expect(vault.read('Steward.base')).toBe('views: mine');
  });
});
