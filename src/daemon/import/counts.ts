import type { ItemCounts } from '../../stream/items/items-read.ts';
import type { StreamRead } from '../context/remembered/stream-read.ts';

/** How many troubles of a Maildir are named. */
const MOST_TROUBLES = 5;

/** What became of the events of a file, or of a Maildir, since it was first read. */
export interface ImportCounts extends ItemCounts {
  readonly signals: number;
  /** The first that were refused. */
  readonly troubles: readonly { readonly place: string; readonly reason: string }[];
}

/** Of a Maildir of which nothing is read yet. */
export const NO_COUNTS: ImportCounts = {
  ...{ read: 0, none: 0, past: 0, known: 0, refused: 0, waiting: 0 },
  ...{ signals: 0, troubles: [] },
};

/** Returns the counts with one more event that cannot be read. */
export function withRefused(counts: ImportCounts, place: string, reason: string): ImportCounts {
  const { refused, troubles } = counts;
  return { ...counts, refused: refused + 1, troubles: [...troubles, { place, reason }].slice(0, MOST_TROUBLES) };
}

/** Returns what is known of the events of a file that was read; null of a file with one. */
export function countsIn({ items, signals }: StreamRead): ImportCounts | null {
  if (items === null) return null;
  const { read, none, past, known, refused, open, troubles } = items;
  return { read, none, past, known, refused, waiting: Object.keys(open).length, signals, troubles };
}
