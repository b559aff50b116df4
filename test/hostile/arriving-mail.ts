import { readStream } from '../../src/streams/read-stream.ts';
import type { Frontmatter } from '../../src/vault/frontmatter.ts';
import { instinct, matter, settings, task } from '../support/notes.ts';
import { ROOF_LICENCE } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

/** A mail of a sender who is named and proven; a trusted server vouches for it. */
export interface Mail {
  /** Header lines above all others, as the receiving server or anybody wrote them. */
  readonly head?: readonly string[];
  readonly plain?: string;
  readonly html?: string;
  /** All from `Content-Type` on, where it is put together in another way. */
  readonly mime?: readonly string[];
}

function rawMail({ head = [], plain, html, mime }: Mail): string {
  const part = (type: string, text: string) => ['--b', `Content-Type: text/${type}; charset=utf-8`, '', text];
  return [
    ...head,
    'Authentication-Results: mx.sample.example; dmarc=pass header.from=roof.example',
    'Received: from mail.roof.example by mx.sample.example; Sat, 21 Nov 2026 09:00:00 +0000',
    'From: Roof & Sons <billing@roof.example>',
    'To: robin@sample.example',
    'Subject: your payment',
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${Math.floor(performance.now() * 1000)}@roof.example>`,
    'MIME-Version: 1.0',
    ...(mime ?? [
      'Content-Type: multipart/alternative; boundary=b',
      '',
      ...(plain === undefined ? [] : part('plain', plain)),
      ...(html === undefined ? [] : part('html', html)),
      '--b--',
      '',
    ]),
  ].join('\r\n');
}

const PROVEN = { pattern: 'billing@roof.example', confidence: 1, prior: 1, observations: 60, right: 60 };

/** What the program makes of a mail in live mode: the task as it is then, the gates of the event, how many signals. */
export async function arrived(mail: Mail): Promise<{ fields: Frontmatter; gates: string; signals: number }> {
  const vault = new TempVault({
    'steward.md': settings({ settle_seconds: 0 }),
    'matter/house.md': matter({ senders: ['billing@roof.example'] }),
    'task/pay.md': task(),
    'instinct/mail/roof.md': instinct('mail', PROVEN),
    'stream/mail/paid.eml': rawMail(mail),
    ...ROOF_LICENCE,
  }).identify();
  const bench = await Bench.open(vault);
  await bench.sweep();
  await readStream(bench.ports, 'stream/mail/paid.eml', new AbortController().signal);
  await bench.tick();
  const gates = vault.events().map((event) => JSON.stringify(vault.fields(event).gates));
  return { fields: vault.fields('task/pay.md'), gates: gates.join('\n'), signals: vault.names('signal').length };
}
