import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Places, readSource, resolvePlace, tryRead } from '../../src/evidence/files.ts';
import { lawRuns } from '../support/laws.ts';
import { TempVault } from '../support/temp-vault.ts';

const NAMES = [
  'a.md',
  'folder',
  '.hidden',
  'secrets.json',
  'link',
  'out',
  'hard.md',
  'round',
  '..',
  '.',
  '',
  'none',
  '\0',
  'x'.repeat(300),
];

/** A vault in which every name of the list means something, in the root and in a folder of it. */
function vault(): TempVault {
  const files = ['a.md', '.hidden/a.md', '.hidden/.hidden', 'secrets.json', 'first.md'];
  const made = new TempVault(
    Object.fromEntries(
      files.flatMap((file) => [
        [file, 'x'],
        [`folder/${file}`, 'x'],
      ]),
    ),
  );
  for (const folder of [made.root, path.join(made.root, 'folder')]) {
    fs.symlinkSync(path.join(made.root, 'folder'), path.join(folder, 'link'));
    fs.symlinkSync('/etc', path.join(folder, 'out'));
    fs.symlinkSync('round', path.join(folder, 'round'));
    fs.linkSync(path.join(folder, 'first.md'), path.join(folder, 'hard.md'));
  }
  return made;
}

test('places that are looked at together are what each is by itself', () => {
  const { root } = vault();
  const places = new Places();
  const roots = [root, path.join(root, 'folder'), path.join(root, 'link'), `${root}/`, '/', path.join(root, 'none')];
  const file = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  const told: (string | null)[] = [];
  fc.assert(
    fc.property(fc.constantFrom(...roots), file, (from, name) => {
      const place = resolvePlace(from, name);
      told.push(place.reason);
      expect(places.of(from, name)).toEqual(place);
    }),
    { numRuns: lawRuns() },
  );
  expect(new Set(told).size).toBeGreaterThan(Math.min(6, lawRuns() / 20));
});

test('a folder that becomes a link meanwhile leads nowhere: what was opened is looked at', () => {
  const { root } = vault();
  const places = new Places();
  const file = { root, path: 'folder/a.md' };
  expect(places.of(root, file.path).real).toBe(path.join(root, 'folder/a.md'));
  const other = new TempVault({ 'a.md': 'not for you\n' });
  fs.renameSync(path.join(root, 'folder'), path.join(root, 'former'));
  fs.symlinkSync(other.root, path.join(root, 'folder'));
  expect(tryRead(file, places)).toBeNull();
  expect(() => readSource(file, places.of(root, file.path))).toThrow('leads out of the folder');
});

test('a path that goes on behind a file is not there, and a name that no file can have is no error', () => {
  const { root } = vault();
  expect(resolvePlace(root, 'a.md/b.md').reason).toBe('is not there');
  expect(resolvePlace(root, `folder/${'x'.repeat(300)}`).reason).toBe("can't be checked (ENAMETOOLONG)");
});
