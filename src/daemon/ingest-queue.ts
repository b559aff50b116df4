import type { ItemsRead } from '../stream/items-read.ts';
import { statInside } from '../vault/watch-scan.ts';
import type { IndexAccess, Workspace } from './context.ts';
import { isUnderstandableNow } from './ingest/readers.ts';
import type { ItemTaker } from './ingest-items.ts';
import { type Awaiting, RetryQueue } from './queues.ts';
import { within } from './runtime/component.ts';
import type { StreamQueue } from './stream-queue.ts';
import { earliest, type Timers } from './timers.ts';

/** The queue of stream files, which is loaded with the first of them: what reads them is a third of the program. */
export class Streams {
  readonly #space: Workspace;
  readonly #make: () => Promise<StreamQueue>;
  readonly #loading: RetryQueue;
  /** What was added before the queue was there. */
  readonly #early = new Set<string>();
  #made: Promise<StreamQueue> | null = null;
  #queue: StreamQueue | null = null;

  /** `onRead` is called when a file has been read. */
  constructor(space: Workspace, timers: Timers, onRead: () => void = () => {}) {
    this.#space = space;
    this.#loading = new RetryQueue(space);
    this.#make = async () => new (await parts()).StreamQueue(space, timers, onRead);
  }

  /** Queues a file, unless it is queued already. */
  add(file: string): void {
    within('streams', () => this.#add(file));
  }

  #add(file: string): void {
    if (this.#queue !== null) this.#queue.add(file);
    else {
      this.#early.add(file);
      this.#load();
    }
  }

  /** Reads a file now, or waits for the reading of it that is under way. */
  async read(file: string, onProgress?: ItemTaker['onProgress']): ReturnType<StreamQueue['read']> {
    return (await this.#loaded()).read(file, onProgress);
  }

  /** Tries again what failed, and what has waited for long enough. */
  retry(): void {
    this.#loading.retry();
    if (this.#queue !== null) this.#queue.retry();
    else if (this.#space.context.state.get('batch').entries.length > 0) this.#load();
  }

  /** Tries again every file that waits for a model. */
  resume(): void {
    within('streams', () => this.#queue?.resume());
  }

  /** The number of the piece of reading that has run for longest; null where none runs. */
  get oldest(): number | null {
    return this.#queue?.oldest ?? null;
  }

  /** When the next file is read (epoch ms): now while one is, null where none waits. */
  restsUntil(awaiting: Awaiting): number | null {
    const { batch, moments } = this.#awaited();
    return earliest([
      batch ? awaiting.nextTry : null,
      this.#loading.restsUntil(awaiting),
      this.#queue?.restsUntil(awaiting) ?? null,
      ...moments,
    ]);
  }

  #awaited() {
    const { context, ingest } = this.#space;
    const moments = [...ingest.waiting.values()].map(({ at }) => at);
    return { batch: context.state.get('batch').entries.length > 0, moments };
  }

  /** Resolves when every file that was queued has been read, or waits for a model. */
  async drained(): Promise<void> {
    await this.#loading.drained();
    await this.#queue?.drained();
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await Promise.all([this.#loading.close(), this.#queue?.close()]);
    await this.#queue?.close();
  }

  #load(): void {
    this.#loading.add('streams', this.#space.vault.layout.folders.stream, async () => void (await this.#loaded()));
  }

  async #loaded(): Promise<StreamQueue> {
    this.#made ??= this.#make();
    try {
      this.#queue = await this.#made;
    } catch (error) {
      this.#made = null;
      throw error;
    }
    for (const file of this.#early) this.#queue.add(file);
    this.#early.clear();
    return this.#queue;
  }
}

/** Loads what reads streams a part at a time, so that others have their turn in between. */
async function parts(): Promise<typeof import('./stream-queue.ts')> {
  const first = [
    () => import('../stream/task-book.ts'),
    () => import('./ingest/target-sync.ts'),
    () => import('../stream/rules-extractor.ts'),
    () => import('../stream/html.ts'),
    () => import('./ingest/mail-reader.ts'),
  ];
  for (const load of first) {
    await load();
    await new Promise(setImmediate);
  }
  return import('./stream-queue.ts');
}

/** How long a stream file must have been quiet before it is taken for complete, in ms. */
const QUIET_MS = 250;

/**
 * The stream files, by vault-relative path, that have not been read as they are now, or are understood only now.
 * They are in the order of their names: those that name their day are read as they came, on any file system.
 */
export function unreadStreams(space: IndexAccess & Pick<Workspace, 'ingest'>): string[] {
  const read = space.context.state.get('streams');
  return [...space.vault.streams]
    .filter(([file, stat]) => {
      const seen = read[file];
      if (seen === undefined || seen.size !== stat.size || seen.mtimeMs !== stat.mtimeMs) return true;
      const { settings } = space.context;
      return (
        isUnderstandableNow(space.ingest.readers, file, seen, settings) || (seen.items !== null && !isRead(seen.items))
      );
    })
    .map(([file]) => file)
    .sort();
}

function isRead({ isDone, open }: ItemsRead): boolean {
  return isDone && Object.keys(open).length === 0;
}

/** When a stream file will have been quiet for long enough (epoch ms), or null where it is gone. */
export function quietAt(space: IndexAccess, file: string): number | null {
  const stat = statInside(space.vault.root, file);
  if (stat === null) return null;
  const touched = Math.max(stat.mtimeMs, stat.ctimeMs);
  return touched > space.context.now() + QUIET_MS ? 0 : touched + QUIET_MS;
}
