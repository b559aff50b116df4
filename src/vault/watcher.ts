import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { errorReason, StewardError, systemCode } from './errors.ts';
import { type FileStat, insideVault, statInside } from './files.ts';
import {
  FOLDER_KINDS,
  type FolderKind,
  fold,
  type Layout,
  OWN_FOLDER,
  ownPlaces,
  type PathKind,
  placeholderTarget,
  SETTINGS_FILE,
} from './layout.ts';
import { inSlices, SLICE_MS } from './time.ts';

// Lists the files of a vault, and hears from the system which of them change.

/** Who is told what a walk meets, folder by folder. */
export interface WalkVisitor {
  /** A folder is about to be listed: to watch it from now on misses no change. */
  readonly enter: (folder: string) => void;
  /**
   * Reads an unknown file before its stat is taken: opening it gives that too. Returns whether it is read; if it is
   * not, the walk looks at it as at any other.
   */
  readonly take?: (file: string, kind: PathKind, folder: FolderKind | null) => boolean;
  /** A file that is read. `folder`: the record folder that it lies in. */
  readonly file: (file: string, stat: FileStat, kind: PathKind, folder: FolderKind | null) => void;
  /** Another Markdown note, of which only the name counts (links may point to it). */
  readonly note: (file: string) => void;
  /** The visitor has got all that is directly in the folder. Not called if a folder cannot be listed. */
  readonly leave: (folder: string) => void;
}

/** How many names are taken from the system at once: a folder may hold hundreds of thousands. */
const NAMES = 256;

/**
 * One walk through the whole vault: the truth that the watcher's hints are checked against. It keeps only what is out
 * of the ordinary; files and notes go to the visitor. It enters a symlinked folder only if that is a record folder, or
 * is in one, and leads to a place in the vault.
 */
export class VaultWalk {
  readonly conflictCopies = new Set<string>();
  /** Files of record folders that a sync tool keeps elsewhere: only a placeholder is here. */
  readonly placeholders = new Set<string>();
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
      const absent = kind === null ? null : placeholderTarget(item.name);
      if (absent !== null) this.placeholders.add(folder === '' ? absent : `${folder}/${absent}`);
      else if (!item.name.startsWith('.')) this.#meet(item, folder, kind, folders, visitor);
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
export interface FolderContents {
  readonly files: ReadonlySet<string>;
  readonly notes: ReadonlySet<string>;
}

/** Lists one folder by itself. Returns null if it cannot be listed, so that its contents are unknown. */
export function* listContents(root: string, layout: Layout, folder: string): Generator<void, FolderContents | null> {
  const [files, notes] = [new Set<string>(), new Set<string>()];
  const kind = layout.folderKindOf(`${folder}/`);
  let isKnown = true;
  const refused = (error: unknown) => {
    isKnown = systemCode(error) === 'ENOENT';
  };
  for (const item of namesIn(root, folder, refused)) {
    yield;
    const absent = kind === null ? null : placeholderTarget(item.name);
    if (absent !== null) files.add(folder === '' ? absent : `${folder}/${absent}`);
    if (item.name.startsWith('.') || item.isDirectory()) continue;
    const file = folder === '' ? item.name : `${folder}/${item.name}`;
    const found = layout.kindIn(kind, file, item.name);
    if (found === 'note') notes.add(file);
    else if (layout.isRead(found) && statInside(root, file) !== null) files.add(file);
  }
  return isKnown ? { files, notes } : null;
}

/**
 * The links to folders that one listing meets. A link in the place of a record folder, or in one, is entered where it
 * leads to a folder of the vault that is not listed already; its notes are known by the path that goes through the link.
 */
class LinkedFolders {
  /** The folders that links lead to, by the vault-relative path of the link. */
  readonly entered = new Map<string, string>();
  readonly #root: string;
  readonly #layout: Layout;

  constructor(root: string, layout: Layout) {
    this.#root = root;
    this.#layout = layout;
  }

  /** Whether a link at this path is in the place of a record folder, or leads to one. */
  static isPlace(layout: Layout, file: string): boolean {
    const folded = fold(file);
    return FOLDER_KINDS.map((kind) => fold(layout.folders[kind])).some(
      (folder) => folder === folded || folder.startsWith(`${folded}/`),
    );
  }

