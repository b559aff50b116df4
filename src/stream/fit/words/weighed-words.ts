import type { Rarity } from './rarity.ts';
import type { MailZone } from './words-in-common.ts';

/** Words, and how much each of them counts. */
export interface WeighedWords {
  readonly words: readonly string[];
  readonly weights: readonly number[];
  /** All weights together. */
  readonly sum: number;
}

/** Returns words of which the rare ones count more; without a rarity each counts 1. */
export function weighedBy(words: readonly string[], rarity: Rarity<string> | null): WeighedWords {
  const weights = words.map((word) => rarity?.get(word) ?? 1);
  return { words, weights, sum: weights.reduce((sum, weight) => sum + weight, 0) };
}

/** Returns which share of some words a part of a mail has, 0–1. */
export function coverage({ words, weights, sum }: WeighedWords, zone: MailZone): number {
  if (sum === 0) return 0;
  let said = 0;
  for (let nth = 0; nth < words.length; nth += 1) said += (weights[nth] ?? 0) * zone.shareOf(words[nth] ?? '');
  return said / sum;
}

/** Returns which share a part of a mail has of that name of which it has most, 0–1. */
export function bestCoverage(names: readonly WeighedWords[], zone: MailZone): number {
  let most = 0;
  for (const name of names) most = Math.max(most, coverage(name, zone));
  return most;
}
