import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ImportProgress, importFiles, placed } from '../../src/features/import.ts';
import { readStream } from '../../src/streams/read-stream.ts';
import { openFile } from '../../src/vault/files.ts';
import { mailbox, mailText, paidMail } from '../streams/mailboxes.ts';
import { HOUSE, PAID_MAIL } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

/** A vault, files beside it, and what imports them. */
async function world(outside: Readonly<Record<string, string | Uint8Array>>, files = {}) {
  const vault = new TempVault({ ...HOUSE, ...files });
  const at = (name: string) => path.join(vault.home, 'outside', name);
  for (const [name, bytes] of Object.entries(outside)) {
    fs.mkdirSync(path.dirname(at(name)), { recursive: true });
    fs.writeFileSync(at(name), bytes);
  }
  const bench = await Bench.open(vault);
  const told: ImportProgress[] = [];
  const ended = new AbortController();
  const run = (...names: string[]) =>
    importFiles(bench.ports, names.map(at), {
      read: (file, onProgress) => readStream(bench.ports, file, ended.signal, onProgress),
      tell: (progress) => void told.push(progress),
      abort: ended.signal,
    });
  const streams = () =>
    fs.existsSync(vault.at('stream'))
      ? fs.readdirSync(vault.at('stream'), { recursive: true, encoding: 'utf8' }).sort()
      : [];
  return { vault, bench, at, run, told, ended, streams };
}

describe('what is put into the vault', () => {
  test('a file that nobody reads is refused before it is copied, and the others are imported', async () => {
    const { run, streams } = await world({ 'a.eml': PAID_MAIL, 'b.pages': 'x', 'c.mbox': 'no mailbox' });
    const [mail, pages, box] = await run('a.eml', 'b.pages', 'c.mbox');
    expect(mail).toMatchObject({ file: 'stream/a.eml', understood: true, complete: true, items: null });
    expect(mail?.signals).toHaveLength(1);
    expect(pages).toMatchObject({ file: null, understood: false, reason: '.pages files are not read' });
    expect(box).toMatchObject({
      file: null,
      understood: false,
      reason: expect.stringContaining('does not begin like'),
    });
    expect(streams()).toEqual(['a.eml']);
  });

  test('a mail that is too large to be read is refused before it is copied', async () => {
    const { run, streams } = await world({ 'a.eml': Buffer.alloc(11 * 1024 * 1024, 'x') });
    expect(await run('a.eml')).toMatchObject([{ file: null, reason: expect.stringContaining('10 MiB') }]);
    expect(streams()).toEqual([]);
  });

  test('the same bytes are not copied again; others of that name get a name of their own', async () => {
    const { run, streams, at } = await world({ 'a.eml': PAID_MAIL });
    await run('a.eml');
    expect(await run('a.eml')).toMatchObject([{ file: 'stream/a.eml', reason: 'it was read before' }]);
    fs.appendFileSync(at('a.eml'), 'more');
    expect(await run('a.eml')).toMatchObject([{ file: 'stream/a-2.eml' }]);
    expect(streams()).toEqual(['a-2.eml', 'a.eml']);
  });

  test('a file that lies in the stream folder is read where it is', async () => {
    const { run, streams } = await world({}, { 'stream/gmail/a.eml': PAID_MAIL });
    expect(await run('../vault/stream/gmail/a.eml')).toMatchObject([{ file: 'stream/gmail/a.eml' }]);
    expect(streams()).toEqual(['gmail', 'gmail/a.eml']);
  });

  test('a folder of single mails is imported as one; other files in it are left', async () => {
    const { run, streams } = await world({
      'Export/a.eml': PAID_MAIL,
      'Export/b.txt': 'x',
      'Export/.c.eml': PAID_MAIL,
    });
    expect(await run('Export')).toMatchObject([{ file: 'stream/Export', items: { read: 1 }, complete: true }]);
    expect(await run('Export')).toMatchObject([{ items: { read: 0, known: 1 } }]);
    expect(streams()).toEqual(['Export', 'Export/a.eml']);
  });

  test.each([
    ['nowhere.eml', 'import-missing'],
    ['.hidden.eml', 'import-name'],
    ['folder', 'import-folder'],
  ])('%s is refused (%s) before anything is done', async (name, code) => {
    const { run, streams } = await world({ 'a.eml': PAID_MAIL, '.hidden.eml': PAID_MAIL, 'folder/x.txt': 'x' });
    await expect(run('a.eml', name)).rejects.toMatchObject({ trouble: { code } });
    expect(streams()).toEqual([]);
  });

  test('a copy whose part is swept away is made once more', async () => {
    const { vault, at } = await world({ 'box.mbox': mailbox(mailText({ id: 'one', text: 'x'.repeat(3_000_000) })) });
    const source = await openFile(at('box.mbox'));
    let swept = 0;
    const copied = () => {
      if (swept === 0)
        swept = fs.readdirSync(vault.places.tmp).map((name) => fs.rmSync(path.join(vault.places.tmp, name))).length;
    };
    const { ports } = await Bench.open(vault);
    const order = { from: at('box.mbox'), source, wanted: 'stream/box.mbox' };
    const watch = { copied, abort: new AbortController().signal, demand: () => {} };
    expect(await placed(ports.vault, order, watch)).toBe('stream/box.mbox');
    await source.handle.close();
    expect(swept).toBe(1);
    expect(fs.readFileSync(vault.at('stream/box.mbox')).equals(fs.readFileSync(at('box.mbox')))).toBe(true);
  });

  test('what does not fit on the disk is refused before anything is copied', async () => {
    const { run, streams, at } = await world({ 'a.eml': PAID_MAIL, 'huge.mbox': '' });
    fs.truncateSync(at('huge.mbox'), 2 ** 43); // a hole: it takes no room itself
    await expect(run('a.eml', 'huge.mbox')).rejects.toMatchObject({ trouble: { code: 'disk-full' }, exit: 75 });
    expect(streams()).toEqual([]);
  });
});