  /**
   * Returns whether a link is to be listed as a folder; or why not, in words, if it is a folder's place and can't be
   * listed. Null: it is a link to a file, or in a place without records.
   */
  enter(file: string): true | string | null {
    const isPlace = LinkedFolders.isPlace(this.#layout, file);
    if (!isPlace && this.#layout.folderKindOf(file) === null) return null;
    try {
      const real = insideVault(this.#root, file);
      if (!fs.statSync(real).isDirectory()) return isPlace ? "it is a link to something that isn't a folder" : null;
      const reason = this.#reasonAgainst(real);
      if (reason !== null) return reason;
      this.entered.set(file, real);
      return true;
    } catch (error) {
      if (error instanceof StewardError) return this.#outside(file, isPlace);
      if (!isPlace) return null; // reported like any other unreadable file
      return systemCode(error) === 'ELOOP' ? 'it is a circular link' : 'it is a link that leads nowhere';
    }
  }

  // A link to a file out of the vault is told of by the name it has; any folder is worth a word.
  #outside(file: string, isPlace: boolean): string | null {
    const isFolder = fs.statSync(path.join(this.#root, file), { throwIfNoEntry: false })?.isDirectory() === true;
    return isPlace || isFolder ? 'it is a link that leads out of the vault' : null;
  }

  #reasonAgainst(real: string): string | null {
    const folder = path.relative(this.#root, real).split(path.sep).join('/');
    if (folder === '' || isIn(folder, OWN_FOLDER)) return "it is a link to a folder that isn't for notes";
    const records = FOLDER_KINDS.map((kind) => fold(this.#layout.folders[kind]));
    const isListed = records.some((record) => isIn(fold(folder), record) || isIn(record, fold(folder)));
    const isEntered = [...this.entered.values()].some((other) => isIn(real, other) || isIn(other, real));
    return isListed || isEntered ? 'it is a link to a folder that is read already, or a circular link' : null;
  }
}

function isIn(folder: string, other: string): boolean {
  return folder === other || folder.startsWith(`${other}/`);
}

/** Why nothing under such a name is read. */
const NO_TEXT = 'its name is not valid UTF-8';

/** Node decodes the bytes of a name that are not UTF-8 as U+FFFD, and no file can be opened under that name. */
function isNoText(file: string): boolean {
  return file.includes('\uFFFD');
}

/** Returns why a path is not read, or null if it is gone by now. */
function reasonAgainst(root: string, file: string): string | null {
  try {
    const stat = fs.lstatSync(`${root}/${file}`, { throwIfNoEntry: false });
    if (stat === undefined) return isNoText(file) ? NO_TEXT : null;
    if (stat.isFile()) return null; // it has just become one: the next listing finds it
    if (!stat.isSymbolicLink()) return 'it is a pipe, a socket or a device';
    insideVault(root, file);
    return "it is a link to something that isn't a file";
  } catch (error) {
    if (error instanceof StewardError) return 'it is a link that leads out of the vault';
    return systemCode(error) === 'ELOOP' ? 'it is a circular link' : 'it is a link that leads nowhere';
  }
}

interface Identity {
  readonly dev: number;
  readonly ino: number;
  readonly mode: number;
}

/** The folders as they were when last watched, each with its absolute path. */
type FolderIdentity = readonly (Identity & { readonly absolute: string })[];

/** Returns the identity of the vault's folder, and of those record folders and folders of our own that exist. */
function folderIdentity(root: string, layout: Layout): FolderIdentity {
  const { lock: _, ...own } = ownPlaces(root);
  const folders = [root, ...FOLDER_KINDS.map((kind) => path.join(root, layout.folders[kind])), ...Object.values(own)];
  return [...new Set(folders)].flatMap((absolute) => {
    const found = identityOf(absolute);
    return found === null ? [] : [{ absolute, dev: found.dev, ino: found.ino, mode: found.mode }];
  });
}

/**
 * Whether any of these folders is gone, or is another one under the same name, such as a disk mounted over it or a
 * copy. A watcher follows the folder, not its name, and does not report that. Asked once a second.
 */
function isReplaced(watched: FolderIdentity): boolean {
  for (const { absolute, dev, ino, mode } of watched) {
    const now = identityOf(absolute);
    if (now === null || now.ino !== ino || now.dev !== dev || now.mode !== mode) return true;
  }
  return false;
}

/** Where there is no such folder. */
const GONE = 'gone';

/** Returns what tells a folder from another one under its name, as a text: device, inode and permissions. */
function identity(root: string, folder: string): string {
  const found = identityOf(path.join(root, folder));
  return found === null ? GONE : `${found.dev}:${found.ino}:${found.mode}`;
}

function identityOf(absolute: string): Identity | null {
  try {
    return fs.statSync(absolute, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** What a watcher reports. These are only hints: a listing is the truth. */
interface WatchHandlers {
  /** What the system reports of this path: its name came or went, or (`isWrite`) its contents changed. */
  readonly told: (file: string, isWrite: boolean) => void;
  /** Something happened to this vault-relative path. */
  readonly touched: (file: string) => void;
  /** A folder came or went, or was changed by another machine: look at everything. */
  readonly stirred: () => void;
  /** The watcher is in trouble: look at everything, and say so. */
  readonly failed: (reason: string) => void;
}

/** Who watches the record folders and the settings note of a vault. */
export interface Watcher {
  /** Whether it watches the folders that listings enter, and those alone. Otherwise it finds its folders by itself. */
  readonly isLed: boolean;
  /** A folder is about to be listed: what happens in it from now on is reported. */
  enter(folder: string): void;
  /** A listing has met all folders there are: the others are let go of. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export interface WatchedFolder {
  readonly root: string;
  readonly layout: Layout;
  /** The folders that links in the places of folders lead to, by the path of the link. */
  readonly linked: ReadonlyMap<string, string>;
  readonly handlers: WatchHandlers;
}

/** Whether a path is a record folder, is inside one, leads to one, or is the settings note. */
function isWatched(layout: Layout, file: string): boolean {
  if (file === '') return true;
  if (file.startsWith('.') || file.includes('/.')) return false;
  const folded = fold(file);
  if (folded === SETTINGS_FILE) return true;
  return FOLDER_KINDS.some((kind) => {
    const folder = fold(layout.folders[kind]);
    return folded === folder || folded.startsWith(`${folder}/`) || folder.startsWith(`${folded}/`);
  });
}

/** What the listing of the folder says anyway: that it is gone, or may not be looked into. */
const TOLD_BY_LISTING = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);
/** An editor that saves by another file leaves a name empty for a moment: that is no reason to list the vault. */
const GAP_MS = 100;
/**
 * From this many reports at once on, a listing replaces them: the system keeps 16 384 at most, and drops the rest in
 * silence.
 */
const MANY = 8_192;

interface Watch {
  readonly watcher: fs.FSWatcher;
  readonly id: string;
}

/**
 * One watch of the system (inotify) for each record folder, none for the notes in it: a report names the folder and the
 * name in it. It lists nothing by itself: a listing has each folder watched before it is read, so nothing is missed.
 */
export class FolderWatcher implements Watcher {
  readonly isLed = true;
  readonly #watched: WatchedFolder;
  readonly #watches = new Map<string, Watch>();
  readonly #entered = new Set<string>();
  /** Paths that something happened to, not looked at yet. */
  readonly #heard = new Set<string>();
  readonly #missing = new Set<string>();
  #reports = 0;
  /** Whether no more folders are taken on: it is closed, or the system refuses. */
  #isOver = false;

  constructor(watched: WatchedFolder) {
    this.#watched = watched;
  }

  get folders(): IterableIterator<string> {
    return this.#watches.keys();
  }

  enter(folder: string): void {
    if (!isWatched(this.#watched.layout, folder)) return;
    this.#entered.add(folder);
    const known = this.#watches.get(folder);
    if (known !== undefined && known.id === identity(this.#watched.root, folder)) return;
    this.#letGo(folder);
    if (!this.#isOver) this.#watch(folder);
  }

  async settle(): Promise<void> {
    await this.#close((folder) => !this.#entered.has(folder));
    this.#entered.clear();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#close(() => true);
  }

  #watch(folder: string): void {
    const absolute = this.#absolute(folder);
    try {
      const watcher = fs.watch(absolute, { persistent: false }, (event, name) => this.#hear(folder, name, event));
      watcher.on('error', (error) => this.#fail(error));
      this.#watches.set(folder, { watcher, id: identity(this.#watched.root, folder) });
    } catch (error) {
      if (!TOLD_BY_LISTING.has(systemCode(error) ?? '')) this.#fail(error);
    }
  }

  // No more is asked of a system that refuses (its limit of watches is reached): it would refuse each folder.
  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#watched.handlers.failed(errorReason(error));
  }

  // Only marked here, since thousands of reports may come at once.
  #hear(folder: string, name: string | null, event: fs.WatchEventType): void {
    if (this.#heard.size === 0) setImmediate(() => this.#lookAtHeard());
    // A change of the folder itself is reported under its own name.
    if (name === null || name === path.posix.basename(this.#absolute(folder))) this.#heard.add(folder);
    if (name !== null) {
      const file = folder === '' ? name : `${folder}/${name}`;
      this.#watched.handlers.told(file, event === 'change');
      this.#heard.add(file);
    }
    this.#reports += 1;
    if (this.#reports === MANY) this.#watched.handlers.stirred();
  }

  #lookAtHeard(): void {
    this.#reports = 0;
    const since = performance.now();
    for (const file of this.#heard) {
      this.#heard.delete(file);
      if (isWatched(this.#watched.layout, file)) this.#lookAt(file);
      if (performance.now() - since > SLICE_MS) break;
    }
    if (this.#heard.size > 0) setImmediate(() => this.#lookAtHeard());
  }

  #lookAt(file: string): void {
    const { root, handlers } = this.#watched;
    try {
      const stat = fs.lstatSync(this.#absolute(file), { throwIfNoEntry: false });
      const isFolder = stat?.isSymbolicLink()
        ? fs.statSync(this.#absolute(file), { throwIfNoEntry: false })?.isDirectory() === true
        : stat?.isDirectory() === true;
      const watch = this.#watches.get(file);
      if (!isFolder && watch === undefined) {
        if (stat === undefined) this.#lookAgain(file);
        else handlers.touched(file);
      } else if (!isFolder || watch?.id !== identity(root, file)) handlers.stirred();
    } catch {
      handlers.stirred(); // the folder may no longer be looked into
    }
  }

  #lookAgain(file: string): void {
    if (this.#missing.has(file)) return;
    this.#missing.add(file);
    setTimeout(() => {
      this.#missing.delete(file);
      if (!this.#isOver) this.#watched.handlers.touched(file);
    }, GAP_MS).unref();
  }

  async #close(isToGo: (folder: string) => boolean): Promise<void> {
    await inSlices(this.#closing(isToGo));
  }

  *#closing(isToGo: (folder: string) => boolean): Generator<void> {
    for (const folder of [...this.#watches.keys()].filter(isToGo)) {
      this.#letGo(folder);
      yield;
    }
  }

  #letGo(folder: string): void {
    this.#watches.get(folder)?.watcher.close();
    this.#watches.delete(folder);
  }

  #absolute(file: string): string {
    return file === '' ? this.#watched.root : `${this.#watched.root}/${file}`;
  }
}

/** How long (ms) all folders are left alone after each look at them. */
const PAUSE_MS = 3_000;

/**
 * Folders on a disk that other machines write to: the system tells only what happens on this one. So each folder is asked
 * again and again when its contents last came or went; what changes inside a note is found by the sweeps.
 */
export class PolledFolders implements Watcher {
  readonly isLed = true;
  readonly #watched: WatchedFolder;
  readonly #inner: FolderWatcher;
  readonly #seen = new Map<string, number | null>();
  readonly #timer: NodeJS.Timeout;
  #isOver = false;

  /** `inner` tells what happens on this machine. */
  constructor(watched: WatchedFolder, inner: FolderWatcher, pauseMs = PAUSE_MS) {
    this.#watched = watched;
    this.#inner = inner;
    this.#timer = setTimeout(() => void this.#look(), pauseMs).unref();
  }

  enter(folder: string): void {
    this.#inner.enter(folder);
  }

  settle(): Promise<void> {
    return this.#inner.settle();
  }

  close(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    return this.#inner.close();
  }

  async #look(): Promise<void> {
    const folders = [...this.#inner.folders];
    for (const folder of folders) {
      if (this.#isOver) return;
      const now = await changedAt(path.join(this.#watched.root, folder));
      const before = this.#seen.get(folder);
      this.#seen.set(folder, now);
      if (before !== undefined && before !== now) this.#watched.handlers.stirred();
    }
    const there = new Set(folders);
    for (const folder of this.#seen.keys()) if (!there.has(folder)) this.#seen.delete(folder);
    if (!this.#isOver) this.#timer.refresh();
  }
}

// Asked for without waiting: a server may be slow to answer.
async function changedAt(folder: string): Promise<number | null> {
  try {
    return (await fs.promises.stat(folder)).mtimeMs;
  } catch {
    return null;
  }
}

/** What chokidar adds to the system's word. */
const FROM_FOLDER = z.object({ watchedPath: z.string() });

/**
 * The usual watcher. It walks the vault by itself, and keeps a name and a stat of each note; `linked` folders are watched
 * where they lie. Resolves when it is ready; a sweep by the caller then finds what happened before.
 */
export async function watchByChokidar({ root, layout, linked, handlers }: WatchedFolder): Promise<Watcher> {
  // Only the daemon watches; each command opens the vault.
  const { watch: chokidar } = await import('chokidar');
  const links = [...linked];
  const throughLink = (absolute: string): string | null => {
    const found = links.find(([, real]) => absolute === real || absolute.startsWith(`${real}/`));
    return found === undefined ? null : found[0] + absolute.slice(found[1].length);
  };
  const nameOf = (absolute: string) => throughLink(absolute) ?? relative(root, absolute);
  const watcher = chokidar([root, ...linked.values()], {
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    ignored: (absolute) => !isWatched(layout, nameOf(absolute)),
  });
  for (const event of ['add', 'change', 'unlink'] as const) {
    watcher.on(event, (absolute) => {
      const file = nameOf(absolute);
      if (LinkedFolders.isPlace(layout, file))
        handlers.stirred(); // a link in a folder's place
      else handlers.touched(file);
    });
  }
  for (const event of ['addDir', 'unlinkDir'] as const) {
    watcher.on(event, (absolute) => {
      if (absolute !== root || event === 'unlinkDir') handlers.stirred();
    });
  }
  watcher.on('raw', (event, name, details) => {
    const folder = FROM_FOLDER.safeParse(details).data?.watchedPath;
    if (folder !== undefined && name !== null) handlers.told(nameOf(path.join(folder, name)), event === 'change');
  });
  watcher.on('error', (error) => handlers.failed(errorReason(error)));
  await new Promise<void>((resolve) => {
    watcher.once('ready', resolve);
  });
  return { isLed: false, enter: () => {}, settle: async () => {}, close: () => watcher.close() };
}

function relative(root: string, absolute: string): string {
  return path.relative(root, absolute).split(path.sep).join('/');
}

/** With more files, chokidar takes too much memory: 125 MB at 10 000, 466 MB at 100 000. */
const MAX_CHOKIDAR_FILES = 5_000;

/**
 * Returns the watcher for a vault of that many files, on this system and the vault's disk. Resolves when it is ready.
 */
export async function watcherFor(
  watched: WatchedFolder,
  isRemote: boolean,
  files: number = Number.POSITIVE_INFINITY,
): Promise<Watcher> {
  if (process.platform !== 'linux') return watchByChokidar(watched);
  if (isRemote) return new PolledFolders(watched, new FolderWatcher(watched));
  return files > MAX_CHOKIDAR_FILES ? new FolderWatcher(watched) : watchByChokidar(watched);
}

/**
 * Whether the vault, or one of its record folders, is on a disk that others can write to without this system hearing of
 * it: over a network, or behind another program.
 */
export function isRemote(root: string, layout: Layout): boolean {
  return ['', ...FOLDER_KINDS.map((kind) => layout.folders[kind])].some((folder) =>
    isOnRemote(path.join(root, folder)),
  );
}

/** statfs(2): nfs, smb, cifs, smb2, fuse, 9p, afs, ceph, coda, vboxsf, vmhgfs. */
const REMOTE = new Set([
  ...[0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997],
  ...[0x5346414f, 0x00c36400, 0x73757245, 0x786f4256, 0xbacbacbc],
]);

function isOnRemote(folder: string): boolean {
  try {
    return REMOTE.has(fs.statfsSync(folder).type >>> 0);
  } catch {
    return false; // it is not there
  }
}

const NO_LINKS: ReadonlyMap<string, string> = new Map();

/** How long a file's arrival is remembered (ms). It is asked about within a few. */
const ARRIVAL_MS = 1_000;

/**
 * The files that have just been moved into their place: the system reported a new name, and no write after it. Only on
 * Linux; other systems report a written file in the same way.
 */
class Arrivals {
  readonly #at = new Map<string, number>();

  tell(file: string, isWrite: boolean): void {
    const now = performance.now();
    for (const [other, at] of this.#at) {
      if (at + ARRIVAL_MS > now) break; // the others came later
      this.#at.delete(other);
    }
    this.#at.delete(file);
    if (!isWrite) this.#at.set(file, now);
  }

  has(file: string): boolean {
    return process.platform === 'linux' && this.#at.has(file);
  }
}

/** The watching of one vault: the present watcher, what it watches, and how it is. */
export class Watching {
  /** The last complaint, or null while all is well. */
  trouble: string | null = null;
  #isRemote = false;
  readonly #root: string;
  readonly #handlers: WatchHandlers;
  #watcher: Watcher | null = null;
  #folders: FolderIdentity = [];
  #links = NO_LINKS;
  /** Whether the present watcher has complained. */
  #hasComplained = false;

  readonly #arrivals = new Arrivals();

  constructor(root: string, handlers: Omit<WatchHandlers, 'failed' | 'told'>) {
    this.#root = root;
    const failed = (reason: string) => {
      this.#hasComplained = true;
      this.trouble = reason;
      handlers.stirred();
    };
    this.#handlers = { ...handlers, failed, told: (file, isWrite) => this.#arrivals.tell(file, isWrite) };
  }

  /** Whether a file has just been moved into its place and not written to there, as the system reports it. */
  hasArrived(file: string): boolean {
    return this.#arrivals.has(file);
  }

  /** Whether all that changes is surely reported. */
  get isSure(): boolean {
    return this.#watcher !== null && !this.#isRemote && this.trouble === null;
  }

  /** Whether other folders than the watched ones now have their names. */
  get isReplaced(): boolean {
    return isReplaced(this.#folders);
  }

  /** Whether a watcher that finds its folders by itself doesn't watch what a listing has just met. */
  isBehind(linked: ReadonlyMap<string, string>): boolean {
    if (this.#watcher?.isLed === true) return false;
    return this.isReplaced || !isDeepStrictEqual(linked, this.#links);
  }

  /** Starts again: the watched folders may be others, or the system's limits raised. A listing has to follow. */
  async renew(layout: Layout, linked: ReadonlyMap<string, string>, files: number): Promise<void> {
    await this.close();
    this.#hasComplained = false;
    this.#folders = folderIdentity(this.#root, layout);
    this.#links = linked;
    this.#isRemote = isRemote(this.#root, layout);
    const watched = { root: this.#root, layout, linked, handlers: this.#handlers };
    this.#watcher = await watcherFor(watched, this.#isRemote, files);
  }

  readonly enter = (folder: string): void => this.#watcher?.enter(folder);

  /** A listing has come to its end. */
  async settle(layout: Layout): Promise<void> {
    if (this.#watcher !== null) {
      await this.#watcher.settle();
      this.#folders = folderIdentity(this.#root, layout);
    }
    if (!this.#hasComplained) this.trouble = null; // only now: a new watcher may complain after it is ready
  }

  async close(): Promise<void> {
    const watcher = this.#watcher;
    this.#watcher = null;
    await watcher?.close();
  }
}
