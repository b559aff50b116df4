import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fetchedMail, readFetched, wholeSaid } from '../../src/streams/fetched-mail.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { Seal } from '../../src/vault/seal.ts';
import '../support/laws.ts';
import { lawRuns } from '../support/laws.ts';

const seal = new Seal(Buffer.alloc(32, 7));
const other = new Seal(Buffer.alloc(32, 8));
const FILE = 'stream/inbox/2026-11-20-0123456789ab.eml';
const FROM = { source: 'inbox', server: 'mx.home.example', keep: 'mail' } as const;
const MAIL = Buffer.from('From: anna@notary.example\nSubject: The deed\nMessage-ID: <1@a.example>\n\nIt is signed.\n');
const WHOLE = 'a'.repeat(64);
const numRuns = lawRuns();
const door = { sourceType: 'mail', trustedServers: ['mx.home.example'] };

const text = (bytes: Buffer) => bytes.toString('latin1');
const edited = (bytes: Buffer, from: string | RegExp, to: string) =>
  Buffer.from(text(bytes).replace(from, to), 'latin1');

describe('the mark', () => {
  test('stands above the mail, in lines that end like its own', () => {
    const lf = text(fetchedMail(FROM, FILE, MAIL, seal));
    expect(lf).toMatch(
      /^X-Steward-Source: inbox\nX-Steward-Server: mx\.home\.example\nX-Steward-Keep: mail\nX-Steward-Seal: [0-9a-f]{32}\nFrom: anna/,
    );
    const crlf = text(fetchedMail(FROM, FILE, edited(MAIL, /\n/g, '\r\n'), seal));
    expect(crlf.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  test('says what was written, for that path and those bytes', () => {
    for (const [bytes, server] of [
      [MAIL, 'mx.home.example'],
      [MAIL, null],
      [Buffer.alloc(0), null],
      [Buffer.from('\r\n\r\nno headers at all'), null],
      [Buffer.from(' begins with a blank\n\n'), null],
      [Buffer.from([0xff, 0x0d, 0x0d, 0x0a, 0x0a, 0x00]), null],
      [fetchedMail(FROM, FILE, MAIL, seal), 'mx.other.example'],
    ] as const) {
      const marked = fetchedMail({ ...FROM, server, keep: 'quote' }, FILE, bytes, seal);
      expect(readFetched(marked, FILE, seal)).toEqual({ ...FROM, server, keep: 'quote', identity: null, mail: bytes });
    }
  });

  test('is that of another path, key, line or byte as little as none at all', async () => {
    const marked = fetchedMail(FROM, FILE, MAIL, seal);
    const lost = (bytes: Buffer, file = FILE, key = seal) => expect(readFetched(bytes, file, key)).toBeNull();
    lost(MAIL);
    lost(marked, 'stream/inbox/2026-11-20-0123456789ac.eml');
    lost(marked, 'stream/work/2026-11-20-0123456789ab.eml');
    lost(marked, FILE, other);
    lost(edited(marked, 'mx.home', 'mx.evil'));
    lost(edited(marked, /^X-Steward-Server.*\n/m, ''));
    lost(edited(marked, 'Keep: mail', 'Keep: quote'));
    lost(edited(marked, 'Source: inbox', 'Source: work'));
    lost(edited(marked, 'is signed', 'is not signed'));
    lost(Buffer.concat([marked, Buffer.from('\n')]));
    lost(Buffer.concat([Buffer.from('X-Other: 1\n'), marked]));
    lost(edited(marked, /\n/g, '\r\n'));
    lost(edited(marked, /(Seal: )[0-9a-f]+/, '$1'));
    await fc.assert(
      fc.asyncProperty(fc.nat(marked.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = Buffer.from(marked);
        changed[at] = (changed[at] ?? 0) ^ by;
        lost(changed);
      }),
      { numRuns },
    );
  });

  test('is not made with a name that could not stand in it', () => {
    for (const wrong of [
      { source: 'in\nbox' },
      { source: '' },
      { source: 'Inbox' },
      { server: '' },
      { server: 'mx.home.example\r\nX-Steward-Keep: quote' },
      { server: 'two words' },
      { identity: 'no hash' },
    ])
      expect(() => fetchedMail({ ...FROM, ...wrong }, FILE, MAIL, seal)).toThrow('forbidden characters');
  });

  test('leaves a mail that is read as it would be without it, by whoever reads it', async () => {
    const whole = await parseMail(FILE, MAIL, door);
    expect(await parseMail(FILE, fetchedMail(FROM, FILE, MAIL, seal), door)).toEqual(whole);
    // A mail that brings such lines itself, and one that the program would have marked.
    const inner = fetchedMail({ ...FROM, server: 'mx.evil.example' }, FILE, MAIL, other);
    const outer = fetchedMail(FROM, FILE, inner, seal);
    expect(readFetched(outer, FILE, seal)).toMatchObject({ server: 'mx.home.example', mail: inner });
    expect(await parseMail(FILE, outer, door)).toEqual(whole);
  });
});

describe('what the whole mail says of which this is the text', () => {
  const marked = fetchedMail({ ...FROM, keep: 'text', identity: WHOLE }, FILE, MAIL, seal);

  test('is known wherever the file lies, and however its lines end', () => {
    expect(readFetched(marked, FILE, seal)).toMatchObject({ keep: 'text', identity: WHOLE });
    expect(wholeSaid(marked, seal)).toBe(WHOLE);
    expect(wholeSaid(edited(marked, /\n/g, '\r\n'), seal)).toBe(WHOLE);
  });

  test('is not known of other words, or by another key', () => {
    expect(wholeSaid(MAIL, seal)).toBeNull();
    expect(wholeSaid(fetchedMail(FROM, FILE, MAIL, seal), seal)).toBeNull();
    expect(wholeSaid(marked, other)).toBeNull();
    expect(wholeSaid(edited(marked, 'is signed', 'is not signed'), seal)).toBeNull();
    expect(wholeSaid(edited(marked, WHOLE, 'b'.repeat(64)), seal)).toBeNull();
  });
});
