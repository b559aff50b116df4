import { MODES, type Mode } from '../gates/mode.ts';
import { type Case, modeTally, tallyOf, unheardIn } from './scorecard.ts';
import { shareOf } from './wilson.ts';

/** What makes a mode ready: enough decisions that are known to be right or wrong, and a lower Wilson bound at 95 %. */
interface Bar {
  readonly decided: number;
  readonly low: number;
}

type LiveMode = Exclude<Mode, 'shadow'>;

/**
 * The bar of each mode: the more freely it acts, the more must speak for it. What is counted is all that was decided,
 * though a live mode acts upon the surest part only, by senders with a licence: in shadow no sender has one yet, so that
 * what the mode would have acted upon is next to nothing. The bounds are low since they are those of the larger part.
 */
export const BARS: Readonly<Record<LiveMode, Bar>> = {
  live_high_confidence_only: { decided: 12, low: 0.6 },
  live: { decided: 20, low: 0.7 },
};

/** Of what a mode would have done by itself, at most this share may have been wrong. */
const MOST_WRONG_ACTS = 0.1;

/**
 * What keeps a mode from being ready: too few known decisions, too few right ones, too many wrong ones among those that
 * it would have acted upon, or too many that nobody said anything about.
 */
type Missing = 'cases' | 'certainty' | 'acts' | 'silence';

/** Whether a mode above the present one is ready, with the figures behind it. */
export interface Advice {
  readonly mode: LiveMode;
  readonly ready: boolean;
  readonly missing: Missing | null;
  readonly right: number;
  readonly decided: number;
  /** The lower bound at 95 %; null where nothing is decided. */
  readonly low: number | null;
  readonly bar: Bar;
  /**
   * How many more decisions, all of them right, would make it ready; null where it is ready, or where more would not
   * help.
   */
  readonly more: number | null;
  /** How many are older than a week and still undecided. */
  readonly unheard: number;
  /** Of those that the mode would have acted upon. */
  readonly acts: { readonly right: number; readonly wrong: number };
}

/** Returns the advice on each mode above the present one, the next one first. `now` in epoch ms. */
export function adviceOn(present: Mode, cases: readonly Case[], now: number): readonly Advice[] {
  const above = MODES.slice(MODES.indexOf(present) + 1);
  return above.flatMap((mode) => (mode === 'shadow' ? [] : [adviceFor(mode, cases, now)]));
}

function adviceFor(mode: LiveMode, cases: readonly Case[], now: number): Advice {
  const { right, wrong, precision } = tallyOf(cases);
  const acts = modeTally(mode, cases);
  const figures = {
    ...{ mode, right, decided: right + wrong, low: precision?.low ?? null, bar: BARS[mode] },
    unheard: unheardIn(cases, now),
    acts: { right: acts.right, wrong: acts.wrong },
  };
  const missing = missingOf(figures);
  const more = missing === 'cases' || missing === 'certainty' ? moreNeeded(figures) : null;
  return { ...figures, ready: missing === null, missing, more };
}

type Figures = Omit<Advice, 'ready' | 'missing' | 'more'>;

// Decisions that nobody said anything about may have been wrong. Where they are the majority, the others prove little.
function missingOf({ right, decided, bar, unheard, acts }: Figures): Missing | null {
  if (decided < bar.decided) return 'cases';
  if (!meets(right, decided, bar)) return 'certainty';
  if (acts.wrong > MOST_WRONG_ACTS * (acts.right + acts.wrong)) return 'acts';
  return unheard > decided ? 'silence' : null;
}

function meets(right: number, decided: number, bar: Bar): boolean {
  return decided >= bar.decided && (shareOf(right, decided)?.low ?? 0) >= bar.low;
}

function moreNeeded({ right, decided, bar }: Figures): number {
  let more = 0;
  while (!meets(right + more, decided + more, bar)) more += 1;
  return more;
}
