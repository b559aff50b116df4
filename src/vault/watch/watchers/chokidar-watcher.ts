import fs from 'node:fs';
import path from 'node:path';
import { watch as chokidar } from 'chokidar';
import { z } from 'zod';
import { reasonOf } from '../../errors.ts';
import { LinkedFolders } from '../../watch-scan.ts';
import { isWatched, type Watched, type Watcher, type WatchHandlers } from './watcher.ts';

/**
 * The watcher of other systems than Linux. It walks the vault by itself, and knows a name for each note; `linked` folders
 * are watched where they lie. Resolves when it is ready; a sweep by the caller then finds what happened before.
 */
export async function watchByChokidar({ root, layout, linked, handlers }: Watched): Promise<Watcher> {
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
    stirred: handlers.stirred,
    failed: handlers.failed,
  });
  watcher.on('raw', (_, name, details) => heard.hear(details, name));
  for (const event of ['add', 'change', 'unlink'] as const) {
    watcher.on(event, (absolute) => {
      const file = nameOf(absolute);
      if (LinkedFolders.isPlace(layout, file))
        handlers.stirred(); // a link in a folder's place
      else handlers.touched(file);
    });
  }
  for (const event of ['addDir', 'unlinkDir'] as const) {
    watcher.on(event, (absolute) => {
      if (absolute !== root || event === 'unlinkDir') handlers.stirred();
    });
  }
  watcher.on('error', (error) => handlers.failed(reasonOf(error)));
  await new Promise<void>((resolve) => {
    watcher.once('ready', resolve);
  });
  return { isLed: false, enter: () => {}, settle: async () => {}, close: () => watcher.close() };
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
      this.#handlers.failed(reasonOf(error)); // the folder may no longer be looked into
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
