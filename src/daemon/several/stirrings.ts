import fs from 'node:fs';
import path from 'node:path';
import { OWN_FOLDER } from '../../vault/layout.ts';

/** Changes come in bursts: so long (ms) after the first one it is told. */
const DELAY_MS = 1_000;

/**
 * Tells once that something has happened that may let a vault be kept which could not be: to a file of its folder, to the
 * folder itself, or to its lock. What cannot be watched tells nothing.
 */
export class Stirrings implements Disposable {
  readonly #heard: () => void;
  readonly #watchers: fs.FSWatcher[];
  #timer: NodeJS.Timeout | null = null;

  constructor(root: string, heard: () => void) {
    this.#heard = heard;
    const isOwn = (name: string | null) => name?.startsWith('.') === true && name !== OWN_FOLDER;
    this.#watchers = [
      ...watched(root, (_, name) => !isOwn(name) && this.#hear()),
      // A lock that is refreshed is written to; one that comes or goes is renamed.
      ...watched(path.join(root, OWN_FOLDER), (kind, name) => kind === 'rename' && name === 'lock' && this.#hear()),
    ];
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const watcher of this.#watchers.splice(0)) watcher.close();
  }

  #hear(): void {
    this.#timer ??= setTimeout(this.#heard, DELAY_MS);
  }
}

function watched(folder: string, heard: (kind: string, name: string | null) => void): fs.FSWatcher[] {
  try {
    const watcher = fs.watch(folder, { persistent: false }, heard);
    watcher.on('error', () => {});
    return [watcher];
  } catch {
    return []; // it is not there, or the system has no more watches
  }
}
