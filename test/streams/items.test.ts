import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readItems } from '../../src/streams/items.ts';
import { openStream } from '../../src/streams/read-stream.ts';
import { STREAMS } from '../../src/streams/state.ts';
import { unreadStreams } from '../../src/streams/streams.ts';
import { SLICE_MS } from '../../src/vault/time.ts';
import { HOUSE } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';
import { mailbox, mailText, paidMail } from './mailboxes.ts';
import { readUnread } from './read-unread.ts';

const BOX = 'stream/box.mbox';
const OLD = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000);

async function readAll(vault: TempVault) {
  const bench = await Bench.open(vault);
  const results = await readUnread(bench);
  bench.ports.ingest.known.flush();
  bench.ports.context.state.flush();
  return { bench, results };
}

/** Reads everything, and is ended before any of it is remembered. */
async function readAndCrash(vault: TempVault): Promise<void> {
  await readUnread(await Bench.open(vault));
  fs.rmSync(vault.at('.steward/state/known'), { recursive: true, force: true });
}

/** What every signal rests on: the path of its event, and its quote. */
function sourcesOf(vault: TempVault): string[] {
  if (!vault.has('signal')) return [];
  const names = vault.names('signal').sort();
  return names.map((name) => String(vault.fields(`signal/${name}`).source_event_path));
}

