import type { TopicName, TopicWords } from '../languages/language-table.ts';
import { patternOfAll } from '../languages/union.ts';
import { spacedPattern } from './pattern.ts';
import { ENDINGS, TOPICS } from './topics.ts';

/** Returns one pattern per topic, as `pick` selects it. */
export function topicPatterns(pick: (words: TopicWords) => string): ReadonlyMap<TopicName, RegExp> {
  return new Map(
    [...TOPICS, ...ENDINGS].map(({ name }) => [name, spacedPattern(patternOfAll(({ topics }) => pick(topics[name])))]),
  );
}
