import fs from 'node:fs';
import path from 'node:path';
import { watch as chokidar, type FSWatcher } from 'chokidar';
import { z } from 'zod';
import { reasonOf } from '../errors.ts';
import { FOLDER_KINDS, type Layout, SETTINGS_FILE } from '../layout.ts';
import { fold } from '../note-names.ts';
import { LinkedFolders } from './linked-folders.ts';

/** What a watcher reports. These are only hints: a listing is the truth. */
interface WatchHandlers {
  /** Something happened to this vault-relative path. */
  readonly touched: (file: string) => void;
  /** A folder came or went, or the watcher is in trouble: look at everything. */
  readonly lost: (reason: string) => void;
}

/**
 * Watches the record folders and the settings of a vault: one inotify watch per folder, none for the rest of the vault.
 * `linked`: the folders that links in their places lead to, which are watched where they lie. Resolves when the watcher
 * is ready; a sweep by the caller then finds what happened before.
 */
export async function watch(
  root: string,
  layout: Layout,
  linked: ReadonlyMap<string, string>,
  handlers: WatchHandlers,
): Promise<FSWatcher> {
  const links = [...linked];
  const throughLink = (absolute: string): string | null => {
    const found = links.find(([, real]) => absolute === real || absolute.startsWith(`${real}/`));
    return found === undefined ? null : found[0] + absolute.slice(found[1].length);
  };
  const nameOf = (absolute: string) => throughLink(absolute) ?? relative(root, absolute);
  const watcher = chokidar([root, ...linked.values()], {
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    // Of the notes themselves it would keep the names, and ask for the stat of each: only folders and links are left to it.
    ignored: (absolute, stats) => stats?.isFile() === true || !isWatched(layout, nameOf(absolute)),
  });
  const heard = new HeardFiles({
    touched: (absolute) => {
      const file = nameOf(absolute);
      if (isWatched(layout, file)) handlers.touched(file);
    },
    lost: handlers.lost,
  });
  watcher.on('raw', (_, name, details) => heard.hear(details, name));
  for (const event of ['add', 'change', 'unlink'] as const) {
    watcher.on(event, (absolute) => {
      const file = nameOf(absolute);
      if (LinkedFolders.isPlace(layout, file))
        handlers.lost(`${event}Dir ${file}`); // a link in a folder's place
      else handlers.touched(file);
    });
  }
  for (const event of ['addDir', 'unlinkDir'] as const) {
    watcher.on(event, (absolute) => {
      if (absolute !== root || event === 'unlinkDir') handlers.lost(`${event} ${nameOf(absolute)}`);
    });
  }
  watcher.on('error', (error) => handlers.lost(reasonOf(error)));
  await new Promise<void>((resolve) => {
    watcher.once('ready', resolve);
  });
  return watcher;
}

/** What the system's own watches say beside the watcher: that something happened to a name in a folder. */
class HeardFiles {
  readonly #handlers: WatchHandlers;
  readonly #missing = new Set<string>();

  constructor(handlers: WatchHandlers) {
    this.#handlers = handlers;
  }

  hear(details: unknown, name: unknown): void {
    const { success, data } = place.safeParse(details);
    if (!success || typeof name !== 'string') return;
    const absolute = path.join(data.watchedPath, name);
    try {
      if (fs.lstatSync(absolute, { throwIfNoEntry: false }) === undefined) this.#lookAgain(absolute);
      else this.#handlers.touched(absolute);
    } catch (error) {
      this.#handlers.lost(reasonOf(error)); // the folder may no longer be looked into
    }
  }

  // An editor that saves by another file leaves the name empty for a moment: that is no reason to list the vault.
  #lookAgain(absolute: string): void {
    if (this.#missing.has(absolute)) return;
    this.#missing.add(absolute);
    setTimeout(() => {
      this.#missing.delete(absolute);
      this.#handlers.touched(absolute);
    }, GAP_MS).unref();
  }
}

const place = z.object({ watchedPath: z.string() });
const GAP_MS = 100;

function relative(root: string, absolute: string): string {
  return path.relative(root, absolute).split(path.sep).join('/');
}

/** Whether a path is a record folder, is inside one, leads to one, or is the settings note. */
function isWatched(layout: Layout, file: string): boolean {
  if (file === '') return true;
  if (file.startsWith('.') || file.includes('/.')) return false;
  const folded = fold(file);
  if (folded === SETTINGS_FILE) return true;
  return FOLDER_KINDS.some((kind) => {
    const folder = fold(layout.folders[kind]);
    return folded === folder || folded.startsWith(`${folder}/`) || folder.startsWith(`${folded}/`);
  });
}
