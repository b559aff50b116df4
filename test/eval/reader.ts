import { permitProposal } from '../../src/steward/changes/change-policy.ts';
import type { MutationContext } from '../../src/steward/changes/permission.ts';
import type { Usage } from '../../src/steward/ports/evaluator.ts';
import type { ExtractionQuestion, Extractor, Meaning } from '../../src/steward/ports/extractor.ts';
import type { StreamEvent } from '../../src/steward/ports/stream-event.ts';
import { admitted } from '../../src/stream/admission.ts';
import { readAppointment } from '../../src/stream/appointments/read-appointment.ts';
import { checked } from '../../src/stream/checking.ts';
import { distinctDrafts, draftsOf, type SignalDraft } from '../../src/stream/draft.ts';
import { readMailFile } from '../../src/stream/invitations/mail-file.ts';
import type { Carried } from '../../src/stream/items/item.ts';
import { readByRules } from '../../src/stream/rules-extractor.ts';
import { candidatesFor } from '../../src/stream/targets/candidates.ts';
import { TargetIndex } from '../../src/stream/targets/target-index.ts';
import { extractSignals } from '../stream/events.ts';
import type { CaseMatter, MailCase } from './case.ts';
import { titleOf } from './case.ts';

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
      const read = said.unusable === null ? checked(said, event, index) : readByRules(event, index);
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

const HOUR_MS = 3_600_000;

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

/** Returns the event of a case, parsed from the mail's bytes as they would be in the vault. */
export async function eventOf(mail: MailCase): Promise<StreamEvent> {
  return (await readOf(mail)).event;
}

async function readOf(mail: MailCase): Promise<{ event: StreamEvent; within: readonly Carried[] }> {
  const parsed = await readMailFile(`stream/gmail/${titleOf(mail)}.eml`, bytesOf(mail), {
    ...{ sourceType: 'gmail', trustedServers: [] },
    calendar: { zone: 'UTC', now: readAt(mail).getTime() },
  });
  if (!parsed.ok) throw new Error(`${titleOf(mail)}: ${parsed.trouble.message}`);
  return { event: parsed.event, within: parsed.within ?? [] };
}

/** Returns when a mail is read: an hour after it was written. */
export function readAt(mail: MailCase): Date {
  return new Date(Date.parse(mail.date) + HOUR_MS);
}

/** Returns an index of the notes of all cases, like the daemon's. */
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
    for (const { task, due } of tasks)
      index.add({ ...blank, kind: 'task', path: `task/${task}.md`, name: task, matterPath, due: due ?? null });
  }
  return index;
}

/** Returns the bytes of the mail of a case, as they would be in the vault. */
export function bytesOf(mail: MailCase): Uint8Array {
  const { from, from_name: name, date, subject, headers } = mail;
  const parts = partsOf(mail);
  const [only] = parts;
  const body = parts.length === 1 && only !== undefined ? only : multipart(parts);
  const lines = [
    `From: ${name === '' ? '' : `=?utf-8?B?${Buffer.from(name).toString('base64')}?= `}<${from}>`,
    'To: <robin@home.example>',
    `Date: ${new Date(date).toUTCString()}`,
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    'MIME-Version: 1.0',
    ...Object.entries(headers).map(([key, value]) => `${key}: ${value}`),
    body,
  ];
  return Buffer.from(lines.join('\r\n'));
}

/** The parts that a case has, each with its own headers; an empty text where it has none. */
function partsOf({ text, html, ics }: MailCase): readonly string[] {
  const method = /^METHOD:(\w+)/m.exec(ics)?.[1] ?? 'PUBLISH';
  return [
    ...(text === '' && html !== '' ? [] : [part('text/plain; charset=utf-8', text)]),
    ...(html === '' ? [] : [part('text/html; charset=utf-8', html)]),
    ...(ics === '' ? [] : [part(`text/calendar; charset=utf-8; method=${method}`, ics)]),
  ];
}

function part(type: string, content: string): string {
  const headers = [`Content-Type: ${type}`, 'Content-Transfer-Encoding: 8bit', ''];
  return [...headers, content.replaceAll('\n', '\r\n')].join('\r\n');
}

function multipart(parts: readonly string[]): string {
  const inner = parts.map((each) => `--of-the-case\r\n${each}\r\n`).join('');
  return `Content-Type: multipart/alternative; boundary="of-the-case"\r\n\r\n${inner}--of-the-case--\r\n`;
}
