import { TOPICS } from '../src/stream/trained/labels.ts';
import type { LinearModel } from '../src/stream/trained/linear-model.ts';
import { sentenceFeatures } from '../src/stream/trained/sentence-features.ts';
import type { ReaderFile, TrainedReader } from '../src/stream/trained/trained-reader.ts';
import { type Asked, askedAll, learnChanges, learnEffects } from './effects-training.ts';
import { learnLinear } from './linear-training.ts';
import type { Material } from './material.ts';
import { linearModel, packed } from './packing.ts';
import { type JudgedPair, judgedPairs } from './pairs.ts';
import { learnTrees } from './tree-training.ts';

/** The name of a task counts for more than a sentence: it has few words. */
const NAME_WEIGHT = 2;
/** From this likelihood on a change is proposed. Chosen on the cases of test/eval/cases/tune: the least at which 85 % are right. */
const LEAST = 0.5;

/** The reader's file, and what its parts were learnt from. */
export interface Learning {
  readonly file: ReaderFile;
  readonly asked: readonly Asked[];
  readonly pairs: readonly JudgedPair[];
}

/** Learns everything. Takes a minute or two. */
export async function learnReader({ sentences, taskNames, cases }: Material): Promise<Learning> {
  const effects = learnEffects(sentences);
  const asked = askedAll(sentences);
  const changes = learnChanges(asked);
  const topics = learnTopics({ sentences, taskNames });
  const unfitted: TrainedReader = { effects, changes, topics, fit: { base: 0, trees: [] }, least: LEAST };
  const pairs: JudgedPair[] = [];
  for (const { set, mails } of cases) pairs.push(...(await judgedPairs(set, mails, unfitted)));
  const file = {
    made_from: '',
    effects: packed(effects),
    changes,
    topics: packed(topics),
    fit: learnTrees(pairs),
    least: LEAST,
  };
  return { file, asked, pairs };
}

function learnTopics({ sentences, taskNames }: Pick<Material, 'sentences' | 'taskNames'>): LinearModel {
  const said = sentences.flatMap(({ topic, text }) => {
    return topic === null ? [] : [{ features: sentenceFeatures(text), label: TOPICS.indexOf(topic), weight: 1 }];
  });
  const named = taskNames.map(({ topic, text }) => {
    return { features: sentenceFeatures(text), label: TOPICS.indexOf(topic), weight: NAME_WEIGHT };
  });
  return linearModel(learnLinear([...said, ...named], TOPICS.length), TOPICS);
}
