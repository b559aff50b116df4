import { type FileStat, sameStat } from '../files.ts';
import { Catalogue } from '../index/catalogue.ts';
import { type FieldMapping, readRecord, type VaultRecord } from '../index/record.ts';
import type { RecordCache } from '../index/record-cache.ts';
import { isStillRefused, unreadableRecord } from '../index/unreadable-record.ts';
import type { FolderKind, Layout, PathKind } from '../layout.ts';
import { stem } from '../note-names.ts';
import { plainBytes, resolvedBytes } from './note-bytes.ts';
import { slim, statInside } from './scan.ts';
import type { VaultWalk, WalkVisitor } from './walk.ts';

/** One thing that changed in the vault, as the catalogue saw it before and sees it now. */
export interface Change {
  readonly path: string;
  readonly before: VaultRecord | null;
  readonly after: VaultRecord | null;
}

/** What changed in some files. */
export interface ChangeBatch {
  readonly changes: Change[];
  /** Files under `stream/` that are new or changed. */
  readonly streamed: string[];
}

/** Is told of the notes by which a person sets the program up: each time that they have changed, come or gone. */
interface OwnNotesHeard {
  readonly settings: () => void;
  readonly sources: () => void;
}

/**
 * The vault's files as last seen: the records in the catalogue, the stream files, the conflict copies, and the settings
 * note. It changes only by looking at single files, or by taking over a whole listing.
 */
export class KnownFiles {
  readonly root: string;
  readonly catalogue = new Catalogue();
  /** Stream files as last seen. */
  readonly streams = new Map<string, FileStat>();
  readonly conflictCopies = new Set<string>();
  layout: Layout;
  mapping: FieldMapping;
  #settingsStat: FileStat | null = null;
  /** Source notes as last seen. */
  readonly #sources = new Map<string, FileStat>();
  readonly #heard: OwnNotesHeard;

  constructor(root: string, layout: Layout, mapping: FieldMapping, heard: OwnNotesHeard) {
    this.root = root;
    this.layout = layout;
    this.mapping = mapping;
    this.#heard = heard;
  }

