import fs from 'node:fs';
import path from 'node:path';
import { FOLDER_KINDS, type Layout } from '../layout.ts';

/** Which folders stood where when they were last watched: device, inode and permission of each, by name. */
export type FolderIdentity = ReadonlyMap<string, string>;

/** The vault's folder and those of its record folders that are there. */
export function folderIdentity(root: string, layout: Layout): FolderIdentity {
  const folders = ['', ...FOLDER_KINDS.map((kind) => layout.folders[kind])];
  return new Map(folders.map((folder) => [folder, identity(root, folder)] as const).filter(([, id]) => id !== GONE));
}

/**
 * Whether any of these folders is gone, or is another one under the same name: a disk mounted over it, a copy put in
 * its place. A watcher follows the folder, not its name, and says nothing of that.
 */
export function isReplaced(root: string, stood: FolderIdentity): boolean {
  return [...stood].some(([folder, id]) => identity(root, folder) !== id);
}

const GONE = 'gone';

function identity(root: string, folder: string): string {
  try {
    const { dev, ino, mode } = fs.statSync(path.join(root, folder));
    return `${dev}:${ino}:${mode}`;
  } catch {
    return GONE;
  }
}
