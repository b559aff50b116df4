import { expect, test } from 'vitest';
import { rules } from '../../src/providers/substitutes.ts';
import { readFindings } from '../../src/reading/read-event.ts';
import { LOW_EXPERIENCE } from '../support/gates.ts';
import type { MailCase } from './case.ts';
import { eventOf } from './case-event.ts';
import { evaluateParts } from './evaluation.ts';
import { partsNamed } from './parts.ts';
import { rulesReader } from './reader.ts';
import { wrongActsOf } from './report/misses.ts';

test('nothing in the cases that are learnt from is done wrongly without a person', async () => {
  const [train] = partsNamed(['train']);
  const { sets = [] } = train ?? {};
  const sure = await Promise.all(sets.map(async (set) => ({ ...set, mails: await mailsThat(mayAct, set.mails) })));
  expect(sets.flatMap(({ mails }) => mails).length).toBeGreaterThan(400);
  expect(sure.flatMap(({ mails }) => mails).length).toBeGreaterThan(10);
  const [result] = await evaluateParts([{ part: 'train', isBlind: false, sets: sure }], rulesReader, rules);
  expect(result === undefined ? null : wrongActsOf(result)).toEqual([]);
});

/** Only a rule or a form hears so surely that its word may be acted upon; the other mails are not read further here. */
async function mayAct(mail: MailCase): Promise<boolean> {
  return (
    mail.ics !== '' || readFindings(await eventOf(mail)).findings.some((each) => each.rawConfidence >= LOW_EXPERIENCE)
  );
}

async function mailsThat(are: (mail: MailCase) => Promise<boolean>, mails: readonly MailCase[]): Promise<MailCase[]> {
  const kept = await Promise.all(mails.map(async (mail) => ((await are(mail)) ? [mail] : [])));
  return kept.flat();
}
