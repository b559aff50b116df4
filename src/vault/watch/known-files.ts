import { type FileStat, sameStat } from '../files.ts';
import { Catalogue } from '../index/catalogue.ts';
import { type FieldMapping, readRecord, type VaultRecord } from '../index/record.ts';
import type { RecordCache } from '../index/record-cache.ts';
import { isStillRefused, unreadableRecord } from '../index/unreadable-record.ts';
import type { Layout } from '../layout.ts';
import { stem } from '../note-names.ts';
import { plainBytes, resolvedBytes } from './note-bytes.ts';
import { type Listing, slim, statInside } from './scan.ts';

/** For how long (ms) notes are read before others have a turn: a single one may take a while too. */
export const SLICE_MS = 10;
/** How many files that were announced are looked at before others have a turn. */
export const READ_CHUNK = 200;

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

  /** Reads everything in a listing for the first time, taking from the cache what has not changed. */
  async readAll(listing: Listing, cache: RecordCache): Promise<void> {
    let since = performance.now();
    for (const [file, stat] of listing.files) {
      const cached = cache.get(file, stat);
      const kind = cached?.kind ?? this.layout.kindOf(file);
      if (cached !== null) this.catalogue.put(cached);
      else if (kind === 'stream') this.streams.set(file, stat);
      else if (kind === 'source') this.#sources.set(file, stat);
      else if (kind !== 'settings') {
        this.catalogue.put(this.#read(file, stat, plainBytes));
        if (performance.now() - since < SLICE_MS) continue;
        await new Promise(setImmediate);
        since = performance.now();
      }
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
      this.streams.set(file, stat);
      if (seen === undefined || !sameStat(seen, stat)) batch.streamed.push(file);
    } else if (kind === 'source') {
      const seen = this.#sources.get(file);
      this.#sources.set(file, stat);
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
    this.streams.delete(file);
    if (this.#sources.delete(file)) this.#heard.sources();
    if (this.layout.kindOf(file) === 'settings') this.#settingsChanged(null);
    const before = this.catalogue.get(file) ?? null;
    if (before === null) return;
    this.catalogue.remove(file);
    batch.changes.push({ path: file, before, after: null });
  }

  /** Takes over from a listing what is known by name alone, and the stat of the settings note. */
  adopt(listing: Listing): void {
    this.catalogue.setNotes(listing.notes);
    this.conflictCopies.clear();
    for (const file of listing.conflictCopies) this.conflictCopies.add(file);
    this.#settingsStat = this.#settingsIn(listing) ?? this.#settingsStat;
  }

  /** Forgets the settings note where it was there before and is missing in a listing. */
  dropSettings(listing: Listing): void {
    if (this.#settingsIn(listing) === null && this.#settingsStat !== null) this.#settingsChanged(null);
  }

  /** Whether a record, a stream file or the settings note is known at this path. */
  has(file: string): boolean {
    const isSettings = this.#settingsStat !== null && this.layout.kindOf(file) === 'settings';
    return isSettings || this.catalogue.get(file) !== undefined || this.streams.has(file) || this.#sources.has(file);
  }

  /** Returns the stat of every record, stream file and source note as last seen, by path. */
  stats(): Map<string, FileStat> {
    const stats = this.catalogue.stats();
    for (const [file, stat] of [...this.streams, ...this.#sources]) stats.set(file, stat);
    return stats;
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

  #settingsIn(listing: Listing): FileStat | null {
    for (const [file, stat] of listing.files) {
      if (!file.includes('/') && this.layout.kindOf(file) === 'settings') return stat;
    }
    return null;
  }

  #read(file: string, seen: FileStat, read: typeof resolvedBytes): VaultRecord {
    try {
      const { bytes, stat } = read(this.root, file);
      return readRecord(this.layout, this.mapping, file, slim(stat), bytes, this.catalogue.words);
    } catch (error) {
      return unreadableRecord(file, seen, error);
    }
  }
}
