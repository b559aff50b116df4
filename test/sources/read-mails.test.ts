import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { deleteReadMails } from '../../src/sources/source-work.ts';
import { expectFleeting } from '../../src/steward/event-note.ts';
import { fetchedFile, type MailOrigin } from '../../src/streams/fetched-mail.ts';
import { sweepAndRead } from '../streams/read-unread.ts';
import { inMailbox } from '../support/mailbox.ts';
import { HOUSE, PAID_MAIL, settings, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const FILE = 'stream/inbox/2026-11-21-0123456789ab.eml';
const OTHER = 'stream/work/2026-11-21-ba9876543210.eml';
const SERVER = 'mx.sample.example';
const FROM: MailOrigin = { source: 'inbox', server: SERVER, keep: 'mail' };
/** The same mail as mail programs write it: with HTML and an attachment. */
const DRESSED = PAID_MAIL.replace(
  '\r\n\r\n',
  [
    ...['', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', '', '--b'],
    ...['Content-Type: text/plain; charset=utf-8', '', ''],
  ].join('\r\n'),
).concat(
  ['--b', 'Content-Type: application/pdf', 'Content-Disposition: attachment', '', 'x'.repeat(900), '--b--', ''].join(
    '\r\n',
  ),
);

/** A vault whose settings trust no server, and work on it. */
async function house(files = {}) {
  const untrusting = { 'steward.md': settings({ trusted_mail_servers: [], settle_seconds: 0 }) };
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), ...untrusting, ...files });
  const bench = await Bench.open(vault);
  const fetched = async (from: Partial<MailOrigin> = {}, file = FILE, mail = PAID_MAIL) =>
    vault.write(file, await fetchedFile({ ...FROM, ...from }, file, Buffer.from(mail), bench.ports.context.seal));
  const signals = () => vault.names('signal').map((name) => vault.fields(`signal/${name}`));
  return { vault, bench, fetched, signals };
}

describe('who vouches for a mail that was fetched', () => {
  test('is the server of its account alone', async () => {
    const { bench, fetched, signals } = await house();
    await fetched();
    await sweepAndRead(bench);
    expect(signals()).toMatchObject([
      { authenticated: 'pass', authenticated_by: SERVER, pattern: 'billing@roof.example', source_event_path: FILE },
    ]);
  });

  test('is nobody where the account names none, or another, whatever the settings trust', async () => {
    for (const server of [null, 'mx.other.example']) {
      const { bench, fetched, signals } = await house({
        'steward.md': settings({ trusted_mail_servers: [SERVER], settle_seconds: 0 }),
      });
      await fetched({ server });
      await sweepAndRead(bench);
      expect(signals()).toMatchObject([{ authenticated: 'none', pattern: expect.stringContaining('unverified') }]);
    }
  });

  test("could have been its server: what it didn't authenticate says nothing of the true sender", async () => {
    const { bench, fetched, signals } = await house();
    await fetched({}, FILE, PAID_MAIL.replace('dmarc=pass', 'dmarc=none'));
    await sweepAndRead(bench);
    expect(signals()).toMatchObject([{ authenticated: 'none', pattern: expect.stringContaining('unverified') }]);
  });

  test('is as for any other mail once the file was moved or edited', async () => {
    for (const change of [
      (vault: TempVault) => fs.renameSync(vault.at(FILE), vault.at(FILE.replace('ab.eml', 'ac.eml'))),
      (vault: TempVault) => vault.write(FILE, `${vault.read(FILE)}P.S.`),
    ]) {
      const { vault, bench, fetched, signals } = await house();
      await fetched();
      change(vault);
      await sweepAndRead(bench);
      expect(signals()).toMatchObject([{ authenticated: 'none', authenticated_by: null }]);
    }
  });
});

describe('one mail is one event', () => {
  test('by two accounts, whole and as its text, from a file and from a mailbox', async () => {
    for (const order of [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [1, 0, 3, 2],
      [2, 3, 0, 1],
    ]) {
      const { vault, bench, fetched, signals } = await house();
      const doors = [
        () => fetched({ keep: 'text' }, FILE, DRESSED),
        () => fetched({ source: 'work', server: null }, OTHER, DRESSED),
        () => vault.write('stream/paid.eml', DRESSED),
        () => vault.write('stream/box.mbox', inMailbox(DRESSED.replaceAll('\r\n', '\n'))),
      ];
      for (const nth of order) {
        await doors[nth]?.();
        await sweepAndRead(bench);
        expect(signals()).toHaveLength(1);
        expect(signals()[0]?.warnings ?? []).toEqual([]);
      }
    }
  });

  test('wherever its file is moved or copied, and however its lines end', async () => {
    const { vault, bench, fetched, signals } = await house();
    await fetched({ keep: 'text' }, FILE, DRESSED);
    expect(vault.read(FILE)).toContain('X-Steward-Keep: text');
    expect(vault.read(FILE)).not.toContain('xxx');
    await sweepAndRead(bench);
    vault.write('stream/copy.eml', vault.read(FILE));
    vault.write('stream/windows.eml', vault.read(FILE).replaceAll('\n', '\r\n'));
    fs.renameSync(vault.at(FILE), vault.at('stream/moved.eml'));
    expect(await sweepAndRead(bench)).toHaveLength(3);
    expect(signals()).toHaveLength(1);
    expect((await bench.explain('stream/copy.eml')).sentence).toContain(`it was read as ${FILE}`);
  });
});

