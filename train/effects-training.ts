import {
  BUCKETS,
  CHANGES,
  type Change,
  EFFECTS,
  type LinearModel,
  likelihood,
  probabilities,
  record,
  scoreCues,
  sentenceFeatures,
  type TreeList,
  tellingSpan,
  treesScore,
} from '../src/reading/learnt.ts';
import { readFindings } from '../src/reading/read-event.ts';
import { splitPassages } from '../src/reading/rules.ts';
import { eventWith } from '../test/support/event-with.ts';
import { FOLDS, foldOf } from './folds.ts';
import { learnLinear } from './linear-training.ts';
import { linearModel } from './packing.ts';
import type { Sentence } from './sentences.ts';
import { type Judged, learnTrees } from './tree-training.ts';

/** A sentence, and what a reader that has not seen its group makes of it. */
export interface Asked {
  readonly sentence: Sentence;
  /** What is asked about it besides its words and letters. */
  readonly cues: readonly number[];
  readonly first: readonly number[];
}

/** Learns what sentences say by their words and letters alone. */
export function learnEffects(sentences: readonly Sentence[]): LinearModel {
  const examples = sentences.map(({ text, effect }) => {
    return { features: sentenceFeatures(text), label: EFFECTS.indexOf(effect), weight: 1 };
  });
  return linearModel(learnLinear(examples, EFFECTS.length, BUCKETS), EFFECTS);
}

/** Returns every sentence with what a reader makes of it that was taught all groups but a fifth, its own among these. */
export function askedAll(sentences: readonly Sentence[]): readonly Asked[] {
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const effects = learnEffects(sentences.filter((each) => foldOf(each.group) !== fold));
    return sentences.filter((each) => foldOf(each.group) === fold).map((each) => asked(each, effects));
  });
}

function asked(sentence: Sentence, effects: LinearModel): Asked {
  const view = splitPassages(sentence.text, false)
    .map((passage) => passage.view)
    .join(' ');
  const { read } = readFindings(eventWith({ text: sentence.text }));
  const first = probabilities(effects, sentenceFeatures(view));
  return { sentence, first, cues: scoreCues(view, record(EFFECTS, first), tellingSpan(view, effects), read) };
}

/** Learns how likely a sentence says each change, from what a reader that has not seen its group makes of it. */
export function learnChanges(all: readonly Asked[]): Readonly<Record<Change, TreeList>> {
  const learn = (change: Change) => learnTrees(judgedFor(all, change));
  return { done: learn('done'), cancelled: learn('cancelled'), moved: learn('moved') };
}

function judgedFor(all: readonly Asked[], change: Change): readonly Judged[] {
  return all.map(({ cues, sentence }) => ({ values: cues, isRight: sentence.effect === change, weight: 1 }));
}

/** How well one change is told by readers that have not seen the group of a sentence. */
export interface Told {
  readonly change: Change;
  readonly likely: readonly number[];
  readonly isSo: readonly boolean[];
}

/** Returns how likely each sentence was held to say each change, by trees that have not seen its group either. */
export function toldOf(all: readonly Asked[]): readonly Told[] {
  return CHANGES.map((change) => {
    const likely = Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
      const others = all.filter(({ sentence }) => foldOf(sentence.group) !== fold);
      const trees = learnTrees(judgedFor(others, change));
      return all
        .filter(({ sentence }) => foldOf(sentence.group) === fold)
        .map(({ cues, sentence }) => ({
          likely: likelihood(treesScore(trees, cues)),
          isSo: sentence.effect === change,
        }));
    });
    return { change, likely: likely.map((each) => each.likely), isSo: likely.map((each) => each.isSo) };
  });
}
