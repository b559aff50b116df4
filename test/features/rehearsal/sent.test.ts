import path from 'node:path';
import { expect, test } from 'vitest';
import { importSent } from '../../../src/features/import.ts';
import { allow, grantsFile } from '../../../src/sources/source-note.ts';
import { loadSource } from '../../../src/sources/source-work.ts';
import { readStream } from '../../../src/streams/read-stream.ts';
import { dovecotHere } from '../../servers/dovecot.ts';
import { MARKED_AS_SENT } from '../../servers/dovecot-config.ts';
import { PASSWORD as DOVECOT_PASSWORD, USER as DOVECOT_USER } from '../../servers/local-server.ts';
import { grantFor, sourceNote } from '../../sources/asked-sources.ts';
import { dovecot } from '../../sources/real/mailbox.ts';
import { PASSWORD, ScriptedServer, USER } from '../../sources/scripted-server.ts';
import { HOUSE, matter, settings, task } from '../../support/notes.ts';
import { ownLicence } from '../../support/own-signal.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, LIVE } from '../../support/workspace.ts';
import { beside, fingerprint, type PastMail, pastMail, pastMailbox, pastMaildir, ROBIN, rehearsed } from './support.ts';

const ME = `Robin <${ROBIN}>`;
const JOANNA = 'Joanna <joanna@northgate.example>';
const NOTES = {
  'steward.md': settings(),
  'matter/house.md': matter({ senders: ['joanna@northgate.example'] }),
  'task/Pay the notary fee.md': task({ state: 'done', completedDate: '2026-03-12' }),
  'task/Send the floor plan.md': task({ due: '2026-05-01' }),
};
const PAID: PastMail = {
  ...{ at: '2026-03-11T09:00', from: ME, to: JOANNA, subject: 'Notary fee', isVouched: false },
  text: 'Dear Joanna,\n\nI have paid the notary fee today.\n\nRobin',
};
const PROMISED: PastMail = {
  ...{ at: '2026-04-20T09:00', from: ME, to: JOANNA, subject: 'Floor plan', isVouched: false },
  text: 'Dear Joanna,\n\nI will send the floor plan by 24 April 2026.\n\nRobin',
};
/** It has the mark of a delivery: a server vouched for it. */
const ARRIVED: PastMail = { ...PAID, at: '2026-03-11T10:00', isVouched: true };
const FROM_JOANNA: PastMail = { ...PAID, at: '2026-03-11T11:00', from: JOANNA, to: ME };

/** Returns who said what in which words, and what Steward would have done. */
function told({ cases }: Awaited<ReturnType<typeof rehearsed>>) {
  return cases.map(({ source, would, words, verdict }) => `${source} ${would}: ${words} ${verdict}`);
}

const OWN_WORD = [`sent:${ROBIN} proposed: state open → done right`, `sent:${ROBIN} asked: due → 2026-04-24 unknown`];

test('mails that the user says they sent are their own word; those of others stay what they are', async () => {
  const vault = new TempVault(NOTES);
  const sent = pastMaildir(path.join(vault.home, 'outside', 'Sent'), [PAID, PROMISED, ARRIVED, FROM_JOANNA]);
  const before = fingerprint(vault.home);
  const rehearsal = await rehearsed(vault, [sent], { own: ['Robin <Robin@sample.example>'] });
  expect(told(rehearsal)).toEqual([
    OWN_WORD[0],
    'mail:unverified:joanna@northgate.example proposed: state open → done right',
    OWN_WORD[1],
  ]);
  expect(rehearsal.would.setAside).toBe(1);
  expect(fingerprint(vault.home)).toEqual(before);
  // Without the user's word they are mails like any other.
  const without = await rehearsed(vault, [sent]);
  expect(without.cases.filter(({ source }) => source.startsWith('sent:'))).toEqual([]);
});

test('a folder of single mails is rehearsed; of a mailbox in one file, no mail is the user’s own word', async () => {
  const vault = new TempVault(NOTES);
  beside(vault, { 'Sent/1.eml': pastMail(PAID), 'Sent/2.eml': pastMail(PROMISED), 'Sent/readme.txt': 'Exported.' });
  const folder = path.join(vault.home, 'outside', 'Sent');
  expect(told(await rehearsed(vault, [folder], { own: [ROBIN] }))).toEqual(OWN_WORD);
  const [box = ''] = beside(vault, { 'sent.mbox': pastMailbox([PAID]) });
  const { cases, troubles, events } = await rehearsed(vault, [box], { own: [ROBIN] });
  expect(cases.filter(({ source }) => source.startsWith('sent:'))).toEqual([]);
  expect(events.evaluated).toBe(1);
  expect(troubles).toMatchObject([{ file: box, reason: expect.stringContaining("aren't read as yours") }]);
});

