import fs from 'node:fs';
import path from 'node:path';
import type { FolderWatcher } from './folder-watcher.ts';
import type { Watched, Watcher } from './watcher.ts';

/** How long (ms) all folders are left alone after each look at them. */
const PAUSE_MS = 3_000;

/**
 * Folders on a disk that other machines write to: the system tells only what happens on this one. So each folder is asked
 * again and again when its contents last came or went; what changes inside a note is found by the sweeps.
 */
export class PolledFolders implements Watcher {
  readonly isLed = true;
  readonly #watched: Watched;
  readonly #inner: FolderWatcher;
  readonly #seen = new Map<string, number | null>();
  readonly #timer: NodeJS.Timeout;
  #isOver = false;

  /** `inner` tells what happens on this machine. */
  constructor(watched: Watched, inner: FolderWatcher, pauseMs = PAUSE_MS) {
    this.#watched = watched;
    this.#inner = inner;
    this.#timer = setTimeout(() => void this.#look(), pauseMs).unref();
  }

  enter(folder: string): void {
    this.#inner.enter(folder);
  }

  settle(): Promise<void> {
    return this.#inner.settle();
  }

  close(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    return this.#inner.close();
  }

  async #look(): Promise<void> {
    const folders = [...this.#inner.folders];
    for (const folder of folders) {
      if (this.#isOver) return;
      const now = await changedAt(path.join(this.#watched.root, folder));
      const before = this.#seen.get(folder);
      this.#seen.set(folder, now);
      if (before !== undefined && before !== now) this.#watched.handlers.stirred();
    }
    const there = new Set(folders);
    for (const folder of this.#seen.keys()) if (!there.has(folder)) this.#seen.delete(folder);
    if (!this.#isOver) this.#timer.refresh();
  }
}

// Asked for without waiting: a server may be slow to answer.
async function changedAt(folder: string): Promise<number | null> {
  try {
    return (await fs.promises.stat(folder)).mtimeMs;
  } catch {
    return null;
  }
}
