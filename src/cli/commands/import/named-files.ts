import fs from 'node:fs';
import path from 'node:path';
import { insideVault, staysInside } from '../../../vault/files.ts';

/**
 * Returns the absolute paths that the words of a command name. A bare path may name a file in the vault, or one that the
 * shell completed; a file in the vault comes first. Throws `path-outside-vault` for a link there that leads out.
 */
export function namedFiles(words: readonly string[], root: string, cwd: string): readonly string[] {
  return words.map((word) => absolutePath(word, root, cwd));
}

// Whoever shares the vault would choose by a link what is taken in for the person.
function absolutePath(file: string, root: string, cwd: string): string {
  const inVault = path.resolve(root, file);
  const relative = path.relative(root, inVault);
  if (file.startsWith('./') || !staysInside(relative) || !fs.existsSync(inVault)) return path.resolve(cwd, file);
  insideVault(root, relative);
  return inVault;
}
