import fs from 'node:fs';
import path from 'node:path';
import { EXIT, OWN_FOLDER, StewardError } from '../steward.ts';
import type { Intervals } from './shared-loop.ts';

/** What shows that a subfolder is a vault. */
const MARKS = ['steward.md', '.obsidian'];
/** How often (ms) the folder is listed, whatever its watcher says: a copy of a vault is marked as one only later. */
const LOOK_MS = 10_000;
/** A change is looked at so long (ms) later: what is moved is gone from its place for a moment. */
const SETTLE_MS = 500;

/** Who is told what the folder holds. */
interface FolderListener {
  /** These vaults are in it: all of them, by absolute path. */
  readonly there: (roots: readonly string[]) => void;
  /** This vault was in it, and is not any more. */
  readonly gone: (root: string) => void;
}

/**
 * A folder whose direct subfolders are vaults, or become some. A vault counts as gone where its folder is gone from a
 * listing twice; one that cannot be read, or is unmounted, is still there. Links are not followed.
 */
export class VaultFolder implements Disposable {
  readonly #folder: string;
  readonly #listener: FolderListener;
  readonly #end: () => void;
  readonly #known = new Set<string>();
  /** Those that were missing at the last look. */
  #missing: ReadonlySet<string> = new Set();
  #identity: string | null = null;
  #watcher: fs.FSWatcher | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** Looks for the first time. Throws `vaults-away` (75) where the folder cannot be listed. */
  constructor(folder: string, intervals: Intervals, listener: FolderListener) {
    this.#folder = realOf(folder);
    this.#listener = listener;
    if (!this.#look()) throw folderAway(folder);
    this.#end = intervals.every(LOOK_MS, () => this.#look());
  }

  [Symbol.dispose](): void {
    this.#end();
    this.#watcher?.close();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  // Returns whether the folder could be listed.
  #look(): boolean {
    const listed = this.#listed();
    if (listed === null) return false;
    const there = new Set(listed.filter((root) => this.#known.has(root) || isVault(root)));
    const missing = this.#known.difference(there);
    for (const root of missing.intersection(this.#missing)) {
      this.#known.delete(root);
      missing.delete(root);
      this.#listener.gone(root);
    }
    this.#missing = missing;
    // One that was moved is let go of under its old name first.
    if (missing.size > 0) this.#lookSoon();
    else this.#listener.there([...there]);
    if (missing.size === 0) for (const root of there) this.#known.add(root);
    return true;
  }

  #lookSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#look();
    }, SETTLE_MS).unref();
  }

  // Another folder under its name that holds none of the vaults is taken for a disk that is not mounted.
  #listed(): readonly string[] | null {
    try {
      const { dev, ino } = fs.statSync(this.#folder);
      const items = fs.readdirSync(this.#folder, { withFileTypes: true });
      const roots = items
        .filter((item) => item.isDirectory() && !item.name.startsWith('.'))
        .map(({ name }) => path.join(this.#folder, name))
        .sort();
      const identity = `${dev}:${ino}`;
      const isAnother =
        identity !== this.#identity && this.#known.size > 0 && !roots.some((root) => this.#known.has(root));
      if (isAnother) return null;
      if (identity !== this.#identity) this.#watch();
      this.#identity = identity;
      return roots;
    } catch {
      return null;
    }
  }

  #watch(): void {
    this.#watcher?.close();
    this.#watcher = null;
    try {
      this.#watcher = fs.watch(this.#folder, { persistent: false }, () => this.#lookSoon());
      this.#watcher.on('error', () => {});
    } catch {
      // The system has no more watches: it is listed now and then all the same.
    }
  }
}

// One that is not there yet is named as it was given.
function realOf(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch {
    return folder;
  }
}

function isVault(root: string): boolean {
  return MARKS.some((mark) => fs.existsSync(path.join(root, mark)));
}

function folderAway(folder: string): StewardError {
  const isThere = fs.existsSync(folder);
  return new StewardError(
    {
      code: 'vaults-away',
      message: `The folder of vaults ${folder} ${isThere ? 'cannot be listed' : 'is not there'}.`,
      hint: 'Make or mount it, or name another with --vaults.',
    },
    EXIT.tryAgain,
  );
}

/** Changes come in bursts: so long (ms) after the first one it is told. */
const DELAY_MS = 1_000;

/**
 * Tells once that something has happened that may let a vault be kept which could not be: to a file of its folder, to the
 * folder itself, or to its lock. What cannot be watched tells nothing.
 */
export class ChangeWatch implements Disposable {
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
