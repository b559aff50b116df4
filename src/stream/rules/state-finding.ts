import type { TopicName } from '../languages/language-table.ts';
import type { PhraseInSentence } from './cues.ts';
import { assessedFinding, type Claim, type Finding, lowerTo, surestFirst } from './finding.ts';
import type { Passage } from './passage.ts';
import { firstMatches } from './pattern.ts';
import { matchersOf, mentionIn, type PhraseMatcher } from './phrase-matcher.ts';
import { topicPatterns } from './topic-pattern.ts';
import { ENDINGS, TOPICS, type Topic } from './topics.ts';

const SPOILERS: ReadonlyMap<TopicName, RegExp> = topicPatterns((words) => words.spoiltBy);
const DOUBTS: ReadonlyMap<TopicName, RegExp> = topicPatterns((words) => words.doubtedBy);
const OTHER_VERBS: ReadonlyMap<TopicName, readonly string[]> = new Map(
  [...TOPICS, ...ENDINGS].map((topic) => [topic.name, otherVerbsOf(topic)]),
);
const DOUBT_FACTOR = 0.75;

interface Match {
  readonly matcher: PhraseMatcher;
  readonly phrase: PhraseInSentence;
}

/** Returns what a sentence says was done or called off, at most one finding per topic. */
export function statesIn(passage: Passage): Finding[] {
  return statesOf(TOPICS, passage);
}

/** Returns what a sentence says has come to its end, which counts only where that is a whole matter. */
export function endingsIn(passage: Passage): Finding[] {
  return statesOf(ENDINGS, passage);
}

function statesOf(topics: readonly Topic[], passage: Passage): Finding[] {
  return topics.flatMap((topic) => {
    const mention = mentionIn(passage.view, topic);
    if (mention === null || SPOILERS.get(topic.name)?.test(passage.view) === true) return [];
    const matches = matchersOf(topic)
      .filter((matcher) => matcher.form?.test(passage.view) !== false)
      .flatMap((matcher) => matchesIn(passage.view, matcher));
    const framed = surest(outermost(matches).map(({ matcher, phrase }) => stateFinding(matcher, phrase, passage)));
    return framed.length > 0 ? framed : mentionedOnly(topic, mention, passage);
  });
}

function matchesIn(view: string, matcher: PhraseMatcher): Match[] {
  const { bare, negative } = matcher;
  return firstMatches(view, matcher.pattern).map((match) => {
    const [start, end] = [match.index, match.index + match[0].length];
    return { matcher, phrase: { sentence: view, start, end, bare, negative, ofFuture: false } };
  });
}

/** Drops matches within longer ones: "paid" in "has been paid" is read with its helping verb, not again by itself. */
function outermost(matches: readonly Match[]): Match[] {
  return matches.filter(
    ({ phrase }) => !matches.some((other) => other.phrase !== phrase && contains(other.phrase, phrase)),
  );
}

function contains(outer: PhraseInSentence, inner: PhraseInSentence): boolean {
  const isLonger = outer.end - outer.start > inner.end - inner.start;
  return isLonger && outer.start <= inner.start && outer.end >= inner.end;
}

/** A word outside every frame is never a finding, but "has not been paid by them" still counts as a denial. */
function mentionedOnly(topic: Topic, mention: RegExpExecArray, passage: Passage): Finding[] {
  const matcher = matchersOf(topic)[0];
  if (matcher === undefined) return [];
  const [start, end] = [mention.index, mention.index + mention[0].length];
  const phrase = { sentence: passage.view, start, end, bare: true, negative: false, ofFuture: false };
  const finding = stateFinding({ ...matcher, id: `${topic.name}: mentioned` }, phrase, passage);
  return finding.defeatedBy === null ? [] : [finding];
}

function stateFinding(
  { id, topic, confidence, onlyAsked }: PhraseMatcher,
  phrase: PhraseInSentence,
  passage: Passage,
): Finding {
  const finding = assessedFinding({ ...stateClaim(topic, id), onlyAsked }, confidence, phrase, passage);
  const doubt = DOUBTS.get(topic.name)?.exec(phrase.sentence)?.[0];
  if (doubt === undefined || finding.defeatedBy !== null) return finding;
  return lowerTo(finding, finding.rawConfidence * DOUBT_FACTOR, `"${doubt}" may mean a part of it`);
}

/** Returns the claim that a topic's thing was done or called off, as the rule `phraseId` reads it. */
export function stateClaim(topic: Topic, phraseId: string): Claim {
  const { state, verbs } = topic;
  return {
    ...{ effect: 'mutation', class: 'state_change', set: { state }, phraseId, verbs },
    otherVerbs: OTHER_VERBS.get(topic.name) ?? [],
  };
}

/** Whatever a task asks for can be completed or called off, so those two topics rule out no other verb. */
function otherVerbsOf(topic: Topic): readonly string[] {
  if (topic.name === 'completion' || topic.name === 'cancellation') return [];
  const own = new Set(topic.verbs);
  const others = TOPICS.filter((other) => other.name !== 'completion').flatMap((other) => other.verbs);
  return others.filter((verb) => !own.has(verb));
}

/** Of several phrases for one topic in one sentence, the surest counts, unless one of them was defeated. */
function surest(findings: readonly Finding[]): Finding[] {
  const defeated = findings.find((finding) => finding.defeatedBy !== null);
  return defeated === undefined ? surestFirst(findings).slice(0, 1) : [defeated];
}
