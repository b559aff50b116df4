import { expect, test } from 'vitest';
import { MAX_MESSAGE, parseReply } from '../../src/roundtable/notes.ts';

const WHOLE = `FILE_WRITTEN: roundtable/tiles/round-1/marcus.md
Perspectives: P01 [cost first] The cheaper offer leaves room. P02 [time] Waiting costs a week.
Tensions: T01 [cost vs. durability] Cheap tiles crack.
Moves: from undecided to the cheaper offer
Claim: Take the offer of 1,200 EUR (offers.csv:3).`;

test('five lines are read', () => {
  expect(parseReply(WHOLE)).toEqual({
    file: 'roundtable/tiles/round-1/marcus.md',
    perspectives: [
      { id: 'P01', label: 'cost first', text: 'The cheaper offer leaves room.' },
      { id: 'P02', label: 'time', text: 'Waiting costs a week.' },
    ],
    tensions: [{ id: 'T01', label: 'cost vs. durability', text: 'Cheap tiles crack.' }],
    moves: 'from undecided to the cheaper offer',
    claim: 'Take the offer of 1,200 EUR (offers.csv:3).',
  });
});

test('as models write them: with talk around, marks, other cases, broken lines and none', () => {
  const reply = parseReply(
    `Done!\r\n\r\n**FILE_WRITTEN:** \`round-1/ada.md\`\r\n- perspectives: P01 [a] one;\r\n  P02 two\r\nTensions: none.\r\nMoves: None\r\n**Claim**: It\r\nholds.\r\n\r\nAnything else?`,
  );
  expect(reply).toEqual({
    file: 'round-1/ada.md',
    perspectives: [
      { id: 'P01', label: 'a', text: 'one' },
      { id: 'P02', label: '', text: 'two' },
    ],
    tensions: [],
    moves: '',
    claim: 'It holds.',
  });
});

test('what is not said is null, and an empty line says nothing', () => {
  expect(parseReply('I would rather not.')).toEqual({
    file: null,
    perspectives: [],
    tensions: null,
    moves: null,
    claim: null,
  });
  expect(parseReply('FILE_WRITTEN:\nClaim:').file).toBeNull();
});

test('a reply of a megabyte is read, and cut short', () => {
  for (const part of ['FILE_WRITTEN: ', 'P01 [', '\n', '*', ' ', '`', 'Claim: x ']) {
    const { claim } = parseReply(part.repeat(1_000_000 / part.length));
    expect(claim?.length ?? 0).toBeLessThan(MAX_MESSAGE);
  }
  expect(parseReply(`Claim: ${'x'.repeat(1_000_000)}`).claim?.length).toBeLessThan(MAX_MESSAGE);
});
