import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { resolvePlace } from '../../src/evidence/files.ts';
import { TempVault } from '../support/temp-vault.ts';

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

test('a path that goes on behind a file is not there, and a name that no file can have is no error', () => {
  const { root } = vault();
  expect(resolvePlace(root, 'a.md/b.md').reason).toBe('is not there');
  expect(resolvePlace(root, `folder/${'x'.repeat(300)}`).reason).toBe("can't be checked (ENAMETOOLONG)");
});
