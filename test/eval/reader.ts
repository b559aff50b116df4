import { type MutationContext, permitProposal } from '../../src/steward/changes/change-policy.ts';
import type { Usage } from '../../src/steward/ports/evaluator.ts';
import type { ExtractionQuestion, Extractor, Meaning } from '../../src/steward/ports/extractor.ts';
import type { StreamEvent } from '../../src/steward/ports/stream-event.ts';
import { admitted } from '../../src/stream/admission.ts';
import { checked } from '../../src/stream/checking.ts';
import { draftsOf, type SignalDraft } from '../../src/stream/draft.ts';
import { parseMail } from '../../src/stream/mail/mail.ts';
import { readByRules } from '../../src/stream/rules-extractor.ts';
import { candidatesFor } from '../../src/stream/targets/candidates.ts';
import { TargetIndex } from '../../src/stream/targets/target-index.ts';
import { extractSignals } from '../stream/events.ts';
import type { CaseMatter, MailCase } from './case.ts';
import { titleOf } from './case.ts';

/** What is measured on mails: from one event and the notes there are to the signals it makes. */
export interface Reader {
  readonly name: string;
  read(event: StreamEvent, index: TargetIndex, now: Date): Promise<readonly SignalDraft[]>;
}

/** A model as the program asks it: the same search before, the same checks after. What it took is added up in `took`. */
export function modelReader(extractor: Extractor, took: Took): Reader {
  return {
    name: extractor.name,
    async read(event, index, now) {
      const question = questionAbout(event, index, now);
      if (question === null) return [];
      const said = await extractor.extract(question, new AbortController().signal);
      took.add(said.usage);
      // What cannot be used is read by the rules, as the daemon has it.
      const read = said.unusable === null ? checked(said, event, index) : readByRules(event, index);
      return draftsOf(event, { ...read, meanings: read.meanings.map(permitted) }, index, {
        now,
        confidenceOf: () => 1,
      });
    },
  };
}

/** What would be asked about one event; null where nothing would be. */
export function questionAbout(event: StreamEvent, index: TargetIndex, now: Date): ExtractionQuestion | null {
  const admission = admitted(event, now);
  if (!admission.ok) return null;
  const candidates = candidatesFor(index, admission.event);
  return candidates.length === 0 ? null : { event: admission.event, candidates, now: now.getTime() };
}

/** What questions took together. */
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

/** A proposal that no signal may make is taken out, as the daemon does; the notes of the cases hold nothing yet. */
function permitted(meaning: Meaning): Meaning {
  const context: MutationContext = {
    kind: meaning.target.startsWith('task/') ? 'task' : 'matter',
    ...{ fields: {}, state: 'open', stateField: 'state', editable: [], protectedFields: [], today: '2026-11-20' },
    ...{ matterExists: () => false, noteExists: () => false },
  };
  const isFit = meaning.proposal === null || permitProposal(meaning.proposal, context).ok;
  return isFit ? meaning : { ...meaning, proposal: null };
}

/** The reader of the program itself. Every source is fully trusted, so that nothing hides behind a low prior. */
export const rulesReader: Reader = {
  name: 'rules',
  async read(event, index, now) {
    return extractSignals(event, index, { now, confidenceOf: () => 1 }).signals;
  },
};

const HOUR_MS = 3_600_000;

/** The signals a reader makes of one case. */
export async function signalsOf(mail: MailCase, index: TargetIndex, reader: Reader): Promise<readonly SignalDraft[]> {
  return reader.read(await eventOf(mail), index, readAt(mail));
}

/** A case by way of the mail's bytes as they would lie in the vault. */
export async function eventOf(mail: MailCase): Promise<StreamEvent> {
  const parsed = await parseMail(`stream/gmail/${titleOf(mail)}.eml`, bytesOf(mail), 'gmail');
  if (!parsed.ok) throw new Error(`${titleOf(mail)}: ${parsed.trouble.message}`);
  return parsed.event;
}

/** A mail is read an hour after it was written. */
export function readAt(mail: MailCase): Date {
  return new Date(Date.parse(mail.date) + HOUR_MS);
}

/** The notes of all cases, as the daemon would have them in its index. */
export function indexOf(vault: readonly CaseMatter[]): TargetIndex {
  const index = new TargetIndex();
  for (const { matter, tasks, senders, aliases, keywords } of vault) {
    const matterPath = `matter/${matter}.md`;
    const blank = { aliases: [], senders: [], keywords: [], summary: '', state: 'open' };
    index.add({
      ...blank,
      kind: 'matter',
      path: matterPath,
      name: matter,
      matterPath: null,
      senders,
      aliases,
      keywords,
    });
    for (const name of tasks) index.add({ ...blank, kind: 'task', path: `task/${name}.md`, name, matterPath });
  }
  return index;
}

function bytesOf({ from, date, subject, headers, text }: MailCase): Uint8Array {
  const lines = [
    `From: <${from}>`,
    'To: <robin@home.example>',
    `Date: ${new Date(date).toUTCString()}`,
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    text.replaceAll('\n', '\r\n'),
  ];
  return Buffer.from(lines.join('\r\n'));
}
