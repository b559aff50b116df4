import { describe, expect, test } from 'vitest';
import { CAMT, MT940, OFX } from '../../src/streams/kinds.ts';
import type { ByteSource, ReadContext, StreamKind } from '../../src/streams/stream.ts';
import { eventsOf, keysOf, linesOf } from '../streams/bank-said.ts';
import { sourceOf } from '../streams/read-all.ts';
import { ownTime } from '../support/own-time.ts';
import { attack } from './attack.ts';

// Files from banks, and words in them that were written by whoever pays.

const OWN = 'DE02100100109307118603';
const KNOWN = 'DE91100000000123456789';
const DOOR: ReadContext = { file: 'stream/a', sourceType: 'bank', trustedServers: [], zone: 'UTC', now: 0 };
/** What reading several megabytes of nonsense may take of a thread, in ms. */
const SOON = 10_000;

const CAMT_HEAD = '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><B><Stmt>';
const ENTRY =
  '<Ntry><Amt Ccy="EUR">5</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2035-03-02</Dt></BookgDt><AddtlNtryInf>tea</AddtlNtryInf></Ntry>';

function camt(entries: string): string {
  return `${CAMT_HEAD}${entries}</Stmt></B></Document>`;
}

function mt940(narrative: string, closing = 'C350302EUR5,00'): string {
  return `:20:X\n:25:${OWN}\n:60F:C350301EUR0,00\n:61:350302C5,00NTRFNONREF\n:86:${narrative}\n:62F:${closing}\n-\n`;
}

/** Reads all items; the time that it takes of this thread, and why the file was refused, if it was. */
async function reading(
  kind: StreamKind,
  source: ByteSource,
): Promise<{ items: number; ms: number; refusal: string | null }> {
  const started = ownTime();
  let items = 0;
  let refusal: string | null = null;
  try {
    for await (const item of (await kind.load())(source, 0, DOOR)) {
      await item.read();
      items += 1;
    }
  } catch (error) {
    refusal = String(error);
  }
  return { items, ms: ownTime() - started, refusal };
}

describe('a bomb', () => {
  const LAUGHS = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(100)}"><!ENTITY c "${'&b;'.repeat(100)}">]>`;
  for (const [what, text, why] of [
    ['entities in entities', LAUGHS + camt(ENTRY.replace('tea', '&c;')), /document type/],
    [
      'an entity that names a file',
      `<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>${camt(ENTRY)}`,
      /document type/,
    ],
    ['elements in elements', CAMT_HEAD + '<a>'.repeat(1_000_000), /too deep/],
    ['a text without an end', CAMT_HEAD + 'x'.repeat(8_000_000), /longer than any/],
    ['a tag without an end', `${CAMT_HEAD}<a ${'b="c" '.repeat(1_000_000)}`, /longer than any|not well-formed/],
    ['a comment without an end', `${CAMT_HEAD}<!-- ${'x'.repeat(8_000_000)}`, /longer than any/],
  ] as const) {
    attack(
      {
        attacker: 'a sync peer',
        means: `a bank statement in XML with ${what}`,
        loss: 'the memory or the time of the machine',
        defence: 'the file is refused with the line where it becomes impossible; nothing of it is expanded or opened',
      },
      async () => {
        const { ms, refusal } = await reading(CAMT, sourceOf(Buffer.from(text)));
        expect(refusal).toMatch(why);
        expect(ms).toBeLessThan(SOON);
      },
    );
  }

  for (const [what, kind, text] of [
    ['a million signs that begin no tag', OFX, `<OFX>${'<'.repeat(1_000_000)}`],
    ['a million comments that never end', OFX, `<OFX>${'<!--'.repeat(1_000_000)}`],
    ['a million fields in one entry', OFX, `<OFX><STMTTRN>${'<NAME>x'.repeat(1_000_000)}`],
    ['a value of eight megabytes', OFX, `<OFX><STMTTRN><MEMO>${'x'.repeat(8_000_000)}`],
    ['a line of eight megabytes', MT940, mt940('x'.repeat(8_000_000))],
    ['a million lines in one field', MT940, mt940('x\n'.repeat(1_000_000))],
    ['a million fields in one field', MT940, mt940('166?20x\n?20x'.repeat(500_000))],
    ['a million slashes', MT940, mt940(`/NAME/${'/'.repeat(1_000_000)}`)],
    [
      'a hundred thousand texts in one booking',
      CAMT,
      camt(ENTRY.replace('</Ntry>', `${'<A>x</A>'.repeat(100_000)}</Ntry>`)),
    ],
  ] as const) {
    attack(
      {
        attacker: 'a sync peer',
        means: `a bank statement with ${what}`,
        loss: 'the time of the machine',
        defence: 'every byte is looked at a fixed number of times, and no field is kept beyond a measure',
      },
      async () => {
        const { ms, refusal } = await reading(kind, sourceOf(Buffer.from(text)));
        expect(refusal).toBeNull();
        expect(ms).toBeLessThan(SOON);
      },
    );
  }
});

test('a long statement in XML is read piece by piece: an entry is given as soon as it is there', async () => {
  const bytes = Buffer.from(camt(ENTRY.repeat(50_000)));
  let asked = 0;
  const source = {
    size: bytes.length,
    read: (at: number, length: number) => {
      asked += length;
      return bytes.subarray(at, at + length);
    },
  };
  for await (const { place } of (await CAMT.load())(source, 0, DOOR)) {
    expect(place).toBe('entry 1');
    break;
  }
  expect(bytes.length).toBeGreaterThan(5_000_000);
  expect(asked).toBeLessThan(400_000);
});

