import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MBOX } from '../../src/streams/kinds.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { readAll } from '../streams/read-all.ts';
import { lawRuns } from '../support/laws.ts';
import { inMailbox } from '../support/mailbox.ts';

const numRuns = lawRuns();

const POSTMARK = fc.constantFrom(
  'From a@b.example Thu Mar  1 08:00:00 2035',
  'From - Thu Mar 01 08:00:00 2035',
  'From 1700000000000000001@xxx Thu Mar 01 08:00:00 +0000 2035',
  'From a@b.example Thu Mar  1 08:00 MET 2035 remote from host',
);
/** Lines that look like what a mailbox is made of. */
const LINE = fc.oneof(
  fc.constantFrom(
    '',
    'From here on',
    '>From me',
    '>>From them',
    'From a@b.example Thu Mar  1 08:00:00 2035',
    'Subject: x',
  ),
  fc.constantFrom(
    'From - Thu Mar 01 08:00:00 2035',
    '--b',
    'Content-Length: 3',
    '> From',
    'X-Mozilla-Status: 0009',
    ' From x',
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, '')),
);
const mail = fc
  .record({
    nth: fc.nat(),
    type: fc.constantFrom('text/plain; charset=utf-8', 'application/x-thing', 'text/html; charset=utf-8'),
    lines: fc.array(LINE, { maxLength: 12 }),
  })
  .map(
    ({ nth, type, lines }) =>
      `From: a${nth}@b.example\nSubject: nr ${nth}\nMessage-ID: <${nth}@b.example>\nContent-Type: ${type}\n\n${lines.join('\n')}\n`,
  );
const mails = fc.array(fc.record({ mail, postmark: POSTMARK }), { minLength: 1, maxLength: 8 });
const ends = fc.constantFrom('\n', '\r\n');
type Mails = readonly { readonly mail: string; readonly postmark: string }[];
const bytesOf = (all: Mails, end: string) =>
  Buffer.from(
    all
      .map((one) => inMailbox(one.mail, one.postmark))
      .join('')
      .replaceAll('\n', end),
  );
const door = { sourceType: 'other', trustedServers: [] };

test('mails that are put into a mailbox come out of it as they were', async () => {
  await fc.assert(
    fc.asyncProperty(mails, ends, async (all, end) => {
      const items = await readAll(MBOX, bytesOf(all, end));
      const alone = all.map((one) => parseMail('stream/test', Buffer.from(one.mail.replaceAll('\n', end)), door));
      const expected = (await Promise.all(alone)).map((one) => one.ok && [one.event, one.identity]);
      expect(items.map(({ content }) => content.what === 'event' && [content.event, content.identity])).toEqual(
        expected,
      );
    }),
    { numRuns },
  );
});

test('reading on from any mail gives what reading all gives from there on', async () => {
  await fc.assert(
    fc.asyncProperty(mails, ends, async (all, end) => {
      const bytes = bytesOf(all, end);
      const items = (await readAll(MBOX, bytes)).map(({ place: _, ...item }) => item);
      for (const [nth, { at, next }] of items.entries()) {
        const [own, tail] = [await readAll(MBOX, bytes, { from: at }), await readAll(MBOX, bytes, { from: next })];
        expect(own.map(({ place: _, ...item }) => item)).toEqual(items.slice(nth));
        expect(tail.map(({ place: _, ...item }) => item)).toEqual(items.slice(nth + 1));
      }
    }),
    { numRuns },
  );
});

test('a mailbox that is cut off anywhere gives the mails before the cut as they are, and the last as far as it goes', async () => {
  await fc.assert(
    fc.asyncProperty(mails, ends, fc.double({ min: 0, max: 1, noNaN: true }), async (all, end, share) => {
      const bytes = bytesOf(all, end);
      const whole = await readAll(MBOX, bytes);
      const cut = await readAll(MBOX, bytes.subarray(0, Math.floor(share * bytes.length)));
      expect(cut.slice(0, -1)).toEqual(whole.slice(0, Math.max(0, cut.length - 1)));
      expect(cut.map(({ at }) => at)).toEqual(whole.slice(0, cut.length).map(({ at }) => at));
    }),
    { numRuns: numRuns * 3 },
  );
});

test('no bytes make it throw, and together the mails are the file', async () => {
  const piece = fc.oneof(
    LINE,
    POSTMARK,
    fc.constantFrom('\n', '\n\n', '\r\n', 'From: a@b.example', 'Content-Length: 20'),
  );
  const text = fc.array(fc.tuple(piece, ends), { maxLength: 40 }).map((all) => Buffer.from(all.flat().join('')));
  await fc.assert(
    fc.asyncProperty(fc.oneof(text, fc.uint8Array({ maxLength: 300 })), async (bytes) => {
      MBOX.recognises(bytes);
      const items = await readAll(MBOX, bytes);
      expect(items.slice(1).map(({ at }) => at)).toEqual(items.slice(0, -1).map(({ next }) => next));
      expect(items.at(-1)?.next ?? bytes.length).toBe(bytes.length);
    }),
    { numRuns: numRuns * 10 },
  );
});
