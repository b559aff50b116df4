import type { FolderKind } from '../layout.ts';

/** A loss is believed when its folder has lost and regained nothing for this long: a rename is complete by then. */
const QUIET_MS = 400;
/** Several notes that are most of a folder are more often a sync tool at work than a decision: they are given longer. */
const MASS_QUIET_MS = 10_000;
const MASS = 3;

/** What may be believed of the notes that are missing. */
export interface DeletionVerdict {
  /** Really gone. */
  readonly believed: readonly string[];
  /** How long (ms) until a few fresh losses can be believed, or null where none wait. */
  readonly waitMs: number | null;
  /** Why so much is missing that the vault must be taken for away, in one sentence, or null. */
  readonly mass: string | null;
}

/**
 * Notes that are missing, and since when. A sync tool that empties a folder does it file by file, and fills it again so:
 * what is missing is believed only when its folder has come to rest. Times are of a clock that never goes back.
 */
export class Deletions {
  readonly #missing = new Map<string, FolderKind | null>();
  readonly #masses = new Set<FolderKind>();
  readonly #stirredAt = new Map<FolderKind | null, number>();

  /** Judges what is missing `now` (ms). `held`: how many notes a folder is known to hold, the missing ones counted. */
  judge(
    missing: readonly string[],
    folderOf: (file: string) => FolderKind | null,
    held: (folder: FolderKind) => number,
    now: number,
  ): DeletionVerdict {
    this.#follow(missing, folderOf, now);
    const folders = this.#byFolder();
    for (const folder of this.#masses) if (!folders.has(folder)) this.#masses.delete(folder);
    const believed: string[] = [];
    const waits: number[] = [];
    const masses: string[] = [];
    for (const [folder, files] of folders) {
      const isMass = this.#isMass(folder, files.length, held);
      const wait = (this.#stirredAt.get(folder) ?? now) + (isMass ? MASS_QUIET_MS : QUIET_MS) - now;
      if (wait <= 0) believed.push(...files);
      else if (isMass && folder !== null)
        masses.push(`the folder ${folder} has just lost ${files.length} of its ${held(folder)} notes`);
      else waits.push(wait);
    }
    return { believed, waitMs: waits.length === 0 ? null : Math.min(...waits), mass: masses[0] ?? null };
  }

  /** Lets go of files that were believed to be gone, and are known no more. */
  forget(files: readonly string[]): void {
    for (const file of files) this.#missing.delete(file);
  }

  // A folder that lost so much stays under this rule while it is filled again, until it is whole or has come to rest.
  #isMass(folder: FolderKind | null, missing: number, held: (folder: FolderKind) => number): boolean {
    if (folder === null || folder === 'stream') return false;
    const known = held(folder);
    const isMass = (missing >= MASS && 2 * missing >= known) || (missing === known && known > 1);
    if (isMass) this.#masses.add(folder);
    return this.#masses.has(folder);
  }

  #follow(missing: readonly string[], folderOf: (file: string) => FolderKind | null, now: number): void {
    const still = new Set(missing);
    for (const [file, folder] of this.#missing) {
      if (still.has(file)) continue;
      this.#missing.delete(file);
      this.#stirredAt.set(folder, now);
    }
    for (const file of missing) {
      if (this.#missing.has(file)) continue;
      const folder = folderOf(file);
      this.#missing.set(file, folder);
      this.#stirredAt.set(folder, now);
    }
  }

  #byFolder(): Map<FolderKind | null, string[]> {
    const folders = new Map<FolderKind | null, string[]>();
    for (const [file, folder] of this.#missing) {
      const files = folders.get(folder) ?? [];
      files.push(file);
      folders.set(folder, files);
    }
    return folders;
  }
}