test.each([
  ['without a licence it is proposed', {}, 'proposed', 'open'],
  [
    'under a licence it is applied',
    { 'licence/sent.md': ownLicence('licence/sent.md', { sender: `sent:${ROBIN}` }) },
    'applied',
    'done',
  ],
])('a rehearsal judges the own word as the daemon does: %s', async (_, files, would, state) => {
  const vault = new TempVault({ ...HOUSE, ...NOTES, 'task/Pay the notary fee.md': task(), ...files }).identify();
  const [mail = ''] = beside(vault, { 'paid.eml': pastMail({ ...PAID, at: new Date().toISOString() }) });
  const rehearsal = await rehearsed(vault, [mail], { own: [ROBIN] });
  expect(told(rehearsal)).toEqual([`sent:${ROBIN} ${would}: state open → done unknown`]);
  const bench = await Bench.open(vault);
  await bench.sweep();
  const never = new AbortController().signal;
  const read = (file: string) => readStream(bench.ports, file, never);
  await importSent(bench.ports, [mail], ROBIN, { read, tell: () => {}, abort: never });
  await bench.tick();
  expect(vault.fields('task/Pay the notary fee.md').state).toBe(state);
  expect(bench.openProposals()).toHaveLength(would === 'proposed' ? 1 : 0);
});

test('a recipient of what the user sent is offered as a name of the note; the user never is', async () => {
  const { 'task/Send the floor plan.md': _, ...notes } = NOTES;
  const vault = new TempVault({ ...notes, 'matter/house.md': matter() });
  const mails = [{ ...PAID, subject: 'Hello', text: 'Dear Joanna,\n\nI have paid the fee today.\n\nRobin' }];
  const sent = pastMaildir(path.join(vault.home, 'outside', 'Sent'), mails);
  const { offers } = await rehearsed(vault, [sent], { own: [ROBIN] });
  expect(offers.senders).toEqual([{ sender: 'joanna@northgate.example', note: 'matter/house.md', found: 1, wrong: 0 }]);
});

/** A vault whose user has connected a mailbox with sent mails, and the rehearsal of it. */
async function connected(
  port: number,
  { user, password, ...fields }: { user: string; password: string; [field: string]: unknown },
) {
  const all = { kind: 'imap', host: '127.0.0.1', port, security: 'none', user, own_addresses: ROBIN, ...fields };
  const vault = new TempVault({ ...NOTES, 'source/inbox.md': sourceNote(all) });
  const sourceGrants = path.join(vault.home, 'grants');
  allow(grantsFile(vault.root, sourceGrants), 'inbox', grantFor(all));
  const env = { ...LIVE, sourceGrants, sourcePassword: () => password };
  const source = { name: 'inbox', connect: loadSource };
  return rehearsed(vault, [], { source, since: new Date('2026-01-01T00:00').getTime() }, { env });
}

test('of the folder of sent mails of a connected mailbox, only the user’s own are fetched', async () => {
  const server = await ScriptedServer.start();
  const folder = server.folder('Sent');
  for (const mail of [PAID, PROMISED, FROM_JOANNA])
    folder.add(pastMail(mail).replaceAll('\n', '\r\n'), new Date(mail.at));
  const rehearsal = await connected(server.port, { user: USER, password: PASSWORD, sent_folder: 'Sent' });
  expect(told(rehearsal)).toEqual(OWN_WORD);
  expect(rehearsal.events.evaluated).toBe(2);
});

test.skipIf(!dovecotHere())(
  'a real server’s mark for sent mails is followed, whatever the folder is called',
  async () => {
    const server = await dovecot();
    const lay = (mails: readonly PastMail[], name: string) =>
      server.maildir().lay(
        mails.map((mail) => ({ bytes: pastMail(mail), at: Date.parse(mail.at), isSeen: true })),
        name,
      );
    lay([PAID, PROMISED, FROM_JOANNA], MARKED_AS_SENT);
    lay([{ ...PAID, at: '2026-03-11T12:00' }], 'INBOX');
    const rehearsal = await connected(server.port, {
      user: DOVECOT_USER,
      password: DOVECOT_PASSWORD,
      sent_folder: 'auto',
    });
    expect(told(rehearsal).filter((one) => one.startsWith('sent:'))).toEqual(OWN_WORD);
    expect(rehearsal.events.evaluated).toBe(3);
  },
);
