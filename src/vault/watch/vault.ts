import { setTimeout as wait } from 'node:timers/promises';
import { inSlices } from '../disk/slices.ts';
import { reasonOf } from '../errors.ts';
import type { FileStat } from '../files.ts';
import { FORMATS } from '../formats.ts';
import { RecordLog, type Saving } from '../index/cache/record-log.ts';
import type { Catalogue } from '../index/catalogue.ts';
import { Packing } from '../index/packing.ts';
import type { FieldMapping } from '../index/record.ts';
import { RecordCache } from '../index/record-cache.ts';
import { type Move, movesSince } from '../index/renames.ts';
import { type Layout, type OwnPlaces, ownPlaces } from '../layout.ts';
import { NO_WORDS, type StatusWords } from '../records/status-words.ts';
import type { Seal } from '../seal.ts';
import { awayError } from './away.ts';
import { Comparison } from './comparison.ts';
import { Deletions } from './deletions.ts';
import { editsSince } from './edits-since.ts';
import { Hints, lookForAWhile } from './hints.ts';
import { judge, judgeStart } from './judgement.ts';
import { type Change, type ChangeBatch, FirstReading, KnownFiles } from './known-files.ts';
import { statInside } from './scan.ts';
import { SweepScheduler } from './sweep-scheduler.ts';
import type { VaultListener } from './vault-listener.ts';
import { VaultWalk } from './walk.ts';
import { Watching } from './watchers/watching.ts';

