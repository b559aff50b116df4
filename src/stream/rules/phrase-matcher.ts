import { lazily } from '../language/lazily.ts';
import type { FixedPhrase, LanguageTable, TopicName } from '../languages/language-table.ts';
import { LANGUAGES } from '../languages/languages.ts';
import { phrasePattern } from './pattern.ts';
import { ENDINGS, TOPICS, type Topic } from './topics.ts';

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
  /** See `Finding.onlyAsked`. */
  readonly onlyAsked: boolean;
}

const ALL_TOPICS = [...TOPICS, ...ENDINGS];
const matchers = lazily(() => Map.groupBy([...framedMatchers(), ...fixedMatchers()], ({ topic }) => topic.name));
const mentions = lazily(
  (): ReadonlyMap<TopicName, RegExp> => new Map(ALL_TOPICS.map((topic) => [topic.name, mentionPattern(topic)])),
);

/** Returns every matcher of a topic. */
export function matchersOf(topic: Topic): readonly PhraseMatcher[] {
  return matchers().get(topic.name) ?? [];
}

/** Returns where a sentence has any form of a topic, in a frame or not; null where it has none. */
export function mentionIn(view: string, topic: Topic): RegExpExecArray | null {
  return mentions().get(topic.name)?.exec(view) ?? null;
}

function framedMatchers(): PhraseMatcher[] {
  return ALL_TOPICS.flatMap((topic) => LANGUAGES.flatMap((language) => framedIn(language, topic)));
}

function framedIn({ frames, topics }: LanguageTable, topic: Topic): PhraseMatcher[] {
  return topics[topic.name].forms.flatMap(({ words, ceiling, onlyAsked = false }) => {
    const form = new RegExp(phrasePattern(words).source, 'iu');
    return frames.map((frame) => ({
      id: `${topic.name}: ${frame.id}`,
      topic,
      pattern: phrasePattern(frame.pattern.replace('W', `(?:${words})`)),
      form,
      confidence: Math.min(frame.confidence, ceiling),
      bare: frame.bare ?? false,
      negative: false,
      onlyAsked,
    }));
  });
}

function fixedMatchers(): PhraseMatcher[] {
  return ALL_TOPICS.flatMap((topic) =>
    fixedPhrasesOf(topic).map(({ id, pattern, confidence, negative = false, onlyAsked = false }) => {
      const matcher = { id: `${topic.name}: ${id}`, topic, form: null, confidence, bare: false, negative, onlyAsked };
      return { ...matcher, pattern: phrasePattern(pattern) };
    }),
  );
}

function mentionPattern(topic: Topic): RegExp {
  const forms = LANGUAGES.flatMap(({ topics }) => topics[topic.name].forms.map(({ words }) => words));
  const fixed = fixedPhrasesOf(topic).map(({ pattern }) => pattern);
  return new RegExp(phrasePattern([...forms, ...fixed].join('|')).source, 'iu');
}

function fixedPhrasesOf({ name }: Topic): readonly FixedPhrase[] {
  return LANGUAGES.flatMap(({ topics }) => topics[name].phrases);
}
