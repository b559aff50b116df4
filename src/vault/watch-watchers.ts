import fs from 'node:fs';
import path from 'node:path';
import { FOLDER_KINDS, type Layout, ownPlaces } from './layout.ts';

/** What tells a folder from another one under its name. */
interface Identity {
  readonly dev: number;
  readonly ino: number;
  readonly mode: number;
}

/** The folders as they were when last watched, each with its absolute path. */
export type FolderIdentity = readonly (Identity & { readonly absolute: string })[];

/** Returns the identity of the vault's folder, and of those record folders and folders of our own that exist. */
export function folderIdentity(root: string, layout: Layout): FolderIdentity {
  const { lock: _, ...own } = ownPlaces(root);
  const folders = [root, ...FOLDER_KINDS.map((kind) => path.join(root, layout.folders[kind])), ...Object.values(own)];
  return [...new Set(folders)].flatMap((absolute) => {
    const found = identityOf(absolute);
    return found === null ? [] : [{ absolute, dev: found.dev, ino: found.ino, mode: found.mode }];
  });
}

/**
 * Whether any of these folders is gone, or is another one under the same name, such as a disk mounted over it or a
 * copy. A watcher follows the folder, not its name, and does not report that. Asked once a second.
 */
export function isReplaced(watched: FolderIdentity): boolean {
  for (const { absolute, dev, ino, mode } of watched) {
    const now = identityOf(absolute);
    if (now === null || now.ino !== ino || now.dev !== dev || now.mode !== mode) return true;
  }
  return false;
}

/** Where there is no such folder. */
const GONE = 'gone';

/** Returns what tells a folder from another one under its name, as a text: device, inode and permissions. */
export function identity(root: string, folder: string): string {
  const found = identityOf(path.join(root, folder));
  return found === null ? GONE : `${found.dev}:${found.ino}:${found.mode}`;
}

function identityOf(absolute: string): Identity | null {
  try {
    return fs.statSync(absolute, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
