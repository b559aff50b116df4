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
