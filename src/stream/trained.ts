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

/** What a sentence says has become of something that its reader would have on a list. */
export const EFFECTS = ['done', 'cancelled', 'moved', 'asks', 'none'] as const;
export type Effect = (typeof EFFECTS)[number];

/** The effects that change a note. */
export const CHANGES = ['done', 'cancelled', 'moved'] as const;
export type Change = (typeof CHANGES)[number];

/** What a mail as a whole says has become of something on its reader's list. */
export const MAIL_EFFECTS = ['done', 'cancelled', 'moved', 'none'] as const;
export type MailEffect = (typeof MAIL_EFFECTS)[number];

/** What kind of deed a sentence, or the name of a task, is about. */
export const TOPICS = [
  ...([
    'payment',
    'refund',
    'dispatch',
    'delivery',
    'order',
    'signature',
    'booking',
    'appointment',
    'renewal',
  ] as const),
  ...(['ending', 'submission', 'approval', 'registration', 'work', 'returning', 'pickup', 'reply', 'other'] as const),
] as const;
export type Topic = (typeof TOPICS)[number];

/** Tells sentences apart by the sum of what each of their features says for a class. */
export interface LinearModel {
  readonly classes: readonly string[];
  readonly bias: readonly number[];
  /** What a weight of 1 stands for. */
  readonly scale: number;
  /** As many weights for each class, one class after the other; features that are a whole turn apart share one. */
  readonly weights: Int8Array;
}

/** Returns the probability of each class, in their order; together 1. `features`: whole numbers, each once. */
export function probabilities(model: LinearModel, features: readonly number[]): readonly number[] {
  const width = model.weights.length / model.classes.length;
  const share = model.scale / Math.sqrt(Math.max(1, features.length));
  const scores = model.classes.map((_, nth) => {
    let sum = 0;
    for (const feature of features) sum += model.weights[nth * width + (feature % width)] ?? 0;
    return sum * share + (model.bias[nth] ?? 0);
  });
  return softmax(scores);
}

/** Returns shares that grow with the exponential of the scores; together 1. */
export function softmax(scores: readonly number[]): readonly number[] {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((total, each) => total + each, 0);
  return powers.map((power) => power / sum);
}

/** So many features are told apart; a feature is a hash, and two that fall together are one. */
export const BUCKETS = 1 << 15;

/** Longer sentences are lists and legal texts; what counts of them stands at the beginning. */
const MAX_CHARACTERS = 400;
const WORDS = /[\p{L}\p{M}]+|\p{N}+(?:[.,:/-]\p{N}+)*|[€$£%?!:→]/gu;
const SHORTEST_RUN = 3;
const LONGEST_RUN = 5;

/**
 * Returns the features of a sentence, as numbers below `BUCKETS`, each once: its words, every two and three words in a row,
 * every run of three to five letters of a word, how it begins and ends. Numbers and sums count by their form alone.
 */
export function sentenceFeatures(sentence: string): readonly number[] {
  const words = wordsIn(sentence);
  const found = new Set<number>();
  const last = words.length - 1;
  for (const [at, word] of words.entries()) {
    found.add(hashOf(`w ${word}`));
    found.add(hashOf(`2 ${word} ${words[at + 1] ?? '.'}`));
    if (at + 1 <= last) found.add(hashOf(`3 ${word} ${words[at + 1]} ${words[at + 2] ?? '.'}`));
    if (at + 2 <= last) found.add(hashOf(`s ${word} ${words[at + 2]}`));
    addRuns(word, found);
  }
  found.add(hashOf(`first ${words[0] ?? ''}`));
  found.add(hashOf(`last ${words[last] ?? ''}`));
  found.add(hashOf(`length ${Math.min(6, Math.floor(Math.log2(words.length + 1)))}`));
  return [...found];
}

/** Returns the words of a sentence, folded; numbers as `0`, dates and times as `0-0` and the like. */
function wordsIn(sentence: string): readonly string[] {
  const folded = sentence
    .slice(0, MAX_CHARACTERS)
    .normalize('NFC')
    .toLowerCase()
    .replace(/(?<!\S)\S+@\S+|https?:\S+/g, ' @ ');
  return (folded.match(WORDS) ?? []).map((word) => (/^\p{N}/u.test(word) ? word.replace(/\p{N}+/gu, '0') : word));
}

function addRuns(word: string, found: Set<number>): void {
  const shown = `<${word}>`;
  for (let length = SHORTEST_RUN; length <= LONGEST_RUN; length += 1) {
    for (let at = 0; at + length <= shown.length; at += 1) found.add(hashOf(shown.slice(at, at + length)));
  }
}

/** FNV-1a, folded to the number of buckets. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 16)) & (BUCKETS - 1);
}
