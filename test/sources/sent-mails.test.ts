import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkRelevance } from '../../src/sources/relevance.ts';
import { fieldTrouble, pinned, SOURCES, sourceSettings } from '../../src/sources/source.ts';
import { allow, grantsFile } from '../../src/sources/source-note.ts';
import { deleteReadMails, loadSource } from '../../src/sources/source-work.ts';
import type { MailOrigin } from '../../src/streams/fetched-mail.ts';
import { STREAMS } from '../../src/streams/state.ts';
import { sweepAndRead } from '../streams/read-unread.ts';
import { HOUSE, matter, settings, task } from '../support/notes.ts';
import { ownLicence } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';
import { askedSources, grantFor, sourceNote } from './asked-sources.ts';
import { imapSettings, mailboxHouse, mailOf } from './mailbox-house.ts';
import { PASSWORD, ScriptedServer, USER } from './scripted-server.ts';
import { FETCHED, sentMailHouse } from './sent-mail-house.ts';

const ME = `Anna <${USER}>`;

/** A mail that the user sent to the notary about the task `Pay the notary fee`. */
function sentMail(text = 'Hello Joanna,\r\n\r\nI have paid the notary fee today.', headers: readonly string[] = []) {
  return [
    `From: ${ME}`,
    'To: Joanna <joanna@northgate.example>',
    'Subject: Notary fee',
    `Date: ${new Date().toUTCString()}`,
    'Message-ID: <1@house.example>',
    ...headers,
    '',
    text,
    '',
  ].join('\r\n');
}

/** A vault with that task, whose source `inbox` reads sent mails. */
async function house(files = {}) {
  const { fetched, ...at } = await sentMailHouse(files, { trusted_mail_servers: [] });
  const write = async (mail = sentMail(), keep: MailOrigin['keep'] = 'mail') =>
    at.vault.write(FETCHED, await fetched(mail, { keep }));
  return { ...at, fetched: write };
}

const LICENCE = {
  'licence/sent.md': ownLicence('licence/sent.md', { sender: `sent:${USER}`, kinds: ['done', 'due', 'fields'] }),
};

describe('which mails are the user’s own word', () => {
  const folderWith = async (headers: readonly string[], from = ME, fields = {}) => {
    const { server, inlet, open } = await mailboxHouse();
    server.folder('Sent').add(mailOf(from, 'sent', 'I have paid the notary fee.', headers));
    const { bench } = await house();
    inlet.judge = () => 'pass';
    const session = await open({ sent_folder: 'Sent', ...fields });
    await session.poll();
    const [head] = inlet.heads;
    if (head === undefined) throw new Error('no mail was looked at');
    return checkRelevance(bench.ports, head, [USER]);
  };

  test('those in the folder that the note names, or that the server marks', async () => {
    for (const [sent_folder, mark] of [
      ['auto', '\\Sent'],
      ['Gesendet', ''],
    ] as const) {
      const { server, inlet, open } = await mailboxHouse();
      server.capabilities.push('SPECIAL-USE');
      server.folder('Gesendet').add(mailOf(ME, 'sent'));
      server.folder('Sent').add(mailOf(ME, 'not sent'));
      server.folder().add(mailOf(ME, 'arrived'));
      server.marks.set('Gesendet', mark);
      await (await open({ sent_folder })).poll();
      const kinds = inlet.arrivals.map(({ content }) => (content?.kind === 'mail' ? content.isSent : null));
      expect(kinds).toEqual([undefined, true]);
      expect(inlet.texts()[1]).toContain('Subject: sent');
    }
  });

  test('none where the server marks no folder, which is a problem, and the other folders are read', async () => {
    const { server, inlet, open } = await mailboxHouse();
    server.folder('Sent').add(mailOf(ME, 'sent'));
    server.folder().add(mailOf(ME, 'arrived'));
    server.marks.set('INBOX', '\\Sent');
    const problems = await (await open({ sent_folder: 'auto' })).poll();
    expect(problems).toMatchObject([{ message: expect.stringContaining('marks no folder') }]);
    expect(inlet.arrivals).toHaveLength(1);
  });

  test('also where the note reads it as one of its folders; a mail to oneself is read in both', async () => {
    const { server, inlet, open } = await mailboxHouse();
    const mail = mailOf(ME, 'to myself');
    server.folder().add(mail);
    server.folder('Sent').add(mail);
    await (
      await open({ folders: ['INBOX', 'Sent'], sent_folder: 'Sent', senders: ['joanna@northgate.example'] })
    ).poll();
    expect(inlet.arrivals.map(({ content }) => content?.kind === 'mail' && content.isSent)).toEqual([true]);
    await (await open({ folders: ['INBOX', 'Sent'], sent_folder: 'Sent' })).poll();
    expect(inlet.arrivals).toHaveLength(2);
  });

  test('those of the user’s own addresses', async () => {
    expect(await folderWith([])).toBe('more');
    expect(await folderWith([], 'Joanna <joanna@northgate.example>')).toBe('pass');
    expect(await folderWith([], `${ME}, joanna@northgate.example`)).toBe('pass');
    const { own_addresses } = imapSettings({ own_addresses: 'Anna@Work.example' });
    expect(own_addresses).toEqual(['Anna@Work.example']);
  });

  test.each([
    ['Delivered-To: anna+Sent@house.example'],
    ['Authentication-Results: mx.house.example; dmarc=pass header.from=house.example'],
    ['Received: from mx.strangers.example by mx.house.example with ESMTPS id 1; Mon, 30 Nov 2026 09:00:00 +0000'],
    ['Received: by mx.house.example with LMTP id 1; Mon, 30 Nov 2026 09:00:00 +0000'],
    ['Received: from somewhere'],
  ])('none that arrived: %s', async (header) => {
    expect(await folderWith([header])).toBe('pass');
  });

  test.each([
    ['Received: from [10.0.0.4] by smtp.house.example with ESMTPSA id 1; Mon, 30 Nov 2026 09:00:00 +0000'],
    ['Received: from A.example ([::1]) by A.example with mapi id 15.20; Mon, 30 Nov 2026 09:00:00 +0000'],
    ['Received: by mail.house.example with HTTP; Mon, 30 Nov 2026 09:00:00 +0000'],
  ])('those that a server took from its own user: %s', async (header) => {
    expect(await folderWith([header])).toBe('more');
  });
});

