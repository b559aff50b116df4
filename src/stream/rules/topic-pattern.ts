import { spacedPattern } from './pattern.ts';
import { TOPICS, type Topic, type TopicName } from './phrases.ts';

/** Returns one pattern per topic, as `pick` selects it. Topics without that pattern are left out. */
export function topicPatterns(pick: (topic: Topic) => string | undefined): ReadonlyMap<TopicName, RegExp> {
  return new Map(
    TOPICS.flatMap((topic) => {
      const source = pick(topic);
      return source === undefined ? [] : [[topic.name, spacedPattern(source)] as const];
    }),
  );
}
