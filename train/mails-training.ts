import {
  type LinearModel,
  MAIL_EFFECTS,
  type MailEffect,
  mailFeatures,
  sentenceFeatures,
} from '../src/reading/learnt.ts';
import { splitEvent } from '../src/reading/rules.ts';
import type { MailCase } from '../test/eval/case.ts';
import { eventOf } from '../test/eval/case-event.ts';
import { learnLinear } from './linear-training.ts';
import { linearModel } from './packing.ts';

/** So many features are told apart: the file shall stay small. */
const WIDTH = 1 << 15;

/** A mail by its features, with what it says. */
export interface ToldMail {
  readonly mail: MailCase;
  readonly features: readonly number[];
  readonly effect: MailEffect;
}

/** Returns mails by their features. */
export async function toldMails(mails: readonly MailCase[]): Promise<readonly ToldMail[]> {
  const told: ToldMail[] = [];
  for (const mail of mails) {
    const sentences = splitEvent(await eventOf(mail)).map(({ view }) => sentenceFeatures(view));
    told.push({ mail, features: mailFeatures(sentences), effect: effectOf(mail) });
  }
  return told;
}

/** Learns what mails say by the words and letters of all their sentences. */
export function learnMails(mails: readonly ToldMail[]): LinearModel {
  const examples = mails.map(({ features, effect }) => ({ features, label: MAIL_EFFECTS.indexOf(effect), weight: 1 }));
  return linearModel(learnLinear(examples, MAIL_EFFECTS.length, WIDTH), MAIL_EFFECTS);
}

function effectOf({ expect }: MailCase): MailEffect {
  const change = expect.find(({ set }) => set !== null)?.set ?? null;
  if (change === null) return 'none';
  if (change.due !== undefined) return 'moved';
  return change.state === 'archived' ? 'cancelled' : 'done';
}
