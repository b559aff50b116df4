import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../errors.ts';
import { readBytes } from '../../files.ts';
import type { Seal } from '../../seal.ts';
import { type Block, blocksIn, type Marks } from './block.ts';

const { O_NOFOLLOW } = fs.constants;
const NAME = /^records-(\d{8})\.cache$/;
/** A part of the program's own is never larger. */
const MOST_PART_BYTES = 64 * 1024 * 1024;
/** Nor are all of them together. */
const MOST_BYTES = 4 * 1024 ** 3;
/** Numbers from here on are not the program's: behind the last one there would be none left. */
const FIRST_STRANGE = 90_000_000;

/** A file of the cache that blocks are added to. */
export interface CachePart {
  readonly number: number;
  /** How many lines it has. */
  lines: number;
  bytes: number;
  /** The mark that the next block follows on. */
  mark: string;
}

/** Where the parts lie, and under what they are made: the format and the settings by which notes are read. */
export interface CachePlace {
  readonly folder: string;
  readonly key: string;
  readonly seal: Seal;
}

/** Returns the numbers of the parts in a folder, oldest first, and the names of what cannot be one. */
export function partsIn(folder: string): { readonly numbers: readonly number[]; readonly strange: readonly string[] } {
  let room = MOST_BYTES;
  const [numbers, strange]: [number[], string[]] = [[], []];
  for (const name of namesIn(folder)) {
    const number = Number(NAME.exec(name)?.[1]);
    room -= fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    if (number >= FIRST_STRANGE || room < 0) strange.push(name);
    else numbers.push(number);
  }
  return { numbers: numbers.reverse(), strange };
}

/** Returns the name of a part. */
export function partName(number: number): string {
  return `records-${String(number).padStart(8, '0')}.cache`;
}

/** Returns the bytes of a part. Throws where it cannot be read. */
export function partBytes({ folder }: CachePlace, number: number): Buffer {
  return readBytes(path.join(folder, partName(number)), MOST_PART_BYTES, O_NOFOLLOW).bytes;
}

/** Yields the blocks of a part. */
export function blocksOf(place: CachePlace, number: number, bytes: Buffer): Generator<Block> {
  return blocksIn(bytes, firstMarks(place, number));
}

/** Returns what the first block of a part follows on: its own number, so that no part takes the place of another. */
export function firstMarks({ key, seal }: CachePlace, number: number): Marks {
  return { seal, before: `${number} ${key}` };
}

// The newest first: where there is too much, they count.
function namesIn(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => NAME.test(name))
      .sort()
      .reverse();
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return []; // there is none yet
  }
}
