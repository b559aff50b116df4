const FIRST_MS = 15_000;
const LONGEST_MS = 30 * 60 * 1000;
/** A server may ask to be left alone for a day, not for a year. */
const MOST_ASKED_MS = 24 * 60 * 60 * 1000;

/**
 * Returns how long (ms) to wait after the `tries`-th failure in a row: twice as long each time, half an hour at most, and at
 * least as long as the server asks for. `chance`, from 0 to 1, spreads those that failed together over half of it.
 */
export function nextTry(tries: number, askedMs: number | null, chance: number): number {
  const pause = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(20, Math.max(0, tries - 1)));
  return Math.max(pause * (0.5 + chance / 2), Math.min(askedMs ?? 0, MOST_ASKED_MS));
}
