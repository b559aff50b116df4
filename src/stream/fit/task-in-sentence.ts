import { type ThingSet, thingsNamed } from '../things/things-named.ts';
import { TOPICS, type Topic } from '../trained/labels.ts';
import type { Heard } from './heard.ts';
import { Remembered } from './remembered.ts';
import { type Ground, hasOtherNumber, shared, type TaskInQuestion } from './task-in-mail.ts';
import { bestCoverage, coverage } from './words/weighed-words.ts';
import { MailZone } from './words/words-in-common.ts';

/** A sentence with what it names. */
export interface SentenceWords {
  readonly heard: Heard;
  readonly zone: MailZone;
  readonly things: ThingSet;
  /** Those that it or the subject names. */
  readonly near: ThingSet;
  /** The kind of deed that it is most likely about. */
  readonly topTopic: Topic;
  /** Which share it has of the best name of each matter, by path; null for tasks without one. */
  readonly matters: Remembered<string | null, number>;
}

/** Returns a sentence with what it names. */
export function sentenceWordsOf(heard: Heard, { mail }: Pick<Ground, 'mail'>): SentenceWords {
  const { view } = heard.passage;
  const things = thingsNamed(view, mail.language);
  return {
    ...{ heard, zone: new MailZone(view), things, near: things.union(mail.things.subject) },
    ...{ topTopic: topTopic(heard), matters: new Remembered() },
  };
}

/** What a task has in common with one sentence, each 0–1. */
export function taskInSentence({ own, words, ownWords }: TaskInQuestion, sentence: SentenceWords, ground: Ground) {
  const { heard, zone, things, near, topTopic: top, matters } = sentence;
  return {
    inSentence: coverage(words, zone),
    ownInSentence: coverage(ownWords, zone),
    matterInSentence: matters.of(own.matter?.path ?? null, () => bestCoverage(own.matterNames, zone)),
    thingsInSentence: shared(own.things, things, ground),
    thingsSaid: shared(things, own.things, ground),
    otherThings: Number(near.size > 0 && own.things.size > 0 && own.things.isDisjointFrom(near)),
    otherNumber: Number(hasOtherNumber(own, [zone, ground.mail.subject])),
    deed: likeness(heard.topics, own.deeds),
    topDeed: own.deeds[top],
  };
}

function likeness(one: Readonly<Record<Topic, number>>, other: Readonly<Record<Topic, number>>): number {
  return TOPICS.reduce((sum, topic) => sum + Math.sqrt(one[topic] * other[topic]), 0);
}

function topTopic({ topics }: Heard): Topic {
  return TOPICS.reduce((best, topic) => (topics[topic] > topics[best] ? topic : best), TOPICS[0]);
}
