import fc from 'fast-check';

/*
 * A law is a property that must hold for every example. `npm test` runs few examples, always the same ones, so that a
 * commit either passes or fails; `test:night` draws many new ones. fast-check prints the seed of a failure; LAW_SEED
 * draws its examples again.
 */
const seed = Number(process.env.LAW_SEED ?? 20_261_121);
const isFresh = process.env.LAW_SEED === 'fresh';
const RUNS = Number(process.env.LAW_RUNS ?? 50);
const NIGHT = 10_000;

/** Returns how many examples a law runs. `most`: the limit by day for a law whose examples are slow; ten times that at night. */
export function lawRuns(most: number = Number.POSITIVE_INFINITY): number {
  return Math.min(RUNS, RUNS >= NIGHT ? most * 10 : most);
}

fc.configureGlobal({ ...(isFresh ? {} : { seed }), numRuns: RUNS });
