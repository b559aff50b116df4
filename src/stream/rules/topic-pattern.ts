import { wordPattern } from './pattern.ts';
import { TOPICS, type Topic, type TopicEntry } from './phrases.ts';

/** One of the patterns of each topic that has it, by topic; blanks in it match any run of blanks. */
export function topicPatterns(pick: (topic: TopicEntry) => string | undefined): ReadonlyMap<Topic, RegExp> {
  return new Map(
    TOPICS.flatMap((topic) => {
      const source = pick(topic);
      return source === undefined
        ? []
        : [[topic.topic, wordPattern(source.replace(/(?<!\[\^?) (?![*+?{])/g, ' +'))] as const];
    }),
  );
}
