import {
  EFFECTS,
  type Effect,
  type LinearModel,
  probabilities,
  record,
  scoreTopics,
  sentenceFeatures,
  strongestChange,
} from '../src/reading/learnt.ts';
import { splitEvent } from '../src/reading/rules.ts';
import type { StreamEvent } from '../src/steward/types.ts';
import type { MailCase } from '../test/eval/case.ts';
import { eventOf } from '../test/eval/case-event.ts';
import { groupOf } from './folds.ts';
import type { Sentence } from './sentences.ts';

/** In a mail that changes something, another sentence that may say so as well is not learnt from: nobody has said what it says. */
const MAY_SAY_SO = 0.35;
/** Mails that do say that something was done, of something that is on no list: what their sentences say is not "nothing". */
const OF_OTHERS: readonly MailCase['kind'][] = [
  ...(['other_thing', 'similar_name', 'already_so', 'partial', 'past', 'stale', 'weak', 'plain'] as const),
  ...(['undone', 'uncancelled', 'contradiction', 'template'] as const),
];
const IS_ENDING = 0.5;
const MAX_SENTENCES = 40;

/** Returns the sentences of mails, each with what it says: those that are quoted, and those that surely say nothing. */
export async function caseSentences(
  mails: readonly MailCase[],
  models: { readonly effects: LinearModel; readonly topics: LinearModel },
): Promise<readonly Sentence[]> {
  const sentences: Sentence[] = [];
  for (const mail of mails) sentences.push(...sentencesIn(mail, await eventOf(mail), models));
  // The usual lines stand in many mails, and say nothing more each time.
  return [...new Map(sentences.map((each) => [`${each.effect} ${each.text}`, each])).values()];
}

function sentencesIn(
  mail: MailCase,
  event: StreamEvent,
  models: Parameters<typeof caseSentences>[1],
): readonly Sentence[] {
  const isQuiet = mail.expect.length === 0 && !OF_OTHERS.includes(mail.kind);
  return splitEvent(event)
    .slice(0, MAX_SENTENCES)
    .flatMap(({ view, text, sentence }) => {
      const own = text.slice(sentence.start, sentence.end);
      const said = mail.expect.find(
        ({ quote }) => own.includes(quote) || (own.trim().length > 12 && quote.includes(own.trim())),
      );
      const base = { language: mail.lang, group: groupOf(mail), topic: null, text: view.trim() };
      if (base.text.length < 3) return [];
      if (said !== undefined) return [{ ...base, effect: effectOf(said, models.topics) }];
      const change = strongestChange(record(EFFECTS, probabilities(models.effects, sentenceFeatures(view))));
      return isQuiet || change < MAY_SAY_SO ? [{ ...base, effect: 'none' as const }] : [];
    });
}

function effectOf({ set, note }: MailCase['expect'][number], topics: LinearModel): Effect {
  if (set === null) return 'asks';
  if ('due' in set) return 'moved';
  const { state } = set as { state?: string };
  return state === 'archived' || scoreTopics(note, { topics }).ending >= IS_ENDING ? 'cancelled' : 'done';
}
