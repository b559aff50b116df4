import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rules } from '../../src/providers/substitutes.ts';
import { readNote } from '../../src/vault/frontmatter.ts';
import { linkKey, wikilink } from '../../src/vault/links.ts';
import {
  choiceList,
  countCheckboxes,
  escapeMarkdown,
  findChosen,
  type HistoryRow,
  hasChosen,
  lastTicked,
  linkTo,
  liveMark,
  MAY_EDIT,
  noteText,
  readHistory,
  tickedCandidates,
  unmarked,
  withHistory,
} from '../../src/vault/note-text.ts';
import { liveParts } from '../injection/live.ts';
import { Clock, DAY } from '../support/clock.ts';
import { HOUSE, task, weak } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

describe('the checkboxes of a body', () => {
  test.each([
    ['- [ ] one', { open: 1, ticked: 0 }],
    ['- [x] one\n* [X] two\n+ [-] three\n1. [ ] four\n2) [x] five', { open: 1, ticked: 4 }],
    ['  - [ ] nested\n\t- [x] more', { open: 1, ticked: 1 }],
    ['> [!todo]\n> - [ ] in a callout', { open: 1, ticked: 0 }],
    ['- [/] begun\n- [>] put off\n- [?] asked', { open: 3, ticked: 0 }],
    ['- [x]', { open: 0, ticked: 1 }],
    ['- [ ] one\r\n- [x] two\r\n', { open: 1, ticked: 1 }],
    ['```\n- [ ] code\n```\n- [x] text', { open: 0, ticked: 1 }],
    ['~~~~\n- [ ] code\n~~~\n- [ ] code still\n~~~~', null],
    ['- [](link)\n- [x](link)\n- [xx] two\n-[ ] no space\n[ ] no list\n- plain', null],
    ['', null],
  ])('%j', (body, boxes) => {
    expect(countCheckboxes(body)).toEqual(boxes);
  });

  test('the last ticked one is named as it stands', () => {
    expect(lastTicked('- [x] one\n  - [x] **two**  \n- [ ] three')).toBe('- [x] **two**');
    expect(lastTicked('- [ ] three')).toBe(null);
  });

  test('LAW: every box is open or ticked, and ticking one changes nothing else', () => {
    const lines = fc.array(fc.constantFrom('- [ ] a', '- [x] b', 'text', '> 3. [ ] c', '', '* [-] d'));
    fc.assert(
      fc.property(lines, (all) => {
        const before = countCheckboxes(all.join('\n'));
        const boxes = all.filter((line) => line.includes('['));
        expect((before?.open ?? 0) + (before?.ticked ?? 0)).toBe(boxes.length);
        const after = countCheckboxes(all.join('\n').replace('[ ]', '[x]'));
        if (before !== null && before.open > 0)
          expect(after).toEqual({ open: before.open - 1, ticked: before.ticked + 1 });
      }),
    );
  });

  test('a body of a mebibyte is read in no time, whatever stands in it', () => {
    for (const piece of ['- [', '> '.repeat(10), '- [ ] \n', '`'.repeat(3), '\t', '1'.repeat(50)]) {
      const body = piece.repeat(Math.floor(2 ** 20 / piece.length));
      const since = performance.now();
      countCheckboxes(body);
      expect(performance.now() - since).toBeLessThan(2_000);
    }
  });
});

/** Names as files may have them, those that break a link among them. */
const fileName = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter((name) => !/[/\p{Cc}]/u.test(name));
const links = fc
  .uniqueArray(fileName, { minLength: 1, maxLength: 10, selector: (name) => linkKey(wikilink(`${name}.md`)) })
  .map((names) => names.map((name) => wikilink(`task/${name}.md`)));

function ticked(list: string, nth: number): string {
  return list
    .split('\n')
    .map((line, at) => (at === nth ? line.replace('[ ]', '[x]') : line))
    .join('\n');
}

