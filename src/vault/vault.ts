import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type ChangeBatch,
  Comparison,
  type FileCounts,
  FirstReading,
  KnownFiles,
  RecordCache,
  type RecordChange,
  RecordLog,
  type Saving,
} from './cache.ts';
import { errorReason, StewardError } from './errors.ts';
import { type FileStat, ownPlacesRefusal, sameStat, statInside } from './files.ts';
import { type CachedRecord, type Catalogue, type Move, movesSince, parentFolder } from './index.ts';
import { type FolderKind, type Layout, OWN_FOLDER, type OwnPlaces, ownPlaces, RECORD_KINDS } from './layout.ts';
import { emptyFields, type FieldMapping, FORMATS, NO_WORDS, NUMEROUS_KINDS, type StatusWords } from './record.ts';
import type { Seal } from './seal.ts';
import { inSlices, SLICE_MS } from './time.ts';
import { VaultWalk, Watching } from './watcher.ts';

// One vault as it changes: first scan, sweeps, what is reported as changed, and whether the vault is there at all.

interface Judgement extends Omit<DeletionVerdict, 'mass'> {
  /** Why the vault is away, in one sentence, or null; then nothing is believed to be gone. */
  readonly reason: string | null;
  /** Other notes that are gone. */
  readonly notes: readonly string[];
}

/** Judges what a walk did not meet, `now` in ms of a monotonic clock. Pauses after each path. */
export function* judge(
  { root, layout }: KnownFiles,
  walk: VaultWalk,
  found: Comparison,
  deletions: Deletions,
  now: number,
): Generator<void, Judgement> {
  const lost = unreachable(root, walk);
  if (lost !== null) return { reason: lost, notes: [], believed: [], waitMs: null };
  const { files, notes, isWhole } = yield* found.missing(walk.unreadable);
  const held = found.held(layout);
  const { believed, waitMs, mass } = yield* deletions.judge(
    files,
    (file) => layout.folderKindOf(file),
    (folder) => held.before.get(folder) ?? 0,
    now,
  );
  const reason = isWhole ? null : emptied(root, layout, walk, held);
  return { reason: reason ?? mass, notes, believed, waitMs };
}

/**
 * Returns why a vault is away at the start, or null: its folders went away while the program was down. Then the records
 * that only the cache knows of it are added to those that were read.
 */
function* judgeStart(
  { root, layout, catalogue }: KnownFiles,
  walk: VaultWalk,
  cache: RecordCache,
  met: ReadonlyMap<FolderKind, number>,
): Generator<void, string | null> {
  if (cache.isEmpty) return null;
  const lost = unreachable(root, walk);
  // The former number of a folder's files counts only if the walk met no file of it.
  const before = new Map<FolderKind, number>();
  const missing: string[] = [];
  let folder: string | null = null;
  let kind: FolderKind | null = null;
  for (const file of cache.left.keys()) {
    yield;
    if (parentFolder(file) !== folder) [folder, kind] = [parentFolder(file), layout.folderKindOf(file)];
    if (kind !== null) before.set(kind, (before.get(kind) ?? 0) + 1);
    if (catalogue.statOf(file) === undefined) missing.push(file);
  }
  const reason = lost ?? (missing.length === 0 ? null : emptied(root, layout, walk, { before, now: met }));
  if (reason === null) return null;
  for (const file of missing) {
    const record = cache.left.get(file);
    if (record !== undefined) catalogue.put(record);
    yield;
  }
  return reason;
}

/**
 * A loss is believed once its folder has lost and regained nothing for this long (ms): a rename is complete by then.
 */
const QUIET_MS = 400;
/** When most of a folder goes missing, that is more often a sync tool than a decision, so it gets more time (ms). */
const MASS_QUIET_MS = 10_000;
const MASS = 3;

