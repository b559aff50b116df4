/**
 * A decision in a tree: which value is looked at, where it parts, and to which node a value above that leads; one up to there
 * leads to the next node. A leaf has what it adds alone.
 */
export type Node = readonly [number, number, number] | readonly [number];

/** Many small trees that each add a little to a score, as they are learnt and stored. */
export interface TreeList {
  readonly base: number;
  readonly trees: readonly (readonly Node[])[];
}

/** The same trees in rows, node after node, as they are asked. */
export interface BoostedTrees {
  readonly base: number;
  /** Where each tree begins. */
  readonly roots: Uint32Array;
  /** Which value each node looks at; -1 for a leaf. */
  readonly values: Int16Array;
  /** Where each node parts; what a leaf adds. */
  readonly edges: Float64Array;
  /** Where a value up to the edge leads, and one above it. */
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

/** Returns trees in rows. Each node leads to later ones of its own tree: the file is checked to be so. */
export function treesOf({ base, trees }: TreeList): BoostedTrees {
  const sizes = trees.map((tree) => tree.length);
  const roots = Uint32Array.from(sizes, (_, nth) => sizes.slice(0, nth).reduce((sum, size) => sum + size, 0));
  const nodes = trees.flatMap((tree, nth) =>
    tree.map((node, at) => {
      const root = roots[nth] ?? 0;
      const [value, edge, high] = node;
      return edge === undefined || high === undefined
        ? { value: -1, edge: value, low: 0, high: 0 }
        : { value, edge, low: root + at + 1, high: root + high };
    }),
  );
  return {
    ...{ base, roots },
    values: Int16Array.from(nodes, ({ value }) => value),
    edges: Float64Array.from(nodes, ({ edge }) => edge),
    low: Uint32Array.from(nodes, ({ low }) => low),
    high: Uint32Array.from(nodes, ({ high }) => high),
  };
}

/** Returns the score of some values: the higher, the likelier. `likelihood` makes a probability of it. */
export function treesScore(
  { base, roots, values: asked, edges, low, high }: BoostedTrees,
  values: readonly number[],
): number {
  let score = base;
  for (const root of roots) {
    let node = root;
    for (let value = asked[node] ?? -1; value >= 0; value = asked[node] ?? -1)
      node = ((values[value] ?? 0) <= (edges[node] ?? 0) ? low[node] : high[node]) ?? 0;
    score += edges[node] ?? 0;
  }
  return score;
}

/** Returns the probability, 0–1, that a score stands for. */
export function likelihood(score: number): number {
  return 1 / (1 + Math.exp(-score));
}
