import { admitted } from '../src/stream/admission.ts';
import { pairedIn } from '../src/stream/fit/fit.ts';
import { readFindings } from '../src/stream/rules/event-findings.ts';
import type { TrainedReader } from '../src/stream/trained/trained-reader.ts';
import type { CaseSet, MailCase } from '../test/eval/case.ts';
import { eventOf, indexOf, readAt } from '../test/eval/case-event.ts';
import type { Judged } from './tree-training.ts';

/** A suggestion of one mail and a task, with whether the mail means it so. */
export interface JudgedPair extends Judged {
  readonly mail: MailCase;
  readonly task: string;
  readonly set: Readonly<Record<string, string>>;
  /** Which suggestion of the mail it is. */
  readonly nth: number;
  readonly words: string;
}

/** Returns every pair of every mail. */
export async function judgedPairs(
  cases: CaseSet,
  mails: readonly MailCase[],
  reader: TrainedReader,
): Promise<readonly JudgedPair[]> {
  const index = indexOf(cases.vault);
  const judged: JudgedPair[] = [];
  for (const mail of mails) {
    const admission = admitted(await eventOf(mail), readAt(mail));
    if (!admission.ok) continue;
    const paired = pairedIn(admission.event, index, readFindings(admission.event), reader);
    for (const [nth, { suggestion, pairs }] of paired.entries()) {
      for (const { task, set, values } of pairs) {
        const isRight = mail.expect.some((each) => each.note === task.name && isSame(each.set, set));
        judged.push({ mail, task: task.name, set, nth, words: suggestion.finding.quote, values, isRight, weight: 1 });
      }
    }
  }
  return judged;
}

function isSame(one: Readonly<Record<string, string>> | null, other: Readonly<Record<string, string>>): boolean {
  return one !== null && Object.entries(other).every(([field, value]) => one[field] === value);
}
