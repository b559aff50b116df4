import fs from 'node:fs';
import path from 'node:path';
import { FOLDER_KINDS, type Layout, SETTINGS_FILE } from '../../layout.ts';
import { fold } from '../../note-names.ts';

/** What a watcher reports. These are only hints: a listing is the truth. */
export interface WatchHandlers {
  /** Something happened to this vault-relative path. */
  readonly touched: (file: string) => void;
  /** A folder came or went, or was changed by another machine: look at everything. */
  readonly stirred: () => void;
  /** The watcher is in trouble: look at everything, and say so. */
  readonly failed: (reason: string) => void;
}

/** Who watches the record folders and the settings note of a vault. */
export interface Watcher {
  /** Whether it watches the folders that listings enter, and those alone. Otherwise it finds its folders by itself. */
  readonly isLed: boolean;
  /** A folder is about to be listed: what happens in it from now on is reported. */
  enter(folder: string): void;
  /** A listing has met all folders there are: the others are let go of. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** What a watcher is made for. */
export interface Watched {
  readonly root: string;
  readonly layout: Layout;
  /** The folders that links in the places of folders lead to, by the path of the link. */
  readonly linked: ReadonlyMap<string, string>;
  readonly handlers: WatchHandlers;
}

/** Returns the watcher for this system, and for the disk that the vault lies on. Resolves when it is ready. */
export async function watcherFor(watched: Watched, isRemote: boolean): Promise<Watcher> {
  // Each is loaded only where it works.
  if (process.platform !== 'linux') return (await import('./chokidar-watcher.ts')).watchByChokidar(watched);
  const { FolderWatcher } = await import('./folder-watcher.ts');
  if (!isRemote) return new FolderWatcher(watched);
  const { PolledFolders } = await import('./polled-folders.ts');
  return new PolledFolders(watched, new FolderWatcher(watched));
}

/** Whether a path is a record folder, is inside one, leads to one, or is the settings note. */
export function isWatched(layout: Layout, file: string): boolean {
  if (file === '') return true;
  if (file.startsWith('.') || file.includes('/.')) return false;
  const folded = fold(file);
  if (folded === SETTINGS_FILE) return true;
  return FOLDER_KINDS.some((kind) => {
    const folder = fold(layout.folders[kind]);
    return folded === folder || folded.startsWith(`${folder}/`) || folder.startsWith(`${folded}/`);
  });
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
