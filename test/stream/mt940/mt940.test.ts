import { describe, expect, test } from 'vitest';
import { MT940 } from '../../../src/stream/mt940.ts';
import { eventsOf, fixture, linesOf } from '../bank/said.ts';
import { readAll } from '../items/read-all.ts';

const GERMAN = fixture('mt940/fixtures/german.sta');
const DUTCH = fixture('mt940/fixtures/dutch.940');
const POLISH = fixture('mt940/fixtures/polish.txt');

/** A statement with one booking, of which this is said. */
function saying(...lines: readonly string[]): string {
  const booking = [':61:3503020302C5,00NTRFNONREF', `:86:${lines[0]}`, ...lines.slice(1)];
  return [':20:X', ':25:1', ':60F:C350301EUR0,00', ...booking, ':62F:C350302EUR5,00', '-'].join('\r\n');
}

describe('the German way', () => {
  test('has names, purposes and references in fields of two digits', async () => {
    expect(await linesOf(MT940, GERMAN)).toEqual([
      'line 5: Northgate Notary and Company 250.00 EUR out: Rechnung 4711 vom 1. März, mit Dank für die gute Arbeit',
      'line 9: Ada Byron 80.00 EUR in: Mittagessen',
      'line 11: Ada Byron 80.00 EUR in: Mittagessen',
      'line 13: 12.50 EUR out (reversal): Grund: Konto',
      'line 15: 6.00 EUR out: ABSCHLUSS',
    ]);
    const [paid] = await eventsOf(MT940, GERMAN);
    expect(paid).toMatchObject({ from: 'DE91100000000123456789', doubts: [] });
    expect(paid?.payment).toMatchObject({
      account: 'DE02100100109307118603',
      references: ['INV-4711', 'MANDATE-9', 'BANK4711'],
    });
  });

  test('takes the day of the entry, over the new year and beside a 30th of February too', async () => {
    const days = (await eventsOf(MT940, GERMAN)).map(({ payment }) => payment?.day);
    expect(days).toEqual(['2035-03-02', '2035-03-03', '2035-03-03', '2035-01-01', '2035-03-01']);
  });
});

describe('the Dutch way', () => {
  test('has fields between slashes, of which none counts behind the words of who paid', async () => {
    expect(await linesOf(MT940, DUTCH)).toEqual([
      'line 6: Northgate Notary 40.00 EUR out: Invoice 4711 with a rather long text',
      'line 10: A.DA BYRON 15.00 EUR in: lunch',
      'line 13: Charles Example 5.00 EUR in: teas and cake',
      'line 16: 5.00 EUR out (pending): expected, not booked',
    ]);
    const ibans = (await eventsOf(MT940, DUTCH)).map(({ payment }) => payment?.iban);
    expect(ibans).toEqual(['NL20INGB0001234567', 'NL81RABO0444444444', 'NL32INGB0000012345', null]);
    expect((await eventsOf(MT940, DUTCH))[0]?.payment?.account).toBe('NL02ABNA0123456789');
  });
});

describe('other ways', () => {
  test('have another sign between the fields, another charset, or just words', async () => {
    expect(await linesOf(MT940, POLISH)).toEqual([
      'line 5: BOOKING ŻÓŁW 369.00 PLN out: Usługi księgowe - m-c lut y 2035',
      'line 8: refused, its date and amount cannot be read',
      'the statement at line 1: refused, the balance does not add up: the difference is -21.00 PLN, and a booking may be missing',
      'line 15: 400.00 PLN in: PRZELEW OD: ADA BYRON TYT.: OBIAD',
      'the statement at line 11: refused, it has no closing balance: the file may be cut off, and bookings may be missing',
    ]);
    expect((await eventsOf(MT940, POLISH))[0]?.payment?.iban).toBe('PL27114020040000300201355387');
  });

  test.each([
    [['just some words', 'in two lines'], 'just some words in two lines'],
    [['177?20Words with a question??24 and more'], 'Words with a question? and more'],
    [['/REMI/STRD/CUR/9900123456789012/'], '9900123456789012'],
    [[''], ''],
    [['at ten', ':26:37 on the clock'], 'at ten :26:37 on the clock'],
  ])('%j', async (lines, purpose) => {
    expect((await eventsOf(MT940, saying(...lines)))[0]?.text).toBe(purpose);
  });
});

describe('the balance', () => {
  test('that does not add up is said once, and the bookings are doubted', async () => {
    const doubts = (await eventsOf(MT940, POLISH)).map((event) => event.doubts);
    expect(doubts).toEqual([['the balance of its statement does not add up'], []]);
  });

  test('is exact, whatever the amounts', async () => {
    const bookings = Array.from({ length: 300 }, () => ':61:350302C0,1NMSCNONREF').join('\n');
    const text = `:20:X\n:60F:D350301EUR0,3\n${bookings}\n:62F:C350302EUR29,7\n-\n`;
    expect((await linesOf(MT940, text)).filter((line) => line.includes('refused'))).toEqual([]);
  });
});

test('is known by name and head', () => {
  expect(['a.sta', 'b.MT940', 'c.940', 'd.swi', 'e.txt', 'f.csv'].map(MT940.takes)).toEqual([
    ...[true, true, true, true, true, false],
  ]);
  const heads = [GERMAN, DUTCH, POLISH, Buffer.from('at :20: we met, :60F: no'), Buffer.alloc(0)];
  expect(heads.map(MT940.recognises)).toEqual([true, true, true, false, false]);
});

test('is read on from any item with the same identities', async () => {
  const all = await readAll(MT940, GERMAN);
  expect(await readAll(MT940, GERMAN, { from: 2 })).toEqual(all.slice(2));
});
