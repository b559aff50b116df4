import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { allow, grantsFile } from '../../../src/sources/source-note.ts';
import { loadSource } from '../../../src/sources/source-work.ts';
import { grantFor, sourceNote } from '../../sources/asked-sources.ts';
import { writesIn } from '../../sources/mailbox-house.ts';
import { PASSWORD, ScriptedServer, USER } from '../../sources/scripted-server.ts';
import { matter, settings, task } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { LIVE } from '../../support/workspace.ts';
import { fingerprint, type PastMail, pastMail, rehearsed } from './support.ts';

const ANNA = 'Anna Placeholder <anna@northgate-notary.example>';
const MAILS: readonly PastMail[] = [
  {
    ...{ at: '2026-03-11T09:00', from: ANNA, subject: 'Notary deposit' },
    text: 'Dear Robin,\n\nthe notary deposit has been paid.\n\nKind regards, Anna',
  },
  {
    ...{ at: '2026-04-18T09:00', from: ANNA, subject: 'The deed' },
    text: 'Dear Robin,\n\nthe deed has been signed.\n\nKind regards, Anna',
  },
  { ...{ at: '2026-04-20T09:00', from: 'Pat <pat@elsewhere.example>', subject: 'Lunch' }, text: 'Lunch on Thursday?' },
];
const NOTES = {
  'steward.md': settings(),
  'matter/house.md': matter({ senders: ['anna@northgate-notary.example'], keywords: ['notary', 'deed'] }),
  'task/pay-notary-deposit.md': task({ state: 'done', completedDate: '2026-03-12' }),
  'task/sign-the-deed.md': task({ state: 'done', completedDate: '2026-04-20' }),
};
const SINCE = { since: new Date('2026-01-01T00:00').getTime() };

/** A vault whose user has connected a mailbox on this machine with past mails. */
async function connected({ password = PASSWORD, isAllowed = true } = {}) {
  const server = await ScriptedServer.start();
  onTestFinished(() => expect(writesIn(server.commands)).toEqual([]));
  for (const mail of MAILS) server.folder().add(pastMail(mail).replaceAll('\n', '\r\n'), new Date(mail.at));
  const fields = {
    ...{ kind: 'imap', host: 'localhost', port: server.port, security: 'none', user: USER },
    ...{ mail_server: 'mx.sample.example', keep: 'quote' },
  };
  const vault = new TempVault({ ...NOTES, 'source/inbox.md': sourceNote(fields) });
  const sourceGrants = path.join(vault.home, 'grants');
  if (isAllowed) allow(grantsFile(vault.root, sourceGrants), 'inbox', grantFor(fields));
  const env = { ...LIVE, sourceGrants, sourcePassword: () => password };
  const source = { name: 'inbox', connect: loadSource };
  return {
    server,
    vault,
    env,
    rehearse: (order = {}) => rehearsed(vault, [], { source, ...SINCE, ...order }, { env }),
  };
}

test('a connected mailbox is rehearsed as a file is, without a change in the vault or on the server', async () => {
  const { vault, server, rehearse } = await connected();
  const before = fingerprint(vault.home);
  const { cases, events, offers, complete } = await rehearse();
  expect(complete).toBe(true);
  expect(events).toMatchObject({ evaluated: 3, refused: 0 });
  expect(cases.map(({ file, place, verdict, source }) => [file, place, verdict, source])).toEqual([
    ['inbox', '“Notary deposit”', 'right', 'mail:anna@northgate-notary.example'],
    ['inbox', '“The deed”', 'right', 'mail:anna@northgate-notary.example'],
  ]);
  // The account's own server vouches for the sender.
  expect(offers.licences).toHaveLength(1);
  expect(fingerprint(vault.home)).toEqual(before);
  expect(server.commands.filter((command) => command.startsWith('EXAMINE'))).not.toEqual([]);
});

test('what came in before the day is not fetched, and a day is needed', async () => {
  const { server, rehearse } = await connected();
  const { events } = await rehearse({ since: new Date('2026-04-10T00:00').getTime() });
  expect(events.evaluated).toBe(2);
  expect(server.commands.join('\n')).toMatch(/SEARCH .*SINCE 0?9-Apr-2026/);
  await expect(rehearse({ since: null })).rejects.toThrow('needs the day on which it begins');
});

test('a mailbox that nobody allowed, or that refuses the password, is an error with a remedy', async () => {
  const stranger = await connected({ isAllowed: false });
  await expect(stranger.rehearse()).rejects.toMatchObject({ trouble: { code: 'source-not-allowed' } });
  expect(stranger.server.commands).toEqual([]);
  const wrong = await connected({ password: 'another' });
  await expect(wrong.rehearse()).rejects.toMatchObject({ trouble: { code: 'source-refused' } });
  const { vault, env } = wrong;
  const unknown = { source: { name: 'other', connect: loadSource }, ...SINCE };
  await expect(rehearsed(vault, [], unknown, { env })).rejects.toMatchObject({ trouble: { code: 'source-unknown' } });
  vault.write('source/home.md', sourceNote({ kind: 'ics', url: 'https://calendar.example/home.ics' }));
  const calendar = { source: { name: 'home', connect: loadSource }, ...SINCE };
  await expect(rehearsed(vault, [], calendar, { env })).rejects.toMatchObject({ trouble: { code: 'source-no-past' } });
});

test('Ctrl-C while the mails are fetched ends it with its reason, and leaves no connection', async () => {
  const { vault, env, server } = await connected();
  const abort = new AbortController();
  const order = { source: { name: 'inbox', connect: loadSource }, ...SINCE };
  const work = { fetching: () => abort.abort(new Error('the user ended it')), abort: abort.signal };
  await expect(rehearsed(vault, [], order, { env, work })).rejects.toThrow('the user ended it');
  await expect.poll(() => server.connections()).toBe(0);
});
