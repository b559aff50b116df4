import type { TopicName } from '../languages/language-table.ts';
import { wordsOfAll } from '../languages/union.ts';

/** Something that a mail can say has happened, in whatever language. */
export interface Topic {
  readonly name: TopicName;
  readonly state: 'done' | 'archived';
  /** The words that tasks use for it. */
  readonly verbs: readonly string[];
}

/** What may be said of a task. */
export const TOPICS: readonly Topic[] = [
  topic('payment', 'done'),
  topic('signature', 'done'),
  topic('delivery', 'done'),
  topic('completion', 'done'),
  topic('approval', 'done'),
  topic('booking', 'done'),
  topic('renewal', 'done'),
  topic('cancellation', 'archived'),
];

/**
 * What is said of an affair as a whole, and of much else: a case, a shop, a road is closed. These count only where it is a
 * matter, by its own name, that has ended, so no task has verbs for them.
 */
export const ENDINGS: readonly Topic[] = [topic('ending', 'done'), topic('withdrawal', 'archived')];

function topic(name: TopicName, state: Topic['state']): Topic {
  return { name, state, verbs: wordsOfAll(({ topics }) => topics[name].verbs) };
}
