import fs from 'node:fs';
import path from 'node:path';
import { reasonOf, systemCode } from '../../errors.ts';
import { inSlices, SLICE_MS } from '../../slices.ts';
import { identity } from '../../watch-watchers.ts';
import { isWatched, type Watched, type Watcher } from './watcher.ts';

/** What the listing of the folder says anyway: that it is gone, or may not be looked into. */
const TOLD_BY_LISTING = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);
/** An editor that saves by another file leaves a name empty for a moment: that is no reason to list the vault. */
const GAP_MS = 100;
/** So many reports at once (the system keeps 16 384 at most, and drops the rest in silence) are answered by a listing. */
const MANY = 8_192;

interface Watch {
  readonly watcher: fs.FSWatcher;
  readonly id: string;
}

/**
 * One watch of the system (inotify) for each record folder, none for the notes in it: a report names the folder and the
 * name in it. It lists nothing by itself: a listing has each folder watched before it is read, so nothing is missed.
 */
export class FolderWatcher implements Watcher {
  readonly isLed = true;
  readonly #watched: Watched;
  readonly #watches = new Map<string, Watch>();
  readonly #entered = new Set<string>();
  /** Paths that something happened to, not looked at yet. */
  readonly #heard = new Set<string>();
  readonly #missing = new Set<string>();
  #reports = 0;
  /** Whether no more folders are taken on: it is closed, or the system refuses. */
  #isOver = false;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /** The folders that are watched. */
  get folders(): IterableIterator<string> {
    return this.#watches.keys();
  }

  enter(folder: string): void {
    if (!isWatched(this.#watched.layout, folder)) return;
    this.#entered.add(folder);
    const known = this.#watches.get(folder);
    if (known !== undefined && known.id === identity(this.#watched.root, folder)) return;
    this.#letGo(folder);
    if (!this.#isOver) this.#watch(folder);
  }

  async settle(): Promise<void> {
    await this.#close((folder) => !this.#entered.has(folder));
    this.#entered.clear();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#close(() => true);
  }

  #watch(folder: string): void {
    const absolute = this.#absolute(folder);
    try {
      const watcher = fs.watch(absolute, { persistent: false }, (_, name) => this.#hear(folder, name));
      watcher.on('error', (error) => this.#fail(error));
      this.#watches.set(folder, { watcher, id: identity(this.#watched.root, folder) });
    } catch (error) {
      if (!TOLD_BY_LISTING.has(systemCode(error) ?? '')) this.#fail(error);
    }
  }

  // No more is asked of a system that refuses (its limit of watches is reached): it would refuse each folder.
  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#watched.handlers.failed(reasonOf(error));
  }

  // Only marked here, since thousands of reports may come at once.
  #hear(folder: string, name: string | null): void {
    if (this.#heard.size === 0) setImmediate(() => this.#lookAtHeard());
    // What happens to the folder itself is reported under its own name.
    if (name === null || name === path.posix.basename(this.#absolute(folder))) this.#heard.add(folder);
    if (name !== null) this.#heard.add(folder === '' ? name : `${folder}/${name}`);
    this.#reports += 1;
    if (this.#reports === MANY) this.#watched.handlers.stirred();
  }

  #lookAtHeard(): void {
    this.#reports = 0;
    const since = performance.now();
    for (const file of this.#heard) {
      this.#heard.delete(file);
      if (isWatched(this.#watched.layout, file)) this.#lookAt(file);
      if (performance.now() - since > SLICE_MS) break;
    }
    if (this.#heard.size > 0) setImmediate(() => this.#lookAtHeard());
  }

  #lookAt(file: string): void {
    const { root, handlers } = this.#watched;
    try {
      const stat = fs.lstatSync(this.#absolute(file), { throwIfNoEntry: false });
      const isFolder = stat?.isSymbolicLink()
        ? fs.statSync(this.#absolute(file), { throwIfNoEntry: false })?.isDirectory() === true
        : stat?.isDirectory() === true;
      const watch = this.#watches.get(file);
      if (!isFolder && watch === undefined) {
        if (stat === undefined) this.#lookAgain(file);
        else handlers.touched(file);
      } else if (!isFolder || watch?.id !== identity(root, file)) handlers.stirred();
    } catch {
      handlers.stirred(); // the folder may no longer be looked into
    }
  }

  #lookAgain(file: string): void {
    if (this.#missing.has(file)) return;
    this.#missing.add(file);
    setTimeout(() => {
      this.#missing.delete(file);
      if (!this.#isOver) this.#watched.handlers.touched(file);
    }, GAP_MS).unref();
  }

  async #close(isToGo: (folder: string) => boolean): Promise<void> {
    await inSlices(this.#closing(isToGo));
  }

  *#closing(isToGo: (folder: string) => boolean): Generator<void> {
    for (const folder of [...this.#watches.keys()].filter(isToGo)) {
      this.#letGo(folder);
      yield;
    }
  }

  #letGo(folder: string): void {
    this.#watches.get(folder)?.watcher.close();
    this.#watches.delete(folder);
  }

  #absolute(file: string): string {
    return file === '' ? this.#watched.root : `${this.#watched.root}/${file}`;
  }
}
