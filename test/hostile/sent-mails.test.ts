import { describe, expect, test } from 'vitest';
import { newSource, pinned as pinnedOf, SOURCES } from '../../src/sources/source.ts';
import { isAsAllowed } from '../../src/sources/source-note.ts';
import { fetchedFile, fetchedMail, readFetched } from '../../src/streams/fetched-mail.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { Seal } from '../../src/vault/seal.ts';
import { imapSettings } from '../sources/mailbox-house.ts';
import { FETCHED, FROM_SENT, sentMailHouse } from '../sources/sent-mail-house.ts';
import { sweepAndRead } from '../streams/read-unread.ts';
import { signal } from '../support/notes.ts';
import { ownLicence } from '../support/own-signal.ts';
import { attack } from './attack.ts';

const ME = 'robin@sample.example';
const MAIL = [
  `From: Robin <${ME}>`,
  'To: Joanna <joanna@northgate.example>',
  'Subject: Notary fee',
  `Date: ${new Date().toUTCString()}`,
  'Message-ID: <1@sample.example>',
  '',
  'Hello Joanna,',
  '',
  'The notary fee has been paid.',
  '',
].join('\r\n');

/** A vault in which the user's own sent mails may do anything to the house. */
async function house() {
  const at = await sentMailHouse(
    { 'licence/sent.md': ownLicence('licence/sent.md', { sender: `sent:${ME}` }) },
    { trusted_signal_sources: ['mail', 'sent'] },
  );
  return {
    ...at,
    marked: (mail = MAIL) => at.fetched(mail),
    /** What has become of the task, and through which channels it was heard, once all was read and evaluated. */
    outcome: async () => {
      await sweepAndRead(at.bench);
      await at.bench.tick();
      const channels = [...new Set(at.signals().map(({ source_type }) => source_type))];
      return { state: at.vault.fields('task/Pay the notary fee.md').state, channels };
    },
  };
}

type House = Awaited<ReturnType<typeof house>>;

test('a mail that was fetched from the folder of sent mails acts under its licence', async () => {
  const at = await house();
  at.vault.write(FETCHED, await at.marked());
  expect(await at.outcome()).toEqual({ state: 'done', channels: ['sent'] });
});

