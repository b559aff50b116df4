import type { SignalDraft } from '../../src/stream/draft.ts';
import { parseMail } from '../../src/stream/mail.ts';
import { TargetIndex } from '../../src/stream/target.ts';
import type { StreamEvent } from '../../src/vault/records/stream-event.ts';
import { extractSignals } from '../stream/events.ts';
import type { CaseMatter, MailCase } from './case.ts';
import { titleOf } from './case.ts';

/** What is measured on mails: from one event and the notes there are to the signals it makes. */
export interface Reader {
  readonly name: string;
  read(event: StreamEvent, index: TargetIndex, now: Date): Promise<readonly SignalDraft[]>;
}

/** The reader of the program itself. Every source is fully trusted, so that nothing hides behind a low prior. */
export const rulesReader: Reader = {
  name: 'rules',
  async read(event, index, now) {
    return extractSignals(event, index, { now, confidenceOf: () => 1 }).signals;
  },
};

const HOUR_MS = 3_600_000;

/** The signals a reader makes of one case, by way of the mail's bytes as they would lie in the vault. */
export async function signalsOf(mail: MailCase, index: TargetIndex, reader: Reader): Promise<readonly SignalDraft[]> {
  const parsed = await parseMail(`stream/gmail/${titleOf(mail)}.eml`, bytesOf(mail), 'gmail');
  if (!parsed.ok) throw new Error(`${titleOf(mail)}: ${parsed.trouble.message}`);
  return reader.read(parsed.event, index, new Date(Date.parse(mail.date) + HOUR_MS));
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
