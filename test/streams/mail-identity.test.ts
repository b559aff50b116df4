import { describe, expect, test } from 'vitest';
import { parseMail } from '../../src/streams/mail.ts';
import type { Identity } from '../../src/streams/stream.ts';

const ID = '<deed-1@Notary.EXAMPLE>';
const HEAD = [
  'From: Anna Meyer <anna@notary.example>',
  'To: sam@home.example',
  'Subject: Die Überweisung',
  'Date: Thu, 01 Mar 2035 08:14:30 +0100',
];
const PLAIN = 'Content-Type: text/plain; charset=utf-8';
const BODY = 'Die Gebühr ist bezahlt.\n\nFrom Monday on.\n> Was it?\n';

async function identityOf(text: string | Buffer): Promise<Identity> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const parsed = await parseMail('stream/x.eml', bytes, { sourceType: 'mail', trustedServers: [] });
  if (!parsed.ok) throw new Error(parsed.trouble.message);
  return parsed.identity;
}

const mail = ({ ids = [ID], head = HEAD, type = [PLAIN], body = BODY, above = [] as readonly string[] } = {}) =>
  [...above, ...head, ...ids.map((id) => `Message-ID: ${id}`), ...type, '', body].join('\n');

describe('a mail is the same', () => {
  const same: readonly (readonly [string, string | Buffer])[] = [
    ['through another account', mail({ above: ['Received: from a by b; x', 'Delivered-To: other@home.example'] })],
    [
      'with what the servers say of it',
      mail({ above: ['Authentication-Results: mx.example; dmarc=pass', 'X-Spam-Score: 1'] }),
    ],
    ['with other line ends', mail().replaceAll('\n', '\r\n')],
    ['with blanks at the end of lines, and lines at its end', mail({ body: `${BODY.replaceAll('.\n', '.  \n')}\n\n` })],
    [
      'as base64',
      mail({ type: [PLAIN, 'Content-Transfer-Encoding: base64'], body: Buffer.from(BODY).toString('base64') }),
    ],
    [
      'in another charset',
      Buffer.from(
        mail({
          head: HEAD.with(2, 'Subject: =?utf-8?Q?Die_=C3=9Cberweisung?='),
          type: ['Content-Type: text/plain; charset=iso-8859-1'],
        }),
        'latin1',
      ),
    ],
    [
      'with its subject and its date written in another way',
      mail({
        head: [...HEAD.slice(0, 2), 'Subject: =?utf-8?B?RGllIMOcYmVyd2Vpc3VuZw==?=', 'Date: 1 Mar 2035 07:14:30 GMT'],
      }),
    ],
    ['with its domain in capitals, or without brackets', mail({ ids: ['deed-1@NOTARY.example'] })],
  ];
  test.each(same)('%s', async (_, other) => {
    expect(await identityOf(other)).toEqual(await identityOf(mail()));
    expect((await identityOf(mail())).key).toBe('mail <deed-1@notary.example>');
  });
});

describe('under the same Message-ID another mail is another version', () => {
  const attached = (text: string) =>
    mail({
      type: ['Content-Type: multipart/mixed; boundary=b'],
      body: `--b\n${PLAIN}\n\nHello\n--b\nContent-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n${Buffer.from(text).toString('base64')}\n--b--\n`,
    });
  const html = (text: string) =>
    mail({
      type: ['Content-Type: multipart/alternative; boundary=b'],
      body: `--b\n${PLAIN}\n\n${BODY}\n--b\nContent-Type: text/html\n\n${text}\n--b--\n`,
    });
  test.each<readonly [string, string, string]>([
    ['from another sender', mail(), mail({ head: HEAD.with(0, 'From: eve@evil.example') })],
    ['with other words', mail(), mail({ body: BODY.replace('bezahlt', 'nicht bezahlt') })],
    ['with another subject', mail(), mail({ head: HEAD.with(2, 'Subject: Nothing') })],
    ['of another time', mail(), mail({ head: HEAD.with(3, 'Date: Thu, 01 Feb 2001 08:14:30 +0100') })],
    ['with a line made a quotation', mail(), mail({ body: BODY.replace('Die', '> Die') })],
    ['with another attachment', attached('one'), attached('two')],
    ['with other HTML', html('<p>a</p>'), html('<p hidden>a</p>')],
  ])('%s', async (_, one, other) => {
    const [first, second] = [await identityOf(one), await identityOf(other)];
    expect(second.key).toBe(first.key);
    expect(second.version).not.toBe(first.version);
    expect(second.otherwise).toBe('other');
  });
});

test('what was sent to many, and is not looked into, never takes the name of what was sent to one', async () => {
  const many = await identityOf(mail({ above: ['List-Id: <all.lists.example>'] }));
  expect(many.key).toBe('mail to many <deed-1@notary.example>');
});

describe('a Message-ID that is none', () => {
  test.each([
    [[]],
    [['<a@b.example>', '<c@d.example>']],
    [['<no domain>']],
    [['<a@b.example> <c@d.example>']],
    [['<a\u202E@b.example>']],
    [['<>']],
    [['@']],
  ])('%j gives way to a hash of what the mail says', async (ids) => {
    const identity = await identityOf(mail({ ids }));
    expect(identity).toMatchObject({ key: expect.stringMatching(/^mail [\da-f]{64}$/), version: '' });
    expect(identity).toEqual(
      await identityOf(mail({ ids, above: ['Received: from a by b; x'] }).replaceAll('\n', '\r\n')),
    );
    expect(identity.key).not.toBe((await identityOf(mail({ ids, body: 'Something else.' }))).key);
  });
});
