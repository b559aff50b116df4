import fs from 'node:fs';
import path from 'node:path';
import { forgetMeeting, sealKeyAt, vaultSeal } from '../../src/daemon/environment.ts';
import { type Frontmatter, readNote } from '../../src/vault/frontmatter.ts';
import { sealEvent, sealReversal } from '../../src/vault/seal.ts';
import { pathsIn } from '../support/placed.ts';
import { flatFields } from '../support/record.ts';

/** Returns the file of the key that all copies of a vault share, so that each process finds its own notes to be its own. */
export function markKeyOf(root: string): string {
  return path.join(path.dirname(root), 'seal-key');
}

/** Makes the key: every process that is traced finds it there, and makes the same calls. */
export function makeMarkKey(root: string): void {
  fs.mkdirSync(`${markKeyOf(root)}.vaults`, { recursive: true });
  sealKeyAt(markKeyOf(root), true);
}

/** Lets the key meet a vault at `root` as if for the first time. */
export function meetAnew(root: string): void {
  forgetMeeting(markKeyOf(root), root);
}

/** Returns which event and reversal notes bear a mark that is not the program's own, as they stand. */
export function markProblems(root: string): string[] {
  const { seal } = vaultSeal({ sealKey: markKeyOf(root) }, path.join(root, '.steward/state'), false);
  return pathsIn(root, 'event').flatMap((file) => {
    const read = readNote(file, fs.readFileSync(path.join(root, file)));
    const data = read.ok ? flatFields(read.note.data) : {};
    if (data.seal == null) return [];
    const sealed = 'reverses' in data ? sealReversal(seal, file, data) : sealEvent(seal, file, data);
    const { seal: mark } = flatFields(sealed as Frontmatter);
    return mark === String(data.seal) ? [] : [`its mark is not its own: ${file}`];
  });
}
