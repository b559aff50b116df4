import type { MailAnswer, Scoring } from '../compare/answer.ts';
import { type Share, shareOf } from './share.ts';
import { isOfANote } from './tally.ts';

/** How sure a reader was of the changes that it proposed, compared with how often it was right. */
export interface Reliability {
  /** Mean of (confidence − right)²: 0 is perfect, 0.25 is as good as always saying one half. */
  readonly brier: number | null;
  readonly bins: readonly Bin[];
}

interface Bin {
  readonly from: number;
  readonly to: number;
  /** The mean of what was said. */
  readonly said: number;
  readonly right: Share;
}

const EDGES = [0, 0.5, 0.65, 0.8, 0.9, 1.0001];

/** Compares the confidence of the proposed changes, min(target, effect), with whether they are right. */
export function reliabilityOf(answers: readonly MailAnswer[], scoring: Scoring): Reliability {
  const said = answers
    .flatMap((each) => each.guesses)
    .filter(({ change, worth }) => isOfANote(change) && worth[scoring] !== 'left')
    .map(({ confidence, worth }) => ({ confidence, isRight: worth[scoring] === 'right' }));
  const errors = said.map(({ confidence, isRight }) => (confidence - Number(isRight)) ** 2);
  const bins = EDGES.slice(1).map((to, at) => binOf(said, EDGES[at] ?? 0, to));
  return { brier: errors.length === 0 ? null : mean(errors), bins: bins.filter(({ right }) => right.of > 0) };
}

function binOf(
  all: readonly { readonly confidence: number; readonly isRight: boolean }[],
  from: number,
  to: number,
): Bin {
  const within = all.filter(({ confidence }) => confidence >= from && confidence < to);
  const right = within.filter(({ isRight }) => isRight).length;
  return {
    ...{ from, to: Math.min(1, to), said: mean(within.map(({ confidence }) => confidence)) },
    right: shareOf(right, within.length),
  };
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, each) => sum + each, 0) / Math.max(1, figures.length);
}
