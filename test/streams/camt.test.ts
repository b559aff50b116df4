import { describe, expect, test } from 'vitest';
import { CAMT } from '../../src/streams/kinds.ts';
import { eventsOf } from './bank-said.ts';

const ENTRY =
  '<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2035-03-02</Dt></BookgDt><AddtlNtryInf>tea</AddtlNtryInf></Ntry>';

/** A statement with these entries. */
function statement(entries: string): string {
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>${entries}</Stmt></BkToCstmrStmt></Document>`;
}

describe('a file with faults', () => {
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

  test('does not lose characters that lie across two pieces', async () => {
    const many = ENTRY.replace('tea', 'ü€').repeat(3000);
    expect(new Set((await eventsOf(CAMT, statement(many))).map(({ text }) => text))).toEqual(new Set(['ü€']));
  });
});
