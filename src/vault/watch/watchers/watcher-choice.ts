import fs from 'node:fs';
import path from 'node:path';
import { FOLDER_KINDS, type Layout } from '../../layout.ts';
import type { Watched, Watcher } from './watcher.ts';

/** Returns the watcher for this system, and for the disk that the vault lies on. Resolves when it is ready. */
export async function watcherFor(watched: Watched, isRemote: boolean): Promise<Watcher> {
  // Each is loaded only where it works.
  if (process.platform !== 'linux') return (await import('./chokidar-watcher.ts')).watchByChokidar(watched);
  const { FolderWatcher } = await import('./folder-watcher.ts');
  if (!isRemote) return new FolderWatcher(watched);
  const { PolledFolders } = await import('./polled-folders.ts');
  return new PolledFolders(watched, new FolderWatcher(watched));
}

/**
 * Whether the vault, or one of its record folders, lies on a disk that others can write to without this system hearing of
 * it: over a network, or behind another program.
 */
export function isRemote(root: string, layout: Layout): boolean {
  return ['', ...FOLDER_KINDS.map((kind) => layout.folders[kind])].some((folder) =>
    isOnRemote(path.join(root, folder)),
  );
}

/** statfs(2): nfs, smb, cifs, smb2, fuse, 9p, afs, ceph, coda, vboxsf, vmhgfs. */
const REMOTE = new Set([
  ...[0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997],
  ...[0x5346414f, 0x00c36400, 0x73757245, 0x786f4256, 0xbacbacbc],
]);

function isOnRemote(folder: string): boolean {
  try {
    return REMOTE.has(fs.statfsSync(folder).type >>> 0);
  } catch {
    return false; // it is not there
  }
}
