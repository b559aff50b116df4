import { permitProposal } from '../../src/steward/changes/change-policy.ts';
import type { MutationContext } from '../../src/steward/changes/permission.ts';
import type { Usage } from '../../src/steward/ports/evaluator.ts';
import type { ExtractionQuestion, Extractor, Meaning } from '../../src/steward/ports/extractor.ts';
import type { StreamEvent } from '../../src/steward/ports/stream-event.ts';
import { admitted } from '../../src/stream/admission.ts';
import { readAppointment } from '../../src/stream/appointments/read-appointment.ts';
import { checked } from '../../src/stream/checking.ts';
import { distinctDrafts, draftsOf, type SignalDraft } from '../../src/stream/draft.ts';
import { readByRules } from '../../src/stream/rules-extractor.ts';
import { candidatesFor } from '../../src/stream/targets/candidates.ts';
import type { TargetIndex } from '../../src/stream/targets/target-index.ts';
import { extractSignals } from '../stream/events.ts';
import { LEARNT } from '../support/learnt.ts';
import type { MailCase } from './case.ts';
import { readAt, readOf } from './case-event.ts';

/** What is measured on mails: the signals that a reader makes of one event, given the notes of the vault. */
export interface Reader {
  readonly name: string;
  read(event: StreamEvent, index: TargetIndex, now: Date): Promise<readonly SignalDraft[]>;
}

/** A model as the program asks it, with the same search before and the same checks after. `took` adds up the tokens. */
export function modelReader(extractor: Extractor, took: Took): Reader {
  return {
    name: extractor.name,
    async read(event, index, now) {
      const question = questionAbout(event, index, now);
      if (question === null) return [];
      const said = await extractor.extract(question, new AbortController().signal);
      took.add(said.usage);
      // Where the reply cannot be used, the rules read the mail, as in the daemon.
      const read = said.unusable === null ? checked(said, event, index) : readByRules(event, { index, learnt: LEARNT });
      return draftsOf(event, { ...read, meanings: read.meanings.map(permitted) }, index, {
        now,
        standingOf: () => 'unknown',
        canVouch: false,
        confidenceOf: () => 1,
      });
    },
  };
}

/** Returns the question about one event; null where none would be asked. */
export function questionAbout(event: StreamEvent, index: TargetIndex, now: Date): ExtractionQuestion | null {
  const admission = admitted(event, now);
  if (!admission.ok) return null;
  const candidates = candidatesFor(index, admission.event);
  return candidates.length === 0 ? null : { event: admission.event, candidates, now: now.getTime() };
}

/** The tokens that questions took in total. */
export class Took {
  asked = 0;
  tokensIn = 0;
  tokensOut = 0;

  add(usage: Usage | null): void {
    this.asked += 1;
    this.tokensIn += usage?.tokens_in ?? 0;
    this.tokensOut += usage?.tokens_out ?? 0;
  }
}

/** Removes a proposal that no signal may make, as the daemon does. The notes of the cases have no fields yet. */
function permitted(meaning: Meaning): Meaning {
  const context: MutationContext = {
    kind: meaning.target.startsWith('task/') ? 'task' : 'matter',
    ...{ fields: {}, state: 'open', stateField: 'state', editable: [], protectedFields: [], today: '2026-11-20' },
    ...{ matterExists: () => false, noteExists: () => false },
  };
  const isFit = meaning.proposal === null || permitProposal(meaning.proposal, context).ok;
  return isFit ? meaning : { ...meaning, proposal: null };
}

/** The program's own reader. It trusts every source fully, so that a low prior hides nothing. */
export const rulesReader: Reader = {
  name: 'rules',
  async read(event, index, now) {
    return extractSignals(event, index, { now, standingOf: () => 'unknown', canVouch: false, confidenceOf: () => 1 })
      .signals;
  },
};

/** Returns the signals that a reader makes of one case. */
export async function signalsOf(mail: MailCase, index: TargetIndex, reader: Reader): Promise<readonly SignalDraft[]> {
  const { event, within } = await readOf(mail);
  const read = await reader.read(event, index, readAt(mail));
  return distinctDrafts([...read, ...within.flatMap((one) => appointmentDrafts(one.event, index, readAt(mail)))]);
}

/** What the appointments of a mail give, by whoever it is read: no model is asked about them. */
function appointmentDrafts(event: StreamEvent, index: TargetIndex, now: Date): readonly SignalDraft[] {
  const read = readAppointment(event, index, now.toISOString().slice(0, 16));
  const extracted = { ...read, meanings: read.meanings.map(permitted) };
  return draftsOf(event, extracted, index, {
    now,
    standingOf: () => 'unknown',
    canVouch: false,
    confidenceOf: () => 1,
  });
}
