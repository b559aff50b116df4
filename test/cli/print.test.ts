import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { printDoctor } from '../../src/cli/commands/doctor.ts';
import { printExplanation } from '../../src/cli/commands/explain.ts';
import { printImported } from '../../src/cli/commands/import.ts';
import { printLog } from '../../src/cli/commands/log.ts';
import { printAccepted } from '../../src/cli/commands/rehearse.ts';
import { printReport } from '../../src/cli/commands/report.ts';
import { printTicks } from '../../src/cli/commands/tick.ts';
import { printEvent } from '../../src/cli/daemon-log.ts';
import { printDecision } from '../../src/cli/inbox-view.ts';
import { printAnswers } from '../../src/cli/print.ts';
import { Printer } from '../../src/cli/terminal.ts';
import type { DaemonEvent } from '../../src/daemon/environment.ts';
import type { TickResult } from '../../src/daemon/ticker.ts';
import { FATES, type Fate, type Scorecard } from '../../src/features/report.ts';
import type { WaitingEntry } from '../../src/steward/inbox.ts';

/** A stream that keeps what was written, and can pose as a terminal. */
class Screen extends Writable {
  readonly isTTY: boolean;
  text = '';

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

function printer(isTTY: boolean, env: NodeJS.ProcessEnv = {}): { out: Printer; screen: Screen } {
  const screen = new Screen(isTTY);
  // The printer uses only `write`, `on` and `isTTY` of its stream.
  return { out: new Printer(screen as unknown as NodeJS.WriteStream, env), screen };
}

// Clears the screen, sets the title, reverses the text, and starts a line that the program never printed.
const HOSTILE = 'x\u001b[2J\u001b]0;mine\u0007\u009b31m\u202egnp\u2066\r\nall well';
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const HAPPENINGS: DaemonEvent[] = [
  { what: 'started', vault: HOSTILE, mode: 'live', matters: 1 },
  { what: 'schedule-provisioned', name: HOSTILE, cadence: HOSTILE, next: 0 },
  { what: 'schedule-removed', name: HOSTILE, reason: HOSTILE },
  { what: 'ticked', name: HOSTILE, targets: 1, events: 0, skipped: HOSTILE },
  { what: 'skipped', name: HOSTILE, reason: HOSTILE },
  { what: 'stream-read', file: HOSTILE, about: HOSTILE, signals: 0, reason: HOSTILE },
  { what: 'closed', event: HOSTILE, target: HOSTILE, reason: HOSTILE },
  { what: 'refused', file: HOSTILE, outcome: HOSTILE, reason: HOSTILE },
  { what: 'signal-written', signal: HOSTILE, target: HOSTILE, headline: HOSTILE, candidates: [] },
  { what: 'signal-written', signal: HOSTILE, target: HOSTILE, headline: HOSTILE, candidates: [HOSTILE, HOSTILE] },
  ...(['acted', 'proposed', 'recorded', 'confirmed'] as const).map((what) => ({
    what,
    event: HOSTILE,
    target: HOSTILE,
    decision: HOSTILE,
    confidence: 0.5,
    changes: { [HOSTILE]: { before: HOSTILE, after: [HOSTILE] } },
    reason: HOSTILE,
  })),
  { what: 'dismissed', event: HOSTILE, target: HOSTILE },
  { what: 'reversed', event: HOSTILE, outcome: 'reversed', target: HOSTILE, calibration: { [HOSTILE]: HOSTILE } },
  { what: 'away', reason: HOSTILE },
  {
    what: 'trouble',
    trouble: { code: 'x', file: HOSTILE, line: 1, column: 1, message: HOSTILE, hint: HOSTILE, excerpt: HOSTILE },
  },
];

test.each(HAPPENINGS.map((one) => [one.what, one] as const))(
  'no control character of a vault reaches the terminal, and a thing that happened is one line: %s',
  (_, one) => {
    const { out, screen } = printer(false);
    printEvent(out, one);
    expect(screen.text).not.toMatch(CONTROL);
    expect(screen.text.split('\n')).toHaveLength(2);
  },
);

test('nor in what a command answers', () => {
  const { out, screen } = printer(false);
  const changes = { [HOSTILE]: { before: HOSTILE, after: { deep: HOSTILE } } };
  const calibration = { [HOSTILE]: HOSTILE };
  out.trouble({ code: 'x', file: HOSTILE, line: 2, column: 3, message: HOSTILE, hint: HOSTILE, excerpt: HOSTILE });
  printAnswers(
    out,
    [
      {
        event: HOSTILE,
        outcome: 'conflict',
        note: HOSTILE,
        target: HOSTILE,
        changes,
        calibration,
        untaught: null,
        message: HOSTILE,
        until: null,
      },
    ],
    false,
  );
  printLog(out, [
    {
      event: HOSTILE,
      time: HOSTILE,
      target: HOSTILE,
      decision: HOSTILE,
      mode: 'live',
      confidence: 1,
      outcome: HOSTILE,
      by: HOSTILE,
      reason: HOSTILE,
      changes,
      candidates: [],
      asks: HOSTILE,
    },
  ]);
  printExplanation(out, {
    schemaVersion: 1,
    note: HOSTILE,
    kind: 'task',
    sentence: HOSTILE,
    gates: [],
    gatesNow: [],
    standing: null,
    ...{ licences: [], outcomes: [], last: null, considered: [] },
    sections: [{ title: 'Now', lines: [HOSTILE] }],
  });
  printImported(out, [
    {
      from: HOSTILE,
      file: HOSTILE,
      signals: [HOSTILE],
      reason: null,
      understood: true,
      unread: false,
      complete: true,
      items: null,
    },
  ]);
  const skipped = [{ path: HOSTILE, code: 'unasked', reason: HOSTILE }] as const;
  printTicks(
    out,
    [{ matter: HOSTILE, targets: 1, events: [HOSTILE], heard: true, guarded: false, retryAt: null, skipped }],
    true,
  );
  printDoctor(out, { shown: [], hidden: [] }, [{ name: 'vault', found: HOSTILE }], null);
  out.json({ note: HOSTILE });
  expect(screen.text).not.toMatch(CONTROL);
});

test('nor in the scorecard', () => {
  const { out, screen } = printer(false);
  const fates = Object.fromEntries(FATES.map((fate) => [fate, 1])) as Record<Fate, number>;
  const precision = { value: 1, low: 0.5, high: 1 };
  const tally = { cases: 9, acted: 3, proposed: 3, shadow: 3, fates, right: 3, wrong: 4, precision };
  const groups = [{ name: HOSTILE, tally }];
  const report: Scorecard = {
    ...{ schemaVersion: 1, since: HOSTILE, matter: HOSTILE, mode: 'shadow', total: tally, cases: [] },
    automatic: { changes: 3, wrong: 1, share: precision },
    missed: { mattered: 0, drawn: 0, setAside: 0, unanswered: HOSTILE, share: null },
    ...{ sources: groups, classes: groups, decisions: groups, weeks: [], modes: [], advice: [], licences: [] },
  };
  printReport(out, report, 'shell', { path: HOSTILE, state: 'left', reason: HOSTILE });
  expect(screen.text).not.toMatch(CONTROL);
});

test('nor in what a rehearsal wrote', () => {
  const { out, screen } = printer(false);
  printAccepted(out, {
    licences: [HOSTILE],
    names: [{ field: 'senders', name: HOSTILE, note: HOSTILE }],
    learnt: [{ sender: HOSTILE, before: 0.9, after: 0.91, observations: 1 }],
    refused: [HOSTILE],
  });
  expect(screen.text).not.toMatch(CONTROL);
});

test('json means what it meant: the control characters are escaped, not lost', () => {
  const { out, screen } = printer(true);
  out.json({ note: HOSTILE });
  expect(JSON.parse(screen.text)).toEqual({ note: HOSTILE });
});

const TROUBLE = { code: 'x', file: 'task/a.md', line: 2, column: 3, message: 'It is so.', hint: 'Mend it.' };

test('a trouble says where, what, the line with its caret, and what to do', () => {
  const { out, screen } = printer(false);
  out.trouble({ ...TROUBLE, excerpt: 'state: [\n       ^' });
  expect(screen.text).toBe('task/a.md:2:3  It is so. (x)\n    state: [\n           ^\n  Mend it.\n');
});

test.each([
  ['a terminal', true, {}, true],
  ['a terminal, under NO_COLOR', true, { NO_COLOR: '1' }, false],
  ['a terminal, with NO_COLOR empty', true, { NO_COLOR: '' }, true],
  ['a pipe', false, {}, false],
  ['a pipe, under FORCE_COLOR', false, { FORCE_COLOR: '1' }, false],
] as const)('colour on %s', (_, isTTY, env, coloured) => {
  const { out, screen } = printer(isTTY, env);
  out.trouble(TROUBLE);
  expect(screen.text.includes('\u001b[')).toBe(coloured);
});

describe('why a note was skipped', () => {
  const until = new Date(2020, 10, 29, 14, 5).getTime();
  const told = (skip: Omit<TickResult['skipped'][number], 'path'>, isNamed = true) => {
    const { out, screen } = printer(false);
    const skipped = [{ path: 'task/pay.md', ...skip }];
    printTicks(out, [{ ...TICK, skipped }], isNamed);
    return screen.text.split('\n')[1];
  };
  const TICK = { matter: 'matter/house.md', targets: 0, events: [], heard: false, guarded: false, retryAt: null };

  test.each([
    [
      { code: 'not-due', reason: 'not due: normal: every 4 h', until },
      'not due until 29 Nov 2020 14:05 (normal: every 4 h)',
    ],
    [{ code: 'not-due', reason: 'not due: none: only when asked' }, 'not due automatically (none: only when asked)'],
    [
      { code: 'no-signals', reason: 'no signals (1 of a source ignored here)' },
      'nothing new (1 of a source ignored here)',
    ],
    [{ code: 'finished', reason: 'it is done' }, 'closed: it is done'],
    [{ code: 'settling', reason: 'settling: it was just edited', until }, 'being edited; again 29 Nov 2020 14:05'],
    [{ code: 'hands-off', reason: 'house says steward: false' }, 'house says steward: false'],
    [{ code: 'quiet-hours', reason: 'quiet hours' }, 'quiet hours'],
    [
      {
        code: 'rate-guarded',
        reason: 'rate guarded: 6 of 6 used by this task in a day; free at 2026-11-29T13:05:00Z',
        until,
      },
      'rate guard: 6 of 6 used by this task in a day; again 29 Nov 2020 14:05',
    ],
    [
      { code: 'budget', reason: 'budget: 1 of 1 USD used in a day; free at 2026-11-29T13:05:00Z', until },
      'budget: 1 of 1 USD used in a day; again 29 Nov 2020 14:05',
    ],
  ] as const)('%o', (skip, words) => {
    expect(told(skip)).toBe(`  pay: ${words}`);
  });

  test('of matters that nobody named, what is out of the ordinary is printed, and the rest is counted', () => {
    expect(told({ code: 'no-signals', reason: 'no signals' }, false)).toBe('  1 note skipped: 1 without news');
    expect(told({ code: 'unasked', reason: 'not judged: no network' }, false)).toBe('  pay: not judged: no network');
  });
});

test('the log joins a proposal with its answer, and names what was undone since', () => {
  const { out, screen } = printer(false);
  const base = {
    ...{ time: '2026-11-30T10:00:00Z', target: 'task/Order tiles.md', candidates: [], mode: 'live', confidence: 0.83 },
    ...{
      decision: 'likely_done',
      by: null,
      reason: null,
      changes: { state: { before: 'open', after: 'done' } },
      asks: null,
    },
  };
  const dismissal = { ...base, event: 'steward-action-dismissed-4', outcome: 'reversed', changes: {} };
  const confirmation = { ...base, event: 'steward-action-confirmed-2', outcome: 'confirmed' };
  printLog(out, [
    { ...dismissal, event: 'steward-action-reversed-5', decision: 'reversal' },
    dismissal,
    { ...base, event: 'steward-action-3', outcome: 'proposed' },
    confirmation,
    { ...base, event: 'steward-action-1', outcome: 'confirmed', by: confirmation.event },
    { ...base, event: 'steward-action-confirmed-0', outcome: 'reversed' },
    { ...base, event: 'steward-action-0', outcome: 'confirmed', by: 'steward-action-confirmed-0' },
  ]);
  const happened = screen.text.split('\n').filter((line) => line.includes('Order tiles'));
  expect(happened.map((line) => line.replace(/^.*?\d\d:\d\d {2}/, ''))).toEqual([
    expect.stringMatching(/^undone {2}Order tiles$/),
    expect.stringMatching(/^dismissed \(undone since\) {2}Order tiles/),
    expect.stringMatching(/^proposed {2}Order tiles/),
    expect.stringMatching(/^confirmed \(proposed .+\) {2}Order tiles {2}likely_done 0\.83$/),
    expect.stringMatching(/^confirmed \(proposed .+, undone since\) {2}Order tiles {2}likely_done 0\.83$/),
  ]);
});

test('columns are as wide as what they show, also in wide letters, and no line of the log is too wide', () => {
  const { out, screen } = printer(false);
  out.rows([
    ['京都旅行の計画', 'next'],
    ['House', 'next'],
  ]);
  expect(screen.text).toBe('  京都旅行の計画  next\n  House           next\n');
  const terminal = printer(true, { NO_COLOR: '1' });
  const title = 'Anzahlung für die Dachsanierung überweisen und den Eingang schriftlich bestätigen lassen';
  const logged = {
    ...{ time: '2026-11-30T10:00:00Z', target: `task/${title}.md`, candidates: [], mode: 'live', confidence: 0.83 },
    ...{ decision: 'likely_done', by: null, reason: null, changes: {}, asks: null, outcome: 'proposed' },
  };
  printLog(terminal.out, [{ ...logged, event: `steward-action-2026-11-30T10-00-00Z-${title}` }]);
  for (const line of terminal.screen.text.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});

describe('an entry of the inbox', () => {
  const ENTRY: WaitingEntry = {
    ...{ kind: 'choice', event: 'signal-action-1', target: null, change: 'status → done', from: null, quote: null },
    ...{ mail: null, told: null, since: null, answers: ['choose', 'dismiss'], candidates: ['[[Pay the deposit]]'] },
    ...{ likelihood: 0.5, matter: null, trust: null, why: [], warning: null, isStale: false },
  };

  function shown(entry: WaitingEntry): string {
    const { out, screen } = printer(false);
    printDecision(out, entry, { withEvent: false });
    return screen.text;
  }

  test('names the only note that may be meant', () => {
    expect(shown(ENTRY)).toBe('  choice  Pay the deposit?  status → done\n    1  Pay the deposit\n');
  });

  test('joins its reasons into one sentence, with senders as people know them', () => {
    const why = ['It says “till”.', 'Anna has no licence.'];
    const sender = 'anna@notary.example (not authenticated)';
    const trust = {
      source: 'mail:unverified:anna@notary.example',
      sender,
      right: 0,
      wrong: 0,
      reached: 0.84,
      needed: 0.95,
    };
    const text = shown({ ...ENTRY, kind: 'proposal', target: 'task/pay.md', candidates: [], why, trust });
    expect(text).toContain('    anna@notary.example (not authenticated) is new here\n');
    expect(text).toContain('    only proposed: it says “till”; Anna has no licence\n');
  });
});
