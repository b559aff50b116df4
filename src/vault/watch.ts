import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { folderOf } from './catalogue.ts';
import { reasonOf, systemCode } from './errors.ts';
import { type FileBytes, type FileStat, readBytes, sameStat } from './files.ts';
import { FORMATS } from './formats.ts';
import { MAX_NOTE_BYTES } from './frontmatter-parse.ts';
import { Catalogue } from './index/catalogue.ts';
import { type FieldMapping, readRecord, type VaultRecord } from './index/record.ts';
import { type Move, movesSince } from './index/renames.ts';
import { isStillRefused, unreadableRecord } from './index/unreadable-record.ts';
import { type FolderKind, type Layout, type OwnPlaces, ownPlaces, type PathKind } from './layout.ts';
import { stem } from './note-names.ts';
import { type CachedRecord, Packing, RecordCache, RecordLog, type Saving } from './record-cache.ts';
import type { Seal } from './seal.ts';
import { inSlices, readInside, SLICE_MS } from './slices.ts';
import { NO_WORDS, type StatusWords } from './status-words.ts';
import { awayError, emptied, type Held, unreachable } from './watch/away.ts';
import { Watching } from './watch/watchers/watching.ts';
import { isNoText, LinkedFolders, NO_TEXT, reasonAgainst, slim, statInside } from './watch-scan.ts';

/** Who is told what a walk meets, folder by folder. */
interface WalkVisitor {
  /** A folder is about to be listed: whoever watches it from now on misses nothing. */
  readonly enter: (folder: string) => void;
  /**
   * Reads a file that nothing is known of, before anybody asks for its stat: opening it tells that too. Returns whether it
   * is read; where it is not, the walk looks at it as at any other.
   */
  readonly take?: (file: string, kind: PathKind, folder: FolderKind | null) => boolean;
  /** A file that is read. `folder`: the record folder that it lies in. */
  readonly file: (file: string, stat: FileStat, kind: PathKind, folder: FolderKind | null) => void;
  /** Another Markdown note, of which only the name counts (links may point to it). */
  readonly note: (file: string) => void;
  /** All that lies directly in the folder has been told. Not called where a folder cannot be listed. */
  readonly leave: (folder: string) => void;
}

/** How many names are taken from the system at once: a folder may hold hundreds of thousands. */
const NAMES = 256;

/**
 * One walk through the whole vault: the truth that the watcher's hints are checked against. What is kept of it grows with
 * what is out of the ordinary alone; files and notes are told to the visitor. Of symlinked folders only those are entered
 * that stand for a record folder, or lie in one, and lead to a place in the vault.
 */
export class VaultWalk {
  readonly conflictCopies = new Set<string>();
  /** Folders that exist but could not be listed, with the system's reason. */
  readonly unreadable = new Map<string, string>();
  /** What is found where a record might be and is not a file that can be read, with the reason in words. */
  readonly passedOver = new Map<string, string>();
  readonly #root: string;
  readonly #layout: Layout;
  readonly #links: LinkedFolders;

  constructor(root: string, layout: Layout) {
    this.#root = root;
    this.#layout = layout;
    this.#links = new LinkedFolders(root, layout);
  }

  /** The folders that links in record folders lead to, by the path of the link. */
  get linked(): ReadonlyMap<string, string> {
    return this.#links.entered;
  }

  /** Walks, and pauses after each item. */
  *through(visitor: WalkVisitor): Generator<void> {
    const folders = [''];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      yield;
      visitor.enter(folder);
      if (yield* this.#list(folder, folders, visitor)) visitor.leave(folder);
    }
  }

