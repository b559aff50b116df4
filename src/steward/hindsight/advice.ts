import { MODES, type Mode } from '../gates/mode.ts';
import type { ModeTally } from './scorecard.ts';
import { shareOf } from './wilson.ts';

/** What makes a mode ready: enough decided cases, and a lower Wilson bound at 95 % that is high enough. */
interface Bar {
  readonly decided: number;
  readonly low: number;
}

/** The bar of each mode: the more freely it acts, the more must speak for it (README, "From shadow to live"). */
export const BARS: Readonly<Record<Exclude<Mode, 'shadow'>, Bar>> = {
  live_high_confidence_only: { decided: 12, low: 0.75 },
  live: { decided: 20, low: 0.8 },
};

/** What keeps a mode from being ready: too few decided cases, too little certainty, or too many undecided cases. */
type Missing = 'cases' | 'certainty' | 'silence';

/** Whether a mode above the present one is ready, with the figures behind it. */
export interface Advice {
  readonly mode: Mode;
  readonly ready: boolean;
  readonly missing: Missing | null;
  readonly right: number;
  readonly decided: number;
  /** The lower bound at 95 %; null where nothing is decided. */
  readonly low: number | null;
  readonly bar: Bar;
  /**
   * How many more cases, all of them right, would make it ready; null where it is ready, or where more would not help.
   */
  readonly more: number | null;
  /** How many cases that it would have acted upon are older than a week and still undecided. */
  readonly unheard: number;
}

/** Returns the advice on each mode above the present one, the next one first. */
export function adviceOn(present: Mode, tallies: readonly ModeTally[]): readonly Advice[] {
  const above = MODES.slice(MODES.indexOf(present) + 1);
  return above.flatMap((mode) => {
    const tally = tallies.find((one) => one.mode === mode);
    return tally === undefined || mode === 'shadow' ? [] : [adviceFor(tally, BARS[mode])];
  });
}

function adviceFor(tally: ModeTally, bar: Bar): Advice {
  const { mode, right, wrong, unheard } = tally;
  const decided = right + wrong;
  const missing = missingOf(tally, bar);
  return {
    ...{ mode, ready: missing === null, missing, right, decided },
    low: tally.precision?.low ?? null,
    bar,
    more: missing === 'cases' || missing === 'certainty' ? moreNeeded(right, decided, bar) : null,
    unheard,
  };
}

// Cases that nobody said anything about may have been wrong. Where they are the majority, the others prove little.
function missingOf({ right, wrong, unheard }: ModeTally, bar: Bar): Missing | null {
  const decided = right + wrong;
  if (decided < bar.decided) return 'cases';
  if (!meets(right, decided, bar)) return 'certainty';
  return unheard > decided ? 'silence' : null;
}

function meets(right: number, decided: number, bar: Bar): boolean {
  return decided >= bar.decided && (shareOf(right, decided)?.low ?? 0) >= bar.low;
}

function moreNeeded(right: number, decided: number, bar: Bar): number {
  let more = 0;
  while (!meets(right + more, decided + more, bar)) more += 1;
  return more;
}
