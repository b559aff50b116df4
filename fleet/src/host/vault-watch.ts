import fs from 'node:fs';
import path from 'node:path';
import {
  DEFAULT_SETTINGS,
  inSlices,
  isRemote,
  Layout,
  readSettings,
  VaultWalk,
  type Watcher,
  watcherFor,
} from '../steward.ts';

/** The clock of files is behind that of programs by as much (ms). */
const SKEW_MS = 20;

interface Heard {
  /** Something has happened in the vault. */
  readonly changed: () => void;
  /** The system watches no more: nothing is heard of this vault until it is looked at. */
  readonly failed: () => void;
}

/**
 * Watches one vault for its host: one watch of the system for each record folder, as the steward's own daemon has them.
 * It reads no note. Whether a change is news is told by the files' own times, since a visit is heard too.
 */
export class VaultWatch {
  readonly #root: string;
  readonly #heard: Heard;
  readonly #touched = new Set<string>();
  #watcher: Watcher | null = null;
  /** When anything changed last, as far as it was looked at (epoch ms). */
  #newest = 0;
  #turn: Promise<void> = Promise.resolve();
  /** Whether the folders are to be listed anew. */
  #isStirred = true;
  #isClosed = false;

  constructor(root: string, heard: Heard) {
    this.#root = root;
    this.#heard = heard;
  }

  /**
   * Whether anything has changed since the moment `since` (epoch ms). The first time the whole vault is looked through, and
   * heard from then on; later, what was heard.
   */
  isChangedSince(since: number): Promise<boolean> {
    // In turn: a look that has begun knows of changes that are heard of no more.
    const look = this.#turn.then(async () => {
      await this.#look();
      return this.#newest >= since - SKEW_MS;
    });
    this.#turn = look.then(
      () => {},
      () => {},
    );
    return look;
  }

  /** Whether something was heard that nobody has asked about. */
  get hasHeard(): boolean {
    return this.#isStirred || this.#touched.size > 0;
  }

  /** Hears no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#watcher?.close();
  }

  async #look(): Promise<void> {
    if (this.#isStirred) await this.#walk();
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const file of touched) this.#met(changeOf(path.join(this.#root, file)));
  }

  async #walk(): Promise<void> {
    this.#isStirred = false;
    const layout = new Layout(readSettings(this.#root, DEFAULT_SETTINGS).settings.folders);
    await this.#watcher?.close();
    const walk = new VaultWalk(this.#root, layout);
    const watcher = await this.#watch(layout, walk.linked);
    this.#watcher = watcher;
    const enter = (folder: string) => {
      watcher.enter(folder);
      if (layout.folderKindOf(`${folder}/`) !== null) this.#met(changeOf(path.join(this.#root, folder)));
    };
    const file = (_: string, { ctimeMs }: { readonly ctimeMs: number }) => this.#met(ctimeMs);
    await inSlices(walk.through({ enter, file, note: () => {}, leave: () => {} }));
    if (walk.unreadable.has('')) this.#isStirred = true; // it is away: nothing of it is heard
    if (this.#isClosed) await watcher.close();
  }

  // A clock that was set back left times behind that are still to come.
  #met(change: number): void {
    this.#newest = Math.max(this.#newest, Math.min(change, Date.now()));
  }

  #watch(layout: Layout, linked: ReadonlyMap<string, string>): Promise<Watcher> {
    const handlers = {
      touched: (file: string) => {
        this.#touched.add(file);
        if (file === 'steward.md') this.#isStirred = true; // it may name other folders
        this.#heard.changed();
      },
      stirred: () => {
        this.#isStirred = true;
        this.#heard.changed();
      },
      told: () => {},
      failed: () => {
        this.#isStirred = true;
        this.#heard.failed();
      },
    };
    return watcherFor({ root: this.#root, layout, linked, handlers }, isRemote(this.#root, layout));
  }
}

// What is gone has changed the folder that it lay in.
function changeOf(file: string): number {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat !== undefined) return stat.ctimeMs; // not when it was modified: that is whatever a copy says
  const folder = path.dirname(file);
  return folder === file ? 0 : changeOf(folder);
}
