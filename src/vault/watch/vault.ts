import { setTimeout as wait } from 'node:timers/promises';
import type { FSWatcher } from 'chokidar';
import { reasonOf } from '../errors.ts';
import { type FileStat, sameStat } from '../files.ts';
import { Catalogue } from '../index/catalogue.ts';
import { type FieldMapping, readRecord, type VaultRecord } from '../index/record.ts';
import { RecordCache, saveRecords } from '../index/record-cache.ts';
import { type Move, movesSince } from '../index/renames.ts';
import { isStillRefused, unreadableRecord } from '../index/unreadable-record.ts';
import { type FolderKind, type Layout, type OwnPlaces, ownPlaces } from '../layout.ts';
import { stem } from '../note-names.ts';
import { Deletions, type DeletionVerdict } from './deletions.ts';
import { type FolderIdentity, folderIdentity, isReplaced } from './folder-identity.ts';
import { plainBytes, resolvedBytes } from './note-bytes.ts';
import { awayError, awayReason, countByFolder, diff, type Listing, list, slim, statInside } from './scan.ts';

/** One thing that changed in the vault, as the catalogue saw it before and sees it now. */
export interface Change {
  readonly path: string;
  readonly before: VaultRecord | null;
  readonly after: VaultRecord | null;
}

/** What the vault tells its listener. Called once a batch, in the order things were found. */
interface VaultListener {
  readonly changed: (changes: readonly Change[]) => void;
  /** Files under `stream/` that are new or changed. */
  readonly streamed: (files: readonly string[]) => void;
  readonly settings: () => void;
  readonly presence: (away: string | null) => void;
}

const READ_CHUNK = 200;
/** For how long notes are read before others have a turn: a single one may take its time too. */
const SLICE_MS = 10;

/**
 * The vault as it lies on disk, kept in step with the catalogue: a first look, hints from a watcher, and a sweep
 * that believes only the listing.
 */
export class Vault {
  readonly root: string;
  /** The program's own places in it. */
  readonly places: OwnPlaces;
  readonly catalogue = new Catalogue();
  /** Stream files as last seen. */
  readonly streams = new Map<string, FileStat>();
  readonly conflictCopies = new Set<string>();
  /** Why the vault cannot be read just now, or null. */
  away: string | null = null;
  /** Folders inside the vault that could not be listed at the last sweep. */
  unreadable: ReadonlyMap<string, string> = new Map();
  /** What lies where a record might and is no readable file, with the reason in words. */
  passedOver: ReadonlyMap<string, string> = new Map();
  /** What the watcher last complained of, or null while it is well. */
  watcherTrouble: string | null = null;
  lastSweepAt: number | null = null;
  /** Matters and tasks that were moved since the records were last saved. */
  movedMeanwhile: readonly Move[] = [];

  #layout: Layout;
  #mapping: FieldMapping;
  #settingsStat: FileStat | null = null;
  #listener: VaultListener | null = null;
  #watcher: FSWatcher | null = null;
  /** Whether the watcher that is there now has complained. */
  #complained = false;
  readonly #dirty = new Set<string>();
  readonly #losses = new Deletions();
  #stood: FolderIdentity = new Map();
  #draining = false;
  #sweeping: Promise<void> | null = null;
  #following: Promise<void> | null = null;
  #sweepWanted: NodeJS.Timeout | null = null;

  constructor(root: string, layout: Layout, mapping: FieldMapping) {
    this.root = root;
    this.places = ownPlaces(root);
    this.#layout = layout;
    this.#mapping = mapping;
  }

  get layout(): Layout {
    return this.#layout;
  }

  get mapping(): FieldMapping {
    return this.#mapping;
  }

