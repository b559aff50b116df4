import { describe, expect, test } from 'vitest';
import { CAMT } from '../../../src/stream/camt.ts';
import { eventsOf, fixture, linesOf } from '../bank/said.ts';
import { readAll } from '../items/read-all.ts';

const STATEMENT = fixture('camt/fixtures/statement-053.xml');
const REPORT = fixture('camt/fixtures/report-052.xml');
const NOTIFICATION = fixture('camt/fixtures/notification-054.xml');

const ENTRY =
  '<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2035-03-02</Dt></BookgDt><AddtlNtryInf>tea</AddtlNtryInf></Ntry>';

/** A statement with these entries. */
function statement(entries: string): string {
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>${entries}</Stmt></BkToCstmrStmt></Document>`;
}

describe('a statement, camt.053', () => {
  test('gives each booking, a batch as its transactions, and says why one cannot be read', async () => {
    expect(await linesOf(CAMT, STATEMENT)).toEqual([
      'entry 1: Northgate Notary 1 250.00 EUR out: invoice 4711 with thanks',
      'entry 2, transaction 1: Ada Byron 100.00 EUR in: RF18539007547034',
      'entry 2, transaction 2: Charles Example 200.00 EUR in: Mühle & Co',
      'entry 3: 77.00 EUR out: COLLECTIVE ORDER',
      'entry 4: Gym Example 45.10 EUR in (reversal): returned direct debit',
      'entry 5: refused, it has no date that can be read',
    ]);
  });

  test('tells who was paid, by IBAN and references', async () => {
    const [paid, part] = await eventsOf(CAMT, STATEMENT);
    expect(paid?.payment).toEqual({
      ...{
        account: 'DE02100100109307118603',
        status: 'booked',
        day: '2035-03-02',
        amount: '-1250.00',
        currency: 'EUR',
      },
      ...{ counterparty: 'Northgate Notary', iban: 'DE91100000000123456789', purpose: 'invoice 4711 with thanks' },
      references: ['INV-4711', 'MANDATE-9', 'BANK-1'],
    });
    expect(paid).toMatchObject({ from: 'DE91100000000123456789', originAt: '2035-03-02T00:00:00Z' });
    expect(part?.payment).toMatchObject({ references: ['RF18539007547034'], day: '2035-03-03', iban: null });
  });

  test('says what takes an earlier booking back', async () => {
    const events = await eventsOf(CAMT, STATEMENT);
    expect(events.map(({ payment }) => payment?.isReversal)).toEqual([...Array(4), true]);
  });
});

describe('a report, camt.052', () => {
  test('has pending entries, and some that are for information; prefixes and Latin letters do not matter', async () => {
    expect(await linesOf(CAMT, REPORT)).toEqual([
      'entry 1: Bäckerei Groß 5 000 JPY out (pending): Brötchen',
      'entry 2: nothing, it is for information only: nothing is booked',
      'entry 3: refused, it does not say whether it is booked',
    ]);
    const [pending] = await eventsOf(CAMT, REPORT);
    expect(pending?.payment).toMatchObject({ account: '0109307118', status: 'pending', amount: '-5000' });
  });
});

describe('a notification, camt.054', () => {
  test('gives its transactions; one without an amount in a batch is refused', async () => {
    expect(await linesOf(CAMT, NOTIFICATION)).toEqual([
      'entry 1, transaction 1: Maria Example 25.00 CHF in: membership',
      'entry 1, transaction 2: Pia Example 35.00 CHF in',
      'entry 1, transaction 3: refused, it has no amount that can be read',
    ]);
    const events = await eventsOf(CAMT, NOTIFICATION);
    expect(events.map(({ from }) => from)).toEqual(['maria example', 'CH9300762011623852957']);
    expect(events[0]?.payment?.references).toEqual(['210000000003139471430009017', 'E-1', 'N1-1']);
  });
});

describe('a file with faults', () => {
  test('costs one entry where a sign is wrong, and goes on behind it', async () => {
    const odd = ENTRY.replace('tea', 'tea & cake &nbsp; here');
    expect(await linesOf(CAMT, statement(ENTRY + odd + ENTRY))).toEqual([
      'entry 1: 1.00 EUR in: tea',
      'entry 2: refused, it is not well-formed XML',
      'entry 3: 1.00 EUR in: tea',
    ]);
  });

  test('gives what comes before the place where it is cut off, and says where that is', async () => {
    const cut = statement(`${ENTRY}\n${ENTRY}`).slice(0, -80);
    const read = await CAMT.load();
    const source = {
      size: cut.length,
      read: (at: number, length: number) => Buffer.from(cut).subarray(at, at + length),
    };
    const places: string[] = [];
    const door = { file: 'stream/a.xml', sourceType: 'bank', trustedServers: [], zone: 'UTC', now: 0 };
    const reading = async () => {
      for await (const { place } of read(source, 0, door)) places.push(place);
    };
    await expect(reading()).rejects.toThrow(
      'The file cannot be read from line 2 on: it ends too early, and entries may be missing.',
    );
    expect(places).toEqual(['entry 1']);
  });

  test('is UTF-16 where it says so by its mark', async () => {
    const bytes = Buffer.from(`\uFEFF${statement(ENTRY.replace('tea', 'thé'))}`, 'utf16le');
    expect(await linesOf(CAMT, bytes)).toEqual(['entry 1: 1.00 EUR in: thé']);
  });

  test('does not lose characters that lie across two pieces', async () => {
    const many = ENTRY.replace('tea', 'ü€').repeat(3000);
    expect(new Set((await eventsOf(CAMT, statement(many))).map(({ text }) => text))).toEqual(new Set(['ü€']));
  });
});

test('is known by name and head', () => {
  expect(['march.xml', 'a/b.CAMT', 'march.c53', 'march.csv'].map(CAMT.takes)).toEqual([true, true, true, false]);
  const heads = [STATEMENT, REPORT, NOTIFICATION, Buffer.from('<feed/>'), Buffer.alloc(0)];
  expect(heads.map(CAMT.recognises)).toEqual([true, true, true, false, false]);
});

test('is read on from any item with the same identities', async () => {
  const all = await readAll(CAMT, STATEMENT);
  expect(await readAll(CAMT, STATEMENT, { from: 2 })).toEqual(all.slice(2));
});