/** How many files are forgotten before others have a turn. */
const LOSE_CHUNK = 50;

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
  /** Matters and tasks that were moved, and those that were changed, since the records were last saved. */
  movedMeanwhile: readonly Move[] = [];
  editedMeanwhile: readonly Change[] = [];

  readonly #files: KnownFiles;
  #log: RecordLog | null = null;
  readonly #sweeps = new SweepScheduler(() => this.#sweep());
  readonly #deletions = new Deletions();
  readonly #watching: Watching;
  readonly #hints: Hints;
  #listener: VaultListener | null = null;
  /** The folders that links lead to, as last listed. */
  #linked: ReadonlyMap<string, string> = new Map();
  /** Aborted when the listener goes: a sweep of a large vault need not come to its end. */
  #closing = new AbortController();
  /** Whether a sweep was asked for that there was no listener for. */
  #isSweepOwed = false;
  #sweepCost: number | null = null;
  /** How records are read, worked out once under each layout: it is asked for twice a minute. */
  #key: string | null = null;

  constructor(root: string, layout: Layout, mapping: FieldMapping, words: StatusWords = NO_WORDS) {
    this.root = root;
    this.places = ownPlaces(root);
    const heard = { settings: () => this.#listener?.settings(), sources: () => this.#listener?.sources() };
    this.#files = new KnownFiles(root, layout, mapping, heard);
    const sweepSoon = () => this.#sweepSoon();
    this.#hints = new Hints({ files: this.#files, look: (files) => this.look(files), sweepSoon });
    this.#watching = new Watching(root, { touched: (file) => this.#hints.take(file), stirred: sweepSoon });
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

  /** The watcher's last complaint, or null while it works. */
  get watcherTrouble(): string | null {
    return this.#watching.trouble;
  }

  /**
   * What the pace of sweeps depends on: whether all that changes is surely reported, how many files are known, and how
   * much processor time (ms) the program took while it last swept; null before the first sweep.
   */
  get watched(): { readonly isSure: boolean; readonly files: number; readonly cost: number | null } {
    const files = this.catalogue.size + this.catalogue.notes().size + this.streams.size;
    return { isSure: this.#watching.isSure, files, cost: this.#sweepCost };
  }

  /**
   * Reads the whole vault once, taking from the cache what has not changed. `watches`: has each folder watched before it is
   * listed, for a `watch` that follows. Throws where the root cannot be read.
   */
  async open(cacheFolder: string, seal: Seal, { watches = false } = {}): Promise<void> {
    if (watches) {
      this.#hints.holdBack();
      await this.#watching.renew(this.layout);
    }
    const cache = await RecordCache.read({ folder: cacheFolder, key: this.#cacheKey(), seal });
    const walk = new VaultWalk(this.root, this.layout);
    const reading = new FirstReading(this.#files, cache, this.#watching.enter);
    await inSlices(walk.through(reading));
    const reason = walk.unreadable.get('');
    if (reason !== undefined) throw awayError(this.root, reason);
    // A vault whose folders went away while the program was down starts with what the cache knows of them, and waits.
    this.away = await inSlices(judgeStart(this.#files, walk, cache, reading.met));
    if (this.away === null) this.movedMeanwhile = await inSlices(movesSince(cache.left, this.catalogue));
    this.editedMeanwhile = await inSlices(editsSince(cache.left, this.catalogue));
    this.#log = await RecordLog.behind(cache, this.catalogue.saved);
    await this.#adopt(walk);
  }

  /** Saves what changed of the records for the next start, a part at a time; not to be called while it runs. */
  async saveCache(saving: Saving): Promise<void> {
    await this.#log?.save(this.#cacheKey(), saving);
  }

  /** Tells `listener` of every change since the first look, until `close`. */
  async watch(listener: VaultListener): Promise<void> {
    this.#listener = listener;
    this.#closing = new AbortController();
    this.#hints.letGo();
    const { isLed } = this.#watching; // then it has watched since the first look
    if (!isLed) await this.rewatch();
    if (!isLed || this.#isSweepOwed) await this.sweep();
  }

  /** Whether it is not being listed, and is not to be in a moment. */
  get isIdle(): boolean {
    return this.#sweeps.isIdle;
  }

  /** Whether other folders than the watched ones now have their names. */
  get isReplaced(): boolean {
    return this.#watching.isReplaced;
  }

  /** Restarts the watcher: the watched folder may have been replaced, or the system's limits raised. A sweep must follow. */
  async rewatch(): Promise<void> {
    await this.#watching.renew(this.layout, this.#linked);
    if (this.#listener === null) await this.#watching.close(); // closed meanwhile
  }

  /** Stops watching. Resolves once no sweep runs and the watcher is closed. */
  async close(): Promise<void> {
    this.#listener = null;
    this.#closing.abort();
    await this.#sweeps.close(); // a running sweep may set a watcher
    await this.#watching.close();
  }

  /** Takes over new names of folders, fields or states: reads everything again under them and restarts the watcher. */
  async relayout(layout: Layout, mapping: FieldMapping, words: StatusWords): Promise<void> {
    this.catalogue.words = words;
    this.#files.layout = layout;
    this.#files.mapping = mapping;
    this.#files.forgetStreams();
    this.#key = null;
    await this.#loseAll(this.catalogue.paths());
    if (this.#listener === null) return;
    await this.rewatch();
    await this.sweep();
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
    const { signal } = this.#closing;
    const before = process.cpuUsage();
    try {
      await this.#sweepUntil(signal, isSecondLook);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    const { user, system } = process.cpuUsage(before);
    this.#sweepCost = (user + system) / 1_000;
  }

  async #sweepUntil(signal: AbortSignal, isSecondLook: boolean): Promise<void> {
    this.#isSweepOwed = false;
    const walk = new VaultWalk(this.root, this.layout);
    const found = new Comparison(this.#files, this.#watching.enter);
    await inSlices(walk.through(found), signal);
    const judging = judge(this.#files, walk, found, this.#deletions, performance.now());
    const { reason, notes, believed, waitMs } = await inSlices(judging, signal);
    const cameBack = this.away !== null && reason === null;
    this.#setAway(reason);
    if (reason !== null) return;
    this.#linked = walk.linked;
    if ((cameBack || this.#watching.isBehind(walk.linked)) && this.#listener !== null) {
      // Another folder of the same name may have been watched. The next listing finds what happened before the new
      // watch.
      await this.rewatch();
      return this.#sweepUntil(signal, isSecondLook);
    }
    const changed = found.changed.values();
    for (let isMore = true; isMore; ) {
      isMore = lookForAWhile(changed, (files) => this.look(files));
      await new Promise(setImmediate);
    }
    // A file that has come back meanwhile was announced by the watcher.
    await this.#loseAll(believed, (file) => statInside(this.root, file) === null);
    for (const file of believed) this.#deletions.forget(file);
    if (!found.isSettingsMet) this.#files.dropSettings();
    await inSlices(this.#files.takeNotes(found.appeared, notes), signal);
    await this.#adopt(walk);
    if (waitMs === null) return;
    if (isSecondLook) return this.#sweepSoon();
    await wait(waitMs + 1, undefined, { signal });
    return this.#sweepUntil(signal, true);
  }

  #sweepSoon(): void {
    this.#isSweepOwed = this.#listener === null;
    if (this.#isSweepOwed) return;
    this.#sweeps.soon((error) => {
      this.#watching.trouble = reasonOf(error); // shown in `status`; the sweep of the next minute tries again
    });
  }

  /** Forgets files that are gone from the vault, without asking why, and tells the listener. */
  lose(files: Iterable<string>): void {
    const batch: ChangeBatch = { changes: [], streamed: [] };
    for (const file of files) this.#files.forget(file, batch);
    this.#tell(batch);
  }

  async #loseAll(files: Iterable<string>, isGone: (file: string) => boolean = () => true): Promise<void> {
    const lost: string[] = [];
    for (const file of files) {
      if (isGone(file)) lost.push(file);
      if (lost.length < LOSE_CHUNK) continue;
      this.lose(lost.splice(0));
      await new Promise(setImmediate);
    }
    this.lose(lost);
  }

  #tell({ changes, streamed }: ChangeBatch): void {
    if (changes.length > 0) this.#listener?.changed(changes);
    if (streamed.length > 0) this.#listener?.streamed(streamed.sort());
  }

  #setAway(reason: string | null): void {
    if (reason === this.away) return;
    this.away = reason;
    this.#listener?.presence(reason);
  }

  async #adopt(walk: VaultWalk): Promise<void> {
    this.#linked = walk.linked;
    this.#files.adopt(walk);
    this.unreadable = walk.unreadable;
    this.passedOver = walk.passedOver;
    await this.#watching.settle(this.layout);
  }

  #cacheKey(): string {
    const { layout, mapping, catalogue } = this;
    const read = () => ({ folders: layout.folders, mapping, words: catalogue.words });
    this.#key ??= JSON.stringify({
      [FORMATS.cache.key]: FORMATS.cache.version,
      packed: new Packing().format,
      ...read(),
    });
    return this.#key;
  }
}
