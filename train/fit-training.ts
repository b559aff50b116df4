import { type Ranked, ranked } from '../src/stream/fit/fit.ts';
import type { Fit } from '../src/stream/trained/trained-reader.ts';
import type { JudgedChange, JudgedMail } from './pairs.ts';
import { type Judged, learnTrees } from './tree-training.ts';

const STEPS = 250;
const RATE = 0.08;
/** How strongly a weight is drawn to zero. */
const RIDGE = 0.002;
const DIGITS = 4;

/** A change among its rivals, weighed by what was learnt of other persons' mails alone. */
export interface RankedMail {
  readonly judged: JudgedMail;
  readonly changes: readonly Ranked<JudgedChange>[];
}

/** Learns which of a mail's possible changes is meant, if any, from mails of several persons. */
export function learnFit(mails: readonly JudgedMail[]): Fit {
  return { weights: learnWeights(mails), trees: learnTrees(examplesOf(rankedApart(mails))) };
}

/** Returns each person's mails, their changes weighed by what was learnt of the others' mails. */
export function rankedApart(mails: readonly JudgedMail[]): readonly RankedMail[] {
  return [...Map.groupBy(mails, ({ person }) => person)].flatMap(([person, own]) => {
    const weights = learnWeights(mails.filter((each) => each.person !== person));
    return own.map((judged) => ({ judged, changes: ranked(judged.changes, weights) }));
  });
}

/** Returns what the trees are learnt from. */
export function examplesOf(mails: readonly RankedMail[]): readonly Judged[] {
  return mails.flatMap(({ changes }) =>
    changes.map(({ change, values }) => ({ values, isRight: change.isMeant, weight: 1 })),
  );
}

/**
 * Learns how much each value of a change weighs: of all changes of a mail and "nothing is meant", which weighs 0, those that
 * are meant shall have the greatest share (a conditional logit, by Adam).
 */
export function learnWeights(mails: readonly JudgedMail[]): readonly number[] {
  const asked = mails.map(({ changes }) => changes).filter((changes) => changes.length > 0);
  const width = asked[0]?.[0]?.values.length ?? 0;
  const [weights, mean, square] = [zeros(width), zeros(width), zeros(width)];
  for (let step = 1; step <= STEPS; step += 1) {
    const slope = slopeOf(asked, weights);
    for (let at = 0; at < width; at += 1) {
      const own = -(slope[at] ?? 0) / asked.length + RIDGE * (weights[at] ?? 0);
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * own;
      square[at] = 0.99 * (square[at] ?? 0) + 0.01 * own * own;
      const size = Math.sqrt((square[at] ?? 0) / (1 - 0.99 ** step)) + 1e-6;
      weights[at] = (weights[at] ?? 0) - (RATE * ((mean[at] ?? 0) / (1 - 0.9 ** step))) / size;
    }
  }
  return [...weights].map((weight) => Math.round(weight * 10 ** DIGITS) / 10 ** DIGITS);
}

function slopeOf(asked: readonly (readonly JudgedChange[])[], weights: Float64Array): Float64Array {
  const slope = zeros(weights.length);
  for (const changes of asked) {
    const scores = changes.map(({ values }) => dot(values, weights));
    const most = Math.max(0, ...scores);
    const powers = scores.map((score) => Math.exp(score - most));
    const nothing = Math.exp(-most);
    const all = powers.reduce((sum, power) => sum + power, nothing);
    const meant = powers.reduce((sum, power, at) => sum + (changes[at]?.isMeant === true ? power : 0), 0);
    for (const [at, { values, isMeant }] of changes.entries()) {
      const power = powers[at] ?? 0;
      const pull = (isMeant && meant > 0 ? power / meant : 0) - power / all;
      if (Math.abs(pull) < 1e-4) continue;
      for (let nth = 0; nth < values.length; nth += 1) slope[nth] = (slope[nth] ?? 0) + pull * (values[nth] ?? 0);
    }
  }
  return slope;
}

function dot(values: readonly number[], weights: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += (values[at] ?? 0) * (weights[at] ?? 0);
  return sum;
}

function zeros(length: number): Float64Array {
  return new Float64Array(length);
}
