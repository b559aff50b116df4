import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keysIn } from '../streams/read-all.ts';
import { paymentsOf, readTable, refusalsOf } from '../streams/read-bank-csv.ts';
import { lawRuns } from '../support/laws.ts';

const RUNS = lawRuns();

/** A booking, in cents. */
interface Booked {
  readonly day: string;
  readonly cents: number;
  readonly name: string;
  readonly text: string;
}

const day = fc
  .record({ month: fc.integer({ min: 1, max: 12 }), date: fc.integer({ min: 1, max: 28 }) })
  .map(({ month, date }) => `2035-${two(month)}-${two(date)}`);
const word = fc.constantFrom(
  'Rent',
  'Invoice 4711',
  'Müller & Sons',
  'a;b',
  'a,b',
  'say "hi"',
  'two\nlines',
  'tab\there',
  "d'or",
  '|',
);
const booked: fc.Arbitrary<Booked> = fc.record({
  day,
  cents: fc.integer({ min: -20_000_000, max: 20_000_000 }).filter((cents) => cents !== 0),
  name: fc.constantFrom('Northgate Notary', 'Roof, Sons', 'Łódź; Example', 'Robin'),
  text: word,
});
const ledger = fc
  .array(booked, { minLength: 1, maxLength: 12 })
  .map((rows) => rows.toSorted((one, other) => one.day.localeCompare(other.day)));

function two(number: number): string {
  return String(number).padStart(2, '0');
}

type Parts = readonly [year: string, month: string, date: string];
/** Ways to write a day. The last ones say which part is which by the language of the names, or by the points. */
const DATES: Readonly<Record<string, (parts: Parts) => string>> = {
  'YYYY-MM-DD': ([y, m, d]) => `${y}-${m}-${d}`,
  'YYYY/MM/DD': ([y, m, d]) => `${y}/${m}/${d}`,
  'YYYY.MM.DD.': ([y, m, d]) => `${y}.${m}.${d}.`,
  YYYYMMDD: ([y, m, d]) => `${y}${m}${d}`,
  YYYYMMDDHHMMSS: ([y, m, d]) => `${y}${m}${d}120000`,
  'YYYY:MM:DD': ([y, m, d]) => `${y}:${m}:${d}`,
  'YYYY-M-D': ([y, m, d]) => `${y}-${+m}-${+d}`,
  'YYYY-MM-DD time': ([y, m, d]) => `${y}-${m}-${d} 23:59:59`,
  'YYYY-MM-DDTtimeZ': ([y, m, d]) => `${y}-${m}-${d}T00:00:01Z`,
  'D Mon YYYY': ([y, m, d]) => `${+d} ${MONTHS[+m - 1]?.slice(0, 3)} ${y}`,
  'DD-Mon-YY': ([y, m, d]) => `${d}-${MONTHS[+m - 1]?.slice(0, 3)}-${y.slice(2)}`,
  DDMonYYYY: ([y, m, d]) => `${d}${MONTHS[+m - 1]?.slice(0, 3).toUpperCase()}${y}`,
  'D Month YYYY': ([y, m, d]) => `${+d} ${MONTHS[+m - 1]} ${y}`,
  'Month D, YYYY': ([y, m, d]) => `${MONTHS[+m - 1]} ${+d}, ${y}`,
  'D. Monat YYYY': ([y, m, d]) => `${+d}. ${MONATE[+m - 1]} ${y}`,
  'D de mes de YYYY': ([y, m, d]) => `${+d} de ${MESES[+m - 1]} de ${y}`,
  '="YYYY-MM-DD"': ([y, m, d]) => `="${y}-${m}-${d}"`,
  'DD.MM.YYYY': ([y, m, d]) => `${d}.${m}.${y}`,
  'DD.MM.YY': ([y, m, d]) => `${d}.${m}.${y.slice(2)}`,
  'D.M.YYYY': ([y, m, d]) => `${+d}.${+m}.${y}`,
  'D. M. YYYY': ([y, m, d]) => `${+d}. ${+m}. ${y}`,
  'DD.MM.YYYY time': ([y, m, d]) => `${d}.${m}.${y} 09:11`,
  'DD/MM/YYYY': ([y, m, d]) => `${d}/${m}/${y}`,
  'DD/MM/YY': ([y, m, d]) => `${d}/${m}/${y.slice(2)}`,
  'D/M/YYYY': ([y, m, d]) => `${+d}/${+m}/${y}`,
  'DD-MM-YYYY': ([y, m, d]) => `${d}-${m}-${y}`,
  'DD MM YYYY': ([y, m, d]) => `${d} ${m} ${y}`,
  DDMMYYYY: ([y, m, d]) => `${d}${m}${y}`,
};
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const MONATE = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' ');
const MESES = 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ');
/** In English the numbers alone do not tell day and month apart. */
const BY_LANGUAGE = ['DD/MM/YYYY', 'DD/MM/YY', 'D/M/YYYY', 'DD-MM-YYYY', 'DD MM YYYY', 'DDMMYYYY'];