describe('a file with many events', () => {
  const old = new Date(Date.now() - 30 * 86_400_000);
  const BOX = mailbox(paidMail('one'), mailText({ id: 'two' }), mailText({ id: 'three', date: old }));

  test('is counted by what became of its events', async () => {
    const { run, told } = await world({ 'box.mbox': BOX });
    const [box] = await run('box.mbox');
    expect(box).toMatchObject({
      ...{ file: 'stream/box.mbox', understood: true, complete: true, reason: null },
      items: { read: 3, signals: 1, none: 1, past: 1, known: 0, refused: 0, waiting: 0 },
    });
    expect(box?.signals).toHaveLength(1);
    expect(told.at(-1)).toMatchObject({
      stage: 'reading',
      file: 'stream/box.mbox',
      nth: 1,
      files: 1,
      size: BOX.length,
    });
  });

  test('says so where it was read before', async () => {
    const { run } = await world({ 'box.mbox': BOX });
    await run('box.mbox');
    expect(await run('box.mbox')).toMatchObject([{ reason: 'it was read before', items: { read: 3, signals: 1 } }]);
  });

  test('that is ended early is read on by the next import, and nothing is read twice', async () => {
    const { run, ended, vault, at } = await world({
      'box.mbox': mailbox(
        ...Array.from({ length: 300 }, (_, nth) => mailText({ id: `m${nth}`, text: `Nothing ${nth}.` })),
      ),
      'next.eml': PAID_MAIL,
    });
    const { ports } = await Bench.open(vault);
    const files = [at('box.mbox'), at('next.eml')];
    const first = await importFiles(ports, files, {
      read: (file, onProgress) =>
        readStream(ports, file, ended.signal, (progress) => {
          onProgress?.(progress);
          ended.abort();
        }),
      tell: () => {},
      abort: ended.signal,
    });
    expect(first).toMatchObject([
      { file: 'stream/box.mbox', complete: false },
      { file: null, complete: false, reason: 'it was ended before' },
    ]);
    const before = first[0]?.items?.read ?? 0;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(300);
    await expect(run('box.mbox')).resolves.toMatchObject([{ complete: false }]); // its own signal is aborted too
    const again = await importFiles(ports, files, {
      read: (file, onProgress) => readStream(ports, file, new AbortController().signal, onProgress),
      tell: () => {},
      abort: new AbortController().signal,
    });
    expect(again).toMatchObject([{ complete: true, items: { refused: 0 } }, { complete: true }]);
    expect(again[0]?.items?.read).toBe(300);
  });
});

describe('a Maildir', () => {
  const NAME = '1735689617.M1P2.host:2,S';
  const mails = () => ({
    [`Mail/cur/${NAME}`]: paidMail('one'),
    'Mail/new/1735689618.M2P2.host': mailText({ id: 'two' }),
    'Mail/tmp/1735689619.M3P2.host': mailText({ id: 'three' }),
    'Mail/dovecot-uidlist': '3',
  });

  test('is copied with cur and new, and counted as one', async () => {
    const { run, streams } = await world(mails());
    const [maildir] = await run('Mail');
    expect(maildir).toMatchObject({
      ...{ file: 'stream/Mail', understood: true, complete: true },
      items: { read: 2, signals: 1, none: 1, known: 0, refused: 0 },
    });
    expect(streams()).toEqual(['Mail', 'Mail/cur', `Mail/cur/${NAME}`, 'Mail/new', 'Mail/new/1735689618.M2P2.host']);
  });

  test('whose mails have other flags by now is not copied again', async () => {
    const { run, streams, at } = await world(mails());
    await run('Mail');
    const before = streams();
    fs.renameSync(at(`Mail/cur/${NAME}`), at('Mail/cur/1735689617.M1P2.host:2,RS'));
    fs.renameSync(at('Mail/new/1735689618.M2P2.host'), at('Mail/cur/1735689618.M2P2.host:2,S'));
    expect(await run('Mail')).toMatchObject([{ items: { read: 0, known: 2, signals: 0 } }]);
    expect(streams()).toEqual(before);
  });

  test('below another gives its mails without the dot of its name', async () => {
    const { run, streams, at } = await world(mails());
    fs.renameSync(at('Mail'), at('.Archive'));
    expect(await run('.Archive')).toMatchObject([{ file: 'stream/Archive', items: { read: 2 } }]);
    expect(streams()).toContain('Archive/cur');
  });
});
