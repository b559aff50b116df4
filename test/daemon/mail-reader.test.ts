import { expect, test } from 'vitest';
import { readMail } from '../../src/daemon/mail-reader.ts';
import { parseMail } from '../../src/stream/mail.ts';

const HEAD = 'From: notary@office.example\nSubject: Deed\nDate: Sat, 21 Nov 2026 10:00:00 +0000\n\n';
const FILE = 'stream/mail/x.eml';

test.each([
  ['a small one', `${HEAD}The deed was signed.\n`],
  ['a large one', HEAD + 'The deed was signed.\n'.repeat(20_000)],
  ['a large one that is none', 'x'.repeat(100_000)],
])('%s is read as the parser reads it', async (_, text) => {
  const bytes = Buffer.from(text);
  expect(await readMail(FILE, bytes, 'mail')).toEqual(await parseMail(FILE, bytes, 'mail'));
});

test('ten megabytes of line ends are refused, and the program lives', async () => {
  const read = await readMail(FILE, Buffer.from(HEAD + '\n'.repeat(10_000_000)), 'mail');
  expect(read.ok ? null : read.trouble).toMatchObject({ code: 'mail-unreadable', file: FILE });
  expect(read.ok ? '' : read.trouble.message).toMatch(/more than 512 MB of memory|longer than 10 s/);
});
