import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { FSWatcher } from 'chokidar';
import { reasonOf } from '../errors.ts';
import type { FileStat } from '../files.ts';
import { RecordLog, type Saving } from '../index/cache/record-log.ts';
import type { Catalogue } from '../index/catalogue.ts';
import { Packing } from '../index/packing.ts';
import type { FieldMapping } from '../index/record.ts';
import { RecordCache } from '../index/record-cache.ts';
import { type Move, movesSince } from '../index/renames.ts';
import { type FolderKind, type Layout, type OwnPlaces, ownPlaces } from '../layout.ts';
import { NO_WORDS, type StatusWords } from '../records/status-words.ts';
import type { Seal } from '../seal.ts';
import { Deletions, type DeletionVerdict } from './deletions.ts';
import { editsSince } from './edits-since.ts';
import { type FolderIdentity, folderIdentity, isReplaced } from './folder-identity.ts';
import { type Change, type ChangeBatch, KnownFiles, READ_CHUNK, SLICE_MS } from './known-files.ts';
import { awayError, awayReason, countByFolder, diff, type Listing, list, statInside } from './scan.ts';
import { SweepScheduler } from './sweep-scheduler.ts';
import type { VaultListener } from './vault-listener.ts';

/**
 * The vault on disk, kept in step with the catalogue: a first look, hints from a watcher, and a sweep that believes
 * only the listing.
 */
export class Vault {
  readonly root: string;
  /** The program's own folders in it. */
  readonly places: OwnPlaces;
  /** Why the vault cannot be read just now, or null. */
  away: string | null = null;
  /** Folders inside the vault that could not be listed at the last sweep. */
  unreadable: ReadonlyMap<string, string> = new Map();
  /** What is found where a record might be and is not a readable file, with the reason in words. */
  passedOver: ReadonlyMap<string, string> = new Map();
  /** The watcher's last complaint, or null while it works. */
  watcherTrouble: string | null = null;
  /** Matters and tasks that were moved, and those that were changed, since the records were last saved. */
  movedMeanwhile: readonly Move[] = [];
  editedMeanwhile: readonly Change[] = [];

  readonly #files: KnownFiles;
  #log: RecordLog | null = null;
  readonly #sweeps = new SweepScheduler(() => this.#sweep());
  #listener: VaultListener | null = null;
  #watcher: FSWatcher | null = null;
  /** Whether the present watcher has complained. */
  #hasComplained = false;
  readonly #touched = new Set<string>();
  readonly #deletions = new Deletions();
  #watchedFolders: FolderIdentity = new Map();
  /** The folders that links lead to: as last listed, and as watched. */
  #linked: ReadonlyMap<string, string> = new Map();
  #watchedLinks: ReadonlyMap<string, string> = new Map();
  #isDraining = false;

