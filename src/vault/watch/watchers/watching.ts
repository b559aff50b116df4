import { isDeepStrictEqual } from 'node:util';
import type { Layout } from '../../layout.ts';
import { type FolderIdentity, folderIdentity, isReplaced } from '../../watch-watchers.ts';
import type { Watcher, WatchHandlers } from './watcher.ts';

const NO_LINKS: ReadonlyMap<string, string> = new Map();

/** The watching of one vault: the present watcher, what it watches, and how it is. */
export class Watching {
  /** The last complaint, or null while all is well. */
  trouble: string | null = null;
  #isRemote = false;
  readonly #root: string;
  readonly #handlers: WatchHandlers;
  #watcher: Watcher | null = null;
  #folders: FolderIdentity = [];
  #links = NO_LINKS;
  /** Whether the present watcher has complained. */
  #hasComplained = false;

  constructor(root: string, handlers: Omit<WatchHandlers, 'failed'>) {
    this.#root = root;
    const failed = (reason: string) => {
      this.#hasComplained = true;
      this.trouble = reason;
      handlers.stirred();
    };
    this.#handlers = { ...handlers, failed };
  }

  /** Whether a watcher works that follows the listings. */
  get isLed(): boolean {
    return this.#watcher?.isLed === true;
  }

  /** Whether all that changes is surely reported. */
  get isSure(): boolean {
    return this.#watcher !== null && !this.#isRemote && this.trouble === null;
  }

  /** Whether other folders than the watched ones now have their names. */
  get isReplaced(): boolean {
    return isReplaced(this.#folders);
  }

  /** Whether a watcher that finds its folders by itself does not watch what a listing has just met. */
  isBehind(linked: ReadonlyMap<string, string>): boolean {
    if (this.isLed) return false;
    return this.isReplaced || !isDeepStrictEqual(linked, this.#links);
  }

  /** Begins anew: the watched folders may be others, or the system's limits raised. A listing has to follow. */
  async renew(layout: Layout, linked: ReadonlyMap<string, string> = NO_LINKS): Promise<void> {
    await this.close();
    this.#hasComplained = false;
    this.#folders = folderIdentity(this.#root, layout);
    this.#links = linked;
    // Loaded here, since every command opens the vault and only the daemon watches it.
    const { watcherFor, isRemote } = await import('./watcher-choice.ts');
    this.#isRemote = isRemote(this.#root, layout);
    this.#watcher = await watcherFor({ root: this.#root, layout, linked, handlers: this.#handlers }, this.#isRemote);
  }

  /** A folder is about to be listed. */
  readonly enter = (folder: string): void => this.#watcher?.enter(folder);

  /** A listing has come to its end. */
  async settle(layout: Layout): Promise<void> {
    if (this.#watcher !== null) {
      await this.#watcher.settle();
      this.#folders = folderIdentity(this.#root, layout);
    }
    if (!this.#hasComplained) this.trouble = null; // only now: a new watcher may complain after it is ready
  }

  async close(): Promise<void> {
    const watcher = this.#watcher;
    this.#watcher = null;
    await watcher?.close();
  }
}
