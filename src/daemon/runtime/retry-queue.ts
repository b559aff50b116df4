import fs from 'node:fs';
import { type Diagnostic, StewardError } from '../../vault/errors.ts';
import { fileError } from '../../vault/files.ts';
import type { OwnPlaces } from '../../vault/layout.ts';
import { WorkQueue } from './work-queue.ts';

/** What a queue must know of the vault, and where it says what failed. */
export interface RetrySpace {
  readonly vault: { readonly away: string | null; readonly places: OwnPlaces };
  readonly problems: { readonly faults: Map<string, Diagnostic> };
  readonly context: { readonly emit: (event: { readonly what: 'trouble'; readonly trouble: Diagnostic }) => void };
}

/**
 * Work that may fail for a reason that passes: a full disk, a lost permission, a vault that went away. What fails is
 * said once in `status`, kept, and tried again; nothing of it ever ends the daemon.
 */
export class RetryQueue {
  readonly #space: RetrySpace;
  readonly #queue: WorkQueue;
  readonly #again = new Map<string, () => void>();

  /** `width`: how much of it is done at once. */
  constructor(space: RetrySpace, width = 1) {
    this.#space = space;
    this.#queue = new WorkQueue(width);
  }

  /** Whether work that is added now starts at once. */
  get hasRoom(): boolean {
    return this.#queue.hasRoom;
  }

  /** Queues work about a file, in the order it comes. `key` names it: work of one key is kept once. */
  add(key: string, file: string, work: () => Promise<void>): void {
    this.#queue.add(async () => {
      const again = () => this.add(key, file, work);
      if (this.#space.vault.away !== null) {
        this.#again.set(key, again);
        return;
      }
      try {
        await work();
        this.#space.problems.faults.delete(key);
      } catch (error) {
        this.#again.set(key, again);
        // Where the vault has just gone away, that is the trouble, and the next look says it.
        if (fs.existsSync(this.#space.vault.places.own)) this.fault(key, file, error);
      }
    });
  }

  /** Says what went wrong, in `status` and once as a line. */
  fault(key: string, file: string, error: unknown): void {
    const known = error instanceof StewardError ? error : fileError(error, file);
    const trouble = { ...known.trouble, file: known.trouble.file ?? file };
    const before = this.#space.problems.faults.get(key);
    this.#space.problems.faults.set(key, trouble);
    if (before?.message !== trouble.message) this.#space.context.emit({ what: 'trouble', trouble });
  }

  /** Tries again whatever failed. */
  retry(): void {
    const kept = [...this.#again.values()];
    this.#again.clear();
    for (const again of kept) again();
  }

  drained(): Promise<void> {
    return this.#queue.drained();
  }

  close(): Promise<void> {
    return this.#queue.close();
  }
}