  constructor(root: string, layout: Layout, mapping: FieldMapping, words: StatusWords = NO_WORDS) {
    this.root = root;
    this.places = ownPlaces(root);
    const heard = { settings: () => this.#listener?.settings(), sources: () => this.#listener?.sources() };
    this.#files = new KnownFiles(root, layout, mapping, heard);
    this.catalogue.words = words;
  }

  get catalogue(): Catalogue {
    return this.#files.catalogue;
  }

  get streams(): ReadonlyMap<string, FileStat> {
    return this.#files.streams;
  }

  /** Copies that sync tools left next to notes, by path. */
  get conflictCopies(): ReadonlySet<string> {
    return this.#files.conflictCopies;
  }

  get layout(): Layout {
    return this.#files.layout;
  }

  get mapping(): FieldMapping {
    return this.#files.mapping;
  }

  /** Reads the whole vault once, taking from the cache what has not changed. Throws where the root cannot be read. */
  async open(cacheFolder: string, seal: Seal): Promise<void> {
    const listing = await list(this.root, this.layout);
    const reason = listing.unreadable.get('');
    if (reason !== undefined) throw awayError(this.root, reason);
    const cache = await RecordCache.read({ folder: cacheFolder, key: this.#cacheKey(), seal });
    this.away = this.#awayAtStart(listing, cache);
    await this.#files.readAll(listing, cache);
    if (this.away === null) this.movedMeanwhile = movesSince(cache.records, listing.files, this.catalogue);
    this.editedMeanwhile = editsSince(cache.records, listing.files, this.catalogue);
    this.#log = await RecordLog.behind(cache, this.catalogue.saved);
    this.#linked = listing.linked;
    this.#adopt(listing);
  }

  // A vault whose folders went away while the program was down starts with what the cache knows of them, and waits.
  #awayAtStart(listing: Listing, cache: RecordCache): string | null {
    const reason =
      cache.records.size === 0 ? null : awayReason(this.root, this.layout, [...cache.records.keys()], listing);
    if (reason === null) return null;
    for (const [file, record] of cache.records) if (!listing.files.has(file)) this.catalogue.put(record);
    return reason;
  }

  /** Saves what changed of the records for the next start, a part at a time; not to be called while it runs. */
  async saveCache(saving: Saving): Promise<void> {
    await this.#log?.save(this.#cacheKey(), saving);
  }

  /** Tells `listener` of every change from now on until `close`, beginning with a sweep. */
  async watch(listener: VaultListener): Promise<void> {
    this.#listener = listener;
    await this.rewatch();
    await this.sweep();
  }

  /** Whether other folders than the watched ones now have their names. */
  get isReplaced(): boolean {
    return isReplaced(this.root, this.#watchedFolders);
  }

  /** Restarts the watcher: the watched folder may have been replaced, or the system's limits raised. */
  async rewatch(): Promise<void> {
    await this.#watcher?.close();
    this.#hasComplained = false;
    this.#watchedFolders = folderIdentity(this.root, this.layout);
    // Loaded here, since every command opens the vault and only the daemon watches it.
    const { watch } = await import('./watcher.ts');
    this.#watchedLinks = this.#linked;
    const watcher = await watch(this.root, this.layout, this.#linked, {
      touched: (file) => this.touch(file),
      lost: (reason) => {
        if (!/^(add|unlink)Dir /.test(reason)) {
          this.#hasComplained = true;
          this.watcherTrouble = reason;
        }
        this.#sweepSoon();
      },
    });
    this.#watcher = watcher;
    if (this.#listener === null) await watcher.close(); // closed meanwhile
  }

  /** Stops watching. Resolves once no sweep runs and the watcher is closed. */
  async close(): Promise<void> {
    this.#listener = null;
    await this.#sweeps.close(); // a running sweep may set a watcher
    await this.#watcher?.close();
  }

  /** Takes over new names of folders, fields or states: reads everything again under them and restarts the watcher. */
  async relayout(layout: Layout, mapping: FieldMapping, words: StatusWords): Promise<void> {
    this.catalogue.words = words;
    this.#files.layout = layout;
    this.#files.mapping = mapping;
    this.lose([...this.catalogue.paths()]);
    this.#files.streams.clear();
    if (this.#listener !== null) await this.watch(this.#listener);
  }

  /** Takes a hint that something happened to a path: the path is looked at once the current work yields. */
  touch(file: string): void {
    this.#touched.add(file);
    if (this.#isDraining) return;
    this.#isDraining = true;
    setImmediate(() => this.#drain());
  }

  /** Reads these paths now and returns what changed; the listener is told too. */
  look(files: Iterable<string>): Change[] {
    const batch: ChangeBatch = { changes: [], streamed: [] };
    for (const file of files) this.#files.look(file, batch);
    this.#tell(batch);
    return batch.changes;
  }

  /**
   * Lists the vault and reads whatever differs from what is known. Sweeps run one at a time; one more follows for all
   * who ask meanwhile. Rejects where the disk refuses.
   */
  sweep(): Promise<void> {
    return this.#sweeps.run();
  }

  async #sweep(isSecondLook = false): Promise<void> {
    const known = this.#files.stats();
    const listing = await list(this.root, this.layout);
    const { changed, gone } = diff(known, listing);
    const verdict = this.#judgeDeletions(known, listing, gone);
    const reason = awayReason(this.root, this.layout, [...known.keys()], listing) ?? verdict.mass;
    const cameBack = this.away !== null && reason === null;
    this.#setAway(reason);
    if (reason !== null) return;
    this.#linked = listing.linked;
    const isOther = this.isReplaced || !isDeepStrictEqual(this.#linked, this.#watchedLinks);
    if ((cameBack || isOther) && this.#listener !== null) {
      // Another folder of the same name may have been watched. The next listing finds what happened before the new
      // watch.
      await this.rewatch();
      return this.#sweep();
    }
    for (let rest: readonly string[] = changed; rest.length > 0; ) {
      rest = this.#lookForAWhile(rest);
      await new Promise(setImmediate);
    }
    // A file that has come back meanwhile was announced by the watcher.
    this.lose(verdict.believed.filter((file) => statInside(this.root, file) === null));
    this.#deletions.forget(verdict.believed);
    this.#files.dropSettings(listing);
    this.#adopt(listing);
    if (!this.#hasComplained) this.watcherTrouble = null; // only now: a new watcher may complain after it is ready
    if (this.#listener !== null) this.#watchedFolders = folderIdentity(this.root, this.layout);
    if (verdict.waitMs === null) return;
    if (isSecondLook) return this.#sweepSoon();
    await wait(verdict.waitMs + 1);
    return this.#sweep(true);
  }

  #judgeDeletions(known: ReadonlyMap<string, FileStat>, listing: Listing, gone: readonly string[]): DeletionVerdict {
    const missing = gone.filter((file) => !this.#underUnreadable(file, listing));
    const counts = missing.length === 0 ? new Map<FolderKind, number>() : countByFolder(this.layout, known.keys());
    const folderOf = (file: string) => this.layout.folderKindOf(file);
    return this.#deletions.judge(missing, folderOf, (folder) => counts.get(folder) ?? 0, performance.now());
  }

  #drain(): void {
    this.#isDraining = false;
    const files = [...this.#touched];
    this.#touched.clear();
    const there: string[] = [];
    for (const file of files) {
      if (there.length === READ_CHUNK) this.touch(file);
      else if (statInside(this.root, file) !== null) there.push(file);
      // Only a whole listing tells whether it was deleted, moved, or went away with much else.
      else if (this.#files.has(file)) this.#sweepSoon();
      else this.#files.conflictCopies.delete(file);
    }
    for (const file of this.#lookForAWhile(there)) this.touch(file);
  }

  /** Looks at files until others should have a turn; returns those that are left. */
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
    if (this.#listener === null) return;
    this.#sweeps.soon((error) => {
      this.watcherTrouble = reasonOf(error); // shown in `status`; the sweep of the next minute tries again
    });
  }

  /** Forgets files that are gone from the vault, without asking why, and tells the listener. */
  lose(files: readonly string[]): void {
    const batch: ChangeBatch = { changes: [], streamed: [] };
    for (const file of files) this.#files.forget(file, batch);
    this.#tell(batch);
  }

  #tell({ changes, streamed }: ChangeBatch): void {
    if (changes.length > 0) this.#listener?.changed(changes);
    if (streamed.length > 0) this.#listener?.streamed(streamed);
  }

  #setAway(reason: string | null): void {
    if (reason === this.away) return;
    this.away = reason;
    this.#listener?.presence(reason);
  }

  #adopt(listing: Listing): void {
    this.#files.adopt(listing);
    this.unreadable = listing.unreadable;
    this.passedOver = listing.passedOver;
  }

  #underUnreadable(file: string, listing: Listing): boolean {
    return [...listing.unreadable.keys()].some((folder) => file.startsWith(`${folder}/`));
  }

  #cacheKey(): string {
    const { mapping, layout, catalogue } = this;
    const read = { folders: layout.folders, mapping, words: catalogue.words };
    return JSON.stringify({ format: 14, packed: new Packing().format, ...read });
  }
}
