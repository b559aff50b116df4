import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Sandbox } from './support.ts';

/*
 * What `--json` promises to other programs (contract, 12.10): schemaVersion 1, these field names, ISO times.
 * Fields may be added, never renamed.
 */

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const TEXT = expect.any(String);
const NUMBER = expect.any(Number);

async function json(sandbox: Sandbox, words: string[], exit = 0, env: NodeJS.ProcessEnv = {}) {
  const ended = await sandbox.steward([...words, '--vault', 'vault', '--json'], env);
  expect(ended, ended.stderr).toMatchObject({ exit });
  return JSON.parse(ended.stdout);
}

test('status --json', async () => {
  await using sandbox = new Sandbox('example');
  sandbox.write('task/broken.md', '---\nstate: [open\n---\n');
  const status = await json(sandbox, ['status']);
  expect(status).toMatchObject({
    schemaVersion: 1,
    vault: { path: sandbox.vault, state: 'present' },
    daemon: { state: 'stopped', pid: null, since: null },
    mode: { ceiling: 'shadow', vault: 'live', effective: 'shadow' },
    streams: { seen: 7, read: 0, signals: 0, skipped: 0, refused: [], unreadKinds: [] },
    kept: [],
    gates: { backoffUntil: null },
  });
  expect(status.schedules).toContainEqual(
    expect.objectContaining({
      name: 'steward-allotment-garden',
      matter: 'matter/2026/allotment-garden.md',
      state: 'waiting',
      cadence: TEXT,
      reason: TEXT,
      last: null,
      next: ISO,
      skipped: null,
    }),
  );
  expect(status.proposals[0]).toMatchObject({
    event: TEXT,
    target: TEXT,
    decision: 'likely_done',
    confidence: NUMBER,
    age: NUMBER,
  });
  expect(status.gates.rateGuard.minute).toEqual({ used: 0, cap: 60 });
  expect(status.sources[0]).toMatchObject({
    source: 'bank',
    confidence: 0.93,
    observations: 22,
    threshold: 0.8,
    status: 'live',
  });
  expect(status.trouble).toEqual([
    {
      id: expect.stringMatching(/^frontmatter-yaml-[0-9a-f]{6}$/),
      code: 'frontmatter-yaml',
      severity: 'limits',
      file: 'task/broken.md',
      line: NUMBER,
      column: NUMBER,
      message: TEXT,
      hint: TEXT,
      excerpt: expect.stringContaining('^'),
    },
  ]);
});

test('status --json of a running daemon, and doctor beside it', async () => {
  await using sandbox = new Sandbox('example');
  const daemon = sandbox.start('steward run --vault vault', { STEWARD_LIVE_MODE: 'live' });
  await daemon.line((line) => line.includes('started on'), 'started on');
  const status = await json(sandbox, ['status']);
  expect(status.daemon).toEqual({ state: 'running', pid: NUMBER, since: ISO });
  expect(status.mode).toEqual({ ceiling: 'live', vault: 'live', effective: 'live' });
  expect(status.schedules).toHaveLength(7);
  const doctor = await json(sandbox, ['doctor']);
  expect(doctor).toMatchObject({ schemaVersion: 1, trouble: [] });
  expect(doctor.checks).toContainEqual({ name: 'daemon', found: 'running' });
});

test('doctor --json lists the same trouble as status, and exits 1', async () => {
  await using sandbox = new Sandbox('example');
  sandbox.write('task/broken.md', '---\nstate: [open\n---\n');
  const doctor = await json(sandbox, ['doctor'], 1);
  const status = await json(sandbox, ['status']);
  expect(doctor.schemaVersion).toBe(1);
  expect(doctor.trouble).toEqual(status.trouble);
});