describe('what the note must say', () => {
  const fields = { kind: 'imap', host: 'imap.house.example', user: USER, sent_folder: 'Sent' };

  test.each([
    [{ sent_folder: 'inbox' }, 'sent_folder must not be INBOX'],
    [{ user: 'anna' }, 'own_addresses must have your address'],
  ])('%j', (more, words) => {
    expect(fieldTrouble({ ...fields, ...more })).toContain(words);
  });

  test('and what the user allows with it; without it, what was allowed before is as it was', () => {
    const allowed = (more: object) => pinned(sourceSettings.parse({ ...fields, ...more }));
    expect(allowed({ own_addresses: ['z@house.example', 'B@house.example'] })).toMatchObject({
      sent_folder: 'Sent',
      own_addresses: `${USER}, b@house.example, z@house.example`,
    });
    expect(Object.keys(allowed({ sent_folder: undefined }))).not.toContain('sent_folder');
  });
});

describe('a mail that the user sent', () => {
  test('is their word about their own task: without a licence it is proposed', async () => {
    const { vault, bench, fetched, signals } = await house();
    await fetched();
    await sweepAndRead(bench);
    expect(signals()).toMatchObject([
      {
        ...{ source_type: 'sent', pattern: USER, from: `You <${USER}>`, target_path: 'task/Pay the notary fee.md' },
        ...{ authenticated: 'pass', authenticated_by: 'your sent folder (inbox)' },
        mutation_proposal: { class: 'state_change', set: { state: 'done' } },
      },
    ]);
    await bench.tick();
    expect(vault.fields('task/Pay the notary fee.md').state).toBe('open');
    expect(vault.events()).toHaveLength(1);
    const [event = ''] = vault.events();
    expect(vault.fields(event)).toMatchObject({ outcome: 'proposed', from: expect.stringContaining('You') });
    expect(JSON.stringify(await bench.explain(event))).toContain('your sent mail scored');
  });

  test('acts under a licence of its own, and what becomes of it teaches nobody else', async () => {
    const { vault, bench, fetched } = await house(LICENCE);
    await fetched(sentMail('Hello Joanna,\r\n\r\nThe notary fee has been paid.'));
    await sweepAndRead(bench);
    await bench.tick();
    expect(vault.fields('task/Pay the notary fee.md').state).toBe('done');
    const [event = ''] = vault.events();
    await bench.undo(event);
    const learnt = Object.keys(vault.snapshot())
      .filter((file) => file.startsWith('instinct/'))
      .map((file) => vault.fields(file));
    expect(learnt.map(({ source_type, pattern }) => [source_type, pattern ?? null])).toEqual([
      ['sent', null],
      ['sent', USER],
    ]);
  });

  test('only asks about a promise, also under a licence', async () => {
    const { vault, bench, fetched, signals } = await house(LICENCE);
    const day = new Date(Date.now() + 20 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    await fetched(sentMail(`Hello Joanna,\r\n\r\nI will pay the notary fee by ${day}.`));
    await sweepAndRead(bench);
    expect(signals()).toMatchObject([{ mutation_proposal: { set: { due: day } }, target_ambiguous: true }]);
    await bench.tick();
    const [event = ''] = vault.events();
    expect(vault.fields('task/Pay the notary fee.md').due).toBeUndefined();
    expect(vault.fields(event)).toMatchObject({ outcome: 'proposed', waiting: true });
  });

  test('notes what the user asked of somebody about a task', async () => {
    const { vault, bench, fetched } = await house();
    await fetched(sentMail('Hello Joanna,\r\n\r\nCould you please sign the deed this week?'));
    await sweepAndRead(bench);
    await bench.tick();
    const [event = ''] = vault.events();
    expect(vault.fields(event).change).toMatch(
      /^current_state .*Asked on .*: Could you please sign the deed this week\?/,
    );
  });
});

const IRRELEVANT = sentMail('Hello Joanna,\r\n\r\nhappy birthday, and see you soon.').replace('Notary fee', 'Birthday');

test('from the server to the note: what concerns a task is stored and acts, nothing else is kept', async () => {
  const server = await ScriptedServer.start();
  server.capabilities.push('SPECIAL-USE');
  server.marks.set('Sent', '\\Sent');
  const paid = sentMail('Hello Joanna,\r\n\r\nThe notary fee has been paid.');
  server.folder('Sent').add(paid);
  server.folder('Sent').add(IRRELEVANT.replace('<1@', '<2@'));
  server.folder().add(paid.replace('The notary fee has been paid', 'The deed is signed').replace('<1@', '<3@'));
  const where = { host: '127.0.0.1', port: server.port, security: 'none', user: USER };
  const fields = { kind: 'imap', ...where, sent_folder: 'auto' };
  const vault = new TempVault({
    ...HOUSE,
    ...LICENCE,
    'matter/house.md': matter({ senders: ['joanna@northgate.example'] }),
    'task/Pay the notary fee.md': task(),
    'task/Sign the deed.md': task(),
    'source/inbox.md': sourceNote(fields),
    'steward.md': settings({ trusted_mail_servers: [], settle_seconds: 0 }),
  }).identify();
  const folder = path.join(vault.home, 'grants');
  const bench = await Bench.open(vault, { env: { ...LIVE, sourceGrants: folder, sourcePassword: () => PASSWORD } });
  allow(grantsFile(vault.root, folder), 'inbox', grantFor(fields));
  const { follow, drained } = askedSources(bench, loadSource);
  await follow();
  await expect.poll(() => bench.remembered(SOURCES).inbox, { timeout: 20_000 }).toMatchObject({ seen: 3, sent: true });
  await drained();
  await bench.sweep();
  await bench.tick();
  expect(vault.fields('task/Pay the notary fee.md').state).toBe('done');
  // In the user's name, but it arrived.
  expect(vault.fields('task/Sign the deed.md').state).toBe('open');
  const files = vault.names('stream/inbox').map((name) => vault.read(`stream/inbox/${name}`));
  expect(files.filter((text) => text.includes('X-Steward-Sent: yes'))).toHaveLength(1);
  const own = fs.readdirSync(vault.at('.steward'), { recursive: true, encoding: 'utf8' });
  const kept = own.map((name) => vault.at(`.steward/${name}`)).filter((file) => fs.statSync(file).isFile());
  const state = kept.map((file) => fs.readFileSync(file, 'utf8')).join('');
  expect(`${JSON.stringify(vault.snapshot())}${state}`).not.toContain('irthday');
});

describe('what leaves nothing behind', () => {
  test('a mail about no open task is not fetched', async () => {
    const { bench } = await house();
    const look = (mail: string, isWhole = true) =>
      checkRelevance(bench.ports, { bytes: Buffer.from(mail), isWhole, isSent: true }, [USER]);
    expect(await look(sentMail())).toBe('fetch');
    expect(await look(IRRELEVANT)).toBe('pass');
    expect(await look(`${sentMail(undefined, ['Auto-Submitted: auto-replied'])}`)).toBe('pass');
    // The beginning is enough to tell.
    expect(await look(`${sentMail()}${'And so on.\r\n'.repeat(3000)}`, false)).toBe('fetch');
  });

  test('one that gave no signal is deleted, and forgotten with its subject', async () => {
    for (const keep of ['mail', 'quote'] as const) {
      const { vault, bench, fetched, signals } = await house();
      await fetched(IRRELEVANT, keep);
      await sweepAndRead(bench);
      await deleteReadMails(bench.ports);
      expect(signals()).toEqual([]);
      expect(vault.has(FETCHED)).toBe(false);
      expect(bench.remembered(STREAMS)).toEqual({});
      expect([bench.remembered('fleeting'), bench.remembered('cleared')]).toEqual([{}, {}]);
      bench.ports.ingest.trail.flush();
      expect(JSON.stringify(vault.snapshot())).not.toContain('Birthday');
    }
  });

  test('one that gave a signal stays as `keep` says', async () => {
    for (const [keep, stays] of [
      ['mail', true],
      ['quote', false],
    ] as const) {
      const { vault, bench, fetched, signals } = await house();
      await fetched(sentMail(), keep);
      await sweepAndRead(bench);
      await deleteReadMails(bench.ports);
      expect(signals()).toHaveLength(1);
      expect(vault.has(FETCHED)).toBe(stays);
    }
  });
});
