import { channelOf, isUnverified, patternOf, sourceKey } from '../../vault/source-names.ts';
import { round4 } from '../gates/rounding.ts';
import {
  afterContradiction,
  afterDismissal,
  afterPatterns,
  afterReversal,
  afterRight,
  type Instinct,
} from './instinct.ts';
import { type Classroom, NOTHING_TAUGHT, type Taught, teach } from './lessons.ts';
import { distinct } from './sources.ts';

/**
 * What a person let be known of a proposal or an action, which is the only thing that teaches (contract, section 7):
 *
 * - `right`: confirmed, made by the person's own hand as proposed, or live and kept for its week;
 * - `dismissed`: dismissed, or a proposed field set by hand to something else;
 * - `contradicted`: a field that was written was set by hand to something else within its week;
 * - `reversed`: taken back.
 */
export type Outcome = 'right' | 'dismissed' | 'contradicted' | 'reversed';

/** An outcome, when it was (epoch ms), and what the history of an instinct says of it: one line that links it. */
interface Occasion {
  readonly outcome: Outcome;
  readonly at: number;
  readonly what: string;
}

/** Source → its share of the conclusion, 0–1. */
type Contributions = Readonly<Record<string, number>>;

/**
 * Returns what an outcome teaches: each source that contributed moves by its own figures, and a channel by a fifth of
 * what its patterns move together. `before` takes back first what the same event had taught.
 */
export function teachOutcome(
  space: Classroom,
  contributions: Contributions,
  occasion: Occasion,
  before: (instinct: Instinct) => Instinct = (instinct) => instinct,
): Taught {
  const shares = relativeShares(contributions);
  const sources = distinct(Object.keys(contributions)).filter((source) => (shares.get(sourceKey(source)) ?? 0) > 0);
  const own = (instinct: Instinct) => moved(before(instinct), occasion, shares.get(sourceKey(instinct.source)) ?? 0);
  const lesson = { at: occasion.at, what: occasion.what };
  const patterns = teach(
    space,
    sources.filter((source) => patternOf(source) !== null),
    { ...lesson, move: own },
  );
  const shifts = shiftsOf(patterns);
  const isBearing = new Set(sources.map(sourceKey));
  const channels = distinct([...sources.filter((source) => patternOf(source) === null), ...shifts.keys()]);
  const move = (channel: Instinct) => {
    const first = isBearing.has(sourceKey(channel.source)) ? own(channel) : channel;
    return afterPatterns(first, shifts.get(sourceKey(channel.source)) ?? 0);
  };
  return together(patterns, teach(space, channels, { ...lesson, move }));
}

/** So many right outcomes of other kinds make a week of silence count as one. */
const SILENCE_COUNTS_AFTER = 5;

/**
 * Returns whether a change that was left alone for its week counts as right: every source behind it had been right five
 * times before. `observationsOf`: how often a source had been right.
 */
export function silenceCounts(contributions: Contributions, observationsOf: (source: string) => number): boolean {
  const sources = Object.keys(contributions);
  return sources.length > 0 && sources.every((source) => observationsOf(source) >= SILENCE_COUNTS_AFTER);
}

/** Returns two lessons as one. */
function together(one: Taught, other: Taught): Taught {
  if (one === NOTHING_TAUGHT) return other;
  return { steps: [...one.steps, ...other.steps], calibrations: [...one.calibrations, ...other.calibrations] };
}

function moved(instinct: Instinct, { outcome, at }: Occasion, share: number): Instinct {
  if (outcome === 'right') return afterRight(instinct, share);
  if (outcome === 'dismissed') return afterDismissal(instinct, at);
  return outcome === 'reversed' ? afterReversal(instinct, at) : afterContradiction(instinct, at);
}

/** 1 for the source that bore most, and its share for each of the others; a source in two spellings has the larger. */
function relativeShares(contributions: Contributions): ReadonlyMap<string, number> {
  const most = Math.max(0, ...Object.values(contributions));
  const shares = Object.entries(contributions).map(([source, share]) => [source, share === most ? 1 : share] as const);
  const rising = shares.filter(([, share]) => share > 0).toSorted(([, one], [, other]) => one - other);
  return new Map(rising.map(([source, share]) => [sourceKey(source), share]));
}

/**
 * How far the patterns of each channel have moved together. Senders for whom nobody vouches move no channel: else anybody
 * could lower where honest new ones start.
 */
function shiftsOf({ calibrations }: Taught): ReadonlyMap<string, number> {
  const shifts = new Map<string, number>();
  for (const { source, before, after } of calibrations) {
    if (isUnverified(patternOf(source) ?? '')) continue;
    const channel = sourceKey(channelOf(source));
    shifts.set(channel, round4((shifts.get(channel) ?? 0) + after - before));
  }
  return shifts;
}