test('inbox --json is the list that status has', async () => {
  await using sandbox = new Sandbox('example');
  const inbox = await json(sandbox, ['inbox']);
  const status = await json(sandbox, ['status']);
  expect(inbox).toEqual({ schemaVersion: 1, warnings: status.warnings, waiting: status.waiting });
  expect(inbox.warnings).toEqual([
    expect.objectContaining({ kind: 'licence', target: 'matter/house-purchase.md', answers: ['dismiss'] }),
  ]);
  expect(inbox.waiting).toEqual([
    {
      kind: 'proposal',
      event: 'steward-action-2026-11-03T09-30-00Z-compare-tile-offers',
      target: 'task/compare-tile-offers.md',
      change: 'state open → done',
      from: TEXT,
      quote: TEXT,
      mail: 'stream/2026-11-03-tile-offer.eml',
      warning: null,
      told: TEXT,
      since: ISO,
      answers: ['confirm', 'dismiss', 'later'],
      candidates: [],
      likelihood: null,
      matter: 'matter/kitchen-renovation.md',
      trust: { source: 'mail', sender: 'mail', right: 64, wrong: 0, reached: 0.6, needed: 0.75 },
      why: [TEXT],
      isStale: false,
    },
  ]);
});

test('log --json', async () => {
  await using sandbox = new Sandbox('example');
  const { schemaVersion, events } = await json(sandbox, ['log', '-n', '2']);
  expect(schemaVersion).toBe(1);
  expect(events).toHaveLength(2);
  expect(events[1]).toEqual({
    event: 'signal-action-2026-10-30T09-11-38Z-pay-survey-fee',
    time: '2026-10-30T09:11:38Z',
    target: 'task/pay-survey-fee.md',
    candidates: [],
    decision: 'state_change',
    mode: 'live',
    confidence: 0.9409,
    outcome: 'applied',
    by: null,
    reason: null,
    changes: {
      status: { before: 'open', after: 'done' },
      completedDate: { before: null, after: '2026-10-30' },
    },
    asks: null,
  });
});

test('explain --json', async () => {
  await using sandbox = new Sandbox('example');
  expect(await json(sandbox, ['explain', 'pay-survey-fee'])).toMatchObject({
    schemaVersion: 1,
    note: 'task/pay-survey-fee.md',
    kind: 'task',
    sentence: TEXT,
    sections: expect.arrayContaining([{ title: 'Signals waiting', lines: ['none'] }]),
  });
});

test('report --json', async () => {
  await using sandbox = new Sandbox('example');
  const report = await json(sandbox, ['report']);
  expect(report).toMatchObject({
    schemaVersion: 1,
    since: null,
    matter: null,
    mode: 'shadow',
    total: { cases: 6, acted: 3, proposed: 2, shadow: 1, right: 1, wrong: 2, precision: { low: NUMBER } },
    modes: [
      { mode: 'shadow', acts: 0 },
      { mode: 'live_high_confidence_only', acts: 0 },
      { mode: 'live', acts: 3 },
    ],
    note: { path: 'Steward report.md', state: 'made', reason: null },
  });
  expect(report.sources[0]).toMatchObject({
    name: 'mail',
    tally: { cases: 4, right: 1, fates: { silent: 2, open: 1 } },
  });
  expect(report.advice[0]).toMatchObject({ mode: 'live_high_confidence_only', ready: false, right: 1, decided: 3 });
  expect(report.cases[0]).toMatchObject({ event: TEXT, time: ISO, sources: ['mail'], fate: 'borne_out' });
});

test('import, tick and undo --json, the way of one mail', async () => {
  await using sandbox = new Sandbox('example');
  const terms = ['mail:anna@northgate-notary.example', '--matter', 'house-purchase'];
  await sandbox.steward(['licence', 'sign', ...terms, '--vault', 'vault']);
  await sandbox.sh('drop 01');
  const imported = await json(sandbox, ['import', 'stream/01-payment-received.eml']);
  expect(imported).toMatchObject({
    schemaVersion: 1,
    imported: [{ file: 'stream/01-payment-received.eml', reason: null }],
  });
  const ticked = await json(sandbox, ['tick', 'house-purchase'], 0, { STEWARD_LIVE_MODE: 'live' });
  expect(ticked).toMatchObject({
    schemaVersion: 1,
    ticks: [{ matter: 'matter/house-purchase.md', events: [expect.stringContaining('pay-notary-deposit')] }],
  });
  const [event] = ticked.ticks[0].events;
  const asked = await json(sandbox, ['undo', event, '--dry-run']);
  expect(asked).toMatchObject({ schemaVersion: 1, dryRun: true, answers: [{ outcome: 'reversed', note: null }] });
  expect(await json(sandbox, ['undo', event])).toMatchObject({
    schemaVersion: 1,
    dryRun: false,
    answers: [
      {
        event: path.basename(event, '.md'),
        outcome: 'reversed',
        target: 'task/pay-notary-deposit.md',
        changes: { state: { before: 'done', after: 'open' } },
        calibration: { 'mail:anna@northgate-notary.example': '0.97 → 0.87', mail: '0.97 → 0.95' },
        note: expect.stringMatching(/^event\/\d{4}-\d\d\/signal-action-reversed-.*\.md$/),
      },
    ],
  });
  expect(await json(sandbox, ['undo', event], 1)).toMatchObject({ answers: [{ outcome: 'already-reversed' }] });
});

