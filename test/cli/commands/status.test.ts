import { expect, test } from 'vitest';
import { ago, headline, printStatus, type StatusSections } from '../../../src/cli/commands/status.ts';
import * as sections from '../../../src/cli/commands/status-sections.ts';
import { Printer } from '../../../src/cli/terminal.ts';
import type { Status } from '../../../src/daemon/compose.ts';
import type { WaitingEntry } from '../../../src/steward/inbox.ts';
import { HOUSE } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench } from '../../support/workspace.ts';

/** A vault in which nothing waits and nothing is wrong. */
async function quietStatus(): Promise<Status> {
  return { ...(await Bench.open(new TempVault(HOUSE))).status(), trouble: [], waiting: [] };
}

/** What is printed on a terminal of this size, without colours. */
function printed(status: Status, shown: StatusSections = {}, rows = 24, columns = 80): string[] {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  printStatus(new Printer({ isTTY: true, rows, columns, write }, { NO_COLOR: '1' }), status, shown, sections);
  return text.split('\n').slice(0, -1);
}

function proposal(nth: number, parts: Partial<WaitingEntry> = {}): WaitingEntry {
  return {
    ...{ kind: 'proposal', event: `e${nth}`, target: `task/Task ${nth}.md`, change: 'state open → done' },
    ...{
      from: 'anna@notary.example',
      quote: 'all is done',
      mail: null,
      warning: null,
      told: null,
      since: `2026-11-${10 + nth}T09:00:00.000Z`,
    },
    ...{
      answers: ['confirm', 'dismiss'],
      candidates: [],
      likelihood: null,
      matter: 'matter/m0.md',
      trust: null,
      why: [],
      isStale: false,
    },
    ...parts,
  };
}

const trouble = (nth: number) => ({
  ...({ id: `c-${nth}`, severity: 'limits' } as const),
  ...{ code: 'c', file: `task/t${nth}.md`, line: null, column: null, message: `Wrong ${nth}.`, hint: 'Mend it.' },
});

function matters(count: number): Status['schedules'] {
  return Array.from({ length: count }, (_, nth) => ({
    ...({ name: `steward-m${nth}`, matter: `matter/m${nth}.md`, state: 'waiting', cadence: '', reason: '' } as const),
    ...{ last: null, next: '2026-11-20T10:00:00.000Z', skipped: null },
  }));
}

test('the first line counts what waits, what is wrong and what is well, and leaves out what there is none of', async () => {
  const quiet = await quietStatus();
  const at = '2026-11-20T10:00:00.000Z';
  const mail = { name: 'inbox', kind: 'imap', state: 'working', contact: '2026-11-20T09:58:00.000Z' } as const;
  const sourceNotes = [{ ...mail, event: null, lag: null, seen: 0, taken: 0, trouble: [] }];
  const calm = { ...quiet, at, schedules: matters(12) };
  expect(headline(calm)).toBe('Nothing waits for you · 12 matters well');
  expect(headline({ ...calm, schedules: matters(1) })).toBe('Nothing waits for you · 1 matter well');
  const one = { ...calm, waiting: [proposal(1)], trouble: [trouble(1)], sourceNotes };
  expect(headline(one)).toBe('1 waits for you · 1 problem · 11 matters well · mail read 2 min ago');
  const many = { ...calm, waiting: [proposal(1), proposal(2)], trouble: [trouble(1), trouble(2)], schedules: [] };
  expect(headline(many)).toBe('2 wait for you · 2 problems');
  expect(headline({ ...calm, vault: { ...calm.vault, state: 'away', reason: 'gone' } })).toBe('The vault is away');
});

test.each([
  [0, 'just now'],
  [-5_000, 'just now'],
  [119, '119 min ago'],
  [120, '2 h ago'],
  [47 * 60, '47 h ago'],
  [48 * 60, '2 days ago'],
])('%i minutes are told as people do', (minutes, words) => {
  const now = Date.parse('2026-11-20T10:00:00.000Z');
  expect(ago(new Date(now - minutes * 60_000).toISOString(), new Date(now).toISOString())).toBe(words);
});

test('a quiet vault of twelve matters fits one screen, with all that waits named or counted', async () => {
  const quiet = await quietStatus();
  for (const many of [0, 1, 5, 17]) {
    const waiting = Array.from({ length: many }, (_, nth) => proposal(nth));
    const lines = printed({ ...quiet, schedules: matters(12), waiting, trouble: [trouble(1), trouble(2), trouble(3)] });
    expect(lines.length, `${many} wait`).toBeLessThan(24);
    const named = lines.filter((line) => line.startsWith('  proposal')).length;
    const counted = Number(/… and (\d+) more: steward inbox/.exec(lines.join('\n'))?.[1] ?? 0);
    expect(named + counted).toBe(many);
    expect(lines).toContain('  … and 1 more: steward status --all');
  }
});