describe('a mailbox', () => {
  test('gives the signals of its mails, each named by the mail and not by the file alone; what is old is only counted', async () => {
    const old = mailText({ id: 'old', text: '[[pay]] has been paid.', date: OLD });
    const vault = new TempVault({ ...HOUSE, [BOX]: mailbox(old, paidMail('a'), mailText({ id: 'b' }), paidMail('c')) });
    const { results, bench } = await readAll(vault);
    expect(results).toEqual([
      expect.objectContaining({ items: { read: 4, none: 1, past: 1, known: 0, refused: 0, waiting: 0, unread: {} } }),
    ]);
    expect(sourcesOf(vault)).toEqual([expect.stringMatching(/^stream\/box\.mbox#[0-9a-f]{12}$/), expect.any(String)]);
    expect(new Set(sourcesOf(vault)).size).toBe(2);
    expect(unreadStreams(bench.ports)).toEqual([]);
  });

  test('that was added to is read on; what was there is not read again', async () => {
    const vault = new TempVault({ ...HOUSE, [BOX]: mailbox(paidMail('a')) });
    await readAll(vault);
    fs.appendFileSync(vault.at(BOX), mailbox(paidMail('b'), mailText({ id: 'c' })));
    const { results } = await readAll(vault);
    expect(results).toEqual([expect.objectContaining({ items: expect.objectContaining({ read: 3, known: 0 }) })]);
    expect(sourcesOf(vault)).toHaveLength(2);
    expect((await readAll(vault)).results).toEqual([]);
  });

  test('whose last mail could not be read yet, or is old, counts it once', async () => {
    const old = mailbox(mailText({ id: 'old', date: OLD }));
    const half = 'From - Mon Nov 20 09:00:00 2034\nThe head is not there yet';
    const vault = new TempVault({ ...HOUSE, [BOX]: old });
    await readAll(vault);
    fs.appendFileSync(vault.at(BOX), half);
    await readAll(vault);
    fs.writeFileSync(vault.at(BOX), old + mailbox(paidMail('a')));
    const { bench } = await readAll(vault);
    expect(bench.ports.context.state.get(STREAMS)[BOX]?.items).toMatchObject({
      read: 2,
      past: 1,
      refused: 0,
      known: 0,
    });
  });

  test('that was added to counts what stood at its end once', async () => {
    const old = mailText({ id: 'old', date: OLD });
    const vault = new TempVault({ ...HOUSE, [BOX]: mailbox(paidMail('a'), old) });
    await readAll(vault);
    fs.appendFileSync(vault.at(BOX), mailbox(mailText({ id: 'b' })));
    const { results } = await readAll(vault);
    expect(results).toEqual([
      expect.objectContaining({ items: expect.objectContaining({ read: 3, past: 1, known: 0 }) }),
    ]);
  });

  test('to which a mail is added under the id of the last one says that one of the two may be forged', async () => {
    const vault = new TempVault({ ...HOUSE, [BOX]: mailbox(mailText({ id: 'a' })) });
    await readAll(vault);
    fs.appendFileSync(vault.at(BOX), mailbox(paidMail('a')));
    await readAll(vault);
    const [name = ''] = vault.names('signal');
    expect(vault.fields(`signal/${name}`)).toMatchObject({
      warnings: [expect.stringMatching(/^Another mail with the same Message-ID/)],
    });
  });

  test('that was rotated loses nothing and gives nothing twice', async () => {
    const vault = new TempVault({ ...HOUSE, [BOX]: mailbox(paidMail('a'), paidMail('b')) });
    await readAll(vault);
    vault.rename(BOX, 'stream/box.mbox.1');
    vault.write(BOX, mailbox(paidMail('c')));
    const { results } = await readAll(vault);
    expect(results.map((one) => (one?.kind === 'read' ? [one.file, one.items?.read, one.items?.known] : one))).toEqual([
      [BOX, 1, 0],
      ['stream/box.mbox.1', 0, 2],
    ]);
    expect(sourcesOf(vault)).toHaveLength(3);
  });

  test('whose last mail was half written gives that mail when it is whole, without a word about forgery', async () => {
    const whole = mailbox(paidMail('a'), paidMail('b'));
    const vault = new TempVault({ ...HOUSE, [BOX]: whole.slice(0, whole.lastIndexOf('[[pay]]') - 7) });
    await readAll(vault);
    expect(sourcesOf(vault)).toHaveLength(1);
    vault.write(BOX, whole);
    await readAll(vault);
    expect(sourcesOf(vault)).toHaveLength(2);
    for (const name of vault.names('signal')) expect(vault.fields(`signal/${name}`)).not.toHaveProperty('warnings');
  });

  test('with a mail that ends the process that reads it: that one is refused, with its place, and all others are read', async () => {
    const bomb = mailText({ id: 'bomb', text: '\n'.repeat(9 * 1024 * 1024) });
    const vault = new TempVault({ ...HOUSE, [BOX]: mailbox(paidMail('a'), bomb, paidMail('b')) });
    const { results, bench } = await readAll(vault);
    expect(results).toEqual([expect.objectContaining({ items: expect.objectContaining({ read: 2, refused: 1 }) })]);
    expect(bench.ports.context.state.get(STREAMS)[BOX]?.items?.troubles).toEqual([
      // Which of the two limits such a mail meets first depends on the machine.
      { place: expect.stringMatching(/^message .*at byte \d+$/), reason: expect.stringMatching(/512 MB|10 s/) },
    ]);
    const { sections } = await bench.explain(BOX);
    expect(sections[1]).toMatchObject({ title: 'Refused', lines: [expect.stringMatching(/^message/)] });
  });
});

describe('one mail by two doors is one event', () => {
  const paid = paidMail('a');

  test.each([BOX, 'stream/first.eml'])(
    'also where a crash came between its signal and what is remembered of it: %s',
    async (file) => {
      const vault = new TempVault({ ...HOUSE, [file]: file === BOX ? mailbox(paid) : paid });
      await readAndCrash(vault);
      await readAll(vault);
      vault.write('stream/same.eml', paid);
      await readAll(vault);
      expect(sourcesOf(vault)).toHaveLength(1);
    },
  );

  test('the mailbox first, then the file', async () => {
    const vault = new TempVault({ ...HOUSE, [BOX]: mailbox(paid) });
    await readAll(vault);
    vault.write(
      'stream/same.eml',
      `Received: from elsewhere.example by mx.sample.example; ${OLD.toUTCString()}\n${paid}`,
    );
    const { results } = await readAll(vault);
    expect(results).toEqual([
      expect.objectContaining({ signals: [], reason: expect.stringMatching(/^it was read as stream\/box\.mbox#/) }),
    ]);
    expect(sourcesOf(vault)).toHaveLength(1);
  });

  test('the file first, then the mailbox, and a Maildir in which it is marked as read', async () => {
    const vault = new TempVault({ ...HOUSE, 'stream/same.eml': paid });
    await readAll(vault);
    vault.write(BOX, mailbox(paid));
    vault.write('stream/Maildir/new/1763300000.M1P2.host', paid);
    await readAll(vault);
    fs.mkdirSync(vault.at('stream/Maildir/cur'));
    vault.rename('stream/Maildir/new/1763300000.M1P2.host', 'stream/Maildir/cur/1763300000.M1P2.host:2,S');
    await readAll(vault);
    expect(sourcesOf(vault)).toEqual(['stream/same.eml']);
  });

  test('both at once, while the daemon runs', async () => {
    const vault = new TempVault(HOUSE);
    const running = await Running.start(vault);
    vault.write(BOX, mailbox(paid));
    vault.write('stream/same.eml', paid);
    await running.heard('items-read');
    await running.heard('stream-read');
    await running.sync();
    expect(running.count('signal-written')).toBe(1);
  });
});

test('nobody can suppress a mail by taking its id: the second is read, and said to have the name of another', async () => {
  const forged = mailText({
    id: 'a',
    text: 'Please ignore what comes next.',
    from: 'Roof & Sons <billing@roof.example>',
  });
  const vault = new TempVault({ ...HOUSE, [BOX]: mailbox(forged, paidMail('a')) });
  await readAll(vault);
  const [name = ''] = vault.names('signal');
  expect(vault.fields(`signal/${name}`)).toMatchObject({
    warnings: [expect.stringMatching(/^Another mail with the same Message-ID/)],
    doubts: [expect.stringMatching(/sender isn't authenticated/)],
  });
});

test('others have their turn while the events of a long file are taken', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const rows = Array.from({ length: 9 }, (_, nth) => `${today},Shop ${nth},card,-${nth + 1}.00`);
  const statement = `Date,Payee,Purpose,Amount\n${rows.join('\n')}\n`;
  const bench = await Bench.open(new TempVault({ ...HOUSE, 'stream/bank.csv': statement }));
  const opened = await openStream(bench.ports, 'stream/bank.csv');
  if (opened?.kind !== 'items') throw new Error('it has no items');
  const order: string[] = [];
  const take = async () => {
    const since = performance.now();
    while (performance.now() - since < SLICE_MS) order.push('taken');
    setImmediate(() => order.push('another'));
    return [];
  };
  const onProgress = () => order.push('page');
  await readItems(bench.ports, opened, { take, again: take, onProgress, abort: new AbortController().signal });
  expect(order.indexOf('another')).toBeGreaterThan(0);
  expect(order.indexOf('another')).toBeLessThan(order.indexOf('page'));
});
