import { type BoostedTrees, likelihood } from '../src/stream/trained/boosted-trees.ts';

/** One thing that is right or not, with what is known of it in numbers. */
export interface Judged {
  readonly values: readonly number[];
  readonly isRight: boolean;
  readonly weight: number;
}

type Node = [number, number, number, number];

const TREES = 160;
const DEPTH = 4;
const RATE = 0.07;
/** No leaf may rest on less evidence than this many examples would give that are as uncertain as can be. */
const LEAST_HESSIAN = 1.5;
const RIDGE = 2;
const BINS = 24;
const DIGITS = 4;

/** Learns boosted trees for the logistic loss, by Newton steps on binned values. The same examples give the same trees. */
export function learnTrees(examples: readonly Judged[]): BoostedTrees {
  const width = examples[0]?.values.length ?? 0;
  const edges = Array.from({ length: width }, (_, at) => edgesOf(examples.map(({ values }) => values[at] ?? 0)));
  const binned = examples.map(({ values }) => values.map((value, at) => binOf(edges[at] ?? [], value)));
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const right = examples.reduce((sum, { weight, isRight }) => sum + (isRight ? weight : 0), 0);
  const base = rounded(Math.log((right + 1) / (total - right + 1)));
  const scores = examples.map(() => base);
  const trees: Node[][] = [];
  for (let nth = 0; nth < TREES; nth += 1) {
    const slopes = examples.map(({ isRight, weight }, at) => slopeOf(scores[at] ?? 0, isRight, weight));
    const tree: Node[] = [];
    const all = examples.map((_, at) => at);
    grow(tree, all, DEPTH, { binned, edges, slopes });
    for (const [at, values] of binned.entries()) scores[at] = (scores[at] ?? 0) + leafFor(tree, values, edges);
    trees.push(tree);
  }
  return { base, trees };
}

interface Slope {
  readonly gradient: number;
  readonly hessian: number;
}

interface Field {
  readonly binned: readonly (readonly number[])[];
  readonly edges: readonly (readonly number[])[];
  readonly slopes: readonly Slope[];
}

function slopeOf(score: number, isRight: boolean, weight: number): Slope {
  const likely = likelihood(score);
  return { gradient: (Number(isRight) - likely) * weight, hessian: likely * (1 - likely) * weight };
}

/** Adds a node for some examples, and what is below it. Returns its number. */
function grow(tree: Node[], members: readonly number[], depth: number, field: Field): number {
  const at = tree.length;
  const sum = sumOf(members, field.slopes);
  const split = depth === 0 ? null : bestSplit(members, sum, field);
  const leaf: Node = [-1, rounded((RATE * sum.gradient) / (sum.hessian + RIDGE)), 0, 0];
  tree.push(leaf);
  if (split === null) return at;
  const { feature, bin } = split;
  const [low, high] = [[] as number[], [] as number[]];
  for (const member of members) ((field.binned[member]?.[feature] ?? 0) <= bin ? low : high).push(member);
  const below = grow(tree, low, depth - 1, field);
  const above = grow(tree, high, depth - 1, field);
  tree[at] = [feature, field.edges[feature]?.[bin] ?? 0, below, above];
  return at;
}

function sumOf(members: readonly number[], slopes: readonly Slope[]): Slope {
  let [gradient, hessian] = [0, 0];
  for (const member of members) {
    gradient += slopes[member]?.gradient ?? 0;
    hessian += slopes[member]?.hessian ?? 0;
  }
  return { gradient, hessian };
}

function bestSplit(members: readonly number[], sum: Slope, { binned, edges, slopes }: Field) {
  const whole = gainOf(sum.gradient, sum.hessian);
  let best: { feature: number; bin: number } | null = null;
  let most = 1e-6;
  for (const [feature, own] of edges.entries()) {
    const gradients = new Float64Array(own.length + 1);
    const hessians = new Float64Array(own.length + 1);
    for (const member of members) {
      const bin = binned[member]?.[feature] ?? 0;
      gradients[bin] = (gradients[bin] ?? 0) + (slopes[member]?.gradient ?? 0);
      hessians[bin] = (hessians[bin] ?? 0) + (slopes[member]?.hessian ?? 0);
    }
    let [gradient, hessian] = [0, 0];
    for (let bin = 0; bin < own.length; bin += 1) {
      gradient += gradients[bin] ?? 0;
      hessian += hessians[bin] ?? 0;
      if (hessian < LEAST_HESSIAN || sum.hessian - hessian < LEAST_HESSIAN) continue;
      const gain = gainOf(gradient, hessian) + gainOf(sum.gradient - gradient, sum.hessian - hessian) - whole;
      if (gain <= most) continue;
      most = gain;
      best = { feature, bin };
    }
  }
  return best;
}

function gainOf(gradient: number, hessian: number): number {
  return (gradient * gradient) / (hessian + RIDGE);
}

/** Returns where the values part, ascending: a value up to the first edge is in bin 0. */
function edgesOf(values: readonly number[]): readonly number[] {
  const distinct = [...new Set(values.map(rounded))].toSorted((one, other) => one - other);
  if (distinct.length <= BINS) return distinct.slice(0, -1);
  const sorted = values.map(rounded).toSorted((one, other) => one - other);
  const edges = Array.from(
    { length: BINS },
    (_, nth) => sorted[Math.floor(((nth + 1) * sorted.length) / (BINS + 1))] ?? 0,
  );
  return [...new Set(edges)].filter((edge) => edge < (distinct.at(-1) ?? 0));
}

function binOf(edges: readonly number[], value: number): number {
  let bin = 0;
  while (bin < edges.length && value > (edges[bin] ?? 0)) bin += 1;
  return bin;
}

function leafFor(tree: readonly Node[], bins: readonly number[], edges: readonly (readonly number[])[]): number {
  let node = tree[0];
  while (node !== undefined && node[0] >= 0) {
    const bin = (edges[node[0]] ?? []).indexOf(node[1]);
    node = tree[(bins[node[0]] ?? 0) <= bin ? node[2] : node[3]];
  }
  return node?.[1] ?? 0;
}

function rounded(value: number): number {
  return Math.round(value * 10 ** DIGITS) / 10 ** DIGITS;
}
