import type { FileStat } from '../../src/vault/files.ts';
import { Layout } from '../../src/vault/layout.ts';
import { inSlices } from '../../src/vault/time.ts';
import { VaultWalk } from '../../src/vault/watcher.ts';

/** Everything that one walk through a vault meets. */
export async function listed(root: string) {
  const walk = new VaultWalk(root, new Layout());
  const files = new Map<string, FileStat>();
  const notes: string[] = [];
  const visitor = {
    enter: () => {},
    file: (file: string, stat: FileStat) => void files.set(file, stat),
    note: (file: string) => void notes.push(file),
    leave: () => {},
  };
  await inSlices(walk.through(visitor));
  const { conflictCopies, unreadable, passedOver, linked } = walk;
  return { files, notes, conflictCopies, unreadable, passedOver, linked };
}
