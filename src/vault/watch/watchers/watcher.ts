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
