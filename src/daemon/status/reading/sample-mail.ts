import type { StreamEvent } from '../../../steward/ports/stream-event.ts';
import type { SignalDraft } from '../../../stream/draft.ts';
import { parseMail } from '../../../stream/mail/mail.ts';
import { TargetIndex } from '../../../stream/targets/target-index.ts';
import { MATTERS, type Sample } from './samples.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How far ahead the day lies that a mail moves something to. */
const AHEAD_MS = 18 * DAY_MS;
/** No records of a vault lie here: nothing that is found can be taken for a person's own note. */
const FOLDER = 'built-in samples';

/** Returns the event of a sample, parsed from a mail's bytes as any mail is. `now`: epoch ms. */
export async function sampleEvent(sample: Sample, now: number): Promise<StreamEvent> {
  const parsed = await parseMail(`${FOLDER}/${sample.id}.eml`, bytesOf(sample, now), {
    sourceType: 'mail',
    trustedServers: [],
  });
  if (!parsed.ok) throw new Error(`The sample ${sample.id} cannot be read: ${parsed.trouble.message}`);
  return parsed.event;
}

/** Returns an index of the notes that the samples are about, as of a vault. */
export function sampleIndex(): TargetIndex {
  const index = new TargetIndex();
  const blank = { aliases: [], senders: [], keywords: [], summary: '', state: 'open' };
  for (const { matter, sender, tasks } of MATTERS) {
    const matterPath = pathOf(matter);
    index.add({ ...blank, kind: 'matter', path: matterPath, name: matter, matterPath: null, senders: [sender] });
    for (const task of tasks)
      index.add({ ...blank, kind: 'task', path: pathOf(task), name: task, matterPath, due: null, scheduled: null });
  }
  return index;
}

/** Returns whether a signal proposes what is expected of its mail. */
export function isExpected({ target_path, target_ambiguous, ...draft }: SignalDraft, { expect }: Sample, now: number) {
  if (expect === null || target_ambiguous || target_path !== pathOf(expect.task)) return false;
  const set = draft.mutation_proposal?.set ?? {};
  return expect.change === 'moved' ? set.due === dayAhead(now) : set.state === expect.change;
}

function pathOf(name: string): string {
  return `${FOLDER}/${name}.md`;
}

function dayAhead(now: number): string {
  return new Date(now + AHEAD_MS).toISOString().slice(0, 10);
}

function bytesOf({ language, from, subject, text }: Sample, now: number): Uint8Array {
  const spelled = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const lines = [
    `From: ${from}`,
    'To: robin@home.example',
    `Date: ${new Date(now).toUTCString()}`,
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    text.replace('{day}', spelled.format(now + AHEAD_MS)).replaceAll('\n', '\r\n'),
  ];
  return Buffer.from(lines.join('\r\n'));
}