  // Returns whether the folder could be listed to its end.
  *#list(folder: string, folders: string[], visitor: WalkVisitor): Generator<void, boolean> {
    const kind = this.#layout.folderKindOf(`${folder}/`);
    let isWhole = true;
    const refused = (error: unknown) => {
      isWhole = false;
      if (isNoText(folder)) this.unreadable.set(folder, NO_TEXT);
      else if (systemCode(error) !== 'ENOENT' || folder === '')
        this.unreadable.set(folder, systemCode(error) ?? 'unreadable');
    };
    for (const item of namesIn(this.#root, folder, refused)) {
      if (!item.name.startsWith('.')) this.#meet(item, folder, kind, folders, visitor);
      yield;
    }
    return isWhole;
  }

  #meet(item: fs.Dirent, folder: string, kind: FolderKind | null, folders: string[], visitor: WalkVisitor): void {
    const file = folder === '' ? item.name : `${folder}/${item.name}`;
    const linked = item.isSymbolicLink() ? this.#links.enter(file) : null;
    if (item.isDirectory() || linked === true) folders.push(file);
    else if (linked !== null) this.passedOver.set(file, linked);
    else this.#meetFile(item, file, kind, visitor);
  }

  #meetFile(item: fs.Dirent, file: string, folder: FolderKind | null, visitor: WalkVisitor): void {
    const kind = this.#layout.kindIn(folder, file, item.name);
    if (kind === 'note') visitor.note(file);
    else if (kind === 'conflict-copy') this.conflictCopies.add(file);
    else if (kind !== 'ignored') {
      if (item.isFile() && visitor.take?.(file, kind, folder) === true) return;
      const stat = statInside(this.#root, file);
      if (stat !== null) visitor.file(file, stat, kind, folder);
      else this.#passOver(file);
    }
  }

  #passOver(file: string): void {
    const reason = reasonAgainst(this.#root, file);
    if (reason !== null) this.passedOver.set(file, reason);
  }
}

/** The items of a folder, as the system gives them; `refused` hears why it gives no more. */
function* namesIn(root: string, folder: string, refused: (error: unknown) => void): Generator<fs.Dirent> {
  const open = orRefused(
    () => fs.opendirSync(folder === '' ? root : `${root}/${folder}`, { bufferSize: NAMES }),
    refused,
  );
  if (open === null) return;
  const next = () => orRefused(() => open.readSync(), refused);
  try {
    for (let item = next(); item !== null; item = next()) yield item;
  } finally {
    open.closeSync();
  }
}

function orRefused<Result>(ask: () => Result, refused: (error: unknown) => void): Result | null {
  try {
    return ask();
  } catch (error) {
    refused(error);
    return null;
  }
}

/** What one folder holds: files that are read, and other notes. */
interface FolderContents {
  readonly files: ReadonlySet<string>;
  readonly notes: ReadonlySet<string>;
}

/** Lists one folder by itself. Returns null where it cannot be listed, and nothing is known of what it holds. */
function* contentsOf(root: string, layout: Layout, folder: string): Generator<void, FolderContents | null> {
  const [files, notes] = [new Set<string>(), new Set<string>()];
  const kind = layout.folderKindOf(`${folder}/`);
  let isKnown = true;
  const refused = (error: unknown) => {
    isKnown = systemCode(error) === 'ENOENT';
  };
  for (const item of namesIn(root, folder, refused)) {
    yield;
    if (item.name.startsWith('.') || item.isDirectory()) continue;
    const file = folder === '' ? item.name : `${folder}/${item.name}`;
    const found = layout.kindIn(kind, file, item.name);
    if (found === 'note') notes.add(file);
    else if (layout.isRead(found) && statInside(root, file) !== null) files.add(file);
  }
  return isKnown ? { files, notes } : null;
}

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

/**
 * A loss is believed once its folder has lost and regained nothing for this long (ms): a rename is complete by then.
 */
const QUIET_MS = 400;
/** When most of a folder goes missing, that is more often a sync tool than a decision, so it gets more time (ms). */
const MASS_QUIET_MS = 10_000;
const MASS = 3;

