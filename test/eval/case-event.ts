import { TargetIndex } from '../../src/reading/targets.ts';
import type { StreamEvent } from '../../src/steward/types.ts';
import { readMailFile } from '../../src/streams/mail.ts';
import type { IdentifiedEvent } from '../../src/streams/stream.ts';
import type { CaseMatter, MailCase } from './case.ts';
import { titleOf } from './case.ts';

const HOUR_MS = 3_600_000;

/** Returns the event of a case, parsed from the mail's bytes as they would be in the vault. */
export async function eventOf(mail: MailCase): Promise<StreamEvent> {
  return (await readOf(mail)).event;
}

/** Does the same, and returns the appointments that it carries as well. */
export async function readOf(mail: MailCase): Promise<{ event: StreamEvent; within: readonly IdentifiedEvent[] }> {
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
