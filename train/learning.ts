import {
  type LinearModel,
  type ReaderFile,
  sentenceFeatures,
  TOPICS,
  type TrainedReader,
} from '../src/reading/learnt.ts';
import { caseSentences } from './case-sentences.ts';
import { type Asked, askedAll, learnChanges, learnEffects } from './effects-training.ts';
import { learnFit } from './fit-training.ts';
import { FOLDS, foldOf, groupOf } from './folds.ts';
import { learnLinear } from './linear-training.ts';
import { learnMails, toldMails } from './mails-training.ts';
import type { Material } from './material.ts';
import { linearModel, packed } from './packing.ts';
import { type JudgedMail, judgedMails } from './pairs.ts';

/** The name of a task counts for more than a sentence: it has few words. */
const NAME_WEIGHT = 2;
/** From this likelihood on a change is proposed: of the mails of persons who were left out, the least tenth at which 85 % are right. */
const LEAST = 0.7;
/** So many features are told apart for the kinds of deed: there are many kinds, and the file shall stay small. */
const TOPIC_WIDTH = 1 << 12;
const UNFITTED = { fit: { weights: [], trees: { base: 0, trees: [] } }, least: LEAST };

/** The reader's file, and what its parts were learnt from. */
export interface Learning {
  readonly file: ReaderFile;
  readonly asked: readonly Asked[];
  readonly mails: readonly JudgedMail[];
}

/** Learns everything. Takes some minutes. `tell` is told what is done. */
export async function learnReader(material: Material, tell: (done: string) => void): Promise<Learning> {
  const topics = learnTopics(material);
  const mails = material.cases.flatMap((each) => each.mails);
  const said = await caseSentences(mails, { effects: learnEffects(material.sentences), topics });
  const sentences = [...material.sentences, ...said];
  tell(`${sentences.length} sentences, ${said.length} of them from ${mails.length} mails`);
  const asked = askedAll(sentences);
  tell('each sentence asked about by a reader that has not seen its group');
  const told = await toldMails(mails);
  tell('each mail by its words');
  const judged: JudgedMail[] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const effects = learnEffects(sentences.filter(({ group }) => foldOf(group) !== fold));
    const changes = learnChanges(asked.filter(({ sentence }) => foldOf(sentence.group) !== fold));
    const learntMails = learnMails(told.filter(({ mail }) => foldOf(groupOf(mail)) !== fold));
    const reader: TrainedReader = { effects, mails: learntMails, changes, topics, ...UNFITTED };
    for (const { set, mails: own, person } of material.cases) {
      const left = own.filter((mail) => foldOf(groupOf(mail)) === fold);
      judged.push(...(await judgedMails(set, left, person, reader)));
    }
    tell(`mails asked about, ${fold + 1} of ${FOLDS}`);
  }
  const file = {
    made_from: '',
    effects: packed(learnEffects(sentences)),
    mails: packed(learnMails(told)),
    changes: learnChanges(asked),
    topics: packed(topics),
    fit: learnFit(judged),
    least: LEAST,
  };
  return { file, asked, mails: judged };
}

function learnTopics({ sentences, taskNames }: Pick<Material, 'sentences' | 'taskNames'>): LinearModel {
  const said = sentences.flatMap(({ topic, text }) => {
    return topic === null ? [] : [{ features: sentenceFeatures(text), label: TOPICS.indexOf(topic), weight: 1 }];
  });
  const named = taskNames.map(({ topic, text }) => {
    return { features: sentenceFeatures(text), label: TOPICS.indexOf(topic), weight: NAME_WEIGHT };
  });
  return linearModel(learnLinear([...said, ...named], TOPICS.length, TOPIC_WIDTH), TOPICS);
}
