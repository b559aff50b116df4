import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { HeldTable } from '../../../src/roundtable/place.ts';
import { HOUSE } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';

const PART = '01234567-89ab-cdef-0123-456789abcdef.part';

test('what lies among its parts and is none neither keeps a table from being held, nor its lock from being given back', () => {
  const vault = new TempVault(HOUSE);
  const holder = { root: vault.root, env: {}, now: Date.now };
  const first = HeldTable.take(holder, 'roundtable/well');
  const { tmp } = first.places;
  first[Symbol.dispose]();
  fs.mkdirSync(path.join(tmp, PART), { recursive: true });
  fs.writeFileSync(path.join(tmp, PART.replace('0', 'f')), 'left by a kill');
  for (let times = 0; times < 2; times += 1) {
    const held = HeldTable.take(holder, 'roundtable/well');
    expect(fs.readdirSync(tmp)).toEqual([PART]);
    held[Symbol.dispose]();
  }
});

test('a lock that was taken is given back where the table cannot be held', () => {
  const vault = new TempVault(HOUSE);
  const holder = { root: vault.root, env: {}, now: Date.now };
  const first = HeldTable.take(holder, 'roundtable/well');
  const { tmp, lock } = first.places;
  first[Symbol.dispose]();
  // As soon as the lock is there, its folder of parts is a file.
  const now = () => {
    fs.rmSync(tmp, { recursive: true, force: true });
    fs.writeFileSync(tmp, 'in the way');
    return Date.now();
  };
  expect(() => HeldTable.take({ ...holder, now }, 'roundtable/well')).toThrow();
  expect(fs.existsSync(lock)).toBe(false);
});

test('the empty folders that another takes away as it ends are made again', () => {
  const vault = new TempVault(HOUSE);
  const holder = { root: vault.root, env: {}, now: Date.now };
  const first = HeldTable.take(holder, 'roundtable/well');
  const { tmp, journal } = first.places;
  first[Symbol.dispose]();
  const now = () => {
    for (const folder of [tmp, journal]) fs.rmSync(folder, { recursive: true, force: true });
    return Date.now();
  };
  const held = HeldTable.take({ ...holder, now }, 'roundtable/well');
  expect([fs.existsSync(tmp), fs.existsSync(journal)]).toEqual([true, true]);
  held[Symbol.dispose]();
});
