import { type FileStat, sameStat } from '../files.ts';
import { folderOf } from '../index/postings/folder-counts.ts';
import type { FolderKind, Layout, PathKind } from '../layout.ts';
import type { Held } from './away.ts';
import type { KnownFiles } from './known-files.ts';
import { contentsOf, type FolderContents, type WalkVisitor } from './walk.ts';

/** What is known and was not met. */
interface Missing {
  /** Whether nothing is missing, not even in folders that cannot be read. */
  readonly isWhole: boolean;
  readonly files: readonly string[];
  readonly notes: readonly string[];
}

/**
 * A walk held against what is known, folder by folder as it is listed. A folder in which as many known files were met as
 * are known of it lacks none, where none came meanwhile; only the others are asked about by name, so that a vault in
 * which nothing is missing costs no memory that grows with it.
 */
export class Comparison implements WalkVisitor {
  /** Files that are new, or have changed since they were read. The settings note is always among them. */
  readonly changed: string[] = [];
  /** Other notes that were not known. */
  readonly appeared: string[] = [];
  isSettingsMet = false;
  readonly #known: KnownFiles;
  readonly #watch: (folder: string) => void;
  /** How many files were known of each folder when the walk began. */
  readonly #before: ReadonlyMap<string, number>;
  readonly #now = new Map<FolderKind, number>();
  readonly #entered = new Set<string>();
  readonly #lacking = new Set<string>();
  #met = 0;

  /** `watch`: has a folder watched that is about to be listed. */
  constructor(known: KnownFiles, watch: (folder: string) => void) {
    this.#known = known;
    this.#watch = watch;
    this.#before = known.catalogue.folders.taken();
  }

  enter = (folder: string): void => {
    this.#watch(folder);
    this.#entered.add(folder);
    this.#met = 0;
  };

  file = (file: string, stat: FileStat, kind: PathKind, folder: FolderKind | null): void => {
    if (folder !== null) this.#now.set(folder, (this.#now.get(folder) ?? 0) + 1);
    if (kind === 'settings') this.isSettingsMet = true;
    const known = this.#known.statOf(file);
    if (known !== undefined) this.#met += 1;
    if (known === undefined || !sameStat(known, stat)) this.changed.push(file);
  };

  note = (file: string): void => {
    if (this.#known.catalogue.notes().has(file)) this.#met += 1;
    else this.appeared.push(file);
  };

  leave = (folder: string): void => {
    const before = this.#before.get(folder) ?? 0;
    // What has become known meanwhile may have been met in the place of one that is gone.
    if (this.#met !== before || this.#known.catalogue.folders.of(folder) !== before) this.#lacking.add(folder);
  };

  /** Returns how many files each record folder held when the walk began, and how many were met. */
  held(layout: Layout): Held {
    const before = new Map<FolderKind, number>();
    for (const [folder, count] of this.#before) {
      const kind = layout.folderKindOf(`${folder}/`);
      if (kind !== null) before.set(kind, (before.get(kind) ?? 0) + count);
    }
    return { before, now: this.#now };
  }

  /** Returns what is known and is not there, but for what lies in folders that cannot be read. Pauses after each path. */
  *missing(unreadable: ReadonlyMap<string, string>): Generator<void, Missing> {
    const isUnread = (folder: string) => !this.#entered.has(folder) || unreadable.has(folder);
    const all = new Set([...this.#lacking, ...[...this.#before.keys()].filter(isUnread)]);
    const isKept = (folder: string) =>
      [...unreadable.keys()].some((one) => folder === one || folder.startsWith(`${one}/`));
    const lacking = new Set([...all].filter((folder) => !isKept(folder)));
    if (lacking.size === 0) return { isWhole: all.size === 0, files: [], notes: [] };
    const { root, layout, catalogue } = this.#known;
    const contents = new Map<string, FolderContents | null>();
    const here = function* (this: Comparison, file: string): Generator<void, FolderContents | null> {
      const folder = folderOf(file);
      if (!lacking.has(folder)) return null;
      // A folder that the walk did not enter is not looked into either: it may be reached through a link out of the vault.
      if (!contents.has(folder))
        contents.set(folder, this.#entered.has(folder) ? yield* contentsOf(root, layout, folder) : EMPTY);
      return contents.get(folder) ?? null;
    }.bind(this);
    const files: string[] = [];
    for (const file of this.#known.paths()) {
      yield;
      if ((yield* here(file))?.files.has(file) === false) files.push(file);
    }
    const notes: string[] = [];
    for (const note of catalogue.notes().paths()) {
      yield;
      if ((yield* here(note))?.notes.has(note) === false) notes.push(note);
    }
    return { isWhole: false, files, notes };
  }
}

const EMPTY: FolderContents = { files: new Set(), notes: new Set() };
