import { type ThingSet, thingsNamed } from '../things/things-named.ts';
import { TOPICS, type Topic } from '../trained/labels.ts';
import type { Heard } from './heard.ts';
import { type Ground, hasOtherNumber, shared } from './task-in-mail.ts';
import { bestCoverage, coverage, type TaskWords } from './task-words.ts';
import { type Zone, zoneOf } from './words-in-common.ts';

/** A sentence with what it names. */
export interface SentenceWords {
  readonly heard: Heard;
  readonly zone: Zone;
  readonly things: ThingSet;
}

/** Returns a sentence with what it names. */
export function sentenceWordsOf(heard: Heard, { mail }: Pick<Ground, 'mail'>): SentenceWords {
  const { view } = heard.passage;
  return { heard, zone: zoneOf(view), things: thingsNamed(view, mail.language) };
}

/** What a task has in common with one sentence, each 0–1. */
export function taskInSentence(own: TaskWords, { heard, zone, things }: SentenceWords, ground: Ground) {
  const near = things.union(ground.mail.things.subject);
  return {
    inSentence: coverage(own.words, zone, ground.rarity),
    ownInSentence: coverage(own.ownWords, zone, ground.rarity),
    matterInSentence: bestCoverage(own.matterNames, zone),
    thingsInSentence: shared(own.things, things, ground),
    thingsSaid: shared(things, own.things, ground),
    otherThings: Number(near.size > 0 && own.things.size > 0 && own.things.isDisjointFrom(near)),
    otherNumber: Number(hasOtherNumber(own, [zone, ground.mail.subject])),
    deed: likeness(heard.topics, own.deeds),
    topDeed: own.deeds[topTopic(heard)],
  };
}

function likeness(one: Readonly<Record<Topic, number>>, other: Readonly<Record<Topic, number>>): number {
  return TOPICS.reduce((sum, topic) => sum + Math.sqrt(one[topic] * other[topic]), 0);
}

function topTopic({ topics }: Heard): Topic {
  return TOPICS.reduce((best, topic) => (topics[topic] > topics[best] ? topic : best), TOPICS[0]);
}
