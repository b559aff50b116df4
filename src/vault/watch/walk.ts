import fs from 'node:fs';
import { systemCode } from '../errors.ts';
import type { FileStat } from '../files.ts';
import type { FolderKind, Layout, PathKind } from '../layout.ts';
import { LinkedFolders } from './linked-folders.ts';
import { isNoText, NO_TEXT, reasonAgainst, statInside } from './scan.ts';

/** Who is told what a walk meets, folder by folder. */
export interface WalkVisitor {
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
export interface FolderContents {
  readonly files: ReadonlySet<string>;
  readonly notes: ReadonlySet<string>;
}

/** Lists one folder by itself. Returns null where it cannot be listed, and nothing is known of what it holds. */
export function* contentsOf(root: string, layout: Layout, folder: string): Generator<void, FolderContents | null> {
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
