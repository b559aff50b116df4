import fs from 'node:fs';
import path from 'node:path';
import { ownPlacesRefusal } from '../disk/own-places.ts';
import { reasonOf, StewardError, systemCode } from '../errors.ts';
import { type FileStat, insideVault, sameStat } from '../files.ts';
import { type FolderKind, type Layout, OWN_FOLDER, RECORD_KINDS } from '../layout.ts';
import { LinkedFolders } from './linked-folders.ts';

/** What the vault holds at one moment: the truth that the watcher's hints are checked against. */
export interface Listing {
  /** Files that are read, by vault-relative path. */
  readonly files: Map<string, FileStat>;
  /** Other Markdown notes, of which only the name counts (links may point to them). */
  readonly notes: Set<string>;
  readonly conflictCopies: Set<string>;
  /** Folders that exist but could not be listed, with the system's reason. */
  readonly unreadable: Map<string, string>;
  /** What is found where a record might be and is not a file that can be read, with the reason in words. */
  readonly passedOver: Map<string, string>;
  /** The folders that links in record folders lead to, by the path of the link. */
  readonly linked: ReadonlyMap<string, string>;
}

interface ListingDiff {
  /** New, or changed since. */
  readonly changed: readonly string[];
  readonly gone: readonly string[];
}

/** How many files and folders are looked at before others have a turn. */
const CHUNK = 500;

/**
 * Lists the whole vault. Of symlinked folders only those are entered that stand for a record folder, or lie in one, and
 * lead to a place in the vault. Yields to the event loop again and again.
 */
export async function list(root: string, layout: Layout): Promise<Listing> {
  const links = new LinkedFolders(root, layout);
  const listing: Listing = {
    linked: links.entered,
    files: new Map(),
    notes: new Set(),
    conflictCopies: new Set(),
    unreadable: new Map(),
    passedOver: new Map(),
  };
  const folders = [''];
  const walk = { root, layout, listing, links };
  let visited = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const _ of listFolder(walk, folder, folders)) {
      visited += 1;
      if (visited % CHUNK === 0) await new Promise(setImmediate);
    }
  }
  return listing;
}

interface Walk {
  readonly root: string;
  readonly layout: Layout;
  readonly listing: Listing;
  readonly links: LinkedFolders;
}

// Yields once for itself, and after each item.
function* listFolder({ root, layout, listing, links }: Walk, folder: string, folders: string[]): Generator<void> {
  yield;
  const absolute = path.join(root, folder);
  let items: fs.Dirent[];
  try {
    items = fs.readdirSync(absolute, { withFileTypes: true });
  } catch (error) {
    if (isNoText(folder)) listing.unreadable.set(folder, NO_TEXT);
    else if (systemCode(error) !== 'ENOENT' || folder === '')
      listing.unreadable.set(folder, systemCode(error) ?? 'unreadable');
    return;
  }
  const prefix = folder === '' ? '' : `${folder}/`;
  for (const item of items) {
    if (item.name.startsWith('.')) continue;
    const file = prefix + item.name;
    const linked = item.isSymbolicLink() ? links.enter(file) : null;
    if (item.isDirectory() || linked === true) folders.push(file);
    else if (linked !== null) listing.passedOver.set(file, linked);
    else listFile(root, layout, file, listing);
    yield;
  }
}

function listFile(root: string, layout: Layout, file: string, listing: Listing): void {
  const kind = layout.kindOf(file);
  if (kind === 'note') listing.notes.add(file);
  else if (kind === 'conflict-copy') listing.conflictCopies.add(file);
  else if (kind !== 'ignored') {
    const stat = statInside(root, file);
    if (stat !== null) listing.files.set(file, stat);
    else passOver(root, file, listing);
  }
}

const NO_TEXT = 'its name is not valid UTF-8';

/** Node decodes the bytes of a name that are not UTF-8 as U+FFFD, and no file can be opened under that name. */
function isNoText(file: string): boolean {
  return file.includes('\uFFFD');
}

function passOver(root: string, file: string, listing: Listing): void {
  const reason = reasonAgainst(root, file);
  if (reason !== null) listing.passedOver.set(file, reason);
}