interface DeletionVerdict {
  /** Really gone. */
  readonly believed: readonly string[];
  /** How long (ms) until a few recent losses can be believed, or null if there are no such losses. */
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

interface Met {
  /** Files of which only a placeholder is here. */
  readonly placeholders: ReadonlySet<string>;
  readonly unreadable: ReadonlyMap<string, string>;
  readonly passedOver: ReadonlyMap<string, string>;
}

/** Returns why the vault as a whole cannot be looked at, in one sentence, or null if it can. */
function unreachable(root: string, met: Met): string | null {
  if (met.unreadable.has('')) return `the vault folder cannot be read (${met.unreadable.get('')})`;
  const refusal = ownPlacesRefusal(root);
  if (refusal !== null) return refusal.trouble.message.replace(/\.$/, '');
  if (!fs.existsSync(path.join(root, OWN_FOLDER))) return `the folder ${OWN_FOLDER} is gone, as from an unmounted disk`;
  return null;
}

/**
 * Returns why a vault in which files are missing must be considered away rather than emptied, in one sentence, or null
 * if it is there. A vault that cannot be read is not an empty vault (contract, section 4).
 */
function emptied(root: string, layout: Layout, met: Met, held: FileCounts): string | null {
  for (const kind of RECORD_KINDS) {
    const folder = layout.folders[kind];
    const count = held.before.get(kind) ?? 0;
    if (count === 0 || (held.now.get(kind) ?? 0) > 0) continue;
    if ([...met.placeholders].some((file) => layout.folderKindOf(file) === kind)) continue;
    const error = [...met.unreadable].find(([name]) => name === folder || name.startsWith(`${folder}/`));
    if (error !== undefined) return `the folder ${folder} cannot be read (${error[1]})`;
    const link = met.passedOver.get(folder);
    if (link !== undefined) return `the folder ${folder}, which had ${count} notes, cannot be read: ${link}`;
    if (!fs.existsSync(path.join(root, folder))) return `the folder ${folder}, which had ${count} notes, has vanished`;
    // One note deleted is a decision; every one of several gone at once is a sync tool or a mount at work.
    if (count > 1) return `the folder ${folder}, which had ${count} notes, is suddenly empty`;
  }
  return null;
}

/** Returns the error of a vault that cannot be read at all, `vault-away` (exit 75). */
export function awayError(root: string, reason: string): StewardError {
  return new StewardError(
    {
      code: 'vault-away',
      message: `The vault ${root} cannot be read (${errorReason(reason)}).`,
      hint: 'Mount it or correct its permissions; Steward continues when it is back.',
    },
    75,
  );
}

export type { RecordChange };

/** How many files are forgotten before others have a turn. */
const LOSE_CHUNK = 50;

/**
 * The vault on disk, kept in step with the catalogue: a first look, hints from a watcher, and a sweep that believes
 * only the listing, since watchers lose events without saying so. A vault that can't be read is not an empty vault: it is
 * `away`, and no note of it counts as deleted.
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
  editedMeanwhile: readonly RecordChange[] = [];

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
    const found = this.catalogue.bad().flatMap(({ path: file, copyOf }) => (copyOf === undefined ? [] : [file]));
    return new Set([...this.#files.conflictCopies, ...found]);
  }

  /** Files in record folders of which only a placeholder is on this device. */
  get placeholders(): ReadonlySet<string> {
    return this.#files.placeholders;
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
   * Reads the whole vault once, taking from the cache what has not changed. Throws if the root cannot be read.
   */
  async open(cacheFolder: string, seal: Seal): Promise<void> {
    const cache = await RecordCache.read({ folder: cacheFolder, key: this.#cacheKey(), seal });
    const walk = new VaultWalk(this.root, this.layout);
    const reading = new FirstReading(this.#files, cache);
    await inSlices(walk.through(reading));
    this.#files.takeAbsent(walk.placeholders, cache);
    await inSlices(this.#files.findCopies());
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
    await this.rewatch();
    await this.sweep();
  }

  /** Whether it is not being listed, and is not to be in a moment. */
  get isIdle(): boolean {
    return this.#sweeps.isIdle;
  }

  /** Whether a file has just been moved into its place and not written to there, as the system reports it. */
  hasArrived(file: string): boolean {
    return this.#watching.hasArrived(file);
  }

  /** Whether other folders than the watched ones now have their names. */
  get isReplaced(): boolean {
    return this.#watching.isReplaced;
  }

  /** Restarts the watcher: the watched folder may have been replaced, or the system's limits raised. A sweep must follow. */
  async rewatch(): Promise<void> {
    await this.#watching.renew(this.layout, this.#linked, this.watched.files);
    if (this.#listener === null) await this.#watching.close(); // closed in the meantime
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
  look(files: Iterable<string>): RecordChange[] {
    const batch: ChangeBatch = { changes: [], streamed: [] };
    for (const file of files) this.#files.look(file, batch);
    this.#tell(batch);
    return batch.changes;
  }

  /**
   * Lists the vault and reads whatever differs from what is known. Sweeps run one at a time; one more follows for all
   * who ask in the meantime. Rejects if the disk refuses.
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
    // A file that has come back in the meantime was announced by the watcher.
    await this.#loseAll(believed, (file) => statInside(this.root, file) === null);
    for (const file of believed) this.#deletions.forget(file);
    if (!found.isSettingsMet) this.#files.dropSettings();
    await inSlices(this.#files.takeNotes(found.appeared, notes), signal);
    this.#recheckCopies(found.changed);
    await this.#adopt(walk);
    if (waitMs === null) return;
    if (isSecondLook) return this.#sweepSoon();
    await wait(waitMs + 1, undefined, { signal });
    return this.#sweepUntil(signal, true);
  }

  #sweepSoon(): void {
    if (this.#listener === null) return;
    this.#sweeps.soon((error) => {
      this.#watching.trouble = errorReason(error); // shown in `status`; the sweep of the next minute tries again
    });
  }

  /** Forgets files that are gone from the vault, without asking why, and tells the listener. */
  lose(files: Iterable<string>): void {
    const batch: ChangeBatch = { changes: [], streamed: [] };
    for (const file of files) this.#files.forget(file, batch);
    this.#tell(batch);
  }

  #recheckCopies(changed: Iterable<string>): void {
    const batch: ChangeBatch = { changes: [], streamed: [] };
    this.#files.lookForCopies(changed, batch);
    this.#files.recheckCopies(batch);
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
    const read = () => ({ folders: layout.folders, matters: layout.matterNotes, mapping, words: catalogue.words });
    this.#key ??= JSON.stringify({
      [FORMATS.cache.key]: FORMATS.cache.version,
      fields: NUMEROUS_KINDS.map((kind) => Object.keys(emptyFields(kind))),
      ...read(),
    });
    return this.#key;
  }
}

/** The calls by which the vault informs its listener. Called once a batch, in the order things were found. */
interface VaultListener {
  readonly changed: (changes: readonly RecordChange[]) => void;
  /** Files under `stream/` that are new or changed. */
  readonly streamed: (files: readonly string[]) => void;
  readonly settings: () => void;
  /** A source note has changed, come or gone. */
  readonly sources: () => void;
  readonly presence: (away: string | null) => void;
}

/**
 * Returns the changes of matters and tasks since the records were last saved; no changes if no records were saved.
 * `left`: the saved records that were not taken over.
 */
function* editsSince(left: ReadonlyMap<string, CachedRecord>, catalogue: Catalogue): Generator<void, RecordChange[]> {
  const edits: RecordChange[] = [];
  for (const cached of left.values()) {
    yield;
    if (cached.kind !== 'matter' && cached.kind !== 'task') continue;
    const stat = catalogue.statOf(cached.path);
    if (stat === undefined || sameStat(cached.stat, stat)) continue;
    edits.push({ path: cached.path, before: catalogue.restore(cached), after: catalogue.get(cached.path) ?? null });
  }
  return edits;
}

const READ_CHUNK = 200;

interface HintsParts {
  readonly files: KnownFiles;
  /** Reads these paths, and tells what changed. */
  readonly look: (files: Iterable<string>) => void;
  /** Asks for a listing of the whole vault. */
  readonly sweepSoon: () => void;
}

/** Paths that something happened to, as somebody said: each is looked at once the current work yields. */
class Hints {
  readonly #parts: HintsParts;
  readonly #touched = new Set<string>();
  #isDraining = false;

  constructor(parts: HintsParts) {
    this.#parts = parts;
  }

  take(file: string): void {
    this.#touched.add(file);
    this.#drainSoon();
  }

  #drainSoon(): void {
    if (this.#isDraining || this.#touched.size === 0) return;
    this.#isDraining = true;
    setImmediate(() => this.#drain());
  }

  #drain(): void {
    this.#isDraining = false;
    const { files, look, sweepSoon } = this.#parts;
    const since = performance.now();
    const there: string[] = [];
    for (const file of this.#touched) {
      if (there.length === READ_CHUNK || performance.now() - since > SLICE_MS) break;
      this.#touched.delete(file);
      if (statInside(files.root, file) !== null) there.push(file);
      // Only a whole listing tells whether it was deleted, moved, or went away with much else.
      else if (files.has(file)) sweepSoon();
      else files.conflictCopies.delete(file);
    }
    const left = there.values();
    lookForAWhile(left, look);
    for (const file of left) this.#touched.add(file);
    this.#drainSoon();
  }
}

/** Looks at files until others should have a turn; returns whether any may be left. */
function lookForAWhile(files: Iterator<string>, look: HintsParts['look']): boolean {
  const since = performance.now();
  let count = 0;
  let isMore = true;
  const some = function* () {
    while (count < READ_CHUNK && performance.now() - since < SLICE_MS) {
      const { done, value } = files.next();
      if (done === true) {
        isMore = false;
        return;
      }
      count += 1;
      yield value;
    }
  };
  look(some());
  return isMore;
}

/** How long (ms) a sweep that was asked for soon waits for others to ask for it too. */
const DELAY_MS = 50;

/**
 * Runs sweeps one at a time. A running one may have missed later changes, so one more follows for all who ask in the
 * meantime.
 */
class SweepScheduler {
  readonly #sweep: () => Promise<void>;
  #running: Promise<void> | null = null;
  #following: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(sweep: () => Promise<void>) {
    this.#sweep = sweep;
  }

  /** Whether no sweep runs, and none is to follow in a moment. */
  get isIdle(): boolean {
    return this.#running === null && this.#following === null && this.#timer === null;
  }

  /** Runs a sweep, or one more after the running one. Rejects if that sweep fails. */
  run(): Promise<void> {
    if (this.#running !== null) {
      this.#following ??= this.#running
        .catch(() => undefined)
        .then(() => {
          this.#following = null;
          return this.run();
        });
      return this.#following;
    }
    this.#running = this.#sweep().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Runs a sweep in a moment; `failed` gets its error. Ignored if one is scheduled already. */
  soon(failed: (error: unknown) => void): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.run().catch(failed);
    }, DELAY_MS);
  }

  /** Cancels a scheduled sweep, and waits for the running one. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
  }
}
