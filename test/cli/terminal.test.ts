import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Printer } from '../../src/cli/terminal.ts';

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
