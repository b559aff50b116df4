import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MBOX } from '../../src/streams/kinds.ts';
import { stretches } from '../../src/streams/mbox.ts';
import { inMailbox } from '../support/mailbox.ts';
import { type ReadItem, readAll, sourceOf } from './read-all.ts';

const fixture = (name: string): Buffer => fs.readFileSync(new URL(`./mbox/${name}`, import.meta.url));
const box = (...lines: readonly string[]): Buffer => Buffer.from(lines.join('\n'));
const told = ({ content }: ReadItem) =>
  content.what === 'event' ? `${content.event.subject}: ${content.event.text}` : `${content.what}: ${content.reason}`;
const startsOf = (text: string) => [...stretches(sourceOf(Buffer.from(text)), 0)].map(({ at }) => at);
const readFixture = async (name: string) => (await readAll(MBOX, fixture(name))).map(told);

describe('a mailbox', () => {
  test('of Thunderbird is read without what was deleted or moved there, its quoted lines as they were', async () => {
    expect(await readFixture('thunderbird.mbox')).toEqual([
      'The deed: The deed has been signed.\nFrom Monday on it lies here.',
      'nothing: It was deleted or moved in the mail program.',
      'Your payment: Your payment has arrived.',
    ]);
  });

  test('of Google Takeout is read, with a date in its postmarks or without', async () => {
    expect(await readFixture('takeout.mbox')).toEqual([
      'The deed: The deed has been signed.',
      'Your payment: Your payment has arrived.',
    ]);
  });

  test('of old is read: without blank lines, with zones, `remote from` and postmarks below the postmark', async () => {
    const items = await readAll(MBOX, fixture('old.mbox'));
    expect(items.map(told).map((one) => one.split('\n')[0])).toEqual([
      'One: No blank line below this one.',
      'Two: From here on all is well.',
      'Three: ',
    ]);
    expect(told(items[1] as ReadItem)).toContain('this is no header, and so no mail.');
  });

  test('whose program counts the bytes of a mail is split by its count, whatever stands in the mail', async () => {
    const items = await readAll(MBOX, fixture('counted.mbox'));
    expect(items).toHaveLength(2);
    expect(items[0]?.content).toMatchObject({
      event: {
        from: 'lena@garden.example',
        doubts: ['Another mail seems to begin inside of it, without a blank line above.'],
      },
    });
    expect(items[1]?.content).toMatchObject({ event: { from: 'sam@home.example', doubts: [] } });
  });

  test('of a server is read without its own note and without empty mails', async () => {
    expect(await readFixture('server.mbox')).toEqual([
      'nothing: It is a note of the mail server to itself.',
      'nothing: The message is empty.',
      'One: Hello.',
      'nothing: The message is empty.',
    ]);
  });

  test('says where each mail begins, and its number where it was read from the beginning', async () => {
    const items = await readAll(MBOX, fixture('takeout.mbox'));
    const second = items[1]?.at ?? 0;
    expect(items.map(({ place }) => place)).toEqual(['message 1, at byte 0', `message 2, at byte ${second}`]);
    const [again] = await readAll(MBOX, fixture('takeout.mbox'), { from: second });
    expect(again).toMatchObject({ place: `message at byte ${second}`, content: items[1]?.content });
  });

  test('names mails as the same mail in a file of its own is named', async () => {
    const [one, , three] = await readAll(MBOX, fixture('thunderbird.mbox'));
    const [first, second] = await readAll(MBOX, fixture('takeout.mbox'));
    expect(three?.content).toMatchObject({ identity: { key: 'mail <paid-1@roof.example>' } });
    expect(one?.content).toMatchObject({ identity: { key: 'mail <deed-1@notary.example>' } });
    expect(first?.content).toMatchObject({ identity: { key: 'mail <deed-1@notary.example>' } });
    expect(second?.content).toMatchObject({ identity: { key: 'mail <paid-1@roof.example>' } });
  });

  test('may begin with blank lines or the mark of UTF-8, and end without a line end', async () => {
    const text = box('From a@b.example Thu Mar  1 08:00:00 2035', 'From: a@b.example', 'Subject: x', '', 'hello');
    for (const start of ['', '\n\n', '\r\n', '\uFEFF']) {
      const bytes = Buffer.concat([Buffer.from(start), text]);
      expect(MBOX.recognises(bytes)).toBe(true);
      expect((await readAll(MBOX, bytes)).map(told)).toEqual(['x: hello']);
    }
  });

  test('gives a mail of more than 10 MiB back unread, and reads on behind it', async () => {
    const large = `${'x'.repeat(76)}\n`.repeat(140_000);
    const bytes = box(inMailbox(`From: a@b.example\n\n${large}`), inMailbox('From: c@d.example\nSubject: y\n\nhi'));
    const items = await readAll(MBOX, bytes);
    expect(items.map(told)).toEqual(['refused: The mail has 10.3 MiB; at most 10 MiB are read.', 'y: hi']);
  });

  test('is split where the parts meet in which it is searched', () => {
    const last = inMailbox('From: c@d.example\nSubject: y\n\nhi');
    for (const end of ['\n', '\r\n']) {
      for (let shift = -12; shift <= 12; shift += 1) {
        const head = `From a@b.example Thu Mar  1 08:00:00 2035${end}From: a@b.example${end}${end}`;
        const filled = head.padEnd(1024 * 1024 + shift, 'x');
        const first = `${filled}${end}${end}`;
        expect(startsOf(first + last + last), `${shift}`).toEqual([0, first.length, first.length + last.length]);
        // Without a blank line above, one header is not enough.
        const tight = `${filled}${end}${last.replace('Subject', 'Thing')}`;
        expect(startsOf(tight + last), `${shift}`).toEqual([0, tight.length]);
      }
    }
  });

  test('gives each mail that cannot be read back by itself', async () => {
    const bytes = box(inMailbox('Nonsense: x\n\nhello'), inMailbox('From: c@d.example\nSubject: y\n\nhi'));
    const [first, second] = (await readAll(MBOX, bytes)).map(told);
    expect(first).toMatch(/^refused: The file cannot be read as a mail: it has no mail headers\.$/);
    expect(second).toBe('y: hi');
  });

  test('that begins with something else is read from its first mail on', async () => {
    const bytes = Buffer.concat([Buffer.from('What is this?\n\n'), fixture('takeout.mbox')]);
    expect((await readAll(MBOX, bytes)).map(told)[0]).toBe('refused: No message begins here.');
    expect(await readAll(MBOX, bytes)).toHaveLength(3);
  });
});