test('confirm and dismiss --json', async () => {
  await using sandbox = new Sandbox('example');
  const proposal = 'steward-action-2026-11-03T09-30-00Z-compare-tile-offers';
  const asked = await json(sandbox, ['dismiss', proposal, '--dry-run']);
  expect(asked).toMatchObject({ schemaVersion: 1, dryRun: true, answers: [{ outcome: 'dismissed', changes: {} }] });
  const confirmed = await json(sandbox, ['confirm', proposal]);
  expect(confirmed).toMatchObject({
    schemaVersion: 1,
    answers: [{ event: proposal, outcome: 'confirmed', changes: { state: { before: 'open', after: 'done' } } }],
  });
  const late = await json(sandbox, ['dismiss', proposal], 1);
  expect(late).toMatchObject({ schemaVersion: 1, answers: [{ outcome: 'not-a-proposal', changes: {} }] });
});

test('status --json of a vault that is away still lists its schedules', async () => {
  await using sandbox = new Sandbox('example');
  const daemon = sandbox.start('steward run --vault vault');
  await daemon.line((line) => line.includes('started on'), 'started on');
  daemon.kill('SIGTERM');
  expect((await daemon.ended).exit).toBe(0);
  await sandbox.sh('mv vault elsewhere');
  const status = await json(sandbox, ['status'], 75);
  expect(status).toMatchObject({ schemaVersion: 1, vault: { state: 'away' }, daemon: { state: 'stopped' } });
  expect(status.schedules).toHaveLength(7);
});

const OLD = ['/usr/bin/node', '/usr/local/bin/node', '/bin/node'].find(isOldNode);

function isOldNode(node: string): boolean {
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '';
  const [, major = 0, minor = 0] = /^v(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  return major > 0 && (major < 22 || (major === 22 && minor < 22));
}

test.skipIf(OLD === undefined)('a Node that is too old says so in one sentence, and exits 78', async () => {
  await using sandbox = new Sandbox('none');
  const program = path.resolve(import.meta.dirname, '..', '..', 'bin', 'steward.js');
  const ended = await sandbox.sh(`${OLD} '${program}' status`);
  expect(ended).toMatchObject({ exit: 78, stdout: '' });
  expect(ended.stderr).toMatch(/^steward needs Node 22\.22 or newer; this is \S+\. .+\n$/);
});

test('ledger --json', async () => {
  await using sandbox = new Sandbox('example');
  const mail = [
    'From: Pat <pat@elsewhere.example>',
    'Subject: Lunch',
    `Date: ${new Date().toUTCString()}`,
    '',
    'Hello.',
  ];
  sandbox.write('lunch.eml', mail.join('\n'));
  await sandbox.steward(['import', '--vault', 'vault', './vault/lunch.eml']);
  const { received, piles, items, ...ledger } = await json(sandbox, ['ledger']);
  expect(ledger).toMatchObject({ schemaVersion: 1, since: null, uncounted: { copies: NUMBER, ownNotes: NUMBER } });
  expect(Object.keys(piles)).toEqual(['done', 'asked', 'waiting', 'setAside', 'notRead']);
  expect(Object.values<number>(piles).reduce((sum, count) => sum + count, 0)).toBe(received);
  const item = { path: 'stream/lunch.eml', at: ISO, from: TEXT, pile: 'setAside', reason: TEXT, notes: [], count: 1 };
  expect(items).toContainEqual(expect.objectContaining(item));
});
