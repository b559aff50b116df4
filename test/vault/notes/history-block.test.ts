import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type HistoryRow, historyOf, MAY_EDIT, withHistory } from '../../../src/vault/history-block.ts';

const FILE = 'instinct/mail.md';
const NOTE = '---\ntype: instinct\nconfidence: 0.9\n---\n\nWhat has been learnt.\n';
const OPEN = '%% steward: history %%';
const CLOSE = '%% /steward %%';

// The times are the reader's own.
beforeAll(() => void vi.stubEnv('TZ', 'UTC'));
afterAll(() => void vi.unstubAllEnvs());

function row(nth: number, before: number, after: number): HistoryRow {
  const at = `2026-11-21T20:19:${String(nth % 60).padStart(2, '0')}Z`;
  return { at, what: `weighed in [[steward-action-${nth}]]`, before, after, observations: nth };
}

test('the first change makes the block at the end: a table and a chart that Mermaid draws', () => {
  expect(withHistory(FILE, NOTE, [row(1, 0.9, 0.91)])).toBe(
    `${NOTE}
%% steward: history %%

| when | what happened | confidence | times right |
| --- | --- | --- | --- |
| 2026-11-21 20:19:01 +00:00 | weighed in [[steward-action-1]] | 0.9 → 0.91 | 1 |

\`\`\`mermaid
xychart-beta
  x-axis "changes, oldest first" 0 --> 1
  y-axis "confidence" 0 --> 1
  line [0.9, 0.91]
\`\`\`

%% /steward %%
`,
  );
});

test('the table holds the last twenty changes, and the chart the same', () => {
  let text = NOTE;
  for (let nth = 1; nth <= 25; nth += 1) text = withHistory(FILE, text, [row(nth, nth / 100, (nth + 1) / 100)]);
  expect(historyOf(FILE, text).map(({ observations }) => observations)).toEqual(
    Array.from({ length: 20 }, (_, nth) => nth + 6),
  );
  expect(/line \[(.*)\]/.exec(text)?.[1]?.split(', ')).toHaveLength(21);
  expect(text.split(OPEN)).toHaveLength(2);
});

test('what a person changed in between is told with the next change', () => {
  const text = withHistory(FILE, withHistory(FILE, NOTE, [row(1, 0.9, 0.91)]), [row(2, 0.5, 0.55)]);
  expect(historyOf(FILE, text).map(({ what, before, after }) => [what, before, after])).toEqual([
    ['weighed in [[steward-action-1]]', 0.9, 0.91],
    ['edited by hand', 0.91, 0.5],
    ['weighed in [[steward-action-2]]', 0.5, 0.55],
  ]);
});

test('a block that a person deleted comes back with the next change', () => {
  expect(withHistory(FILE, NOTE, [row(2, 0.9, 0.8)])).toContain(OPEN);
});

describe('a block that a person wrote into', () => {
  const whole = withHistory(FILE, NOTE, [row(1, 0.9, 0.91)]);

  test.each([
    ['a line among the rows', whole.replace('\n\n```mermaid', '\nWhy so low?\n\n```mermaid')],
    ['a row with figures that are none', whole.replace('0.9 → 0.91', 'Why → so low?')],
    ['a code fence', whole.replace(CLOSE, `\`\`\`\nWhy so low?\n\`\`\`\n${CLOSE}`)],
    ['a chart of their own', whole.replace('xychart-beta', 'xychart-beta\n  title "Why so low?"')],
    ['no end', whole.replace(CLOSE, 'Why so low?')],
    ['two beginnings', whole.replace(CLOSE, `Why so low?\n${OPEN}`)],
  ])('%s: it stands below', (_, text) => {
    const after = withHistory(FILE, text, [row(2, 0.91, 0.92)]);
    expect(after.match(/Why/g)).toHaveLength(1);
    expect(after.indexOf('Why')).toBeGreaterThan(after.indexOf(CLOSE));
    expect(withHistory(FILE, after, [row(3, 0.92, 0.93)]).match(/Why/g)).toHaveLength(1);
  });
});

