import { Chance } from '../traffic/chance.ts';
import { inventVault } from '../traffic/invent.ts';
import { Past } from '../traffic/past.ts';
import { Recall } from './recall.ts';
import { Tally } from './tally.ts';
import { VaultDay, type VisitPace } from './vault-day.ts';

const DAY_MS = 24 * 3_600_000;
/** A row of chance of its own, so that spreading wakes changes nothing else. */
const SPREAD_SEED = 0x5eed;

/** Which vaults of the time zone of this process are stepped through which day. */
export interface ZoneOrder {
  readonly seed: number;
  /** The number of the first vault, and how many there are. */
  readonly first: number;
  readonly count: number;
  /** When the day begins that is counted (epoch ms), and for how long (ms) things go on before it. */
  readonly day: number;
  readonly warmUp: number;
  readonly pace: VisitPace;
}

/** Steps vaults through a day, one after the other, and counts when they wake. Time is that of the order. */
export function simulateZone({ seed, first, count, day, warmUp, pace }: ZoneOrder): Tally {
  const span = { from: day - warmUp, to: day + DAY_MS };
  const [tally, past, recall] = [new Tally(day), new Past(span.from), new Recall()];
  for (let id = first; id < first + count; id += 1) {
    const vault = inventVault(seed, id, span, past);
    tally.vault(vault.liveliness, vault.matters);
    new VaultDay(vault, { span, pace, tally, recall }).run(new Chance(SPREAD_SEED, id).figure());
  }
  return tally;
}
