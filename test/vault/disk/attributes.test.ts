import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadSystemCalls } from '../../../src/vault/disk/system-calls.ts';
import { isBeingWritten } from '../../../src/vault/disk.ts';
import { attributesOf, giveAttributes, sameAttributes } from '../../../src/vault/disk-readers.ts';
import { TempVault } from '../../support/temp-vault.ts';

const system = loadSystemCalls();

describe.skipIf(system === null)('what a file has besides its bytes (Linux)', () => {
  test('is given to another file, and what that had more is taken away', () => {
    const vault = new TempVault({ 'one.md': 'x', 'other.md': 'x' });
    const [one, other] = [vault.at('one.md'), vault.at('other.md')];
    fs.chmodSync(one, 0o640);
    system?.setAttribute(one, 'user.label', Buffer.from('a'));
    system?.setAttribute(other, 'user.label', Buffer.from('b'));
    system?.setAttribute(other, 'user.more', Buffer.from('c'));
    expect(sameAttributes(attributesOf(one, system), attributesOf(other, system))).toBe(false);
    expect(giveAttributes(other, attributesOf(one, system), system)).toBe(true);
    expect(attributesOf(other, system)).toEqual(attributesOf(one, system));
    expect([...attributesOf(other, system).extended]).toEqual([['user.label', Buffer.from('a')]]);
  });

  test('what cannot be given is said', () => {
    const vault = new TempVault({ 'one.md': 'x' });
    const like = attributesOf(vault.at('one.md'), system);
    const impossible = { ...like, extended: new Map([['nobody.knows', Buffer.from('a')]]) };
    expect(giveAttributes(vault.at('one.md'), impossible, system)).toBe(false);
  });

  test('a file that is gone is an error of the system', () => {
    expect(() => system?.attributes('/nowhere/at/all')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });

  test('whether somebody writes into a file, by the kernel and by /proc', () => {
    const vault = new TempVault({ 'one.md': 'x' });
    const file = vault.at('one.md');
    const reader = fs.openSync(file, 'r');
    expect(isBeingWritten(file, system)).toBe(false);
    expect(isBeingWritten(file, null)).toBeNull();
    const writer = fs.openSync(file, 'a');
    expect(isBeingWritten(file, system)).toBe(true);
    expect(isBeingWritten(file, null)).toBe(true);
    fs.closeSync(writer);
    fs.closeSync(reader);
    expect(isBeingWritten(file, system)).toBe(false);
  });
});
