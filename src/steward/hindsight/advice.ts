import { MODES, type Mode } from '../gates/mode.ts';
import type { ModeTally } from './scorecard.ts';
import { shareOf } from './wilson.ts';

/** From when on a mode is ready: so many decided cases, and the lower Wilson bound at 95 % at least so high. */
interface Bar {
  readonly decided: number;
  readonly low: number;
}

/** The more freely a mode acts, the more must speak for it (README, "From shadow to live"). */
export const BARS: Readonly<Record<Exclude<Mode, 'shadow'>, Bar>> = {
  live_high_confidence_only: { decided: 12, low: 0.75 },
  live: { decided: 20, low: 0.8 },
};

/** What keeps a mode from being ready: too few cases, too little certainty, or too many that nothing has decided. */
type Missing = 'cases' | 'certainty' | 'silence';

/** Whether a mode above the present one is ready, with the figures that say so. */
export interface Advice {
  readonly mode: Mode;
  readonly ready: boolean;
  readonly missing: Missing | null;
  readonly right: number;
  readonly decided: number;
  /** The lower bound at 95 %; null where nothing is decided. */
  readonly low: number | null;
  readonly bar: Bar;
  /** How many more, all of them right, would make it ready; null where it is ready, or where that is not what lacks. */
  readonly more: number | null;
  readonly unheard: number;
}

/** What to think of each mode above the present one, the next one first. */
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

// What nobody ever said anything about may well have been wrong: where that is the greater part, the rest proves little.
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
