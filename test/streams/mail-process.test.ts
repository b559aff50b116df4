import { expect, test } from 'vitest';
import { MailSeries, readMail } from '../../src/streams/items.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { isSmall } from '../../src/streams/stream.ts';

const HEAD = 'From: notary@office.example\nSubject: Deed\nDate: Sat, 21 Nov 2026 10:00:00 +0000\n\n';
const FILE = 'stream/mail/x.eml';

test.each([
  ['a small one', `${HEAD}The deed was signed.\n`],
  ['a small one of many lines', HEAD + 'a\n'.repeat(20_000)],
  ['a large one', HEAD + 'The deed was signed.\n'.repeat(20_000)],
  ['a large one that is none', 'x'.repeat(100_000)],
])('%s is read as the parser reads it', async (_, text) => {
  const bytes = Buffer.from(text);
  expect(await readMail(FILE, bytes, { sourceType: 'mail', trustedServers: [] })).toEqual(
    await parseMail(FILE, bytes, { sourceType: 'mail', trustedServers: [] }),
  );
});

test('ten megabytes of line ends are refused, and the program lives', async () => {
  const read = await readMail(FILE, Buffer.from(HEAD + '\n'.repeat(10_000_000)), {
    sourceType: 'mail',
    trustedServers: [],
  });
  expect(read.ok ? null : read.trouble).toMatchObject({ code: 'mail-unreadable', file: FILE });
  expect(read.ok ? '' : read.trouble.message).toMatch(/more than 512 MB of memory|longer than 10 s/);
});

test('a mail is small by its bytes and by its lines, each of which takes its time', () => {
  const held = [HEAD, `${HEAD}${'x'.repeat(60_000)}`, HEAD + 'a\n'.repeat(1000)];
  expect(held.map((text) => isSmall(Buffer.from(text)))).toEqual([true, true, true]);
  const beside = [HEAD + 'x'.repeat(70_000), HEAD + '\n'.repeat(1600)];
  expect(beside.map((text) => isSmall(Buffer.from(text)))).toEqual([false, false]);
});

test('of a series, a mail that ends its process is refused alone, and the others are read as if each were the only one', async () => {
  using series = new MailSeries();
  const door = { sourceType: 'mail', trustedServers: [] };
  const mails = [
    HEAD + 'The deed was signed.\n'.repeat(20_000),
    HEAD + '\n'.repeat(10_000_000),
    HEAD,
    HEAD + 'The keys are with you.\n'.repeat(20_000),
  ].map((text) => Buffer.from(text));
  const read = await Promise.all(mails.map((bytes) => series.read(FILE, bytes, door)));
  expect(read.map(({ ok }) => ok)).toEqual([true, false, true, true]);
  for (const nth of [0, 2, 3]) expect(read[nth]).toEqual(await parseMail(FILE, mails[nth] ?? Buffer.of(), door));
});