describe('what is kept', () => {
  test('of a large mail is the text as well, made in a process of its own', async () => {
    const { vault, bench, fetched, signals } = await house();
    const large = DRESSED.replace('x'.repeat(900), `${'x'.repeat(70)}\r\n`.repeat(5000));
    await fetched({ keep: 'text' }, FILE, large);
    expect(fs.statSync(vault.at(FILE)).size).toBeLessThan(2000);
    vault.write('stream/whole.eml', large);
    await sweepAndRead(bench);
    expect(signals()).toHaveLength(1);
  });

  test('is the whole mail where its text alone would be read in another way', async () => {
    const { vault, fetched } = await house();
    await fetched({ keep: 'text' }); // it is no smaller
    expect(vault.read(FILE)).toMatch(/^X-Steward-Source: inbox\r\nX-Steward-Server: .*\r\nX-Steward-Keep: mail\r\n/);
  });
});

describe('a mail of a source that keeps nothing', () => {
  test('is deleted once it has been read, and it is said where it lies', async () => {
    const { vault, bench, fetched, signals } = await house();
    const { context } = bench.ports;
    expectFleeting(context, [FILE]);
    await deleteReadMails(bench.ports); // it is on its way
    await fetched({ keep: 'quote' });
    await bench.sweep();
    await deleteReadMails(bench.ports);
    expect(vault.has(FILE)).toBe(true);
    await sweepAndRead(bench);
    await deleteReadMails(bench.ports);
    expect(vault.has(FILE)).toBe(false);
    expect(fs.readdirSync(vault.places.history)).toEqual([]);
    expect(bench.remembered('fleeting')).toEqual({});
    expect(bench.remembered('cleared')).toEqual({ [FILE]: expect.any(Number) });
    expect(signals()).toMatchObject([{ raw_quote: expect.stringContaining('has been paid') }]);

    const lies = 'is in the account inbox';
    const [name = ''] = vault.names('signal');
    expect(JSON.stringify(await bench.explain(name))).toContain(lies);
    expect(JSON.stringify(await bench.explain(FILE))).toContain(lies);
    expect(JSON.stringify(await bench.explain(path.basename(FILE)))).toContain('It is about pay');
    await bench.tick();
    const [event = ''] = vault.events();
    expect(vault.read(event)).toContain(`The vault doesn't keep this mail: it ${lies}.`);

    // What a sync brings back is not read once more, and goes again.
    await fetched({ keep: 'quote' });
    await sweepAndRead(bench);
    await deleteReadMails(bench.ports);
    expect(vault.has(FILE)).toBe(false);
    expect(signals()).toHaveLength(1);
  });

  test('that says nothing is deleted as well, and forgotten but for the trail', async () => {
    const { vault, bench, fetched } = await house();
    await fetched({ keep: 'quote' }, FILE, PAID_MAIL.replace(/\[\[pay\]\]/g, 'nothing'));
    await sweepAndRead(bench);
    await deleteReadMails(bench.ports);
    expect(vault.has(FILE)).toBe(false);
    expect([bench.remembered('fleeting'), bench.remembered('cleared')]).toEqual([{}, {}]);
    expect((await bench.explain(FILE)).sentence).toContain('It gave no signal');
  });

  test('stays while a model is to be asked about it, and where it cannot be read', async () => {
    const { vault, bench, fetched } = await house();
    await fetched({ keep: 'quote' });
    await sweepAndRead(bench);
    const { waiting } = bench.ports.ingest;
    waiting.set(FILE, { reason: 'x', tries: 1, at: 0, untilAnswer: true, window: null });
    await deleteReadMails(bench.ports);
    expect(vault.has(FILE)).toBe(true);
    waiting.clear();
    await deleteReadMails(bench.ports);
    expect(vault.has(FILE)).toBe(false);

    await fetched({ keep: 'quote' }, FILE, 'no mail\n');
    await sweepAndRead(bench);
    await deleteReadMails(bench.ports);
    expect(vault.has(FILE)).toBe(true);
    expect(bench.remembered('fleeting')).toEqual({});
  });

  test('goes by the daemon, and after a crash by the next one', async () => {
    const { vault, bench, fetched } = await house();
    await fetched({ keep: 'quote' });
    await sweepAndRead(bench);
    bench.close(); // read, and not deleted
    const running = await Running.start(vault);
    await running.until(() => !vault.has(FILE));
    await fetched({ keep: 'quote' }, OTHER, PAID_MAIL.replace('<1@', '<2@'));
    await running.until(() => !vault.has(OTHER));
    await expect.poll(() => vault.state('fleeting')).toBeNull();
    expect(vault.names('signal')).toHaveLength(2);
  });
});
