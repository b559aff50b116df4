const MINUTE_MS = 60_000;
/** While the vault is away it is looked for often: work goes on within seconds of its return. */
const AWAY_MS = 2_000;
/** So many files are listed once a minute; more of them in proportion less often, so that it costs the same. */
const FILES_A_MINUTE = 10_000;
const LONGEST_MS = 30 * MINUTE_MS;

/**
 * Returns how often (ms) the vault is to be listed. `isSure`: all that changes in it is surely reported, so that a
 * listing only makes certain.
 */
export function sweepEvery(
  { isSure, files }: { readonly isSure: boolean; readonly files: number },
  isAway: boolean,
): number {
  if (isAway) return AWAY_MS;
  if (!isSure) return MINUTE_MS;
  return Math.min(LONGEST_MS, Math.max(MINUTE_MS, (files / FILES_A_MINUTE) * MINUTE_MS));
}
