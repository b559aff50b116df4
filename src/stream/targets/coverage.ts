import type { TargetCandidate, TargetIndex } from './target-index.ts';
import type { TargetQuery } from './target-query.ts';

/** How much of a name an event has. */
interface Coverage {
  /** The share of the name's own words, weighted, 0–1; 0 where it is too little to count. */
  readonly share: number;
  /** The words of the name that the event has. */
  readonly shown: readonly string[];
}

const MIN_COVERAGE = 0.5;

/**
 * Returns how much of a task's name, or of its best alias, an event has. The task's verb counts as said when the clue says
 * that it was done: "paid" covers "pay". A verb alone does not tell tasks apart, so the share is only of the other words.
 */
export function coverageOf(task: TargetCandidate, query: TargetQuery, index: TargetIndex): Coverage {
  const coverages = [task.name, ...task.aliases].map((name) => coverageBy(index.telling(name), query));
  return coverages.reduce((one, other) => (other.share > one.share ? other : one));
}

function coverageBy(words: readonly string[], { verbs, weights }: TargetQuery): Coverage {
  const own = words.filter((word) => !verbs.has(word));
  const said = own.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
  const isEnough = said > 0 && said + words.length - own.length >= words.length * MIN_COVERAGE;
  return { share: isEnough ? said / own.length : 0, shown: words.filter((word) => weights.has(word)) };
}
