import { describe, expect, test } from 'vitest';
import { OFX } from '../../../src/stream/ofx.ts';
import { eventsOf, fixture, keysOf, linesOf } from '../bank/said.ts';
import { readAll } from '../items/read-all.ts';

const CHECKING = fixture('ofx/fixtures/checking.ofx');
const CARDS = fixture('ofx/fixtures/cards.qfx');

/** A statement with these entries. */
function statement(entries: string, account = '1'): string {
  return `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>${account}</BANKACCTFROM><BANKTRANLIST>${entries}</BANKTRANLIST></STMTRS></OFX>`;
}

describe('a statement in SGML', () => {
  test('gives each entry, and says of each that cannot be read why', async () => {
    expect(await linesOf(OFX, CHECKING)).toEqual([
      'entry 1: Notariat Müller & Söhne 1 250.00 EUR out: Rechnung 4711 & Gebühr',
      'entry 2: Northgate Nursery 80.50 EUR out',
      'entry 3: Ada Byron 80.00 EUR in: lunch',
      'entry 4: refused, it has no date that can be read',
      'entry 5: refused, it has no amount that can be read',
    ]);
  });

  test('tells entries apart by account, name, day and amount, for banks use names again', async () => {
    expect(await keysOf(OFX, CHECKING)).toEqual([
      'ofx 0109307118 A1 2035-03-02 -1250.00 1',
      'ofx 0109307118 A2 2035-03-03 -80.50 1',
      'ofx 0109307118 A1 2035-03-03 80.00 1',
    ]);
  });

  test('keeps the number of a cheque', async () => {
    const [, cheque] = await eventsOf(OFX, CHECKING);
    expect(cheque?.payment).toMatchObject({ references: ['1042'], status: 'booked', currency: 'EUR' });
  });
});

describe('statements in XML', () => {
  test('of several accounts and cards are read each with its own', async () => {
    const events = await eventsOf(OFX, CARDS);
    expect(events.map(({ subject }) => subject)).toEqual([
      'Café Nord 1 234.56 GBP out: table <7> & two',
      'Kiosk 5.00 USD out (pending)',
      'Ada Byron 300.00 EUR in: rent March',
    ]);
    const accounts = ['4000000000000002', '4000000000000002', 'DE02100100109307118603'];
    expect(events.map(({ payment }) => payment?.account)).toEqual(accounts);
    expect(events[2]).toMatchObject({ from: 'DE91100000000123456789', fromName: 'Ada Byron' });
  });

  test('of which a comment is no part', async () => {
    expect(await linesOf(OFX, CARDS)).toHaveLength(3);
  });
});

describe('what banks do to the format', () => {
  test('a missing end of an entry is found by the next one', async () => {
    const entry = '<STMTTRN><DTPOSTED>20350301<TRNAMT>-1<FITID>';
    expect(await linesOf(OFX, statement(`${entry}1${entry}2</STMTTRN>`))).toHaveLength(2);
  });

  test('everything in one line, in small letters, with spaces', async () => {
    const entry = '<stmttrn><dtposted> 2035-03-01 <trnamt> - 1.50 <name> A < B </stmttrn>';
    expect(await linesOf(OFX, statement(entry))).toEqual(['entry 1: A < B 1.50 EUR out']);
  });

  test('UTF-8 under a header that says otherwise, and UTF-16', async () => {
    const text = statement('<STMTTRN><DTPOSTED>20350301<TRNAMT>-1<NAME>Müller</STMTTRN>');
    const lines = ['entry 1: Müller 1.00 EUR out'];
    expect(await linesOf(OFX, `CHARSET:1252\n${text}`)).toEqual(lines);
    expect(await linesOf(OFX, Buffer.from(`\uFEFF${text}`, 'utf16le'))).toEqual(lines);
  });

  test('entries without a name of the bank are told apart as rows are', async () => {
    const entry = '<STMTTRN><DTPOSTED>20350301<TRNAMT>-1<NAME>Kiosk</STMTTRN>';
    const row = 'bank 1 2035-03-01 -1.00 EUR kiosk//';
    expect(await keysOf(OFX, statement(entry + entry))).toEqual([`${row} 1`, `${row} 2`]);
  });
});

test('a file that was cut off says so', async () => {
  const whole = statement('<STMTTRN><DTPOSTED>20350301<TRNAMT>-1<FITID>1</STMTTRN><STMTTRN><DTPOSTED>2035');
  expect(await linesOf(OFX, whole.slice(0, whole.indexOf('</BANKTRANLIST>')))).toEqual([
    'entry 1: 1.00 EUR out',
    'entry 2: refused, the file ends within it',
    'the end: refused, the file ends too early, and entries may be missing: download it again',
  ]);
});

test('is known by name and head', () => {
  expect(['march.ofx', 'a/MARCH.QFX', 'march.csv'].map(OFX.takes)).toEqual([true, true, false]);
  expect([CHECKING, CARDS, Buffer.from('<html>'), Buffer.alloc(0)].map(OFX.recognises)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('is read on from any entry with the same identities', async () => {
  const all = await readAll(OFX, CHECKING);
  expect(await readAll(OFX, CHECKING, { from: 2 })).toEqual(all.slice(2));
});
