import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advance, debateText, NOTHING_YET, type RoundResult, readSummary } from '../../src/roundtable/log.ts';
import { readRuling } from '../../src/roundtable/session.ts';
import '../support/laws.ts';

const SUMMARY = `# Round 1

Much was said.

## Established
- Both are within the budget.
* The **date** holds.

### Withdrawn (from before)
- none

## Live positions
- **paula**: a last day.
- Enno – the glazed tile.
- somebody: is not at the table.

## Open questions
1. Is it in stock?

## Shifts
- paula: from waiting to a last day

## How it ran
- not of this
`;

const AGENTS = ['paula', 'enno'];
const round = (parts: Partial<RoundResult>): RoundResult => ({
  established: [],
  withdrawn: [],
  positions: {},
  open: null,
  shifts: [],
  ...parts,
});

describe('the judge’s summary', () => {
  test('is read by its lists', () => {
    expect(readSummary(SUMMARY.replace('**paula**', 'paula'), AGENTS)).toEqual({
      established: ['Both are within the budget.', 'The **date** holds.'],
      withdrawn: [],
      positions: { paula: 'a last day.', enno: 'the glazed tile.' },
      open: ['Is it in stock?'],
      shifts: ['paula: from waiting to a last day'],
    });
  });

  test('that holds no list is none', () => {
    for (const text of ['', 'All went well.', '<html>', '# Round 1\n\n- a line'])
      expect(readSummary(text, AGENTS)).toBeNull();
  });

  test('reads as it is written', () => {
    const debate = advance(
      NOTHING_YET,
      round({ established: ['a'], positions: { enno: 'b' }, open: ['c?'], shifts: ['d'] }),
    );
    expect(advance(NOTHING_YET, readSummary(debateText(debate), AGENTS) ?? round({}))).toEqual(debate);
  });
});

describe('the debate goes on', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '.', 'B'), minLength: 1, maxLength: 8 });
  const results = fc.array(
    fc.record({
      established: fc.array(line, { maxLength: 4 }),
      withdrawn: fc.array(line, { maxLength: 2 }),
      positions: fc.constant({}),
      open: fc.option(fc.array(line, { maxLength: 3 }), { nil: null }),
      shifts: fc.array(line, { maxLength: 3 }),
    }),
    { maxLength: 6 },
  );

  test('what was established stays so until it is withdrawn; nothing stands in it twice, and it stays short', () => {
    const gist = (text: string) =>
      text
        .toLowerCase()
        .replace(/[^a-z]+/g, ' ')
        .trim();
    fc.assert(
      fc.property(results, (all) => {
        let debate = NOTHING_YET;
        for (const result of all) {
          const before = debate;
          debate = advance(before, result);
          const withdrawn = result.withdrawn.map(gist);
          const now = debate.established.map(gist);
          for (const held of before.established) expect(now.includes(gist(held))).toBe(!withdrawn.includes(gist(held)));
          expect(new Set(now).size).toBe(now.length);
          expect(debate.established.length).toBeLessThanOrEqual(40);
        }
      }),
    );
  });

  test('a round without a list of open questions leaves them; an empty list answers them', () => {
    const asked = advance(NOTHING_YET, round({ open: ['why?'] }));
    expect(advance(asked, round({})).open).toEqual(['why?']);
    expect(advance(asked, round({ open: [] })).open).toEqual([]);
  });
});

describe('the judge’s orders', () => {
  test('are read as judges write them', () => {
    const text =
      'HALT [enno]: fabricated data\n- **HALT [Paula]:** fabricated data\nHALT nobody: x\n\n**Convergence:** yes';
    expect(readRuling(text, AGENTS)).toEqual({
      halts: [
        { agent: 'enno', reason: 'fabricated data' },
        { agent: 'paula', reason: expect.stringContaining('fabricated data') },
      ],
      converged: true,
    });
    expect(readRuling('Convergence: not reached', AGENTS).converged).toBe(false);
    expect(readRuling('They converge.', AGENTS).converged).toBeNull();
    expect(readRuling('I would not HALT [enno]: he is right.', AGENTS).halts).toEqual([]);
  });
});