describe('a file is a mailbox', () => {
  test.each([
    'stream/a.mbox',
    'stream/A.MBX',
    'stream/mbox',
    'stream/Work.mbox/mbox',
    'stream/a.mbox.1',
    'stream/a.mbox-3',
    'stream/Inbox',
    'stream/mail/Sent',
  ])('by the name %s', (file) => expect(MBOX.takes(file)).toBe(true));

  test.each([
    'stream/Inbox.msf',
    'stream/a.dat',
    'stream/a.mbox.gz',
    'stream/a.eml',
    'stream/cur/1617000000.M1P2.host:2,S',
    'stream/table_of_contents.txt',
  ])('not by the name %s', (file) => expect(MBOX.takes(file)).toBe(false));

  test.each<readonly [boolean, string]>([
    [true, ''],
    [true, '\n\n'],
    [true, 'From a@b.example Thu Mar  1 08:00:00 2035'],
    [true, 'From a@b.example Thu Mar  1 08:00:00 2035\nFro'],
    [true, 'From - Thu Mar  1 08:00:00 2035\r\nFrom: a@b.example\r\n'],
    [true, 'From -\nFrom: a@b.example\n'],
    [true, 'From   Thu Mar  1 08:00 2035\nX: y\n'],
    [true, 'From a at b.example  Thu Mar  1 08:00:00 2035\nFrom: a at b.example\n'],
    [true, 'From a@b.example Thu 1 Mar 2035 08:00:00\nFrom: a@b.example\n'],
    [true, 'From a@b.example Thu Mar  1 08:00:00 2035 (CET)\nFrom: a@b.example\n'],
    [false, 'From a@b.example\nFrom: a@b.example\n'],
    [false, 'From Monday to Thu Mar 1 we are away.\nFrom: a@b.example\n'],
    [false, 'From a@b.example Thu Mar  1 08:00:00\nFrom: a@b.example\n'],
    [false, 'From a@b.example Thu Mar  1 08:00:00 2035\nnot a header\n'],
    [false, `From ${'0'.repeat(40)} Mon Sep 17 00:00:00 2001\nFrom: a@b.example\n`],
    [false, 'Dear Sam,\n\nFrom a@b.example Thu Mar  1 08:00:00 2035\nFrom: a@b.example\n'],
    [false, '\u0000\u0001'],
  ])('%s: %j', (expected, head) => expect(MBOX.recognises(Buffer.from(head))).toBe(expected));
});
