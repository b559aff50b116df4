import { candidatesFor } from '../../src/reading/candidates.ts';
import { findSuggestions, type ReadingBasis, sentenceEffects, TaskBook } from '../../src/reading/learnt.ts';
import { readByRules, readFindings } from '../../src/reading/read-event.ts';
import type { TargetIndex } from '../../src/reading/targets.ts';
import { type MutationContext, permitProposal } from '../../src/steward/change.ts';
import type { ExtractionQuestion, Extractor, Meaning, StreamEvent, Usage } from '../../src/steward/types.ts';
import { readAppointment } from '../../src/streams/appointments.ts';
import { admitted, answerOrRules, checked } from '../../src/streams/extract.ts';
import { distinctDrafts, makeDrafts, type SignalDraft } from '../../src/streams/signal.ts';
import { LEARNT } from '../support/learnt.ts';
import type { MailCase } from './case.ts';
import { readAt, readOf } from './case-event.ts';

/** What is measured on mails: the signals that a reader makes of one event, given the notes of the vault. */
export interface Reader {
  readonly name: string;
  read(event: StreamEvent, index: TargetIndex, now: Date): Promise<readonly SignalDraft[]>;
  /** What it notices before it is known which note is meant; absent where that cannot be told apart. */
  hears?(event: StreamEvent, now: Date): readonly Heard[];
}

/** The fields that something in a mail would set in some note; null for a request. */
export type Heard = Readonly<Record<string, unknown>> | null;

/** What a reader makes of one mail. */
export interface Reading {
  readonly drafts: readonly SignalDraft[];
  readonly heard: readonly Heard[];
  /** The words of the mail as they were read. */
  readonly text: string;
}

/** A model as the program asks it, with the same search before and the same checks after. `took` adds up the tokens. */
export function modelReader(extractor: Extractor, took: Took): Reader {
  const book = new TaskBook(LEARNT);
  return {
    name: extractor.name,
    async read(event, index, now) {
      const question = questionAbout(event, { index, learnt: LEARNT, book }, now);
      if (question === null) return [];
      const said = await extractor.extract(question, new AbortController().signal);
      took.add(said.usage);
      const answer = said.unusable === null ? checked(said, event, index) : said;
      const read = answerOrRules(answer, () => readByRules(event, { index, learnt: LEARNT, book }));
      return makeDrafts(event, { ...read, meanings: read.meanings.map(permitted) }, index, {
        now,
        standingOf: () => 'unknown',
        confidenceOf: () => 1,
      });
    },
  };
}

/** Returns the question about one event; null where none would be asked. */
export function questionAbout(event: StreamEvent, known: ReadingBasis, now: Date): ExtractionQuestion | null {
  const admission = admitted(event, now);
  if (!admission.ok) return null;
  const candidates = candidatesFor(admission.event, known);
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
    ...{
      fields: {},
      state: 'open',
      stateField: 'state',
      editable: [],
      protectedFields: [],
      words: [],
      today: '2026-11-20',
    },
    ...{ matterExists: () => false, noteExists: () => false },
  };
  const isFit = meaning.proposal === null || permitProposal(meaning.proposal, context).ok;
  return isFit ? meaning : { ...meaning, proposal: null };
}

/** The program's own reader. It trusts every source fully, so that a low prior hides nothing. */
export const rulesReader: Reader = {
  name: 'rules',
  async read(event, index, now) {
    const admission = admitted(event, now);
    if (!admission.ok) return [];
    const read = readByRules(admission.event, { index, learnt: LEARNT });
    const context = { now, standingOf: () => 'unknown' as const, confidenceOf: () => 1 };
    return makeDrafts(admission.event, read, index, context);
  },
  hears(event, now) {
    const admission = admitted(event, now);
    return admission.ok ? heardIn(admission.event) : [];
  },
};

/** A sentence less likely to tell of a change is listened to, but nobody would say that it was heard. */
const AS_LIKELY_AS_NOT = 0.5;

function heardIn(event: StreamEvent): readonly Heard[] {
  const found = readFindings(event);
  const suggested = findSuggestions(sentenceEffects(event, found.read, LEARNT), found).filter(
    ({ heard, effect }) => heard.effects[effect] >= AS_LIKELY_AS_NOT,
  );
  return [...found.findings, ...suggested.map(({ finding }) => finding)].map((finding) =>
    finding.class === null ? null : finding.set,
  );
}

/** Returns what a reader makes of one case. What became a signal was heard. */
export async function readingOf(mail: MailCase, index: TargetIndex, reader: Reader): Promise<Reading> {
  const { event, within } = await readOf(mail);
  const now = readAt(mail);
  const read = await reader.read(event, index, now);
  const drafts = distinctDrafts([...read, ...within.flatMap((one) => appointmentDrafts(one.event, index, now))]);
  const heard = reader.hears?.(event, now) ?? [];
  const made = drafts.map((draft) => (draft.effect === 'mutation' ? (draft.mutation_proposal?.set ?? {}) : null));
  return { drafts, heard: [...heard, ...made], text: `${event.text}\n${event.quoted}` };
}

/** What the appointments of a mail give, by whoever it is read: no model is asked about them. */
function appointmentDrafts(event: StreamEvent, index: TargetIndex, now: Date): readonly SignalDraft[] {
  const read = readAppointment(event, index, now.toISOString().slice(0, 16));
  const extracted = { ...read, meanings: read.meanings.map(permitted) };
  return makeDrafts(event, extracted, index, {
    now,
    standingOf: () => 'unknown',
    confidenceOf: () => 1,
  });
}
