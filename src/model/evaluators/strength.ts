import { round4 } from '../../steward/gates/rounding.ts';
import type { WeighedSignal } from '../../steward/ports/evaluator.ts';
import { channelOf } from '../../vault/source-names.ts';

const DAY_MS = 86_400_000;
/** A signal has its full weight for a week; after that, its weight halves every thirty days. */
const FRESH_DAYS = 7;
const HALF_LIFE_DAYS = 30;

/** Returns how much a signal says by itself, 0–1: its effect, less with age. */
export function strength({ effectConfidence, ageMs }: WeighedSignal): number {
  const staleDays = Math.max(0, ageMs / DAY_MS - FRESH_DAYS);
  return effectConfidence * 2 ** (-staleDays / HALF_LIFE_DAYS);
}

/** Orders signals, strongest first; by id where they are equally strong. */
export function byStrength(one: WeighedSignal, other: WeighedSignal): number {
  return strength(other) - strength(one) || (one.id < other.id ? -1 : 1);
}

/**
 * Returns how much signals say together, 0–1, by noisy-or: independent sources strengthen each other, and each further
 * signal of one source counts half as much as the one before.
 */
export function combinedStrength(signals: readonly WeighedSignal[]): number {
  const bySource = Map.groupBy(signals, (signal) => channelOf(signal.source));
  const doubts = [...bySource.values()].map((own) =>
    own.toSorted(byStrength).reduce((doubt, signal, index) => doubt * (1 - strength(signal) / 2 ** index), 1),
  );
  return 1 - doubts.reduce((all, doubt) => all * doubt, 1);
}

/**
 * Returns the lower of the weighted target confidence and the combined effect confidence, but never less than the best
 * signal has alone: a second witness who is unsure which note is meant does not make the first one less sure.
 */
export function confidenceOf(signals: readonly WeighedSignal[]): number {
  const weight = signals.reduce((sum, signal) => sum + strength(signal), 0);
  const targets = signals.reduce((sum, signal) => sum + strength(signal) * signal.targetConfidence, 0);
  const together = Math.min(weight > 0 ? targets / weight : 0, combinedStrength(signals));
  return round4(Math.max(together, ...signals.map((signal) => Math.min(signal.targetConfidence, strength(signal)))));
}
