import { phrasePattern } from './pattern.ts';
import { ENDINGS, FIXED_PHRASES, FRAMES, TOPICS, type Topic, type TopicName } from './phrases.ts';

/** One way of saying that a topic's thing has happened, ready to be searched for. */
export interface PhraseMatcher {
  readonly id: string;
  readonly topic: Topic;
  readonly pattern: RegExp;
  /** A cheap test whether the sentence has the form at all; null where only the pattern can tell. */
  readonly form: RegExp | null;
  readonly confidence: number;
  /** See `Frame.bare`. */
  readonly bare: boolean;
  /** See `FixedPhrase.negative`. */
  readonly negative: boolean;
}

const ALL_TOPICS = [...TOPICS, ...ENDINGS];
const BY_NAME: ReadonlyMap<TopicName, Topic> = new Map(ALL_TOPICS.map((topic) => [topic.name, topic]));
const MATCHERS = Map.groupBy([...framedMatchers(), ...fixedMatchers()], ({ topic }) => topic.name);
const MENTIONS: ReadonlyMap<TopicName, RegExp> = new Map(
  ALL_TOPICS.map((topic) => [topic.name, mentionPattern(topic)]),
);

/** Returns every matcher of a topic. */
export function matchersOf(topic: Topic): readonly PhraseMatcher[] {
  return MATCHERS.get(topic.name) ?? [];
}

/** Returns where a sentence has any form of a topic, in a frame or not; null where it has none. */
export function mentionIn(view: string, topic: Topic): RegExpExecArray | null {
  return MENTIONS.get(topic.name)?.exec(view) ?? null;
}

function framedMatchers(): PhraseMatcher[] {
  return ALL_TOPICS.flatMap((topic) =>
    topic.forms.flatMap((form) => {
      const mention = new RegExp(phrasePattern(form.words).source, 'iu');
      return FRAMES.filter((frame) => frame.language === form.language).map((frame) => ({
        id: `${topic.name}: ${frame.id}`,
        topic,
        pattern: phrasePattern(frame.pattern.replace('W', `(?:${form.words})`)),
        form: mention,
        confidence: Math.min(frame.confidence, form.ceiling),
        bare: frame.bare ?? false,
        negative: false,
      }));
    }),
  );
}

function fixedMatchers(): PhraseMatcher[] {
  return FIXED_PHRASES.flatMap((phrase) => {
    const topic = BY_NAME.get(phrase.topic);
    if (topic === undefined) return [];
    const { confidence, negative = false } = phrase;
    const pattern = phrasePattern(phrase.pattern);
    return [{ id: `${phrase.topic}: ${phrase.id}`, topic, pattern, form: null, confidence, bare: false, negative }];
  });
}

function mentionPattern(topic: Topic): RegExp {
  const fixed = FIXED_PHRASES.filter((phrase) => phrase.topic === topic.name).map((phrase) => phrase.pattern);
  const forms = topic.forms.map((form) => form.words);
  return new RegExp(phrasePattern([...forms, ...fixed].join('|')).source, 'iu');
}
