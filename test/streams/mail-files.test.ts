import { expect, test } from 'vitest';
import { findSourceType, isMailFile } from '../../src/streams/stream.ts';

test.each([
  'stream/letter.eml',
  'stream/LETTER.EML',
  'stream/mail/cur/1617000000.M1P2.host:2,S',
  'stream/mail/cur/1617000000.M1P2.host;2,S',
  'stream/mail/cur/1617000000.M1P2.mail.host.example!2,RS',
  'stream/mail/cur/1617000000.M1P2.mail.host.example,U=3,FMD5=0123:2,',
  'stream/mail/new/1617000000.M1P2.mail.host.example',
  'stream/cur/42:2,',
  'stream/home/Archive/new/1617000000_0.1234.host',
  'stream/cur/a-letter',
  'stream/cur/rfc822.1',
])('%s is a mail', (file) => expect(isMailFile(file)).toBe(true));

test.each([
  'stream/mail/tmp/1617000000.M1P2.host',
  'stream/mail/cur/old/1617000000.M1P2.host:2,S',
  'stream/new/statement.csv',
  'stream/new/2035-03.ofx',
  'stream/mailcur/1617000000.M1P2.host:2,S',
  'stream/letter.eml.txt',
  'stream/Inbox',
  'stream/box.mbox',
])('%s is none', (file) => expect(isMailFile(file)).toBe(false));

test('a mail of a Maildir has the source of its folder, else that of mails', () => {
  expect(findSourceType('stream/cur/1617000000.M1P2.host:2,S', true)).toBe('mail');
  expect(findSourceType('stream/home/cur/1617000000.M1P2.host:2,S', true)).toBe('mail');
  expect(findSourceType('stream/gmail/cur/1617000000.M1P2.host:2,S', true)).toBe('gmail');
  expect(findSourceType('stream/gmail/cur/1617000000.M1P2.host:2,S', false)).toBe('gmail_unknown');
});
