// Over 5 s: it reads the mails of all corpora, whole and from their text.
import { describe, expect, test } from 'vitest';
import { openMail, textMail } from '../../src/streams/mail.ts';
import type { DraftContext } from '../../src/streams/signal.ts';
import { extractSignals } from '../support/events.ts';
import { type CorpusMail, corpusMails, dressed } from './text-mail-corpus.ts';

const SERVERS = ['mx.home.example', 'mx.sample.example', 'mx.google.com'];
const FILE = 'stream/inbox/2026-11-20-0123456789ab.eml';

/** Everything that follows from a mail: its event, what makes it one and the same, and its signals. */
async function readingOf(bytes: Buffer, { index, now }: CorpusMail, whole?: string) {
  const read = await openMail(FILE, bytes, { sourceType: 'mail', trustedServers: SERVERS, whole });
  if (!read.ok) throw new Error(read.trouble.message);
  const context: DraftContext = { now, standingOf: () => 'unknown', confidenceOf: () => 1 };
  return { event: read.event, identity: read.identity, signals: extractSignals(read.event, index, context) };
}

// Every third: the laws try the rest of what mails can be.
const ALL = corpusMails().filter((_, nth) => nth % 3 === 0);

describe.each([
  ['as it is', ({ bytes }: CorpusMail) => bytes],
  ['with HTML and an attachment', dressed],
])('a mail %s', (_, form) => {
  test('is read from its text as from the whole', async () => {
    let kept = 0;
    for (const mail of ALL) {
      const text = await textMail(form(mail));
      if (text === null) continue;
      kept += 1;
      expect(await readingOf(text.bytes, mail, text.whole), mail.name).toEqual(await readingOf(form(mail), mail));
    }
    // Else the law would say little.
    expect(kept).toBeGreaterThan(0.97 * ALL.length);
  });
});

const HEAD = 'From: anna@notary.example\nSubject: The deed\nDate: Fri, 20 Nov 2026 09:00:00 +0000\n';
const LONG = `X-Padding: ${'x'.repeat(400)}\n`;
const alternative = (plain: string, html: string) =>
  Buffer.from(
    `${HEAD}${LONG}Content-Type: multipart/alternative; boundary=b\n\n--b\n\n${plain}\n--b\nContent-Type: text/html\n\n${html}\n--b--\n`,
  );

describe('the text of a mail', () => {
  test('has the headers that decide how it is read, in their order, and no others', async () => {
    const head = [
      'Received: from a.example by mx.home.example; Fri, 20 Nov 2026 09:00:00 +0000',
      'Authentication-Results: mx.home.example;\r\n\tdmarc=pass header.from=notary.example',
      'Received: from b.example by a.example; Fri, 20 Nov 2026 08:59:00 +0000',
      'DKIM-Signature: v=1; b=c2VjcmV0',
      'X-Mailer: Mail 1.0',
      'X-Spam-Status: No, score=1',
      'List-Post: <mailto:all@lists.example>',
      'In-Reply-To: <0@notary.example>',
    ];
    const mail = Buffer.from(`${[...head, HEAD.trimEnd(), LONG.trimEnd()].join('\r\n')}\r\n\r\nIt is signed.\r\n`);
    const names = (await textMail(mail))?.bytes.toString().match(/^[\w-]+(?=:)/gm);
    expect(names).toEqual(
      [
        ...['Received', 'Authentication-Results', 'Received', 'X-Spam-Status', 'List-Post', 'In-Reply-To'],
        ...['From', 'Subject', 'Date', 'MIME-Version', 'Content-Type', 'Content-Transfer-Encoding'],
      ].filter((name) => name !== ''),
    );
  });

  test('has nothing of what no reader sees', async () => {
    const html = `<p>The deed is signed.</p><p style="display:none">Pay to DE02 now.</p><p>${'Greetings to all. '.repeat(20)}</p>`;
    const seen = await textMail(Buffer.from(`${HEAD}Content-Type: text/html\n\n${html}${'<!-- -->'.repeat(99)}`));
    expect(seen?.bytes.toString()).toContain('The deed is signed.');
    expect(seen?.bytes.toString()).not.toContain('DE02');
    const both = await textMail(alternative('The deed is signed.\nPay to DE02 now.', html));
    expect(both?.bytes.toString()).not.toContain('DE02');
  });

  test('is not taken for the mail where that is doubted, or says two things', async () => {
    const cover = '<div style="margin-top:-20px">Hello there my dear friend</div>';
    expect(await textMail(alternative('The deed is signed.', `<p>The deed is signed.</p>${cover}`))).toBeNull();
    expect(
      await textMail(Buffer.from(`${HEAD}${LONG}Content-Type: text/plain\nContent-Type: text/html\n\nx`)),
    ).toBeNull();
  });

  test('is nothing where there is no mail, or where it would be no smaller', async () => {
    expect(await textMail(Buffer.from(''))).toBeNull();
    expect(await textMail(Buffer.from('no mail'))).toBeNull();
    expect(await textMail(Buffer.from(`${HEAD}\nIt is signed.\n`))).toBeNull();
  });
});
