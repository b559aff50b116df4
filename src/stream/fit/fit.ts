import { likelihood, treesScore } from '../trained/boosted-trees.ts';
import type { Fit } from '../trained/trained-reader.ts';
import type { PossibleChange } from './possible-change.ts';

/** A change that an event may mean for a task, and how likely it is that it does. */
export interface Fitted extends PossibleChange {
  /** 0–1. */
  readonly likelihood: number;
}

/** A change among its rivals: what is known of it, and how it stands to them. */
export interface Ranked<C extends PossibleChange> {
  readonly change: C;
  readonly values: readonly number[];
}

/** So many changes of a mail are looked at closely. */
const CLOSER_LOOK = 8;
/** How far ahead a change without a rival is. */
const NO_RIVAL = 9;

/** Returns the changes that an event may mean, likeliest first. */
export function fitted(changes: readonly PossibleChange[], { weights, trees }: Fit): readonly Fitted[] {
  return ranked(changes, weights)
    .map(({ change, values }) => ({ ...change, likelihood: likelihood(treesScore(trees, values)) }))
    .toSorted((one, other) => other.likelihood - one.likelihood);
}

/** Returns the changes that weigh most, with how each stands to the others; "nothing is meant" weighs 0. */
export function ranked<C extends PossibleChange>(
  changes: readonly C[],
  weights: readonly number[],
): readonly Ranked<C>[] {
  const scored = changes
    .map((change) => ({ change, score: weighed(change, weights) }))
    .toSorted((one, other) => other.score - one.score || (one.change.task.path < other.change.task.path ? -1 : 1));
  const all = Math.exp(0) + scored.reduce((sum, { score }) => sum + Math.exp(score), 0);
  return scored.slice(0, CLOSER_LOOK).map(({ change, score }) => {
    const ahead = (isRival: (other: C) => boolean) => {
      const rival = scored.find((each) => each.change !== change && isRival(each.change));
      return rival === undefined ? NO_RIVAL : Math.min(NO_RIVAL, score - rival.score);
    };
    const standing = [
      ...[score, Math.exp(score) / all, 1 / all, Math.log1p(changes.length)],
      ahead(() => true),
      ahead(({ task }) => task !== change.task),
      ahead(({ task }) => task === change.task),
    ];
    return { change, values: [...standing, ...change.values] };
  });
}

/** Returns the sum of all numbers known of a change, each times its weight. */
function weighed({ values, deeds }: PossibleChange, weights: readonly number[]): number {
  let sum = 0;
  let at = 0;
  for (const known of [values, deeds])
    for (const value of known) {
      sum += value * (weights[at] ?? 0);
      at += 1;
    }
  return sum;
}
