import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { imapSource } from '../../../src/sources/imap.ts';
import type { SourceSettings } from '../../../src/sources/source.ts';
import { allow, grantsFile } from '../../../src/sources/source-note.ts';
import { type Dovecot, dovecotHere } from '../../servers/dovecot.ts';
import { Clock } from '../../support/clock.ts';
import { HOUSE, PAID_MAIL, task } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, LIVE } from '../../support/workspace.ts';
import { askedSources, grantFor, sourceNote } from '../asked-sources.ts';
import { dovecot } from './mailbox.ts';

const USERS = { ada: 'plainly-made-up-4711', ben: 'plainly-made-up-4712' };

describe.skipIf(!dovecotHere())('from a real mailbox to the notes', () => {
  test('a mail that lies in two accounts is one event, and news come in by themselves', async () => {
    const server = await dovecot({ users: USERS });
    server.maildir('ada').lay([{ bytes: PAID_MAIL, at: Date.now() }]);
    server.maildir('ben').lay([{ bytes: `Received: by mx.other.example\r\n${PAID_MAIL}`, at: Date.now() }]);
    const { vault, follow, drained } = await world(server);
    await follow();
    await expect.poll(() => [vault.names('stream/ada').length, vault.names('stream/ben').length]).toEqual([1, 1]);
    await drained();
    expect(vault.names('signal')).toHaveLength(1);
    const again = PAID_MAIL.replace(/^Message-ID:.*$/im, 'Message-ID: <later@mail.example>').replace(
      'Subject: ',
      'Subject: Re: ',
    );
    server.maildir('ada').lay([{ bytes: again, at: Date.now() }]);
    await expect.poll(() => vault.names('stream/ada').length).toBe(2);
    await drained();
    expect(
      server
        .maildir('ada')
        .names()
        .every((name) => name.startsWith('new/')),
    ).toBe(true);
  });

  test('a mail about nothing in the vault is not fetched', async () => {
    const server = await dovecot({ users: USERS });
    const other = PAID_MAIL.replace(/^Subject: .*$/m, 'Subject: The sun shines')
      .replace(/^Message-ID:.*$/im, 'Message-ID: <sun@mail.example>')
      .replace(/\r\n\r\n[\s\S]*$/, '\r\n\r\nNothing else.\r\n')
      .replaceAll('roof.example', 'weather.example');
    const [first, last] = [Date.now() - 1000, Date.now()];
    server.maildir('ada').lay([
      { bytes: other, at: first },
      { bytes: PAID_MAIL, at: last },
    ]);
    const { vault, follow, bench } = await world(server);
    await follow();
    const counts = () => bench.status().sourceNotes.map(({ name, seen, taken }) => [name, seen, taken]);
    await expect.poll(counts).toEqual([
      ['ada', 2, 1],
      ['ben', 0, 0],
    ]);
    expect(vault.names('stream/ada')).toHaveLength(1);
  });

  test('a wrong password is tried once, however often the notes are looked at', async () => {
    const server = await dovecot({ users: { ada: 'another', ben: 'another' } });
    const { follow, bench } = await world(server);
    await follow();
    const states = () => bench.status().sourceNotes.map(({ state }) => state);
    await expect.poll(() => server.logins()).toEqual({ refused: 2, granted: 0 });
    await expect.poll(states).not.toContain('working');
    for (let nth = 0; nth < 3; nth += 1) await follow();
    expect(server.logins()).toEqual({ refused: 2, granted: 0 });
  });
});

/** A vault with two mailboxes of a Dovecot, and the work on them. */
async function world(server: Dovecot) {
  const notes = Object.keys(USERS).map((user) => [`source/${user}.md`, sourceNote(fields(server, user))] as const);
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), ...Object.fromEntries(notes) });
  const folder = path.join(vault.home, 'grants');
  const bench = await Bench.open(vault, { env: { ...LIVE, sourceGrants: folder }, clock: new Clock() });
  for (const user of Object.keys(USERS)) allow(grantsFile(vault.root, folder), user, grantFor(fields(server, user)));
  return { vault, bench, ...askedSources(bench, connect) };
}

async function connect({ settings: asked }: { readonly settings: SourceSettings }) {
  if (asked.kind !== 'imap') throw new Error('not a mailbox');
  const password = Object.entries(USERS).find(([user]) => user === asked.user)?.[1] ?? '';
  return imapSource({ settings: asked, credential: { reveal: async () => password } });
}

function fields({ port }: Dovecot, user: string) {
  return { kind: 'imap', host: '127.0.0.1', port, security: 'none', user };
}
