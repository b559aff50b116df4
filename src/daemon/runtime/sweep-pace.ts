const MINUTE_MS = 60_000;
/** While the vault is away it is looked for often: work goes on within seconds of its return. */
const AWAY_MS = 2_000;
const LONGEST_MS = 30 * MINUTE_MS;
/** The share of a processor that listing may take. */
const SHARE = 1 / 2_000;
/** What listing a file takes at most on most machines: good enough until the first listing has told. */
const FILE_MS = 0.01;

/** What is known of a vault that is to be listed. */
interface Listed {
  /** Whether all that changes in it is surely reported, so that a listing only makes certain. */
  readonly isSure: boolean;
  readonly files: number;
  /** The processor time (ms) of the last listing; null where there was none. */
  readonly cost: number | null;
}

/** Returns how often (ms) the vault is to be listed: as often as costs next to nothing, within bounds. */
export function sweepEvery({ isSure, files, cost }: Listed, isAway: boolean): number {
  if (isAway) return AWAY_MS;
  if (!isSure) return MINUTE_MS;
  return Math.min(LONGEST_MS, Math.max(MINUTE_MS, (cost ?? files * FILE_MS) / SHARE));
}