describe('the list in which a note is chosen', () => {
  test('LAW: no tick is no choice, and one line stands for each note, whatever it is called', () => {
    fc.assert(
      fc.property(links, (candidates) => {
        const list = choiceList(candidates);
        expect(list.split('\n')).toHaveLength(candidates.length);
        expect(tickedCandidates(list, candidates)).toEqual([]);
      }),
    );
  });

  test('LAW: one tick chooses the note of its line or, where its name breaks a link, none; never another', () => {
    fc.assert(
      fc.property(links, fc.nat(9), (candidates, at) => {
        const nth = at % candidates.length;
        const chosen = tickedCandidates(ticked(choiceList(candidates), nth), candidates);
        const isLink = choiceList(candidates).split('\n')[nth] === `- [ ] ${candidates[nth]}`;
        expect(chosen).toEqual(isLink ? [candidates[nth]] : []);
      }),
    );
  });

  test.each([
    ['nothing', null, [], null, false],
    ['one tick', null, ['[[pay]]'], '[[pay]]', true],
    ['the written word', '[[pay]]', [], '[[pay]]', true],
    ['both, and they agree', '[[Pay|now]]', ['[[pay]]'], '[[pay]]', true],
    ['both, and they differ', '[[call]]', ['[[pay]]'], null, true],
    ['two ticks', null, ['[[pay]]', '[[call]]'], null, true],
  ])('%s', (_, choose, ticks, chosen, isChosen) => {
    expect(findChosen({ choose, ticked: ticks })).toBe(chosen);
    expect(hasChosen({ choose, ticked: ticks })).toBe(isChosen);
  });

  test('a long body of boxes costs no time', () => {
    const body = `${'- [x] [[other]] '.repeat(20_000)}\n${'- [x] [[a\n'.repeat(20_000)}- [x] ${'['.repeat(50_000)}`;
    const from = performance.now();
    expect(tickedCandidates(body, ['[[pay]]'])).toEqual([]);
    expect(performance.now() - from).toBeLessThan(2000);
  });
});

test('after a clock that ran ahead a proposal waits for the person', async () => {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), 'signal/a.md': weak() });
  const clock = new Clock();
  const bench = await Bench.open(vault, { clock });
  clock.move(30 * DAY);
  await bench.tick();
  await bench.dismiss(only(vault.events()));
  clock.move(-30 * DAY);
  // Of another change: what was dismissed as wrong is not proposed again.
  const proposal = { class: 'context_edit', set: { due: '2035-12-24' } };
  vault.write('signal/b.md', weak({ raw_quote: 'b', mutation_proposal: proposal }));
  await bench.tick();
  expect(bench.openProposals()).toHaveLength(1);
  await bench.dismiss(only(bench.openProposals()).event.path);
  expect(vault.read('task/pay.md')).toBe(task());
});

test('a refusal is noted again after a clock that ran ahead is set back', async () => {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task() });
  const clock = new Clock();
  const bench = await Bench.open(vault, { clock, evaluator: { ...rules, asksModel: true } });
  const burst = async (name: string) => {
    for (let nth = 0; nth < 7; nth += 1) {
      vault.write(`signal/${name}${nth}.md`, weak({ raw_quote: `${name}${nth}` }));
      await bench.tick();
    }
  };
  clock.move(365 * DAY);
  await burst('a');
  clock.move(-364 * DAY);
  await burst('b');
  const refusals = vault.events().filter((event) => vault.fields(event).decision === 'rate_guarded');
  expect(refusals).toHaveLength(2);
});

const MARKS = [
  '[[',
  ']]',
  '![',
  '](',
  '<%',
  '%>',
  '%%',
  '::',
  '://',
  '`',
  '$',
  '#',
  '|',
  '\\',
  '~~~',
  '&#',
  '---',
  '> ',
  '1. ',
  'www.',
  'a@b',
  '^x',
  '\n',
  '\u202e',
  '\u{e0041}',
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...MARKS), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