/** Returns why a path is not read, or null where it is gone meanwhile. */
function reasonAgainst(root: string, file: string): string | null {
  try {
    const stat = fs.lstatSync(`${root}/${file}`, { throwIfNoEntry: false });
    if (stat === undefined) return isNoText(file) ? NO_TEXT : null;
    if (stat.isFile()) return null; // it has just become one: the next listing finds it
    if (!stat.isSymbolicLink()) return 'it is a pipe, a socket or a device';
    insideVault(root, file);
    return 'it is a link to something that is no file';
  } catch (error) {
    if (error instanceof StewardError) return 'it is a link that leads out of the vault';
    return systemCode(error) === 'ELOOP'
      ? 'it is a link that leads round in a circle'
      : 'it is a link that leads nowhere';
  }
}

/** Returns the stat of a regular file, through a symlink that stays in the vault; null for anything else. */
export function statInside(root: string, file: string): FileStat | null {
  try {
    // Not path.join: a sweep does this for every file, and joining took as long as the stat itself.
    const stat = fs.lstatSync(`${root}/${file}`, { throwIfNoEntry: false });
    if (stat?.isFile()) return slim(stat);
    if (!stat?.isSymbolicLink()) return null;
    const target = fs.statSync(insideVault(root, file));
    return target.isFile() ? slim(target) : null;
  } catch {
    return null; // gone meanwhile, or a link that leads nowhere or out of the vault
  }
}

/** Returns only the fields that are compared: `fs.Stats` has eighteen, which at ten thousand notes costs megabytes. */
export function slim(stat: FileStat): FileStat {
  return { mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, size: stat.size, ino: stat.ino };
}

/** Returns what is new, changed or gone in `now`, compared with the files as last read. */
export function diff(known: ReadonlyMap<string, FileStat>, now: Listing): ListingDiff {
  const changed: string[] = [];
  for (const [file, stat] of now.files) {
    const before = known.get(file);
    if (before === undefined || !sameStat(before, stat)) changed.push(file);
  }
  const gone = [...known.keys()].filter((file) => !now.files.has(file));
  return { changed, gone };
}

/**
 * Returns why the vault must be considered away rather than emptied, in one sentence, or null where it is there.
 * A vault that cannot be read is not an empty vault (contract, section 4).
 */
export function awayReason(root: string, layout: Layout, known: readonly string[], now: Listing): string | null {
  if (now.unreadable.has('')) return `the vault folder cannot be read (${now.unreadable.get('')})`;
  const refusal = ownPlacesRefusal(root);
  if (refusal !== null) return refusal.trouble.message.replace(/\.$/, '');
  if (!fs.existsSync(path.join(root, OWN_FOLDER))) return `the folder ${OWN_FOLDER} is gone, as from an unmounted disk`;
  if (known.every((file) => now.files.has(file))) return null;
  const before = countByFolder(layout, known);
  const after = countByFolder(layout, now.files.keys());
  for (const kind of RECORD_KINDS) {
    const folder = layout.folders[kind];
    const count = before.get(kind) ?? 0;
    if (count === 0 || (after.get(kind) ?? 0) > 0) continue;
    const error = [...now.unreadable].find(([name]) => name === folder || name.startsWith(`${folder}/`));
    if (error !== undefined) return `the folder ${folder} cannot be read (${error[1]})`;
    const link = now.passedOver.get(folder);
    if (link !== undefined) return `the folder ${folder}, which held ${count} notes, cannot be read: ${link}`;
    if (!fs.existsSync(path.join(root, folder))) return `the folder ${folder}, which held ${count} notes, has vanished`;
    // One note deleted is a decision; every one of several gone at once is a sync tool or a mount at work.
    if (count > 1) return `the folder ${folder}, which held ${count} notes, is suddenly empty`;
  }
  return null;
}

/** Returns the error of a vault that cannot be read at all, `vault-away` (exit 75). */
export function awayError(root: string, reason: string): StewardError {
  return new StewardError(
    {
      code: 'vault-away',
      message: `The vault ${root} cannot be read (${reasonOf(reason)}).`,
      hint: 'Mount it or mend its permissions; work goes on when it is back.',
    },
    75,
  );
}

/** Returns how many of these files lie in each record folder. */
export function countByFolder(layout: Layout, files: Iterable<string>): Map<FolderKind, number> {
  const counts = new Map<FolderKind, number>();
  for (const file of files) {
    const kind = layout.folderKindOf(file);
    if (kind !== null) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
