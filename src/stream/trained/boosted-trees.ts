/**
 * A decision in a tree, as four numbers: which value is looked at, where it parts, and to which node a value up to there and
 * one above it lead. A leaf has -1 as its first number, and what it adds as its second.
 */
type Node = readonly [number, number, number, number];

/** Many small trees that each add a little to a score. */
export interface BoostedTrees {
  readonly base: number;
  readonly trees: readonly (readonly Node[])[];
}

/** Returns the score of some values: the higher, the likelier. `likelihood` makes a probability of it. */
export function treesScore({ base, trees }: BoostedTrees, values: readonly number[]): number {
  return trees.reduce((sum, tree) => sum + leafOf(tree, values), base);
}

/** Returns the probability, 0–1, that a score stands for. */
export function likelihood(score: number): number {
  return 1 / (1 + Math.exp(-score));
}

function leafOf(tree: readonly Node[], values: readonly number[]): number {
  let node = tree[0];
  // A tree has no circle: the trainer numbers nodes downward, and the file is checked to be so.
  while (node !== undefined && node[0] >= 0) node = tree[(values[node[0]] ?? 0) <= node[1] ? node[2] : node[3]];
  return node?.[1] ?? 0;
}
