import fs from 'node:fs';
import path from 'node:path';
import { insideVault } from '../../vault/files.ts';
import { expandBraces, isWild, nameFits } from './wildcard.ts';

const MAX_FILES = 2_000;
/** How many names are looked at for one pattern, and how deep `**` goes. */
const MAX_LOOKED = 20_000;
const MAX_DEPTH = 24;
const MAX_PATTERNS = 32;

/** What is still to be matched, and where. */
interface Place {
  readonly folder: string;
  readonly segments: readonly string[];
  readonly depth: number;
}

/**
 * The paths below `root` that a pattern names, sorted; `cut` where there are more than are looked at. Hidden names are
 * matched only where the pattern spells the dot. `**` does not enter linked folders, and no link out of the root is followed.
 */
export function globbed(root: string, pattern: string): { readonly files: readonly string[]; readonly cut: boolean } {
  const found = new Set<string>();
  const places: Place[] = expandBraces(pattern, MAX_PATTERNS).map((one) => ({
    folder: '',
    segments: segmentsOf(one),
    depth: 0,
  }));
  let looked = 0;
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (found.size >= MAX_FILES || looked >= MAX_LOOKED) return { files: [...found].sort(), cut: true };
    const names = namesFor(root, place);
    looked += names.length;
    for (const item of names) step(place, item, places, found);
  }
  return { files: [...found].sort(), cut: false };
}

// Two `**` in a row name what one does.
function segmentsOf(pattern: string): readonly string[] {
  const segments = pattern.split('/').filter((segment) => segment !== '' && segment !== '.');
  return segments.filter((segment, index) => segment !== '**' || segments[index - 1] !== '**');
}

interface Item {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
}

/** What lies in a folder, or of it the one name that a segment without wildcards spells. */
function namesFor(root: string, { folder, segments }: Place): readonly Item[] {
  const [segment = ''] = segments;
  try {
    const place = insideVault(root, folder);
    if (isWild(segment)) return fs.readdirSync(place, { withFileTypes: true }).map(itemOf);
    if (segment === '..') return [];
    const stat = fs.lstatSync(path.join(place, segment), { throwIfNoEntry: false });
    return stat === undefined ? [] : [itemOf(Object.assign(stat, { name: segment }))];
  } catch {
    return []; // no folder, gone meanwhile, or leading out of the root: it holds nothing that may be read
  }
}

function itemOf(item: { name: string; isDirectory(): boolean; isSymbolicLink(): boolean }): Item {
  const isLink = item.isSymbolicLink();
  return { name: item.name, isFolder: item.isDirectory() || isLink, isLink };
}

function step(place: Place, item: Item, places: Place[], found: Set<string>): void {
  const [segment = '', ...rest] = place.segments;
  const file = place.folder === '' ? item.name : `${place.folder}/${item.name}`;
  const deep = segment === '**';
  const hidden = item.name.startsWith('.');
  if (deep && item.isFolder && !item.isLink && !hidden && place.depth < MAX_DEPTH)
    places.push({ folder: file, segments: place.segments, depth: place.depth + 1 });
  const [wanted, behind] = deep ? [rest[0] ?? '*', rest.slice(1)] : [segment, rest];
  if (!nameFits(item.name, wanted) || (hidden && !wanted.startsWith('.'))) return;
  if (behind.length === 0) found.add(file);
  else if (item.isFolder) places.push({ folder: file, segments: behind, depth: place.depth });
}
