import { softmax } from '../src/reading/learnt.ts';

/** A sentence by its features, and the number of its class. */
export interface Labelled {
  readonly features: readonly number[];
  readonly label: number;
  /** How much it counts. */
  readonly weight: number;
}

/** Weights as they are learnt: as many for each class, one class after the other. */
export interface Learnt {
  readonly weights: Float64Array;
  readonly bias: Float64Array;
}

const PASSES = 14;
const RATE = 0.35;
/** How far each pass draws the weights back to zero. */
const DECAY = 0.0012;

/**
 * Learns multinomial logistic regression by AdaGrad. The order of the sentences is shuffled by a fixed sequence, so that the
 * same sentences give the same weights. `width`: how many features are told apart.
 */
export function learnLinear(examples: readonly Labelled[], classes: number, width: number): Learnt {
  const weights = new Float64Array(width * classes);
  const bias = new Float64Array(classes);
  const seen = new Float64Array(width * classes).fill(1e-3);
  const order = examples.map((_, at) => at);
  const random = sequence(7);
  for (let pass = 0; pass < PASSES; pass += 1) {
    shuffle(order, random);
    for (const at of order) {
      const example = examples[at];
      if (example !== undefined) step(example, { weights, bias, seen, classes, width, rate: RATE / (1 + pass * 0.3) });
    }
    for (let at = 0; at < weights.length; at += 1) weights[at] = (weights[at] ?? 0) * (1 - DECAY);
  }
  return { weights, bias };
}

interface Descent extends Learnt {
  /** The sum of the squared gradients so far, a little more than 0. */
  readonly seen: Float64Array;
  readonly classes: number;
  readonly width: number;
  readonly rate: number;
}

function step({ features, label, weight }: Labelled, { weights, bias, seen, classes, width, rate }: Descent): void {
  const share = 1 / Math.sqrt(Math.max(1, features.length));
  const scores = Array.from({ length: classes }, (_, nth) => {
    let sum = 0;
    for (const feature of features) sum += weights[nth * width + (feature % width)] ?? 0;
    return sum * share + (bias[nth] ?? 0);
  });
  for (const [nth, likely] of softmax(scores).entries()) {
    const error = (likely - Number(nth === label)) * weight;
    bias[nth] = (bias[nth] ?? 0) - 0.02 * rate * error;
    const gradient = error * share;
    const square = gradient * gradient;
    if (square < 1e-12) continue;
    for (const feature of features) {
      const at = nth * width + (feature % width);
      const sum = (seen[at] ?? 0) + square;
      seen[at] = sum;
      weights[at] = (weights[at] ?? 0) - (rate * gradient) / Math.sqrt(sum);
    }
  }
}

/** Returns a source of numbers from 0 to 1 that is the same each time (mulberry32). */
export function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Shuffles a list where it stands. */
export function shuffle<T>(list: T[], random: () => number): void {
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const kept = list[at] as T;
    list[at] = list[other] as T;
    list[other] = kept;
  }
}
