import { type RankedChange, type ReaderFile, ranked } from '../src/reading/learnt.ts';
import { FOLDS, foldOf } from './folds.ts';
import type { JudgedChange, JudgedMail } from './pairs.ts';
import { type Judged, learnTrees } from './tree-training.ts';

const STEPS = 150;
/** After so many steps it is asked anew which changes of a mail are near enough to be meant to be reckoned. */
const LOOK = 25;
const NEAR = 1e-4;
const RATE = 0.08;
/** How strongly a weight is drawn to zero. */
const RIDGE = 0.002;
/** What pulls less than this at a weight is not reckoned. */
const LEAST_PULL = 1e-3;
const DIGITS = 4;

/** A change among its rivals, weighed by what was learnt of other persons' mails alone. */
export interface RankedMail {
  readonly judged: JudgedMail;
  readonly changes: readonly RankedChange<JudgedChange>[];
}

/** Learns which of a mail's possible changes is meant, if any, from mails of several persons. */
export function learnFit(mails: readonly JudgedMail[]): ReaderFile['fit'] {
  return { weights: learnWeights(mails), trees: learnTrees(examplesOf(rankedApart(mails))) };
}

/** Returns all mails, their changes weighed by what was learnt of other persons' mails. */
export function rankedApart(mails: readonly JudgedMail[]): readonly RankedMail[] {
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const weights = learnWeights(mails.filter(({ person }) => foldOf(person) !== fold));
    const own = mails.filter(({ person }) => foldOf(person) === fold);
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
  const first = mails.find(({ changes }) => changes.length > 0)?.changes[0];
  const width = (first?.values.length ?? 0) + (first?.deeds.length ?? 0);
  const asked = mails.filter(({ changes }) => changes.length > 0).map(({ changes }) => askedOf(changes));
  let near = asked;
  const [weights, mean, square] = [zeros(width), zeros(width), zeros(width)];
  for (let step = 1; step <= STEPS; step += 1) {
    if (step % LOOK === 1) near = asked.map((each) => nearOf(each, weights, step));
    const slope = slopeOf(near, weights);
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

/** The changes of one mail, their values in one row after the other. */
interface Asked {
  readonly values: Float32Array;
  readonly isMeant: readonly boolean[];
}

function askedOf(changes: readonly JudgedChange[]): Asked {
  return {
    values: Float32Array.from(changes.flatMap(({ values, deeds }) => [...values, ...deeds])),
    isMeant: changes.map(({ isMeant }) => isMeant),
  };
}

function slopeOf(asked: readonly Asked[], weights: Float64Array): Float64Array {
  const slope = zeros(weights.length);
  for (const each of asked) addSlope(each, weights, slope);
  return slope;
}

/** Leaves out the changes that have next to no share. */
function nearOf(asked: Asked, weights: Float64Array, step: number): Asked {
  if (step < LOOK) return asked;
  const width = weights.length;
  const { powers, all } = sharesOf(asked, weights);
  const kept = powers.flatMap((power, row) => (asked.isMeant[row] === true || power / all > NEAR ? [row] : []));
  const values = new Float32Array(kept.length * width);
  for (const [at, row] of kept.entries()) values.set(asked.values.subarray(row * width, (row + 1) * width), at * width);
  return { values, isMeant: kept.map((row) => asked.isMeant[row] === true) };
}

function sharesOf({ values, isMeant }: Asked, weights: Float64Array) {
  const width = weights.length;
  const scores = isMeant.map((_, row) => {
    let sum = 0;
    for (let at = 0; at < width; at += 1) sum += (values[row * width + at] ?? 0) * (weights[at] ?? 0);
    return sum;
  });
  const most = Math.max(0, ...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  return { powers, all: powers.reduce((sum, power) => sum + power, Math.exp(-most)) };
}

/** Adds how the weights would have to change for what is meant in one mail to have a greater share. */
function addSlope({ values, isMeant }: Asked, weights: Float64Array, slope: Float64Array): void {
  const width = weights.length;
  const { powers, all } = sharesOf({ values, isMeant }, weights);
  const meant = powers.reduce((sum, power, row) => sum + (isMeant[row] === true ? power : 0), 0);
  for (const [row, power] of powers.entries()) {
    const pull = (isMeant[row] === true && meant > 0 ? power / meant : 0) - power / all;
    if (Math.abs(pull) < LEAST_PULL) continue;
    for (let at = 0; at < width; at += 1) slope[at] = (slope[at] ?? 0) + pull * (values[row * width + at] ?? 0);
  }
}

function zeros(length: number): Float64Array {
  return new Float64Array(length);
}