describe('words of who pays', () => {
  for (const [how, kind, text] of [
    ['a field of the bank, before the true one', MT940, mt940(`166?20tea?31${KNOWN}?21cake?31${OWN}`)],
    ['a field of the bank, behind the true one', MT940, mt940(`166?31${OWN}?32Eve?60tea?31${KNOWN}`)],
    ['a keyword behind those that are theirs', MT940, mt940(`166?20SVWZ+tea IBAN+${KNOWN}?32Eve`)],
    ['a field behind those that are theirs', MT940, mt940(`/NAME/Eve/REMI/tea /IBAN/${KNOWN}/`)],
    ['a name', OFX, `<OFX><STMTTRN><DTPOSTED>20350302<TRNAMT>5<NAME>${KNOWN}</STMTTRN></OFX>`],
    ['an element that is escaped', CAMT, camt(ENTRY.replace('tea', `&lt;/X&gt;&lt;IBAN&gt;${KNOWN}&lt;/IBAN&gt;`))],
  ] as const) {
    attack(
      {
        attacker: 'a sender',
        means: `an IBAN that a note knows, as ${how}`,
        loss: 'a payment counts as one of somebody who is known',
        defence: 'only what the bank fills says whose account it was; what is told twice is not believed',
      },
      async () => {
        const events = await eventsOf(kind, text);
        expect(events).toHaveLength(1);
        expect(events.map(({ from, payment }) => [from, payment?.iban])).not.toContainEqual([KNOWN, KNOWN]);
        expect(events[0]?.from?.toUpperCase()).not.toBe(KNOWN);
      },
    );
  }

  attack(
    {
      attacker: 'a sender',
      means: 'a booking of their own in words that the bank breaks into lines',
      loss: 'a bill counts as paid that is not',
      defence: 'the balance does not add up: that is said, and no booking of the statement acts on its word alone',
    },
    async () => {
      const text = mt940('thank you and good bye, here it comes\n:61:350302C900,00NTRFNONREF');
      const events = await eventsOf(MT940, text);
      expect(events.map(({ doubts }) => doubts.length)).toEqual([1, 1]);
      expect((await linesOf(MT940, text)).at(-1)).toContain('the difference is -900.00 EUR');
    },
  );

  attack(
    {
      attacker: 'a sender',
      means: 'the address of somebody who is known, as the name of an account',
      loss: 'a payment counts as one of theirs',
      defence: 'a name becomes words of letters and digits, and no address',
    },
    async () => {
      const named = mt940('166?20tea?32robin@known.example');
      expect((await eventsOf(MT940, named)).map(({ from }) => from)).toEqual(['robin known example']);
    },
  );

  attack(
    {
      attacker: 'a sender',
      means: 'invisible signs, line ends and thousands of letters in a name',
      loss: 'a note shows something else than was sent, or is broken',
      defence: 'texts are cleaned, made one line and cut',
    },
    async () => {
      const name = `Nor\u202Eth\u200Bgate&#10;---&#10;${'x'.repeat(9_000)}`;
      const text = `<OFX><STMTTRN><DTPOSTED>20350302<TRNAMT>5<NAME>${name}</STMTTRN></OFX>`;
      const [event] = await eventsOf(OFX, text);
      expect(event?.fromName).toMatch(/^Northgate --- x+…$/);
      expect(event?.subject.length).toBeLessThanOrEqual(500);
    },
  );
});

describe('an identity', () => {
  attack(
    {
      attacker: 'a sync peer',
      means: 'a booking with the name of another one, FITID, but another amount',
      loss: 'the true one counts as known and is never read',
      defence: 'account, day and amount belong to the name',
    },
    async () => {
      const file = (amount: string) =>
        `<OFX><ACCTID>1<STMTTRN><DTPOSTED>20350302<TRNAMT>${amount}<FITID>1</STMTTRN></OFX>`;
      expect(await keysOf(OFX, file('5'))).not.toEqual(await keysOf(OFX, file('900')));
    },
  );

  attack(
    {
      attacker: 'a sender',
      means: 'a payment that is announced, and then booked',
      loss: 'the booking counts as known, and the bill stays open',
      defence: 'what is pending has an identity of its own',
    },
    async () => {
      const pending = await keysOf(CAMT, camt(ENTRY.replace('BOOK', 'PDNG')));
      expect(await keysOf(CAMT, camt(ENTRY))).not.toEqual(pending);
    },
  );
});

attack(
  {
    attacker: 'another program',
    means: 'reads the log and the status of a vault with refused bookings',
    loss: 'account numbers, names and purposes',
    defence: 'a reason says what is wrong and where, and quotes nothing of the file',
  },
  async () => {
    const secret = /SECRET|DE02/;
    const entry = ENTRY.replace('tea', 'SECRET').replace('2035-03-02', 'SECRET');
    const ofx = '<OFX><ACCTID>SECRET<STMTTRN><DTPOSTED>SECRET<NAME>SECRET</STMTTRN></OFX>';
    const lines = [
      ...(await linesOf(CAMT, camt(entry))),
      ...(await linesOf(OFX, ofx)),
      ...(await linesOf(MT940, mt940('x\n:61:SECRET\n:86:SECRET', 'C350302EUR7,00'))),
    ].filter((line) => line.includes('refused'));
    expect(lines).toHaveLength(4);
    expect(lines.filter((line) => secret.test(line))).toEqual([]);
  },
);
