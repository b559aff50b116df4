/** How many troubles of a file are named. */
const MOST_TROUBLES = 5;

/** What became of the events of a file, or of a Maildir. */
export interface ItemCounts {
  /** Events that were looked at now; neither those that were known nor those that cannot be read. */
  readonly read: number;
  readonly signals: number;
  /** Those that say nothing for the vault. */
  readonly none: number;
  /** Those that had been read before, from this file or another. */
  readonly known: number;
  readonly refused: number;
  /** Those that wait for a model. */
  readonly waiting: number;
  /** The first that were refused. */
  readonly troubles: readonly { readonly place: string; readonly reason: string }[];
}

/** Of a file of which nothing is read yet. */
export const NO_ITEMS: ItemCounts = { read: 0, signals: 0, none: 0, known: 0, refused: 0, waiting: 0, troubles: [] };

/** Returns the counts with one more event that cannot be read. */
export function withRefused(counts: ItemCounts, place: string, reason: string): ItemCounts {
  const { refused, troubles } = counts;
  return { ...counts, refused: refused + 1, troubles: [...troubles, { place, reason }].slice(0, MOST_TROUBLES) };
}