  /** Reads the whole vault once, taking from the cache what has not changed. Throws where the root cannot be read. */
  async open(cacheFile: string): Promise<void> {
    const listing = await list(this.root, this.#layout);
    const reason = listing.unreadable.get('');
    if (reason !== undefined) throw awayError(this.root, reason);
    const cache = new RecordCache(cacheFile, this.#cacheKey());
    this.away = this.#awayAtStart(listing, cache);
    await this.#readAll(listing, cache);
    if (this.away === null) this.movedMeanwhile = movesSince(cache.records, listing.files, this.catalogue);
    this.#adopt(listing);
  }

  // A vault whose folders went away while the program was down starts with what was known of them, and waits.
  #awayAtStart(listing: Listing, cache: RecordCache): string | null {
    const reason =
      cache.records.size === 0 ? null : awayReason(this.root, this.#layout, [...cache.records.keys()], listing);
    if (reason === null) return null;
    for (const [file, record] of cache.records) if (!listing.files.has(file)) this.catalogue.put(record);
    return reason;
  }

  /** Leaves the records for the next start. */
  saveCache(cacheFile: string): void {
    saveRecords(cacheFile, this.#cacheKey(), this.catalogue.entries());
  }

  /** Tells `listener` of every change from now on, until `close`. */
  async watch(listener: VaultListener): Promise<void> {
    this.#listener = listener;
    await this.rewatch();
    await this.sweep();
  }

  /** Whether the folders that are watched are no longer the ones that stand under their names. */
  get isReplaced(): boolean {
    return isReplaced(this.root, this.#stood);
  }

  /** Watches anew: what was watched may be another folder by now, or the system's limits may have been raised. */
  async rewatch(): Promise<void> {
    await this.#watcher?.close();
    this.#complained = false;
    this.#stood = folderIdentity(this.root, this.#layout);
    // Loaded here, since every command opens the vault and only the daemon watches it.
    const { watch } = await import('./watcher.ts');
    const watcher = await watch(this.root, this.#layout, {
      touched: (file) => this.touch(file),
      lost: (reason) => {
        if (!/^(add|unlink)Dir /.test(reason)) {
          this.#complained = true;
          this.watcherTrouble = reason;
        }
        this.#sweepSoon();
      },
    });
    this.#watcher = watcher;
    if (this.#listener === null) await watcher.close(); // closed meanwhile
  }

  async close(): Promise<void> {
    this.#listener = null;
    if (this.#sweepWanted !== null) clearTimeout(this.#sweepWanted);
    await this.#sweeping; // it may set a watcher
    await this.#watcher?.close();
  }

  /** New folder names or field mapping: everything is read again under them, and the watcher set anew. */
  async relayout(layout: Layout, mapping: FieldMapping): Promise<void> {
    this.#layout = layout;
    this.#mapping = mapping;
    this.#lose([...this.catalogue.paths()]);
    this.streams.clear();
    if (this.#listener !== null) await this.watch(this.#listener);
  }

  /** A hint that something happened to a path: it is looked at as soon as the current work lets go. */
  touch(file: string): void {
    this.#dirty.add(file);
    if (this.#draining) return;
    this.#draining = true;
    setImmediate(() => this.#drain());
  }

  /** Reads these paths now and gives what changed; the listener is told too. */
  look(files: Iterable<string>): Change[] {
    const changes: Change[] = [];
    const streamed: string[] = [];
    for (const file of files) this.#lookAt(file, changes, streamed);
    this.#tell(changes, streamed);
    return changes;
  }

  /**
   * Lists the vault and reads whatever differs from what is known. One at a time: what happened since a running one
   * began may have escaped it, so that one more follows for all who ask meanwhile.
   */
  sweep(): Promise<void> {
    if (this.#sweeping !== null) {
      this.#following ??= this.#sweeping
        .catch(() => undefined)
        .then(() => {
          this.#following = null;
          return this.sweep();
        });
      return this.#following;
    }
    this.#sweeping = this.#sweep().finally(() => {
      this.#sweeping = null;
    });
    return this.#sweeping;
  }

  async #sweep(isSecondLook = false): Promise<void> {
    const known = this.#known();
    const listing = await list(this.root, this.#layout);
    this.lastSweepAt = Date.now();
    const { changed, gone } = diff(known, listing);
    const losses = this.#judgeLosses(known, listing, gone);
    const reason = awayReason(this.root, this.#layout, [...known.keys()], listing) ?? losses.mass;
    const cameBack = this.away !== null && reason === null;
    this.#setAway(reason);
    if (reason !== null) return;
    if ((cameBack || this.isReplaced) && this.#listener !== null) {
      // What was watched may have been another folder of the same name. What came before the new watch is listed anew.
      await this.rewatch();
      return this.#sweep();
    }
    for (let rest: readonly string[] = changed; rest.length > 0; ) {
      rest = this.#lookForAWhile(rest);
      await new Promise(setImmediate);
    }
    this.#lose(losses.believed.filter((file) => statInside(this.root, file) === null)); // back meanwhile: the watcher told
    this.#losses.forget(losses.believed);
    if (this.#settingsIn(listing) === null && this.#settingsStat !== null) this.#settingsChanged(null);
    this.#adopt(listing);
    if (!this.#complained) this.watcherTrouble = null; // not before: a new watcher may complain after it is ready
    if (this.#listener !== null) this.#stood = folderIdentity(this.root, this.#layout);
    if (losses.waitMs === null) return;
    if (isSecondLook) return this.#sweepSoon();
    await wait(losses.waitMs + 1);
    return this.#sweep(true);
  }

  #judgeLosses(known: ReadonlyMap<string, FileStat>, listing: Listing, gone: readonly string[]): DeletionVerdict {
    const missing = gone.filter((file) => !this.#underUnreadable(file, listing));
    const counts = missing.length === 0 ? new Map<FolderKind, number>() : countByFolder(this.#layout, known.keys());
    const folderOf = (file: string) => this.#layout.folderKindOf(file);
    return this.#losses.judge(missing, folderOf, (folder) => counts.get(folder) ?? 0, performance.now());
  }

  #drain(): void {
    this.#draining = false;
    const files = [...this.#dirty];
    this.#dirty.clear();
    const there: string[] = [];
    for (const file of files) {
      if (there.length === READ_CHUNK) this.touch(file);
      else if (statInside(this.root, file) !== null) there.push(file);
      // Whether it was deleted, moved, or went away with much else, a whole listing tells.
      else if (this.#isKnown(file)) this.#sweepSoon();
      else this.conflictCopies.delete(file);
    }
    for (const file of this.#lookForAWhile(there)) this.touch(file);
  }

  /** Looks at files until others should have a turn; gives those that are left. */
  #lookForAWhile(files: readonly string[]): readonly string[] {
    const since = performance.now();
    let count = 0;
    const some = function* () {
      while (count < Math.min(files.length, READ_CHUNK) && performance.now() - since < SLICE_MS) {
        yield files[count++] ?? '';
      }
    };
    this.look(some());
    return files.slice(count);
  }

  #sweepSoon(): void {
    if (this.#sweepWanted !== null || this.#listener === null) return;
    this.#sweepWanted = setTimeout(() => {
      this.#sweepWanted = null;
      this.sweep().catch((error: unknown) => {
        this.watcherTrouble = reasonOf(error); // said in `status`; the sweep of the next minute tries again
      });
    }, 50);
  }

  async #readAll(listing: Listing, cache: RecordCache): Promise<void> {
    let since = performance.now();
    for (const [file, stat] of listing.files) {
      const cached = cache.get(file, stat);
      const kind = cached?.kind ?? this.#layout.kindOf(file);
      if (cached !== null) this.catalogue.put(cached);
      else if (kind === 'stream') this.streams.set(file, stat);
      else if (kind !== 'settings') {
        this.catalogue.put(this.#read(file, stat, plainBytes));
        if (performance.now() - since < SLICE_MS) continue;
        await new Promise(setImmediate);
        since = performance.now();
      }
    }
  }

  #lookAt(file: string, changes: Change[], streamed: string[]): void {
    const kind = this.#layout.kindOf(file);
    if (kind === 'conflict-copy') this.conflictCopies.add(file);
    if (!this.#layout.isRead(kind)) return;
    const stat = statInside(this.root, file);
    if (stat === null) return;
    if (kind === 'settings') {
      if (this.#settingsStat === null || !sameStat(this.#settingsStat, stat)) this.#settingsChanged(stat);
    } else if (kind === 'stream') {
      const seen = this.streams.get(file);
      this.streams.set(file, stat);
      if (seen === undefined || !sameStat(seen, stat)) streamed.push(file);
    } else {
      const before = this.catalogue.get(file) ?? null;
      if (before !== null && sameStat(before.stat, stat)) return;
      if (before === null) this.#forgetMoved(file, changes);
      const after = this.#read(file, stat);
      this.catalogue.put(after);
      if (!isStillRefused(before, after)) changes.push({ path: file, before, after });
    }
  }

  // A note that appears where its namesake is no more was moved: for no moment are there two of them.
  #forgetMoved(file: string, changes: Change[]): void {
    const folder = this.#layout.folderKindOf(file);
    for (const { path: other } of this.catalogue.named(stem(file))) {
      const isGone = this.#layout.folderKindOf(other) === folder && statInside(this.root, other) === null;
      if (isGone) this.#forget(other, changes);
    }
  }

  #settingsChanged(stat: FileStat | null): void {
    this.#settingsStat = stat;
    this.#listener?.settings();
  }

  #read(file: string, seen: FileStat, read = resolvedBytes): VaultRecord {
    try {
      const { bytes, stat } = read(this.root, file);
      return readRecord(this.#layout, this.#mapping, file, slim(stat), bytes);
    } catch (error) {
      return unreadableRecord(file, seen, error);
    }
  }

  #lose(files: readonly string[]): void {
    const changes: Change[] = [];
    for (const file of files) this.#forget(file, changes);
    this.#tell(changes, []);
  }

  #forget(file: string, changes: Change[]): void {
    this.streams.delete(file);
    if (this.#layout.kindOf(file) === 'settings') this.#settingsChanged(null);
    const before = this.catalogue.get(file) ?? null;
    if (before === null) return;
    this.catalogue.remove(file);
    changes.push({ path: file, before, after: null });
  }

  #tell(changes: readonly Change[], streamed: readonly string[]): void {
    if (changes.length > 0) this.#listener?.changed(changes);
    if (streamed.length > 0) this.#listener?.streamed(streamed);
  }

  #setAway(reason: string | null): void {
    if (reason === this.away) return;
    this.away = reason;
    this.#listener?.presence(reason);
  }

  #adopt(listing: Listing): void {
    this.catalogue.setNotes(listing.notes);
    this.conflictCopies.clear();
    for (const file of listing.conflictCopies) this.conflictCopies.add(file);
    this.unreadable = listing.unreadable;
    this.passedOver = listing.passedOver;
    this.#settingsStat = this.#settingsIn(listing) ?? this.#settingsStat;
  }

  #settingsIn(listing: Listing): FileStat | null {
    for (const [file, stat] of listing.files) {
      if (!file.includes('/') && this.#layout.kindOf(file) === 'settings') return stat;
    }
    return null;
  }

  #known(): Map<string, FileStat> {
    const known = this.catalogue.stats();
    for (const [file, stat] of this.streams) known.set(file, stat);
    return known;
  }

  #isKnown(file: string): boolean {
    return this.catalogue.get(file) !== undefined || this.streams.has(file);
  }

  #underUnreadable(file: string, listing: Listing): boolean {
    return [...listing.unreadable.keys()].some((folder) => file.startsWith(`${folder}/`));
  }

  #cacheKey(): string {
    return JSON.stringify({ format: 7, folders: this.#layout.folders, mapping: this.#mapping });
  }
}
