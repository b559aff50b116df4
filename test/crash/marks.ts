import fs from 'node:fs';
import path from 'node:path';
import { forgetMeeting, sealKeyAt } from '../../src/daemon/seal-key.ts';
import { readNote } from '../../src/vault/frontmatter-parse.ts';
import { sealEvent, sealReversal } from '../../src/vault/index-keys.ts';
import { Seal } from '../../src/vault/seal.ts';
import { pathsIn } from '../support/placed.ts';

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
  const seal = new Seal(sealKeyAt(markKeyOf(root), false).key);
  return pathsIn(root, 'event').flatMap((file) => {
    const read = readNote(file, fs.readFileSync(path.join(root, file)));
    if (!read.ok || read.note.data.seal == null) return [];
    const { data } = read.note;
    const own = 'reverses' in data ? sealReversal(seal, file, data) : sealEvent(seal, file, data).seal;
    return own === data.seal ? [] : [`its mark is not its own: ${file}`];
  });
}