/** What may be believed of the notes that are missing. */
interface DeletionVerdict {
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

/**
 * Returns the changes of matters and tasks since the records were last saved; none where none were saved. `left`: those of
 * them that were not taken over.
 */
function* editsSince(left: ReadonlyMap<string, CachedRecord>, catalogue: Catalogue): Generator<void, Change[]> {
  const edits: Change[] = [];
  for (const cached of left.values()) {
    yield;
    if (cached.kind !== 'matter' && cached.kind !== 'task') continue;
    const stat = catalogue.statOf(cached.path);
    if (stat === undefined || cached.isOf(stat)) continue;
    edits.push({ path: cached.path, before: cached.record(), after: catalogue.get(cached.path) ?? null });
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
  #isHeldBack = false;

  constructor(parts: HintsParts) {
    this.#parts = parts;
  }

  take(file: string): void {
    this.#touched.add(file);
    this.#drainSoon();
  }

  /** Keeps what comes in until `letGo`. */
  holdBack(): void {
    this.#isHeldBack = true;
  }

  letGo(): void {
    this.#isHeldBack = false;
    this.#drainSoon();
  }

  #drainSoon(): void {
    if (this.#isDraining || this.#isHeldBack || this.#touched.size === 0) return;
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

/** What a sweep makes of what is missing. */
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
 * Returns why a vault is away at the start, or null: its folders went away while the program was down. What the cache
 * knows of it is then put beside what was read.
 */
function* judgeStart(
  { root, layout, catalogue }: KnownFiles,
  walk: VaultWalk,
  cache: RecordCache,
  met: ReadonlyMap<FolderKind, number>,
): Generator<void, string | null> {
  if (cache.isEmpty) return null;
  const lost = unreachable(root, walk);
  // How many a folder held counts only where nothing of it was met, and so nothing of it was taken over.
  const before = new Map<FolderKind, number>();
  const missing: string[] = [];
  let folder: string | null = null;
  let kind: FolderKind | null = null;
  for (const file of cache.left.keys()) {
    yield;
    if (folderOf(file) !== folder) [folder, kind] = [folderOf(file), layout.folderKindOf(file)];
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

/** Returns the bytes of the note that a vault-relative path leads to, through links that stay in the vault. */
function resolvedBytes(root: string, file: string): FileBytes {
  return readInside(root, file, MAX_NOTE_BYTES);
}

/**
 * The same for a path that a listing has just found by walking real folders: only its last part can be a link, and
 * `open` itself detects that. Resolving every path took as long as reading the notes.
 */
function plainBytes(root: string, file: string): FileBytes {
  try {
    return readBytes(`${root}/${file}`, MAX_NOTE_BYTES, fs.constants.O_NOFOLLOW);
  } catch (error) {
    if (systemCode(error) !== 'ELOOP') throw error;
    return resolvedBytes(root, file);
  }
}

/** One thing that changed in the vault, as the catalogue saw it before and sees it now. */
export interface Change {
  readonly path: string;
  readonly before: VaultRecord | null;
  readonly after: VaultRecord | null;
}

/** What changed in some files. */
interface ChangeBatch {
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

/** How long (ms) a sweep that was asked for soon waits for others to ask for it too. */
const DELAY_MS = 50;

/**
 * Runs sweeps one at a time. Whatever happened since a running one began may have escaped it, so one more follows for
 * all who ask meanwhile.
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

  /** Runs a sweep, or one more after the running one. Rejects where that sweep fails. */
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

  /** Runs a sweep in a moment; `failed` is told where it fails. Does nothing where one is scheduled already. */
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

/** What the vault tells its listener. Called once a batch, in the order things were found. */
interface VaultListener {
  readonly changed: (changes: readonly Change[]) => void;
  /** Files under `stream/` that are new or changed. */
  readonly streamed: (files: readonly string[]) => void;
  readonly settings: () => void;
  /** A source note has changed, come or gone. */
  readonly sources: () => void;
  readonly presence: (away: string | null) => void;
}
