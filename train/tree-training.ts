import { type Node as ListedNode, likelihood, type TreeList } from '../src/reading/learnt.ts';

/** One thing that is right or not, with what is known of it in numbers. */
export interface Judged {
  readonly values: readonly number[];
  readonly isRight: boolean;
  readonly weight: number;
}

/** A node as it grows: which value is looked at (-1 in a leaf), where it parts or what is added, and the nodes below. */
type Node = [number, number, number, number];

const TREES = 160;
const DEPTH = 4;
const RATE = 0.07;
/** No leaf may rest on less evidence than this many examples would give that are as uncertain as can be. */
const LEAST_HESSIAN = 1.5;
const RIDGE = 2;
const BINS = 24;
const DIGITS = 3;

/** Learns boosted trees for the logistic loss, by Newton steps on binned values. The same examples give the same trees. */
export function learnTrees(examples: readonly Judged[]): TreeList {
  const width = examples[0]?.values.length ?? 0;
  const edges = Array.from({ length: width }, (_, at) => edgesOf(examples.map(({ values }) => values[at] ?? 0)));
  const columns = edges.map((own, at) => Uint8Array.from(examples, ({ values }) => binOf(own, values[at] ?? 0)));
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const right = examples.reduce((sum, { weight, isRight }) => sum + (isRight ? weight : 0), 0);
  const base = rounded(Math.log((right + 1) / (total - right + 1)));
  const scores = new Float64Array(examples.length).fill(base);
  const field: Field = { columns, edges, gradients: scores.map(() => 0), hessians: scores.map(() => 0) };
  const all = Uint32Array.from(examples, (_, at) => at);
  const trees: ListedNode[][] = [];
  for (let nth = 0; nth < TREES; nth += 1) {
    for (const [at, { isRight, weight }] of examples.entries()) {
      const likely = likelihood(scores[at] ?? 0);
      field.gradients[at] = (Number(isRight) - likely) * weight;
      field.hessians[at] = likely * (1 - likely) * weight;
    }
    const tree: Node[] = [];
    grow(tree, all, DEPTH, field);
    const bins = binsOf(tree, edges);
    for (let at = 0; at < scores.length; at += 1) scores[at] = (scores[at] ?? 0) + leafFor(tree, bins, columns, at);
    trees.push(tree.map(asListed));
  }
  return { base, trees };
}

/** A value up to the edge leads to the next node: a tree grows so. */
function asListed([value, edge, , above]: Node): ListedNode {
  return value < 0 ? [edge] : [value, edge, above];
}

/** What the examples are, value by value, and how far the trees so far are off. */
interface Field {
  /** For each value the bin of every example. */
  readonly columns: readonly Uint8Array[];
  readonly edges: readonly (readonly number[])[];
  readonly gradients: Float64Array;
  readonly hessians: Float64Array;
}

interface Slope {
  readonly gradient: number;
  readonly hessian: number;
}

/** Adds a node for some examples, and what is below it. Returns its number. */
function grow(tree: Node[], members: Uint32Array, depth: number, field: Field): number {
  const at = tree.length;
  const sum = sumOf(members, field);
  const split = depth === 0 ? null : bestSplit(members, sum, field);
  const leaf: Node = [-1, rounded((RATE * sum.gradient) / (sum.hessian + RIDGE)), 0, 0];
  tree.push(leaf);
  if (split === null) return at;
  const { feature, bin } = split;
  const column = field.columns[feature];
  const isLow = (member: number) => (column?.[member] ?? 0) <= bin;
  const below = grow(tree, members.filter(isLow), depth - 1, field);
  const above = grow(
    tree,
    members.filter((member) => !isLow(member)),
    depth - 1,
    field,
  );
  tree[at] = [feature, field.edges[feature]?.[bin] ?? 0, below, above];
  return at;
}

function sumOf(members: Uint32Array, { gradients, hessians }: Field): Slope {
  let [gradient, hessian] = [0, 0];
  for (const member of members) {
    gradient += gradients[member] ?? 0;
    hessian += hessians[member] ?? 0;
  }
  return { gradient, hessian };
}

function bestSplit(members: Uint32Array, sum: Slope, { columns, edges, gradients, hessians }: Field) {
  const whole = gainOf(sum.gradient, sum.hessian);
  let best: { feature: number; bin: number } | null = null;
  let most = 1e-6;
  const [inBins, ofBins] = [new Float64Array(BINS + 1), new Float64Array(BINS + 1)];
  for (const [feature, own] of edges.entries()) {
    const column = columns[feature];
    if (column === undefined || own.length === 0) continue;
    inBins.fill(0);
    ofBins.fill(0);
    for (const member of members) {
      const bin = column[member] ?? 0;
      inBins[bin] = (inBins[bin] ?? 0) + (gradients[member] ?? 0);
      ofBins[bin] = (ofBins[bin] ?? 0) + (hessians[member] ?? 0);
    }
    let [gradient, hessian] = [0, 0];
    for (let bin = 0; bin < own.length; bin += 1) {
      gradient += inBins[bin] ?? 0;
      hessian += ofBins[bin] ?? 0;
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

/** Returns for each node of a tree in which bin its edge lies. */
function binsOf(tree: readonly Node[], edges: readonly (readonly number[])[]): readonly number[] {
  return tree.map(([feature, edge]) => (edges[feature] ?? []).indexOf(edge));
}

function leafFor(tree: readonly Node[], bins: readonly number[], columns: readonly Uint8Array[], at: number): number {
  let nth = 0;
  for (let node = tree[0]; node !== undefined && node[0] >= 0; node = tree[nth])
    nth = (columns[node[0]]?.[at] ?? 0) <= (bins[nth] ?? 0) ? node[2] : node[3];
  return tree[nth]?.[1] ?? 0;
}

function rounded(value: number): number {
  return Math.round(value * 10 ** DIGITS) / 10 ** DIGITS;
}