  /** Reads a file that a walk has met for the first time, or takes it from the cache where it has not changed. */
  readFirst(file: string, stat: FileStat, kind: PathKind, cache: RecordCache): void {
    const cached = cache.take(file, stat);
    if (cached !== null) this.catalogue.put(cached);
    else if (kind === 'stream') this.#remember(this.streams, file, stat);
    else if (kind === 'source') this.#remember(this.#sources, file, stat);
    else if (kind === 'settings') this.#settingsStat ??= stat;
    else this.catalogue.put(this.#read(file, stat, plainBytes));
  }

  /** Reads a note that a walk has just found as a plain file. Returns false, with nothing done, where it cannot be read. */
  readUnseen(file: string, kind: PathKind): boolean {
    try {
      this.catalogue.put(this.#recordIn(file, kind, plainBytes));
      return true;
    } catch {
      return false; // gone meanwhile, or no note: its stat tells which
    }
  }

  /** Looks at one path, and adds what changed to the batch. Ignores a path that is not read, or is gone. */
  look(file: string, batch: ChangeBatch): void {
    const kind = this.layout.kindOf(file);
    if (kind === 'conflict-copy') this.conflictCopies.add(file);
    if (!this.layout.isRead(kind)) return;
    const stat = statInside(this.root, file);
    if (stat === null) return;
    if (kind === 'settings') {
      if (this.#settingsStat === null || !sameStat(this.#settingsStat, stat)) this.#settingsChanged(stat);
    } else if (kind === 'stream') {
      const seen = this.streams.get(file);
      this.#remember(this.streams, file, stat);
      if (seen === undefined || !sameStat(seen, stat)) batch.streamed.push(file);
    } else if (kind === 'source') {
      const seen = this.#sources.get(file);
      this.#remember(this.#sources, file, stat);
      if (seen === undefined || !sameStat(seen, stat)) this.#heard.sources();
    } else {
      const before = this.catalogue.get(file) ?? null;
      if (before !== null && sameStat(before.stat, stat)) return;
      if (before === null) this.#forgetMoved(file, batch);
      const after = this.#read(file, stat, resolvedBytes);
      this.catalogue.put(after);
      if (!isStillRefused(before, after)) batch.changes.push({ path: file, before, after });
    }
  }

  /** Forgets a file that is gone, and adds the change to the batch. */
  forget(file: string, batch: ChangeBatch): void {
    this.#drop(this.streams, file);
    if (this.#drop(this.#sources, file)) this.#heard.sources();
    if (this.layout.kindOf(file) === 'settings') this.#settingsChanged(null);
    const before = this.catalogue.get(file) ?? null;
    if (before === null) return;
    this.catalogue.remove(file);
    batch.changes.push({ path: file, before, after: null });
  }

  /** Forgets all stream files, without telling anybody. */
  forgetStreams(): void {
    for (const file of [...this.streams.keys()]) this.#drop(this.streams, file);
  }

  /** Takes over the conflict copies that a walk has met. */
  adopt(walk: VaultWalk): void {
    this.conflictCopies.clear();
    for (const file of walk.conflictCopies) this.conflictCopies.add(file);
  }

  /** Takes over which other notes have come and gone. Pauses after each. */
  *takeNotes(appeared: readonly string[], gone: readonly string[]): Generator<void> {
    for (const note of appeared) {
      this.catalogue.addNote(note);
      yield;
    }
    for (const note of gone) {
      this.catalogue.dropNote(note);
      yield;
    }
  }

  /** Forgets the settings note where it was there before. */
  dropSettings(): void {
    if (this.#settingsStat !== null) this.#settingsChanged(null);
  }

  /** Whether a record, a stream file or the settings note is known at this path. */
  has(file: string): boolean {
    const isSettings = this.#settingsStat !== null && this.layout.kindOf(file) === 'settings';
    return isSettings || this.catalogue.get(file) !== undefined || this.streams.has(file) || this.#sources.has(file);
  }

  /** Returns the stat of a record, stream file or source note as last seen, or undefined where none is known. */
  statOf(file: string): FileStat | undefined {
    return this.catalogue.statOf(file) ?? this.streams.get(file) ?? this.#sources.get(file);
  }

  /** The paths of all records, stream files and source notes. */
  *paths(): Generator<string> {
    yield* this.catalogue.paths();
    yield* this.streams.keys();
    yield* this.#sources.keys();
  }

  // A note that appears where its namesake is gone was moved: at no moment are there two of them.
  #forgetMoved(file: string, batch: ChangeBatch): void {
    const folder = this.layout.folderKindOf(file);
    for (const { path: other } of this.catalogue.named(stem(file))) {
      const isGone = this.layout.folderKindOf(other) === folder && statInside(this.root, other) === null;
      if (isGone) this.forget(other, batch);
    }
  }

  #settingsChanged(stat: FileStat | null): void {
    this.#settingsStat = stat;
    this.#heard.settings();
  }

  // Counted beside the records, for the next sweep.
  #remember(seen: Map<string, FileStat>, file: string, stat: FileStat): void {
    if (!seen.has(file)) this.catalogue.folders.add(file);
    seen.set(file, stat);
  }

  #drop(seen: Map<string, FileStat>, file: string): boolean {
    const isKnown = seen.delete(file);
    if (isKnown) this.catalogue.folders.remove(file);
    return isKnown;
  }

  #read(file: string, seen: FileStat, read: typeof resolvedBytes): VaultRecord {
    try {
      return this.#recordIn(file, this.layout.kindOf(file), read);
    } catch (error) {
      return unreadableRecord(file, seen, error);
    }
  }

  #recordIn(file: string, kind: PathKind, read: typeof resolvedBytes): VaultRecord {
    const { bytes, stat } = read(this.root, file);
    return readRecord(this.layout, this.mapping, file, slim(stat), bytes, this.catalogue.words, kind);
  }
}

/** What is read for its stat alone. */
const STAT_ONLY: ReadonlySet<PathKind> = new Set<PathKind>(['stream', 'source', 'settings']);

/** The first walk through a vault: everything that it meets is read at once. */
export class FirstReading implements WalkVisitor {
  /** How many files were met in each record folder. */
  readonly met = new Map<FolderKind, number>();
  readonly enter: (folder: string) => void;
  readonly #files: KnownFiles;
  readonly #cache: RecordCache;

  /** `watch`: has a folder watched that is about to be listed. */
  constructor(files: KnownFiles, cache: RecordCache, watch: (folder: string) => void) {
    this.#files = files;
    this.#cache = cache;
    this.enter = watch;
  }

  take = (file: string, kind: PathKind, folder: FolderKind | null): boolean => {
    if (STAT_ONLY.has(kind) || this.#cache.left.has(file) || !this.#files.readUnseen(file, kind)) return false;
    this.#count(folder);
    return true;
  };

  file = (file: string, stat: FileStat, kind: PathKind, folder: FolderKind | null): void => {
    this.#count(folder);
    this.#files.readFirst(file, stat, kind, this.#cache);
  };

  #count(folder: FolderKind | null): void {
    if (folder !== null) this.met.set(folder, (this.met.get(folder) ?? 0) + 1);
  }

  note = (file: string): void => this.#files.catalogue.addNote(file);

  leave = (): void => {};
}
