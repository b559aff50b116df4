import fs from 'node:fs';
import path from 'node:path';
import { isBelow } from './place.ts';
import { expandBraces, isWild, nameFits } from './wildcard.ts';

const MAX_FILES = 2_000;
/** How many directory entries are visited for one pattern. */
const MAX_VISITED = 20_000;

/** What a pattern matches, sorted. `cut`: a limit was reached, so some may be missing. `visited`: directory entries. */
interface Globbed {
  readonly files: readonly string[];
  readonly cut: boolean;
  readonly visited: number;
}

/** How deep `**` goes. */
const MAX_DEPTH = 24;
const MAX_PATTERNS = 32;

/** A folder in which the remaining segments of a pattern are still to be matched. */
interface PartialMatch {
  readonly folder: string;
  readonly segments: readonly string[];
  readonly depth: number;
}

/**
 * Returns the paths below `root` that match a pattern, after at most `room` directory entries. Hidden names never match.
 * `**` skips linked folders, and no link out of the root is followed.
 */
export function globbed(root: string, pattern: string, room: number): Globbed {
  const found = new Set<string>();
  const pending: PartialMatch[] = expandBraces(pattern, MAX_PATTERNS).map((one) => ({
    folder: '',
    segments: segmentsOf(one),
    depth: 0,
  }));
  let visited = 0;
  for (let match = pending.pop(); match !== undefined; match = pending.pop()) {
    if (found.size >= MAX_FILES || visited >= Math.min(MAX_VISITED, room))
      return { files: [...found].sort(), cut: true, visited };
    const items = itemsFor(root, match);
    visited += items.length + 1;
    for (const item of items) step(match, item, pending, found);
  }
  return { files: [...found].sort(), cut: false, visited };
}

// Two consecutive `**` mean the same as one.
function segmentsOf(pattern: string): readonly string[] {
  const segments = pattern.split('/').filter((segment) => segment !== '' && segment !== '.');
  return segments.filter((segment, index) => segment !== '**' || segments[index - 1] !== '**');
}

/** One directory entry. */
interface Item {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
}

/** Returns the entries of a folder, or only the one that a segment without wildcards names. */
function itemsFor(root: string, { folder, segments }: PartialMatch): readonly Item[] {
  const [segment = ''] = segments;
  try {
    const absolute = fs.realpathSync.native(path.resolve(root, folder));
    if (!isBelow(root, absolute)) return []; // a link that leads out
    if (isWild(segment)) return fs.readdirSync(absolute, { withFileTypes: true }).map(itemOf);
    if (segment === '..') return [];
    const stat = fs.lstatSync(path.join(absolute, segment), { throwIfNoEntry: false });
    return stat === undefined ? [] : [itemOf(Object.assign(stat, { name: segment }))];
  } catch {
    return []; // not a folder, or gone by now
  }
}

function itemOf(item: { name: string; isDirectory(): boolean; isSymbolicLink(): boolean }): Item {
  const isLink = item.isSymbolicLink();
  return { name: item.name, isFolder: item.isDirectory() || isLink, isLink };
}

function step(match: PartialMatch, item: Item, pending: PartialMatch[], found: Set<string>): void {
  const [segment = '', ...rest] = match.segments;
  const file = match.folder === '' ? item.name : `${match.folder}/${item.name}`;
  const deep = segment === '**';
  if (item.name.startsWith('.')) return;
  if (deep && item.isFolder && !item.isLink && match.depth < MAX_DEPTH)
    pending.push({ folder: file, segments: match.segments, depth: match.depth + 1 });
  const [wanted, remaining] = deep ? [rest[0] ?? '*', rest.slice(1)] : [segment, rest];
  if (!nameFits(item.name, wanted)) return;
  if (remaining.length === 0) found.add(file);
  else if (item.isFolder) pending.push({ folder: file, segments: remaining, depth: match.depth });
}