type Sums = (cents: number) => { readonly signed: string; readonly plain: string };
function sums(decimal: string, group: string): Sums {
  return (cents) => {
    const whole = String(Math.trunc(Math.abs(cents) / 100)).replace(/\B(?=(?:\d{3})+$)/g, group);
    const plain = `${whole}${decimal}${two(Math.abs(cents) % 100)}`;
    return { plain, signed: `${cents < 0 ? '-' : ''}${plain}` };
  };
}
const SUMS: readonly Sums[] = [
  ...[
    sums(',', '.'),
    sums('.', ','),
    sums(',', ' '),
    sums('.', "'"),
    sums(',', ''),
    sums('.', ''),
    sums(',', '\u00A0'),
  ],
  ...[sums('.', '’'), sums(',', '\u202F')],
];

/** How the sums of a row are told, by the roles of their columns. */
type Signs = (cents: number, sum: Sums) => Readonly<Record<string, string>>;
const SIGNS: readonly Signs[] = [
  (cents, sum) => ({ amount: sum(cents).signed }),
  (cents, sum) => ({ amount: `${sum(cents).plain}${cents < 0 ? '-' : ''}` }),
  (cents, sum) => ({ amount: `${cents < 0 ? '-' : '+'}${sum(cents).plain}` }),
  (cents, sum) => ({ amount: cents < 0 ? `(${sum(cents).plain})` : sum(cents).plain }),
  (cents, sum) => ({ amount: `${cents < 0 ? '−' : ''}€ ${sum(cents).plain}` }),
  (cents, sum) => ({ amount: `${sum(cents).plain} ${cents < 0 ? 'D' : 'C'}` }),
  (cents, sum) => ({ amount: sum(cents).plain, direction: cents < 0 ? 'D' : 'C' }),
  (cents, sum) => ({ amount: sum(cents).signed, direction: cents < 0 ? 'debit' : 'credit' }),
  (cents, sum) => ({ debit: cents < 0 ? sum(cents).plain : '', credit: cents < 0 ? '' : sum(cents).plain }),
  (cents, sum) => ({ debit: cents < 0 ? sum(cents).signed : '', credit: cents < 0 ? '' : sum(cents).plain }),
];

const LANGUAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: {
    date: 'Date',
    name: 'Counterparty',
    text: 'Description',
    amount: 'Amount',
    direction: 'D/C',
    debit: 'Paid out',
    credit: 'Paid in',
    balance: 'Balance',
  },
  de: {
    date: 'Buchungstag',
    name: 'Empfänger',
    text: 'Verwendungszweck',
    amount: 'Betrag (EUR)',
    direction: 'Soll/Haben',
    debit: 'Soll',
    credit: 'Haben',
    balance: 'Saldo',
  },
  fr: {
    date: 'Date opération',
    name: 'Contrepartie',
    text: 'Libellé',
    amount: 'Montant',
    direction: 'Sens',
    debit: 'Débit',
    credit: 'Crédit',
    balance: 'Solde',
  },
  es: {
    date: 'Fecha operación',
    name: 'Ordenante',
    text: 'Concepto',
    amount: 'Importe',
    direction: 'Signo',
    debit: 'Cargo',
    credit: 'Abono',
    balance: 'Saldo',
  },
  it: {
    date: 'Data contabile',
    name: 'Controparte',
    text: 'Descrizione',
    amount: 'Importo',
    direction: 'Segno',
    debit: 'Addebiti',
    credit: 'Accrediti',
    balance: 'Saldo',
  },
  nl: {
    date: 'Boekdatum',
    name: 'Naam tegenpartij',
    text: 'Omschrijving',
    amount: 'Bedrag',
    direction: 'Af Bij',
    debit: 'Af',
    credit: 'Bij',
    balance: 'Saldo na mutatie',
  },
  pl: {
    date: 'Data księgowania',
    name: 'Kontrahent',
    text: 'Tytuł',
    amount: 'Kwota',
    direction: 'Strona',
    debit: 'Obciążenia',
    credit: 'Uznania',
    balance: 'Saldo',
  },
  sv: {
    date: 'Bokföringsdag',
    name: 'Mottagare',
    text: 'Meddelande',
    amount: 'Belopp',
    direction: 'Debet/Kredit',
    debit: 'Uttag',
    credit: 'Insättning',
    balance: 'Saldo',
  },
};

