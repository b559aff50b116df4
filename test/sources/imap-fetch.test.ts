import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyImapError } from '../../src/sources/imap-connection.ts';
import {
  firstDay,
  isListed,
  isQuiet,
  makeCursor,
  parseFolderMarks,
  resumed,
  sendersMark,
  textPlan,
} from '../../src/sources/imap-fetch.ts';

const mark = {
  ...{ name: 'INBOX', validity: '7', last: 12, from: '2026-11-01', senders: null },
  ...{ next: 13, count: 5, modseq: '99' },
};

describe('the cursor', () => {
  test('is read as it was written, without folders that are no longer named', () => {
    const other = { ...mark, name: '__proto__' };
    expect(parseFolderMarks(makeCursor([mark, other], ['INBOX', '__proto__']))).toEqual([mark, other]);
    expect(parseFolderMarks(makeCursor([mark, other], ['INBOX']))).toEqual([mark]);
  });

  test('LAW: whatever was saved is a cursor, or none', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (saved) => {
        expect(parseFolderMarks(JSON.parse(JSON.stringify(saved)))).toEqual([]);
      }),
    );
  });

  test.each([
    ['nothing is another', {}, true],
    ['flags have changed', { modseq: '100' }, true],
    ['a mail is gone', { count: 4 }, true],
    ['a mail came', { next: 14, count: 6 }, false],
    ['a mail came and one went', { next: 14 }, false],
    ['there are more, and no UID was given', { count: 6 }, false],
    ['the UIDs mean something else', { validity: '8' }, false],
    ['the server does not say the next UID, and nothing changed', { next: null }, true],
    ['the server does not say the next UID, and something changed', { next: null, modseq: '100' }, false],
    ['the server says nothing', { next: null, modseq: null }, false],
  ])('where %s', (_, said, quiet) => {
    expect(isQuiet(mark, { ...mark, ...said })).toBe(quiet);
  });

  test('goes on behind what was put, or from the beginning where that means nothing any more', () => {
    const anew = { name: 'INBOX', last: 0, next: null, count: null, modseq: null };
    const [first, earlier, later] = ['2026-11-01', '2026-10-01', '2026-11-05'].map((from) => ({ from, senders: null }));
    if (first === undefined || earlier === undefined || later === undefined) throw new Error('unreachable');
    expect(resumed(mark, 'INBOX', '7', first)).toEqual(mark);
    expect(resumed(mark, 'INBOX', '8', first)).toEqual({ ...anew, validity: '8', ...first });
    expect(resumed(mark, 'INBOX', '7', earlier)).toEqual({ ...anew, validity: '7', ...earlier });
    expect(resumed(mark, 'INBOX', '7', later)).toEqual({ ...mark, ...later });
    const [anna, both] = [['anna@x.example'], ['anna@x.example', 'b.example']].map((listed) => sendersMark(listed));
    if (anna === undefined || both === undefined) throw new Error('unreachable');
    const narrowed = resumed(mark, 'INBOX', '7', { ...first, senders: anna });
    expect(narrowed).toEqual({ ...mark, senders: anna });
    expect(resumed(narrowed, 'INBOX', '7', { ...first, senders: both })).toMatchObject({ last: 0, senders: both });
    expect(resumed(narrowed, 'INBOX', '7', first)).toMatchObject({ last: 0, senders: null });
  });

  test('the first day stays that of the first visit', () => {
    const now = Date.parse('2026-11-23T08:00:00Z');
    expect(firstDay(null, undefined, now)).toBe('2026-10-24');
    expect(firstDay(null, mark, now)).toBe('2026-11-01');
    expect(firstDay('2026-02-03', mark, now)).toBe('2026-02-03');
    expect(firstDay(null, { ...mark, from: '2036-11-01' }, now)).toBe('2026-10-24');
  });
});

test.each([
  ['anna@house.example', ['ANNA@House.example'], true],
  ['Anna@House.Example', ['house.example'], true],
  ['x@mail.house.example', ['@house.example'], true],
  ['x@myhouse.example', ['house.example'], false],
  ['bob@house.example', ['anna@house.example'], false],
  ['house.example', ['house.example'], false],
  ['"a@house.example"@evil.example', ['a@house.example', 'house.example'], false],
  [null, ['house.example'], false],
  [null, [], true],
])('%s is listed by %j: %s', (from, listed, expected) => {
  expect(isListed(from, listed)).toBe(expected);
});

test.each([
  ['ENOTFOUND', 'away'],
  ['ECONNREFUSED', 'away'],
  ['EHOSTUNREACH', 'away'],
  ['ETIMEDOUT', 'away'],
  ['ECONNRESET', 'away'],
  ['EPROTO', 'strange'],
  ['LiteralTooLarge', 'strange'],
  ['CERT_HAS_EXPIRED', 'certificate'],
  ['CERT_SIGNATURE_FAILURE', 'certificate'],
  ['ETHROTTLE', 'busy'],
])('%s means %s', (code, kind) => {
  const error = Object.assign(new Error('words of the server'), { code, throttleReset: 7000 });
  expect(classifyImapError(error)).toMatchObject({ kind, waitMs: kind === 'busy' ? 7000 : null });
  expect(classifyImapError(error).message).not.toContain('words of');
});

test('a mail of which nothing can be said is its headers', () => {
  const header = Buffer.from('From: a@x.example\r\n\r\n');
  const evil = {
    type: 'multipart/mixed',
    parameters: { boundary: 'b\r\nBcc: x' },
    childNodes: [{ type: 'text/plain', part: '1' }],
  };
  const odd = {
    type: 'multipart/mixed',
    parameters: { boundary: 'b' },
    childNodes: [{ type: 'text/plain', part: '1] FOO' }],
  };
  for (const structure of [null, { type: 'image/png' }, evil, odd])
    expect(textPlan(structure).join(header, new Map())).toEqual(header);
});
