import type { Mode } from '../gates/mode.ts';
import { type Fate, findingOf } from './hindsight.ts';
import { type Share, shareOf } from './wilson.ts';

/** What becomes of a decision: its change is made, is proposed, is only recorded, or there is nothing to change. */
export const OUTCOMES = ['acted', 'proposed', 'recorded', 'nothing'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** One change that the steward decided on, and what became of it. */
export interface Case {
  /** The event note's name. */
  readonly event: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly target: string | null;
  readonly decision: string;
  readonly class: string;
  /** The sources that the decision rests on. */
  readonly sources: readonly string[];
  readonly outcome: Exclude<Outcome, 'nothing'>;
  readonly fate: Fate;
  /** What each mode would have done; null where that cannot be known. */
  readonly inMode: Readonly<Record<Mode, Outcome | null>>;
}

/** Counted cases. Each case counts once as acted, proposed or shadow, and once as a fate. */
export interface Tally {
  readonly cases: number;
  readonly acted: number;
  readonly proposed: number;
  /** Recorded in shadow only. */
  readonly shadow: number;
  readonly fates: Readonly<Record<Fate, number>>;
  readonly right: number;
  readonly wrong: number;
  /** The share of right ones among those decided. */
  readonly precision: Share | null;
}

/** What one mode would have done with the same cases. */
export interface ModeTally {
  readonly mode: Mode;
  readonly acts: number;
  readonly proposes: number;
  readonly records: number;
  /** Cases for which it cannot be known. */
  readonly unknown: number;
  /** Of those that the mode would have acted upon. */
  readonly right: number;
  readonly wrong: number;
  readonly precision: Share | null;
}

/** The cases that share a name: a source, a class. */
export interface Group {
  readonly name: string;
  readonly tally: Tally;
}

const WEEK = 7 * 24 * 60 * 60 * 1000;

/** Returns the cases counted. */
export function tallyOf(cases: readonly Case[]): Tally {
  const right = cases.filter((one) => findingOf(one.fate) === 'right').length;
  const wrong = cases.filter((one) => findingOf(one.fate) === 'wrong').length;
  const became = (outcome: Outcome) => cases.filter((one) => one.outcome === outcome).length;
  return {
    cases: cases.length,
    ...{ acted: became('acted'), proposed: became('proposed'), shadow: became('recorded') },
    fates: fatesOf(cases),
    ...{ right, wrong, precision: shareOf(right, right + wrong) },
  };
}

/**
 * Returns the cases counted under each of their names, in the order of names. A case with two names counts under both.
 */
export function groupsOf(cases: readonly Case[], namesOf: (one: Case) => readonly string[]): readonly Group[] {
  const named = cases.flatMap((one) => [...new Set(namesOf(one))].map((name) => ({ name, one })));
  return [...Map.groupBy(named, ({ name }) => name)]
    .map(([name, own]) => ({ name, tally: tallyOf(own.map(({ one }) => one)) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns how many cases are older than a week, and nothing says whether they were right. `now` in epoch ms. */
export function unheardIn(cases: readonly Case[], now: number): number {
  return cases.filter(({ fate, at }) => fate === 'silent' || (fate === 'open' && now - at > WEEK)).length;
}

/** Returns what a mode would have done with the cases, and how often it would have been right. */
export function modeTally(mode: Mode, cases: readonly Case[]): ModeTally {
  const would = (outcome: Outcome | null) => cases.filter((one) => one.inMode[mode] === outcome);
  const acts = would('acted');
  const found = (finding: ReturnType<typeof findingOf>) => acts.filter((one) => findingOf(one.fate) === finding);
  const [right, wrong] = [found('right').length, found('wrong').length];
  return {
    mode,
    acts: acts.length,
    proposes: would('proposed').length,
    records: would('recorded').length,
    unknown: would(null).length,
    ...{ right, wrong, precision: shareOf(right, right + wrong) },
  };
}

function fatesOf(cases: readonly Case[]): Readonly<Record<Fate, number>> {
  const none: Readonly<Record<Fate, number>> = {
    ...{ confirmed: 0, borne_out: 0, kept: 0, dismissed: 0, reversed: 0 },
    ...{ contradicted: 0, silent: 0, overtaken: 0, open: 0 },
  };
  const counts = Map.groupBy(cases, (one) => one.fate);
  return { ...none, ...Object.fromEntries([...counts].map(([fate, own]) => [fate, own.length])) };
}
