import { readByPhrases } from '../../src/reading/read-event.ts';
import { TargetIndex as Index, type TargetIndex } from '../../src/reading/targets.ts';
import { readAppointment } from '../../src/streams/appointments.ts';
import { admitted } from '../../src/streams/extract.ts';
import { readMailFile } from '../../src/streams/mail.ts';
import { candidate } from '../support/events.ts';

/** It is Friday, 20 November 2026. */
export const NOW = Date.parse('2026-11-20T09:15:30Z');

/** A mail as a sender wrote it. */
export interface Sample {
  readonly from?: string;
  readonly subject?: string;
  readonly headers?: readonly string[];
  readonly text?: string;
  readonly html?: string;
  /** A `text/calendar` part. */
  readonly ics?: string;
  /** Whether that is attached under a name, without a type of its own. */
  readonly isAttached?: boolean;
}

/** A change that is proposed, as `Pay the plumber: done`, with how sure it is. */
export interface Proposed {
  readonly note: string;
  readonly what: string;
  readonly confidence: number;
  readonly reason: string;
  readonly quote: string;
}

/** Returns the bytes of a sample. */
export function bytesOf({ from, subject, headers, text, html, ics, isAttached }: Sample): Buffer {
  const parts = [
    ...(text === undefined ? [] : [part('text/plain; charset=utf-8', text)]),
    ...(html === undefined ? [] : [part('text/html; charset=utf-8', html)]),
    ...(ics === undefined ? [] : [calendarPart(ics, isAttached === true)]),
  ];
  const head = [
    `From: ${from ?? 'Sample Shop <mail@sample-shop.example>'}`,
    'To: <robin@home.example>',
    'Date: Fri, 20 Nov 2026 08:15:30 +0000',
    'Message-ID: <sample@sample-shop.example>',
    `Subject: =?utf-8?B?${Buffer.from(subject ?? 'A message').toString('base64')}?=`,
    'MIME-Version: 1.0',
    ...(headers ?? []),
  ];
  const kind = ics === undefined || isAttached !== true ? 'alternative' : 'mixed';
  const body = [
    `Content-Type: multipart/${kind}; boundary="b"`,
    '',
    ...parts.map((each) => `--b\r\n${each}`),
    '--b--',
    '',
  ];
  return Buffer.from([...head, ...body].join('\r\n'));
}

/** Returns an index of open tasks, each under a matter with these senders. A task is its name, or its name and its day. */
export function tasks(...all: readonly (string | readonly [name: string, due: string])[]): TargetIndex {
  const index = new Index();
  index.add(candidate({ path: 'matter/Sample matter.md', senders: ['mail@sample-shop.example'] }));
  for (const one of all) {
    const [name, due] = typeof one === 'string' ? [one, null] : one;
    index.add(candidate({ path: `task/${name}.md`, matterPath: 'matter/Sample matter.md', due }));
  }
  return index;
}

/** Returns the event of a sample. */
export async function eventOf(sample: Sample) {
  const door = { sourceType: 'mail', trustedServers: [], calendar: { zone: 'Europe/Berlin', now: NOW } };
  const read = await readMailFile('stream/mail/sample.eml', bytesOf(sample), door);
  if (!read.ok) throw new Error(read.trouble.message);
  return read;
}

/** Returns what is proposed for the open tasks, surest first, by the sentences, the forms and the appointments of a mail. */
export async function proposed(sample: Sample, index: TargetIndex): Promise<readonly Proposed[]> {
  const { event, within } = await eventOf(sample);
  const admission = admitted(event, new Date(NOW));
  const meanings = [
    ...(admission.ok ? readByPhrases(admission.event, index).meanings : []),
    ...(within ?? []).flatMap((one) => readAppointment(one.event, index, '2026-11-20T10:15').meanings),
  ];
  return meanings.flatMap(({ target, proposal, quote, effectConfidence, reasoning }) => {
    if (proposal === null) return [];
    const what = Object.values(proposal.set).join(' ');
    const note = index.get(target)?.name ?? '';
    return [{ note, what, confidence: effectConfidence, reason: reasoning, quote }];
  });
}

/** Returns the same as short lines: `Pay the plumber: done`. */
export async function changes(sample: Sample, index: TargetIndex): Promise<readonly string[]> {
  return (await proposed(sample, index)).map(({ note, what }) => `${note}: ${what}`);
}

function part(type: string, content: string): string {
  return `Content-Type: ${type}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${content.replaceAll('\n', '\r\n')}`;
}

function calendarPart(ics: string, isAttached: boolean): string {
  const method = /^METHOD:(\w+)/m.exec(ics)?.[1] ?? 'PUBLISH';
  if (!isAttached) return part(`text/calendar; charset=utf-8; method=${method}`, ics);
  const head = 'Content-Type: application/octet-stream; name="invite.ics"\r\nContent-Transfer-Encoding: base64';
  return `${head}\r\nContent-Disposition: attachment; filename="invite.ics"\r\n\r\n${Buffer.from(ics).toString('base64')}`;
}