describe('law', () => {
  const word = fc.constantFrom(
    'thought',
    '| a | table |',
    '',
    '---',
    '```',
    '```mermaid',
    '%% comment %%',
    'ä → ö',
    '  line [1]',
  );
  const lines = fc.array(word, { maxLength: 6 });
  const figure = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 10_000);
  const eol = fc.constantFrom('\n', '\r\n');
  const rows = fc.array(fc.tuple(figure, figure), { minLength: 1, maxLength: 30 });

  test('outside the block every byte stays, however often it is drawn', () => {
    fc.assert(
      fc.property(lines, lines, eol, rows, fc.boolean(), (above, below, end, changes, isOpen) => {
        const head = `---${end}type: instinct${end}---${end}${above.join(end)}`;
        let text = head;
        for (const [nth, [before, after]] of changes.entries()) {
          text = withHistory(FILE, text, [row(nth, before, after)]);
          if (nth === 0) text = `${text}${below.join(end)}${isOpen ? '' : end}`;
        }
        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(`${CLOSE}${end}${below.join(end)}${isOpen ? '' : end}`)).toBe(true);
        expect(historyOf(FILE, text).at(-1)?.after).toBe(changes.at(-1)?.[1]);
        if (end === '\r\n') expect(/[^\r]\n/.test(text)).toBe(false);
      }),
    );
  });

  test('no line that a person put anywhere is lost, and none comes twice', () => {
    const scribbles = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 999 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(scribbles, rows, (written, changes) => {
        let text = withHistory(FILE, NOTE, [row(0, 0.9, 0.8)]);
        const mine: string[] = [];
        for (const [nth, [place, word_]] of written.entries()) {
          const line = `scribble ${nth} ${word_}.`;
          const all = text.split('\n');
          all.splice(4 + (place % (all.length - 3)), 0, line);
          mine.push(line);
          const [before, after] = changes[nth % changes.length] ?? [0, 0];
          text = withHistory(FILE, all.join('\n'), [row(nth, before, after)]);
        }
        for (const line of mine) expect(text.split('\n').filter((one) => one === line)).toHaveLength(1);
      }),
    );
  });
});

describe('what it says first', () => {
  const said = (right: number) => [`How often mail was right: in ${right} of 12 outcomes.`, MAY_EDIT];

  test('stands above the table, and gives way to what is true now', () => {
    const first = withHistory(FILE, NOTE, [row(1, 0.9, 0.91)], said(10));
    expect(first).toContain(`${OPEN}\n\n${said(10).join('\n\n')}\n\n| when | what`);
    const second = withHistory(FILE, first, [row(2, 0.91, 0.92)], said(11));
    expect(second).toContain(`${OPEN}\n\n${said(11).join('\n\n')}\n\n| when | what`);
    expect(second).not.toContain('in 10 of 12');
    expect(second.split(MAY_EDIT)).toHaveLength(2);
  });

  test('stays where nothing new is to be said, and what a person writes beside it stays', () => {
    const first = withHistory(FILE, NOTE, [row(1, 0.9, 0.91)], said(10)).replace(
      MAY_EDIT,
      `My own line.\n\n${MAY_EDIT}`,
    );
    const second = withHistory(FILE, first, [row(2, 0.91, 0.92)]);
    expect(second).toContain(said(10).join('\n\n'));
    expect(second.split('My own line.')).toHaveLength(2);
  });
});

test('a table of an earlier version is read, and goes on in the times of the reader', () => {
  const former = withHistory(FILE, NOTE, [row(1, 0.9, 0.91)])
    .replace('| when |', '| when (UTC) |')
    .replace('2026-11-21 20:19:01 +00:00', '2026-11-21T20:19:01Z');
  vi.stubEnv('TZ', 'Asia/Kolkata');
  try {
    const next = withHistory(FILE, former, [row(2, 0.91, 0.92)]);
    expect(next.match(/^\| 2026.*$/gm)).toEqual([
      '| 2026-11-22 01:49:01 +05:30 | weighed in [[steward-action-1]] | 0.9 → 0.91 | 1 |',
      '| 2026-11-22 01:49:02 +05:30 | weighed in [[steward-action-2]] | 0.91 → 0.92 | 2 |',
    ]);
    expect(next).not.toContain('(UTC)');
    expect(historyOf(FILE, next)).toEqual([row(1, 0.9, 0.91), row(2, 0.91, 0.92)]);
  } finally {
    vi.stubEnv('TZ', 'UTC');
  }
});
