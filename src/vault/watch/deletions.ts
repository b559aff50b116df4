import type { FolderKind } from '../layout.ts';

/**
 * A loss is believed once its folder has lost and regained nothing for this long (ms): a rename is complete by then.
 */
const QUIET_MS = 400;
/** When most of a folder goes missing, that is more often a sync tool than a decision, so it gets more time (ms). */
const MASS_QUIET_MS = 10_000;
const MASS = 3;

/** What may be believed of the notes that are missing. */
export interface DeletionVerdict {
  /** Really gone. */
  readonly believed: readonly string[];
  /** How long (ms) until a few recent losses can be believed, or null where there are none. */
  readonly waitMs: number | null;
  /** Why so much is missing that the vault must be considered away, in one sentence, or null. */
  readonly mass: string | null;
}

/**
 * Notes that are missing, and since when. A sync tool empties a folder file by file, and fills it the same way: a loss
 * is believed only once its folder has come to rest. Times are in ms of a monotonic clock.
 */
export class Deletions {
  readonly #missing = new Map<string, FolderKind | null>();
  readonly #masses = new Set<FolderKind>();
  readonly #changedAt = new Map<FolderKind | null, number>();

  /**
   * Returns what to believe of the notes missing `now`. `countOf`: how many notes a folder is known to hold, including
   * the missing ones. Pauses after each file, since all of a large folder may be missing.
   */
  *judge(
    missing: readonly string[],
    folderOf: (file: string) => FolderKind | null,
    countOf: (folder: FolderKind) => number,
    now: number,
  ): Generator<void, DeletionVerdict> {
    yield* this.#follow(missing, folderOf, now);
    const folders = yield* this.#byFolder();
    for (const folder of this.#masses) if (!folders.has(folder)) this.#masses.delete(folder);
    const believed: string[][] = [];
    const waits: number[] = [];
    const masses: string[] = [];
    for (const [folder, files] of folders) {
      const isMass = this.#isMass(folder, files.length, countOf);
      const wait = (this.#changedAt.get(folder) ?? now) + (isMass ? MASS_QUIET_MS : QUIET_MS) - now;
      if (wait <= 0) believed.push(files);
      else if (isMass && folder !== null)
        masses.push(`the folder ${folder} has just lost ${files.length} of its ${countOf(folder)} notes`);
      else waits.push(wait);
    }
    return {
      believed: believed.flat(),
      waitMs: waits.length === 0 ? null : Math.min(...waits),
      mass: masses[0] ?? null,
    };
  }

  /** Drops a file that was believed to be gone and has been forgotten. */
  forget(file: string): void {
    this.#missing.delete(file);
  }

  // A folder that lost that much stays under this rule while it is refilled, until it is complete or has come to rest.
  #isMass(folder: FolderKind | null, missing: number, countOf: (folder: FolderKind) => number): boolean {
    if (folder === null || folder === 'stream') return false;
    const known = countOf(folder);
    const isMass = (missing >= MASS && 2 * missing >= known) || (missing === known && known > 1);
    if (isMass) this.#masses.add(folder);
    return this.#masses.has(folder);
  }

  *#follow(missing: readonly string[], folderOf: (file: string) => FolderKind | null, now: number): Generator<void> {
    const still = new Set(missing);
    for (const [file, folder] of this.#missing) {
      yield;
      if (still.has(file)) continue;
      this.#missing.delete(file);
      this.#changedAt.set(folder, now);
    }
    for (const file of missing) {
      yield;
      if (this.#missing.has(file)) continue;
      const folder = folderOf(file);
      this.#missing.set(file, folder);
      this.#changedAt.set(folder, now);
    }
  }

  *#byFolder(): Generator<void, Map<FolderKind | null, string[]>> {
    const folders = new Map<FolderKind | null, string[]>();
    for (const [file, folder] of this.#missing) {
      yield;
      const files = folders.get(folder) ?? [];
      files.push(file);
      folders.set(folder, files);
    }
    return folders;
  }
}
