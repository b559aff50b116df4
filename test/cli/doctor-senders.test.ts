import { expect, test } from 'vitest';
import { doctor } from '../../src/cli/commands/doctor.ts';
import { makeDraft, senderLines } from '../../src/cli/commands/source.ts';
import { addedWith } from '../../src/cli/commands/source-add.ts';
import { mailboxHouse, mailOf } from '../sources/mailbox-house.ts';
import { PASSWORD, USER } from '../sources/scripted-server.ts';
import { shell } from './commands/source-script.ts';

const RECEIVED = 'Received: from mail.notary.example by mx-ha.gmx.net with ESMTPS';

test('doctor says how many mails of a mailbox are authenticated, and which senders never are', async () => {
  const { server } = await mailboxHouse();
  const signed = ['Authentication-Results: gmx.net; dkim=pass header.d=notary.example', RECEIVED];
  for (let nth = 0; nth < 3; nth += 1)
    server.folder().add(mailOf('anna@notary.example', 'Hello', 'x', signed), new Date());
  server.folder().add(mailOf('shop@unsigned.example', 'Hello', 'x', [RECEIVED]), new Date());
  const { context, text, options } = shell();
  const mailbox = { kind: 'imap', user: USER, host: 'localhost', port: server.port, security: 'none', yes: true };
  const said = { ...options, ...mailbox, mailServer: 'gmx', passwordCommand: ['/bin/echo', PASSWORD] };
  expect(await addedWith(null, makeDraft('inbox', [], said), said, context)).toBe(0);
  expect(text()).toContain('3 of the newest 4 mails are authenticated (gmx)');
  await doctor(options, context);
  expect(text()).toMatch(
    /source +inbox: answers: 4 mails in INBOX.*; 3 of the newest 4 mails are authenticated \(gmx\)/,
  );
  expect(text()).toMatch(/sender +shop@unsigned\.example: 0 of 1 mail \(no server says who sent it\)/);
});

test('lists the most frequent senders, and counts the others', () => {
  const never = Array.from({ length: 8 }, (_, nth) => ({ from: `s${nth}@x.example`, mails: 8 - nth, reason: 'why' }));
  const lines = senderLines({ server: 'gmail', mails: 100, authenticated: 1, never });
  expect(lines[0]).toBe('1 of the newest 100 mails is authenticated (gmail)');
  expect(lines).toHaveLength(7);
  expect(lines.at(-1)).toBe('and 3 more senders');
  expect(senderLines({ server: null, mails: 5, authenticated: 0, never })).toEqual([
    "0 of the newest 5 mails are authenticated, because mail_server isn't set",
  ]);
  expect(senderLines(null)).toEqual([]);
});