const dialect = fc
  .record({
    delimiter: fc.constantFrom(';', ',', '\t', '|'),
    date: fc.constantFrom(...Object.keys(DATES)),
    sum: fc.constantFrom(...SUMS),
    signs: fc.constantFrom(...SIGNS),
    language: fc.constantFrom(...Object.keys(LANGUAGES)),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    isNewestFirst: fc.boolean(),
    preamble: fc.constantFrom([], ['Account statement'], ['Account;1234', '', 'From 1 to 2']),
    quotesAll: fc.boolean(),
  })
  .filter(({ date, language }) => language !== 'en' || !BY_LANGUAGE.includes(date));
type Dialect = typeof dialect extends fc.Arbitrary<infer Value> ? Value : never;

/** The table that a bank with this way of writing makes of a ledger. */
function written(rows: readonly Booked[], opening: number, { delimiter, end, quotesAll, ...how }: Dialect): string {
  const names = LANGUAGES[how.language] ?? {};
  let balance = opening;
  const lines = rows.map((row) => {
    balance += row.cents;
    const [year = '', month = '', date = ''] = row.day.split('-');
    const cells = { date: DATES[how.date]?.([year, month, date]) ?? '', name: row.name, text: row.text };
    return { ...cells, ...how.signs(row.cents, how.sum), balance: how.sum(balance).signed };
  });
  const order = how.isNewestFirst ? lines.toReversed() : lines;
  const roles = Object.keys(lines[0] ?? {});
  const table = [roles.map((role) => names[role] ?? ''), ...order.map((line) => Object.values(line))];
  const quoted = (cell: string) =>
    quotesAll || /[";,\t|\n]/.test(cell) ? `"${cell.replaceAll('"', '""').replaceAll('\n', end)}"` : cell;
  return [...how.preamble, ...table.map((cells) => cells.map(quoted).join(delimiter))].join(end) + end;
}

function decimal(cents: number): string {
  return `${cents < 0 ? '-' : ''}${Math.trunc(Math.abs(cents) / 100)}.${two(Math.abs(cents) % 100)}`;
}

/** The first rows, far from the others and below zero, leave nothing open in the smallest ledger. */
const CLEAR: readonly Booked[] = [-500, -700, -900].map((cents, nth) => ({
  day: `2034-01-2${nth + 3}`,
  cents,
  name: 'Robin',
  text: 'x',
}));

describe('a ledger in any way of writing', () => {
  test('reads back as the same ledger', async () => {
    await fc.assert(
      fc.asyncProperty(ledger, dialect, async (rows, how) => {
        const all = [...CLEAR, ...rows];
        const items = await readTable(written(all, 100_000, how));
        const order = how.isNewestFirst ? all.toReversed() : all;
        expect(refusalsOf(items)).toEqual([]);
        expect(
          paymentsOf(items).map(({ day, amount, counterparty, purpose }) => [day, amount, counterparty, purpose]),
        ).toEqual(order.map(({ day, cents, name, text }) => [day, decimal(cents), name, text.replaceAll('\t', ' ')]));
      }),
      { numRuns: RUNS },
    );
  });

  test('overlapping exports of it lose nothing and give nothing twice', async () => {
    await fc.assert(
      fc.asyncProperty(ledger, dialect, fc.nat(11), fc.nat(11), async (rows, how, from, to) => {
        const all = [...CLEAR, ...rows, ...rows].toSorted((one, other) => one.day.localeCompare(other.day));
        const until = rows[Math.max(from, to) % rows.length]?.day ?? '';
        const since = rows[Math.min(from, to) % rows.length]?.day ?? '';
        const [first, last] = [since, until].sort();
        // Banks export whole days.
        const early = all.filter(({ day }) => day <= (last ?? ''));
        const late = [...CLEAR, ...all.filter(({ day }) => day >= (first ?? '') && day > '2034-02')];
        const keys = async (part: readonly Booked[]) => keysIn(await readTable(written(part, 5, how)));
        const both = [...(await keys(early)), ...(await keys(late))];
        expect([...new Set(both)].sort()).toEqual((await keys(all)).sort());
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    );
  });
});