describe('text from outside in a body', () => {
  test('law: is nothing but text, whatever it holds', () => {
    fc.assert(fc.property(hostile, (text) => void expect(liveParts(escapeMarkdown(text), [])).toEqual([])));
  });

  test('law: reads the same', () => {
    const visible = hostile.map((text) => unmarked(text));
    fc.assert(
      fc.property(visible, (text) => void expect(escapeMarkdown(text).replace(/\\([!-/:-@[-`{-~])/g, '$1')).toBe(text)),
    );
  });

  test.each([
    ['![x](https://evil.example/p.png)', '!\\[x\\](https\\://evil.example/p.png)'],
    ['<%* run() %>', '\\<\\%* run() %\\>'],
    ['state:: done %%', 'state\\:\\: done \\%\\%'],
    ['# Heading', '\\# Heading'],
    ['- [x] undo', '\\- \\[x\\] undo'],
    ['1. first', '1\\. first'],
    [
      'Rechnung 114 ist bezahlt: 50 % von 840,00 € (am 12.11.)',
      'Rechnung 114 ist bezahlt: 50 % von 840,00 € (am 12.11.)',
    ],
  ])('%s', (text, expected) => expect(escapeMarkdown(text)).toBe(expected));

  test('links that the program wrote itself stay links, and no others', () => {
    expect(escapeMarkdown('paid, by [[one]] and [[diary]]', ['one'])).toBe('paid, by [[one]] and \\[\\[diary\\]\\]');
    expect(linkTo('pay-deposit')).toBe('[[pay-deposit]]');
    expect(linkTo('a]] ![[b')).toBe('a\\]\\] !\\[\\[b');
  });
});

describe('a template', () => {
  test('law: stands nowhere in the frontmatter of a note, and is read back as it was', () => {
    const words = fc.array(fc.constantFrom('<%', '%>', '<', '%', '>', 'a', ' ', '"', "'", ': ', '\n', '\\', '-'), {
      maxLength: 10,
    });
    const text = words.map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        text,
        fc.dictionary(text, text, { maxKeys: 3 }),
        fc.array(text, { maxLength: 3 }),
        (one, map, list) => {
          const written = noteText({ one, map, list, plain: 'yes' }, '');
          expect(written).not.toMatch(/<%|%>/);
          const read = readNote('note.md', Buffer.from(written));
          expect(read.ok && read.note.data).toEqual({ one, map, list, plain: 'yes' });
        },
      ),
    );
  });
});

test.each([
  ['Waits for the notary, 50 % paid (see invoice #114a)', null],
  ['Family 👨‍👩‍👧: $500 each', null],
  ['![x](x)', 'an embed'],
  ['[renew](x)', 'a link with a text'],
  ['https://evil.example', 'an address'],
  ['<img src=x>', 'HTML'],
  ['`$= 1`', 'code'],
  ['<% x %>', 'a template'],
  ['paid\u202e', 'hidden text'],
])('in a field: %s', (text, mark) => expect(liveMark(text)).toBe(mark));

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
  expect(readHistory(FILE, text).map(({ observations }) => observations)).toEqual(
    Array.from({ length: 20 }, (_, nth) => nth + 6),
  );
  expect(/line \[(.*)\]/.exec(text)?.[1]?.split(', ')).toHaveLength(21);
  expect(text.split(OPEN)).toHaveLength(2);
});

test('what a person changed in between is told with the next change', () => {
  const text = withHistory(FILE, withHistory(FILE, NOTE, [row(1, 0.9, 0.91)]), [row(2, 0.5, 0.55)]);
  expect(readHistory(FILE, text).map(({ what, before, after }) => [what, before, after])).toEqual([
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
        expect(readHistory(FILE, text).at(-1)?.after).toBe(changes.at(-1)?.[1]);
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
  const said = (right: number) => [`News by mail was right ${right} of 12 times.`, MAY_EDIT];

  test('stands above the table, and gives way to what is true now', () => {
    const first = withHistory(FILE, NOTE, [row(1, 0.9, 0.91)], said(10));
    expect(first).toContain(`${OPEN}\n\n${said(10).join('\n\n')}\n\n| when | what`);
    const second = withHistory(FILE, first, [row(2, 0.91, 0.92)], said(11));
    expect(second).toContain(`${OPEN}\n\n${said(11).join('\n\n')}\n\n| when | what`);
    expect(second).not.toContain('right 10 of 12');
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
