import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CAMT, MT940, OFX } from '../../src/streams/kinds.ts';
import type { StreamKind } from '../../src/streams/stream.ts';
import { readAll } from '../streams/read-all.ts';

/** A booking, as two people can have made it twice: few days, amounts and words, so that many are equal. */
interface Row {
  readonly day: number;
  readonly amount: number;
  readonly words: string;
}

type Export = (rows: readonly Row[]) => string;

const row: fc.Arbitrary<Row> = fc.record({
  day: fc.integer({ min: 1, max: 9 }),
  amount: fc.constantFrom(-12, -5, 5, 7),
  words: fc.constantFrom('rent', 'tea', 'invoice 4711'),
});
const ledger = fc.array(row, { maxLength: 25 });

const camt: Export = (rows) => {
  const entry = ({ day, amount, words }: Row) =>
    `<Ntry><Amt Ccy="EUR">${Math.abs(amount)}</Amt><CdtDbtInd>${amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2035-03-0${day}</Dt></BookgDt><NtryDtls><TxDtls><RmtInf><Ustrd>${words}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><B><Stmt><Acct><Id><IBAN>DE02100100109307118603</IBAN></Id></Acct>${rows.map(entry).join('')}</Stmt></B></Document>`;
};

const mt940: Export = (rows) => {
  const entry = ({ day, amount, words }: Row) =>
    `:61:35030${day}030${day}${amount < 0 ? 'D' : 'C'}${Math.abs(amount)},NTRFNONREF\r\n:86:166?20${words}`;
  const sum = rows.reduce((all, { amount }) => all + amount, 0);
  const closing = `:62F:${sum < 0 ? 'D' : 'C'}350309EUR${Math.abs(sum)},`;
  return [':20:X', ':25:10010010/0109307118', ':60F:C350301EUR0,', ...rows.map(entry), closing, '-'].join('\r\n');
};

/** A bank that has no names for its entries. */
const ofx: Export = (rows) => {
  const entry = ({ day, amount, words }: Row) =>
    `<STMTTRN><DTPOSTED>2035030${day}<TRNAMT>${amount}<MEMO>${words}</STMTTRN>`;
  return `<OFX><STMTRS><CURDEF>EUR<ACCTID>1<BANKTRANLIST>${rows.map(entry).join('')}</BANKTRANLIST></STMTRS></OFX>`;
};

/** Adds the events of a file to what is known, each identity once. */
async function into(known: Map<string, string>, kind: StreamKind, file: string): Promise<void> {
  for (const { content } of await readAll(kind, Buffer.from(file))) {
    expect(content.what).toBe('event');
    if (content.what !== 'event') continue;
    const { key } = content.identity;
    if (!known.has(key)) known.set(key, saidBy(content.event.payment));
  }
}

function saidBy(payment: { day: string; amount: string; purpose: string } | undefined): string {
  return `${payment?.day} ${payment?.amount} ${payment?.purpose}`;
}

function lineOf({ day, amount, words }: Row): string {
  return `2035-03-0${day} ${amount.toFixed(2)} ${words}`;
}

describe.each<[string, StreamKind, Export]>([
  ['CAMT', CAMT, camt],
  ['MT940', MT940, mt940],
  ['OFX without names', OFX, ofx],
])('%s: exports that overlap', (_, kind, exported) => {
  test('give together exactly the ledger, each booking once, in whatever order', async () => {
    const cut = fc.integer({ min: 1, max: 9 });
    await fc.assert(
      fc.asyncProperty(
        ledger,
        cut,
        cut,
        fc.boolean(),
        fc.boolean(),
        async (rows, one, other, isTurned, isSecondFirst) => {
          const [from, to] = [Math.min(one, other), Math.max(one, other)];
          const early = rows.filter(({ day }) => day <= to);
          const late = rows.filter(({ day }) => day >= from);
          const files = [exported(early), exported(isTurned ? late.toReversed() : late)];
          const known = new Map<string, string>();
          for (const file of isSecondFirst ? files.toReversed() : files) await into(known, kind, file);
          expect([...known.values()].sort()).toEqual(rows.map(lineOf).sort());
        },
      ),
    );
  });
});