test('what is newest comes first, a conflict before it; lines are cut to the terminal, wide letters counted twice', async () => {
  const quiet = await quietStatus();
  const waiting = [proposal(1), proposal(2), proposal(3, { kind: 'conflict', change: '大'.repeat(90) })];
  const entries = printed({ ...quiet, waiting }).filter((line) => /^ {2}(proposal|conflict)/.test(line));
  expect(entries.map((line) => line.slice(12, 18))).toEqual(['Task 3', 'Task 2', 'Task 1']);
  expect(entries[0]?.endsWith('…')).toBe(true);
  expect((entries[0] ?? '').length).toBeLessThan(60);
});

test('a larger screen has room for more', async () => {
  const quiet = await quietStatus();
  const waiting = Array.from({ length: 17 }, (_, nth) => proposal(nth));
  const lines = printed({ ...quiet, waiting }, {}, 60);
  expect(lines.filter((line) => line.startsWith('  proposal'))).toHaveLength(17);
});

test('the schedules come where they are asked for, and every section with --all', async () => {
  const quiet = await quietStatus();
  const status = { ...quiet, schedules: matters(2) };
  expect(printed(status)).not.toContain('Schedules');
  expect(printed(status, { schedules: true })).toContain('Schedules');
  expect(printed(status, { schedules: true })).not.toContain('Gates');
  expect(printed(status, { all: true })).toEqual(expect.arrayContaining(['Schedules', 'Gates']));
});

test('of many sources the first are listed with their figures, and how many more there are', async () => {
  const quiet = await quietStatus();
  const sources = Array.from({ length: 18 }, (_, nth) => ({
    ...{ source: `mail:s${nth}@x.example`, confidence: 0.9, observations: nth, threshold: 0.95, wrong: 1 },
    ...{ status: 'live', pinned: nth === 0 },
  }));
  const text = `${printed({ ...quiet, sources }, { all: true }).join('\n')}\n`;
  expect(text).toMatch(/^ {2}mail:s0@x\.example +0\.90 +needs 0\.95 +0 right +1 wrong +live, pinned$/m);
  expect(text).toContain('mail:s14@x.example');
  expect(text).not.toContain('mail:s15@x.example');
  expect(text).toContain('\n  and 3 more\n');
});

test('the sample of the week is one line, and what waits for the quiet hours is said with the messages', async () => {
  const held = { things: 2, until: '2026-11-20T06:00:00.000Z' };
  const notify = { wants: 'each', today: 0, atMost: 5, digestAt: null, held, actions: null, channels: [] } as const;
  const status = { ...(await quietStatus()), notify, sample: 'event/2026-11/ledger-2026-W47.md' };
  expect(printed(status)).toContain('ledger: tick what mattered in ledger-2026-W47');
  const [line] = sections.notifyLines(notify).slice(1);
  expect(line).toMatch(/^2 things wait for the next message, after your quiet hours: 20 Nov /);
});

test('a warning names the note, and doubts the sender', async () => {
  const warning = '⚠ Not from anna@notary.example: your mail server rejected the sender.';
  const lines = printed({ ...(await quietStatus()), warnings: [proposal(1, { warning })] }, {}, 24, 100);
  expect(lines.slice(2, 5)).toEqual([
    `  ${warning}`,
    '            Task 1  state open → done',
    expect.stringMatching(/^ {12}sender as shown: anna@notary\.example {2}“all is done”/),
  ]);
});

test('a licence is said to have no effect in shadow, and signals to be evaluated when they will be', async () => {
  const quiet = await quietStatus();
  const anna = { note: 'licence/anna.md', sender: 'mail:anna@notary.example', lacking: null };
  const licences = [anna];
  const signal = { signal: 'signal/s.md', target: 'task/pay.md', from: null };
  const pending = [1, 2].map(() => ({ ...signal, reason: 'evaluated at the next check', until: null }));
  const lines = printed({ ...quiet, licences, pending });
  expect(lines).toContain('2 signals to evaluate at the next check');
  expect(printed({ ...quiet, schedules: matters(1) }).some((line) => line.startsWith('next check '))).toBe(true);
  expect(lines).toContain('anna@notary.example may act without asking: steward licence');
  expect(printed({ ...quiet, licences: [{ ...anna, lacking: 'no server is trusted' }] })).toContain(
    'anna@notary.example has a licence (no effect yet): steward licence',
  );
  const mode = { ...quiet.mode, effective: 'shadow' };
  expect(
    printed({ ...quiet, licences, mode })
      .join(' ')
      .replace(/ +/g, ' '),
  ).toContain('anna@notary.example has a licence (no effect in shadow): steward licence');
});
