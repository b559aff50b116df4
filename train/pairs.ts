import { type PossibleChange, possibleChanges, type TrainedReader } from '../src/reading/learnt.ts';
import { readFindings } from '../src/reading/read-event.ts';
import { admitted } from '../src/streams/extract.ts';
import type { CaseSet, MailCase } from '../test/eval/case.ts';
import { eventOf, indexOf, readAt } from '../test/eval/case-event.ts';

/** A change that a mail may mean, with whether it does. */
export interface JudgedChange extends PossibleChange {
  readonly isMeant: boolean;
}

/** A mail with every change that it may mean. */
export interface JudgedMail {
  readonly mail: MailCase;
  /** Whose vault it is for. */
  readonly person: string;
  readonly changes: readonly JudgedChange[];
}

/** Returns mails with every change that each may mean. */
export async function judgedMails(
  { vault }: CaseSet,
  mails: readonly MailCase[],
  person: string,
  reader: TrainedReader,
): Promise<readonly JudgedMail[]> {
  const index = indexOf(vault);
  const judged: JudgedMail[] = [];
  for (const mail of mails) {
    const admission = admitted(await eventOf(mail), readAt(mail));
    const changes = admission.ok ? possibleChanges(admission.event, index, readFindings(admission.event), reader) : [];
    judged.push({ mail, person, changes: changes.map((change) => ({ ...change, isMeant: isMeant(change, mail) })) });
  }
  return judged;
}

/** A day is compared without its time, unless the task's own has one. */
function isMeant({ task, set }: PossibleChange, mail: MailCase): boolean {
  return mail.expect.some(({ note, set: wanted }) => note === task.name && wanted !== null && isSame(wanted, set));
}

function isSame(wanted: Readonly<Record<string, string>>, set: Readonly<Record<string, string>>): boolean {
  return Object.entries(set).every(([field, value]) => {
    const other = wanted[field] ?? '';
    return field === 'due' ? other.slice(0, 10) === value.slice(0, 10) : other === value;
  });
}
