import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDate, formatMoment, formatShift, Printer, rounded } from '../../src/cli/terminal.ts';

const terminal = (columns: number) => new Printer({ isTTY: true, columns, write: () => undefined }, { TERM: 'xterm' });
/** Letters of one column each, painted or not. */
const piece = fc
  .string({ unit: fc.constantFrom('a', ' ', 'é', '“', '”', '→', '·', '–'), minLength: 1, maxLength: 30 })
  .chain((text) => fc.constantFrom(text, `\u001b[2m${text}\u001b[22m`));

test('LAW: a line fits the terminal, and loses nothing where it does', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.integer({ min: 10, max: 80 }), (pieces, columns) => {
      const line = pieces.join('');
      const shown = [...stripVTControlCharacters(terminal(columns).fitted(line))];
      expect(shown.length).toBeLessThanOrEqual(columns);
      const whole = [...stripVTControlCharacters(line)];
      if (whole.length <= columns) expect(shown).toEqual(whole);
      else expect(shown.at(-1)).toBe('…');
    }),
  );
});

test.each([
  [[2026, 11, 3, 14, 5], 'today 14:05'],
  [[2026, 11, 2, 23, 59], 'yesterday 23:59'],
  [[2026, 11, 4, 0, 0], 'tomorrow 00:00'],
  [[2026, 10, 3, 9, 30], '3 Nov 09:30'],
  [[2027, 0, 11, 7, 0], '11 Jan 2027 07:00'],
] as const)('says a moment as people do: %o', ([year, month, day, hour, minute], words) => {
  const now = new Date(2026, 11, 3, 15, 0);
  expect(formatMoment(new Date(year, month, day, hour, minute).toISOString(), now)).toBe(words);
});

test('says a day as people do', () => {
  const now = new Date(2026, 11, 3, 15, 0);
  expect(['2026-12-03', '2026-11-13', '2027-01-11', 'soon'].map((day) => formatDate(day, now))).toEqual([
    ...['today', '13 Nov', '11 Jan 2027', 'soon'],
  ]);
});

test.each([
  [0.84, 0.86, '0.84 → 0.86'],
  [0.7, 0.706, '0.70 → 0.71'],
  [0.96, 0.964, '0.96, slightly up'],
  [0.964, 0.96, '0.96, slightly down'],
  [0.9, 0.9, '0.90'],
])('a confidence that moves from %d to %d', (before, after, words) => {
  expect(formatShift(before, after)).toBe(words);
});

test('a table that is wider than the terminal has the first cell of each row on its own line', () => {
  const rows = [
    ['', 'right', 'wrong'],
    ['mail:anna@northgate-notary.example', '12', '0'],
  ];
  const lines = (columns: number) => terminal(columns).lines((out) => out.rows(rows));
  expect(lines(80)).toEqual([`${' '.repeat(38)}right  wrong`, '  mail:anna@northgate-notary.example  12     0']);
  expect(lines(40)).toEqual(['    right  wrong', '  mail:anna@northgate-notary.example', '    12     0']);
});

test('leaves a text that is no time as it is', () => {
  expect(formatMoment('soon')).toBe('soon');
});

test('LAW: a sentence on a terminal has at most 100 columns and keeps its words, and stays whole for another program', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.integer({ min: 20, max: 200 }), (pieces, columns) => {
      const line = pieces.join('');
      const shown = terminal(columns).folded(line).map(stripVTControlCharacters);
      for (const one of shown) expect([...one].length).toBeLessThanOrEqual(Math.min(columns, 100));
      const letters = (text: string) => stripVTControlCharacters(text).replaceAll(' ', '');
      expect(letters(shown.join(''))).toBe(letters(line));
      expect(new Printer({ write: () => undefined }, {}).folded(line)).toEqual([line]);
    }),
    {
      examples: [
        [[`${'a'.repeat(20)}––\u001b[2ma\u001b[22m`], 23],
        [[`${'a'.repeat(15)}”–“aaa`], 20],
      ],
    },
  );
});

test('indents what follows the first line by two more', () => {
  const [first, second] = terminal(24).folded('  one two three four five six');
  expect([first, second]).toEqual(['  one two three four', '    five six']);
});

test.each([
  [0.123456, 0.12],
  [1500, 1500],
  [0.00123, 0.0012],
])('rounds %d to %d: two decimals, more only below a cent', (sum, shown) => {
  expect(rounded(sum)).toBe(shown);
});
