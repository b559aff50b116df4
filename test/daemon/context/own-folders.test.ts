import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { prepare } from '../../../src/daemon/lease.ts';
import { ownPlaces } from '../../../src/vault/layout.ts';

function newVault(): string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'steward-own-'));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  return root;
}

test('what another command makes at the same moment in a new vault is there, and no error', () => {
  const places = ownPlaces(newVault());
  prepare(places);
  const looked = vi.spyOn(fs, 'existsSync').mockReturnValue(false); // both have looked before either made it
  onTestFinished(() => looked.mockRestore());
  expect(() => prepare(places)).not.toThrow();
  expect(looked).toHaveBeenCalled();
});

test('a file where a folder of the program should be is told by its name', () => {
  const places = ownPlaces(newVault());
  prepare(places);
  fs.rmdirSync(places.history);
  fs.symlinkSync('nowhere', places.history);
  expect(() => prepare(places)).toThrow(/history/);
});
