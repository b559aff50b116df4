import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createWhole,
  fileError,
  insideVault,
  newPlace,
  readBytes,
  replaceWhole,
  staysInside,
} from '../../src/vault/files.ts';
import { leaveRoom, MAY_MOUNT, smallDisk } from '../support/small-disk.ts';
import { TempVault } from '../support/temp-vault.ts';

describe('a new note', () => {
  const made = () => {
    const vault = new TempVault();
    fs.mkdirSync(vault.places.tmp, { recursive: true });
    const create = (file: string, text: string) => createWhole(vault.root, vault.places.tmp, file, text);
    return { vault, create };
  };

  test('is whole under its name, its folder is made, and nothing is left behind', () => {
    const { vault, create } = made();
    expect(create('event/2026/x.md', 'whole')).toBe(true);
    expect(vault.read('event/2026/x.md')).toBe('whole');
    expect(vault.names('.steward/tmp')).toEqual([]);
  });

  test('never replaces one', () => {
    const { vault, create } = made();
    vault.write('event/x.md', 'theirs');
    expect(create('event/x.md', 'ours')).toBe(false);
    expect(vault.read('event/x.md')).toBe('theirs');
    expect(vault.names('.steward/tmp')).toEqual([]);
  });

  test('nor a link that leads nowhere, nor a folder', () => {
    const { vault, create } = made();
    fs.mkdirSync(vault.at('event'));
    fs.symlinkSync('/nonexistent/place', vault.at('event/x.md'));
    fs.mkdirSync(vault.at('event/y.md'));
    expect(create('event/x.md', 'ours')).toBe(false);
    expect(create('event/y.md', 'ours')).toBe(false);
    expect(fs.readlinkSync(vault.at('event/x.md'))).toBe('/nonexistent/place');
  });

  test('is not made outside, by its path or by a folder that is a link', () => {
    const { vault, create } = made();
    fs.mkdirSync(path.join(vault.home, 'away'));
    fs.symlinkSync(path.join(vault.home, 'away'), vault.at('event'));
    expect(() => create('../x.md', 'x')).toThrow(/leads out/);
    expect(() => create('event/x.md', 'x')).toThrow(/leads out/);
    expect(fs.readdirSync(path.join(vault.home, 'away'))).toEqual([]);
    expect(vault.names('.steward/tmp')).toEqual([]);
  });

  test('where .steward went away with its vault, nothing is made in the empty place', () => {
    const { vault, create } = made();
    vault.remove('.steward');
    expect(() => create('event/x.md', 'x')).toThrow(/ENOENT/);
    expect(fs.readdirSync(vault.root)).toEqual([]);
  });
});

describe('a file that is replaced', () => {
  test('keeps its mode, and is left alone where it has changed since it was read', () => {
    const vault = new TempVault({ 'a.json': 'as it was read', '.steward/tmp/.keep': '' });
    fs.chmodSync(vault.at('a.json'), 0o604);
    const former = readBytes(vault.at('a.json'), 1000);
    expect(replaceWhole(vault.places.tmp, vault.at('a.json'), 'ours', former)).toBe(true);
    expect(fs.statSync(vault.at('a.json')).mode & 0o777).toBe(0o604);
    expect(replaceWhole(vault.places.tmp, vault.at('a.json'), 'ours once more', former)).toBe(false);
    expect(vault.read('a.json')).toBe('ours');
    expect(vault.names('.steward/tmp')).toEqual(['.keep']);
  });
});

test.skipIf(!MAY_MOUNT)(
  'a disk with room for half of it: nothing is made, nothing replaced, nothing left behind',
  () => {
    const vault = new TempVault();
    smallDisk(vault.root);
    fs.mkdirSync(vault.places.tmp, { recursive: true });
    fs.writeFileSync(vault.at('old.md'), 'old');
    leaveRoom(vault.at('filler'), 40_000);
    const long = 'x'.repeat(80_000);
    expect(() => createWhole(vault.root, vault.places.tmp, 'new.md', long)).toThrow(/ENOSPC/);
    expect(() => createWhole(vault.root, vault.places.tmp, 'new.md', Buffer.from(long))).toThrow(/ENOSPC/);
    expect(() => replaceWhole(vault.places.tmp, vault.at('old.md'), long)).toThrow(/ENOSPC/);
    expect(vault.has('new.md')).toBe(false);
    expect(vault.read('old.md')).toBe('old');
    expect(vault.names('.steward/tmp')).toEqual([]);
  },
);

describe('reading', () => {
  test('a FIFO does not hang and is refused', () => {
    const vault = new TempVault();
    execFileSync('mkfifo', [vault.at('pipe.md')]);
    expect(() => readBytes(vault.at('pipe.md'), 1000)).toThrow(/not a regular file/);
  });

  test('a folder is refused, a file that is too large too', () => {
    const vault = new TempVault({ 'large.md': 'x'.repeat(1001), 'fits.md': 'x'.repeat(1000) });
    expect(() => readBytes(vault.root, 1000)).toThrow(/not a regular file/);
    expect(() => readBytes(vault.at('large.md'), 1000)).toThrow(/1001 bytes/);
    expect(readBytes(vault.at('fits.md'), 1000).bytes).toHaveLength(1000);
  });
});

describe('staying inside', () => {
  test.each(['../x.md', '/etc/passwd', 'a/../../x.md', 'a\\..\\x.md', 'C:x.md', 'x\0.md'])('%j does not', (file) => {
    expect(staysInside(file)).toBe(false);
  });

  test.each(['a.md', 'a/b.md', './a.md', 'a/../b.md', '..a.md'])('%j does', (file) => {
    expect(staysInside(file)).toBe(true);
  });

  test('a sibling folder whose name begins like the vault is outside', () => {
    const vault = new TempVault();
    fs.mkdirSync(`${vault.root}-2`);
    fs.writeFileSync(`${vault.root}-2/x.md`, '');
    expect(() => insideVault(vault.root, '../vault-2/x.md')).toThrow(/leads out/);
    expect(() => newPlace(vault.root, '../vault-2/y.md')).toThrow(/leads out/);
  });
});

test('system errors in plain words, with the file', () => {
  const error = fileError(Object.assign(new Error('x'), { code: 'ENOSPC' }), 'task/pay.md');
  expect(error.trouble).toMatchObject({ code: 'disk-full', file: 'task/pay.md' });
  expect(error.message).toBe('task/pay.md cannot be written: the disk is full.');
});
