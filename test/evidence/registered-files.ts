import fs from 'node:fs';
import path from 'node:path';
import { type RegisteredFiles, registeredFiles } from '../../src/evidence/files.ts';
import { readNote } from '../../src/vault/frontmatter.ts';
import type { TempVault } from '../support/temp-vault.ts';

/** The registered files of a briefing in a vault. `roots`: folders outside of it that a person allows. */
export function registeredIn(
  vault: TempVault,
  file = 'roundtable/r/briefing.md',
  roots: readonly string[] = [],
): RegisteredFiles {
  const read = readNote(file, vault.bytes(file));
  if (!read.ok) throw new Error(read.trouble.message);
  return registeredFiles(read.note, file, { vault: vault.root, roots });
}

/** A briefing that registers these. */
export function briefing(items: readonly string[], root?: string): string {
  const fields = root === undefined ? '' : `root: ${JSON.stringify(root)}\n`;
  return `---\nquestion: Which floor?\n${fields}---\n# Background\n\n## Steward-Registered Files\n\n${items.map((item) => `- ${item}`).join('\n')}\n\n## Notes\n\n- not/this.md\n`;
}

/** The paths that may be read. */
export function pathsOf(registered: RegisteredFiles): readonly string[] {
  return registered.files.map(({ path: one }) => one);
}

/** Makes a link in a vault. */
export function link(vault: TempVault, at: string, to: string): void {
  fs.mkdirSync(path.dirname(vault.at(at)), { recursive: true });
  fs.symlinkSync(to, vault.at(at));
}
