import fs from 'node:fs';
import path from 'node:path';
import { FOLDER_KINDS, type Layout, ownPlaces } from '../../layout.ts';

/** The folders as they were when last watched: device, inode and permissions of each, by name. */
export type FolderIdentity = ReadonlyMap<string, string>;

/** Returns the identity of the vault's folder, and of those record folders and folders of our own that exist. */
export function folderIdentity(root: string, layout: Layout): FolderIdentity {
  const { lock: _, ...own } = ownPlaces(root);
  const ours = Object.values(own).map((folder) => path.relative(root, folder));
  const folders = ['', ...FOLDER_KINDS.map((kind) => layout.folders[kind]), ...ours];
  return new Map(folders.map((folder) => [folder, identity(root, folder)] as const).filter(([, id]) => id !== GONE));
}

/**
 * Whether any of these folders is gone, or is another one under the same name, such as a disk mounted over it or a
 * copy. A watcher follows the folder, not its name, and does not report that.
 */
export function isReplaced(root: string, watched: FolderIdentity): boolean {
  return [...watched].some(([folder, id]) => identity(root, folder) !== id);
}

/** Where there is no such folder. */
const GONE = 'gone';

/** Returns what tells a folder from another one under its name: device, inode and permissions. */
export function identity(root: string, folder: string): string {
  try {
    const { dev, ino, mode } = fs.statSync(path.join(root, folder));
    return `${dev}:${ino}:${mode}`;
  } catch {
    return GONE;
  }
}
