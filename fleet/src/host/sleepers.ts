import type { Registry } from './registry.ts';
import type { Standings } from './standings.ts';
import { VaultWatch } from './vault-watch.ts';

/** What is heard at once is one piece of news (ms). */
const GATHER_MS = 300;
/** How long (ms) after a nudge that the engine could not be told of. */
const AGAIN_MS = 5_000;
/** So many vaults are looked through at once when a host starts. */
const AT_ONCE = 4;

interface Sleeper {
  readonly root: string;
  readonly watch: VaultWatch;
  /** Whether a visit is to come, or goes on: it looks at everything by itself. */
  isAwake: boolean;
  /** Whether something has changed that the engine was not told of yet. */
  isNews: boolean;
  /** Whether the system watches it no more. */
  isDeaf: boolean;
  timer: NodeJS.Timeout | null;
}

interface SleepersParts {
  readonly registry: Registry;
  readonly standings: Standings;
  /** Tells the engine that a vault is to be visited. Rejects where it cannot be told. */
  readonly nudge: (id: string) => Promise<void>;
  /** Is called for a vault that can't be watched. */
  readonly failed: (id: string) => void;
}

/**
 * Watches the vaults of this host while they sleep, and nudges each in which something changes. What a visit does itself
 * is heard as well: it is told apart by when it was, for a visit looks at the vault again until it finds nothing newer.
 */
export class Sleepers {
  readonly #parts: SleepersParts;
  readonly #sleepers = new Map<string, Sleeper>();
  #isClosed = false;

  constructor(parts: SleepersParts) {
    this.#parts = parts;
  }

  /** Begins to watch all vaults of the host; nudges those that have changed since they were visited last. */
  async start(): Promise<void> {
    const ids = this.#parts.registry.ids().values();
    const lane = async () => {
      for (const id of ids) {
        await this.#isolated(id, async () => {
          const sleeper = await this.#take(id);
          if (sleeper !== null) await this.#look(id, sleeper);
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }

  /**
   * Follows the registry: a vault has come, gone or been moved. One that has come is visited by whoever added it; what
   * changes in it after that, and before it is heard, is news.
   */
  async follow(id: string): Promise<void> {
    await this.#isolated(id, async () => {
      const sleeper = await this.#take(id);
      await sleeper?.watch.isChangedSince(0).catch(() => {}); // it is away: the visit says so
      if (sleeper !== null && this.#parts.standings.get(id) !== null) await this.#look(id, sleeper);
    });
  }

  /** A visit begins: until it ends nobody is nudged. */
  begin(id: string): void {
    const sleeper = this.#sleepers.get(id);
    if (sleeper === undefined) return;
    sleeper.isAwake = true;
    sleeper.isNews = false;
  }

  /** Whether something has changed since the moment `since` (epoch ms), and was heard. */
  async isChangedSince(id: string, since: number): Promise<boolean> {
    return (await this.#sleepers.get(id)?.watch.isChangedSince(since)) ?? false;
  }

  /** The visit has ended. Returns whether the vault can be heard while it sleeps. */
  end(id: string): boolean {
    const sleeper = this.#sleepers.get(id);
    if (sleeper === undefined) return false;
    sleeper.isAwake = false;
    const isHeard = !sleeper.isDeaf;
    sleeper.isDeaf = false; // it is tried again at the next look
    if (sleeper.watch.hasHeard) this.#soon(id, GATHER_MS);
    return isHeard;
  }

  /** Hears no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#sleepers].map(([id, sleeper]) => this.#letGo(id, sleeper)));
  }

  // What is wrong with one vault stops the watch of no other.
  async #isolated(id: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch {
      this.#parts.failed(id);
    }
  }

  // Returns the vault where it was not known here.
  async #take(id: string): Promise<Sleeper | null> {
    const root = this.#parts.registry.pathOf(id);
    const known = this.#sleepers.get(id);
    if (known?.root === root || this.#isClosed) return null;
    if (known !== undefined) await this.#letGo(id, known);
    if (root === null) return null;
    const watch = this.#watch(id, root);
    const sleeper: Sleeper = { root, watch, isAwake: false, isNews: false, isDeaf: false, timer: null };
    this.#sleepers.set(id, sleeper);
    return sleeper;
  }

  #watch(id: string, root: string): VaultWatch {
    return new VaultWatch(root, {
      changed: () => this.#soon(id, GATHER_MS),
      failed: () => {
        const sleeper = this.#sleepers.get(id);
        if (sleeper !== undefined) sleeper.isDeaf = true;
      },
    });
  }

  #soon(id: string, ms: number): void {
    const sleeper = this.#sleepers.get(id);
    if (sleeper === undefined || sleeper.isAwake || this.#isClosed) return;
    sleeper.timer ??= setTimeout(() => {
      sleeper.timer = null;
      void this.#look(id, sleeper);
    }, ms).unref();
  }

  async #look(id: string, sleeper: Sleeper): Promise<void> {
    if (sleeper.isAwake) return;
    const seen = this.#parts.standings.get(id)?.seen ?? 0;
    try {
      if (await sleeper.watch.isChangedSince(seen)) sleeper.isNews = true;
    } catch {
      sleeper.isNews = true; // it is away, or may not be looked into: the visit says so
    }
    if (!sleeper.isNews || sleeper.isAwake) return;
    try {
      await this.#parts.nudge(id);
    } catch {
      this.#soon(id, AGAIN_MS);
    }
  }

  async #letGo(id: string, sleeper: Sleeper): Promise<void> {
    this.#sleepers.delete(id);
    if (sleeper.timer !== null) clearTimeout(sleeper.timer);
    await sleeper.watch.close();
  }
}