describe('whoever wants to speak as the user', () => {
  const forged = (mail: string) => fetchedMail(FROM_SENT, FETCHED, Buffer.from(mail), new Seal(Buffer.alloc(32)));
  const lines = 'X-Steward-Source: inbox\r\nX-Steward-Keep: mail\r\nX-Steward-Sent: yes\r\n';
  const drops: readonly (readonly ['a sync peer' | 'a sender', string, (at: House) => unknown])[] = [
    ['a sync peer', 'drops a mail of the user into stream/sent', (at) => at.vault.write('stream/sent/1.eml', MAIL)],
    ['a sync peer', 'writes the lines of a sent mail without a seal', (at) => at.vault.write(FETCHED, lines + MAIL)],
    ['a sync peer', 'seals them with another key', (at) => at.vault.write(FETCHED, forged(MAIL))],
    [
      'a sync peer',
      'copies a true one to another name before it is read',
      async (at) => at.vault.write(FETCHED.replace('ab.eml', 'ac.eml'), await at.marked()),
    ],
    [
      'a sync peer',
      'adds the line to a mail that arrived',
      async (at) => {
        const { isSent: _, ...arrived } = FROM_SENT;
        const text = String(await fetchedFile(arrived, FETCHED, Buffer.from(MAIL), at.bench.ports.context.seal));
        at.vault.write(FETCHED, text.replace('Keep: mail\r\n', 'Keep: mail\r\nX-Steward-Sent: yes\r\n'));
      },
    ],
    [
      'a sync peer',
      'puts his words below the mark of a true one',
      async (at) => {
        const text = String(await at.marked(MAIL.replace('The notary fee has been paid', 'Hello')));
        at.vault.write(FETCHED, text.replace('Hello.', 'The notary fee has been paid.'));
      },
    ],
    [
      'a sync peer',
      'puts a true one into a mailbox',
      async (at) => at.vault.write('stream/sent.mbox', `From - Thu Mar 01 08:00:00 2035\n${await at.marked()}\n`),
    ],
    [
      'a sender',
      'sends a mail in the user’s name, with the lines of a sent mail in it',
      async (at) => {
        const { isSent: _, ...arrived } = FROM_SENT;
        const mail = `X-Steward-Sent: yes\r\nX-Steward-Keep: mail\r\n${MAIL}`;
        at.vault.write(FETCHED, await fetchedFile(arrived, FETCHED, Buffer.from(mail), at.bench.ports.context.seal));
      },
    ],
  ];
  for (const [attacker, means, drop] of drops)
    attack(
      {
        attacker,
        means,
        loss: 'a note is changed as if the user had said so',
        defence: 'only the folder of sent mails speaks in that channel, by a mark for one path and these bytes',
      },
      async () => {
        const at = await house();
        await drop(at);
        const { state, channels } = await at.outcome();
        expect(state).toBe('open');
        expect(channels).not.toContain('sent');
      },
    );

  attack(
    {
      attacker: 'a sync peer',
      means: 'drops a signal note of the channel `sent`, which the settings trust',
      loss: 'a note is changed as if the user had said so',
      defence: 'a signal that the program didn’t write itself never counts as sent',
    },
    async () => {
      const at = await house();
      const target = { target_path: 'task/Pay the notary fee.md', raw_quote: 'has been paid' };
      at.vault.write(
        'signal/2026-11-21T09-00-00Z-00000000.md',
        signal({ source_type: 'sent', pattern: ME, ...target }),
      );
      expect((await at.outcome()).state).toBe('open');
    },
  );

  attack(
    {
      attacker: 'a sender',
      means: 'gets a mail of his moved into the folder of sent mails, by a filter or an address with a suffix',
      loss: 'his words count as the user’s',
      defence: 'a mail with the marks of a delivery is nobody’s word, also in that folder',
    },
    async () => {
      for (const header of [
        'Delivered-To: robin+Sent@sample.example',
        'Received: from mx.strangers.example by mx.sample.example with ESMTPS id 1; Mon, 30 Nov 2026 09:00:00 +0000',
      ]) {
        const at = await house();
        at.vault.write(FETCHED, await at.marked(`${header}\r\n${MAIL}`));
        expect(await at.outcome()).toEqual({ state: 'open', channels: [] });
      }
    },
  );

  attack(
    {
      attacker: 'a sender',
      means: 'is answered, passed on or quoted by the user',
      loss: 'his words count as the user’s',
      defence: 'only what the user wrote above is their own word',
    },
    async () => {
      for (const body of [
        'See below.\r\n\r\nOn Fri, 27 Nov 2026 at 10:00, Joanna <joanna@northgate.example> wrote:\r\n> The notary fee has been paid.',
        'FYI\r\n\r\n-----Original Message-----\r\nFrom: Joanna <joanna@northgate.example>\r\nSent: Friday\r\nTo: Robin\r\nSubject: Fee\r\n\r\nThe notary fee has been paid.',
        '> The notary fee has been paid.\r\n\r\nReally?',
      ]) {
        const at = await house();
        const mail = MAIL.replace('Hello Joanna,\r\n\r\nThe notary fee has been paid.', body);
        at.vault.write(FETCHED, await at.marked(mail));
        expect(await at.outcome()).toEqual({ state: 'open', channels: [] });
      }
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'names another folder or other addresses in the note of the source',
      loss: 'mails of others count as the user’s own',
      defence: 'the user allows the folder and the addresses on this machine; else nothing is asked of the source',
    },
    () => {
      const allowed = imapSettings({ sent_folder: 'auto' });
      const given = { pinned: pinnedOf(allowed), passwordCommand: null, run: null, at: '2026-11-20T09:00:00Z' };
      expect(isAsAllowed(allowed, given)).toBe(true);
      for (const changed of [
        { sent_folder: 'Junk' },
        { sent_folder: 'auto', own_addresses: ['mallory@strangers.example'] },
        {},
      ])
        expect(isAsAllowed(imapSettings(changed), given)).toBe(false);
      const before = { ...given, pinned: pinnedOf(imapSettings({})) };
      expect(isAsAllowed(imapSettings({}), before)).toBe(true);
      expect(isAsAllowed(allowed, before)).toBe(false);
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'keeps a sent mail back until its folder no longer counts',
      loss: 'it still acts',
      defence: 'whether the folder counts is asked again when a change is made',
    },
    async () => {
      const at = await house();
      at.vault.write(FETCHED, await at.marked());
      at.bench.remember(SOURCES, { inbox: { ...newSource('a'), sent: false } });
      expect((await at.outcome()).state).toBe('open');
    },
  );

  attack(
    {
      attacker: 'a sender',
      means: 'sends the user’s own mail back to them, with the same Message-ID, before the folder is read',
      loss: 'the user’s own word is passed over',
      defence: 'a sent mail is another event than one that arrived',
    },
    async () => {
      const at = await house();
      at.vault.write('stream/echo.eml', MAIL);
      await sweepAndRead(at.bench);
      at.vault.write(FETCHED, await at.marked());
      expect(await at.outcome()).toEqual({ state: 'done', channels: expect.arrayContaining(['sent']) });
    },
  );
});

test.each(['mail', 'text', 'quote'] as const)(
  'a sent mail of which the %s is kept shows its delivery',
  async (keep) => {
    const seal = new Seal(Buffer.alloc(32, 1));
    const file = 'stream/home/a.eml';
    const headers = [
      'Delivered-To: sam+Sent@home.example',
      'Received: from [10.0.0.9] (x [203.0.113.9]) by mx.home.example with ESMTPSA id 1; Fri, 20 Nov 2026 08:15:33 +0000',
      `DKIM-Signature: ${'x'.repeat(300)}`,
      'From: Sam <sam@home.example>',
      'Date: Fri, 20 Nov 2026 08:15:33 +0000',
      'Message-ID: <a@b.example>',
    ];
    const bytes = Buffer.from([...headers, '', 'I paid the invoice.', ''].join('\r\n'));
    const stored = await fetchedFile({ source: 'home', server: null, keep, isSent: true }, file, bytes, seal);
    const fetched = readFetched(stored, file, seal);
    const mail = await parseMail(file, fetched?.mail ?? bytes, {
      sourceType: 'sent',
      trustedServers: [],
      sentFolder: 'home',
    });
    expect(mail.ok && mail.event.authentication.result).toBe('none');
  },
);
