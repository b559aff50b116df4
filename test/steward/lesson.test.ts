// Over 5 s: each case lives through answers in a vault on disk.
import { describe, expect, test } from 'vitest';
import { whyUntaught } from '../../src/steward/outcomes.ts';
import { stem } from '../../src/vault/layout.ts';
import { Clock, DAY, MINUTE } from '../support/clock.ts';
import { HOUSE, matter, SELDOM, settings, signal, task, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

describe('whether a lesson counts', () => {
  const NOON = new Date(2026, 10, 21, 12).getTime();
  const lesson = { at: NOON, isRight: true, isTick: true, isRepeated: false };
  const NOTHING = { ticks: [], right: [] };
  const gesture = 'one gesture teaches about a sender once';
  const day = 'a sender is right about a matter once a day at most';

  test.each([
    ['the first one does', lesson, NOTHING, null],
    ['the second one of a command does not', { ...lesson, isRepeated: true }, NOTHING, gesture],
    ['a tick after three minutes does not', lesson, { ...NOTHING, ticks: [NOON - 3 * MINUTE] }, gesture],
    ['one a moment later does', lesson, { ...NOTHING, ticks: [NOON - 3 * MINUTE - 1] }, null],
    ['one before the other by a clock that was set back does not', lesson, { ...NOTHING, ticks: [NOON + 1] }, gesture],
    ['a command after a tick does', { ...lesson, isTick: false }, { ...NOTHING, ticks: [NOON] }, null],
    ['the second right one of a day does not', lesson, { ...NOTHING, right: [NOON - 11 * 60 * MINUTE] }, day],
    ['one of the day before does', lesson, { ...NOTHING, right: [NOON - 13 * 60 * MINUTE] }, null],
    ['a wrong one of the same day does', { ...lesson, isRight: false }, { ...NOTHING, right: [NOON] }, null],
  ])('%s', (_, one, former, reason) => expect(whyUntaught(one, former)).toBe(reason));
});

const ANNA = 'instinct/mail/anna@notary.example.md';
const SOURCE = 'mail:anna@notary.example';
const ONCE = { none: expect.stringContaining('once') };

/** One weak signal for each task; its sender is Anna unless another is named. */
function proposals(count: number, { from = 'anna@notary.example', matters = 1, strong = false } = {}): Files {
  const numbers = Array.from({ length: count }, (_, nth) => nth);
  const perMatter = Array.from({ length: matters }, (_, nth) => [`matter/m${nth}.md`, matter()]);
  const perTask = numbers.flatMap((nth) => [
    [`task/t${nth}.md`, task({ parent_matter: `[[m${nth % matters}]]` })],
    [
      `signal/s${nth}.md`,
      (strong ? signal : weak)({ pattern: from, target_path: `task/t${nth}.md`, raw_quote: `${nth}` }),
    ],
  ]);
  return Object.fromEntries([...perMatter, ...perTask]);
}

async function waiting(files: Files) {
  const quiet = settings({ settle_seconds: 0, default_schedule: SELDOM, trusted_signal_sources: ['mail'] });
  const vault = new TempVault({ ...HOUSE, 'steward.md': quiet, ...files });
  const clock = new Clock();
  const bench = await Bench.open(vault, { clock });
  await bench.tick();
  return { vault, clock, bench, events: vault.events('steward-action-2') };
}

const ALL = { matter: null, class: null, minConfidence: null, source: null };

describe('a command', () => {
  test('that dismisses twelve proposals as wrong is one lesson, and prunes nobody', async () => {
    const { vault, bench, events } = await waiting(proposals(12));
    expect(events).toHaveLength(12);
    const answers = await bench.answerAll({ kind: 'dismiss', filter: ALL, later: false });
    expect(answers.filter(({ untaught }) => untaught === null)).toHaveLength(1);
    expect(vault.fields(ANNA)).toMatchObject({ confidence: 0.85, wrong: 1, calibration_status: 'pending' });
    const lessons = vault.events('steward-action-dismissed-').map((event) => vault.fields(event).lesson);
    expect(lessons.filter((lesson) => (lesson as { none?: unknown }).none !== null)).toHaveLength(11);
  });

  test('that dismisses in bulk means not now, unless it says wrong', async () => {
    const { vault, bench } = await waiting(proposals(12));
    await bench.answerAll({ kind: 'dismiss', filter: ALL });
    expect(vault.has(ANNA)).toBe(false);
    expect(vault.fields(vault.events('steward-action-dismissed-')[0] ?? '')).toMatchObject({ later: true });
  });

  test('that confirms in bulk gives one observation for each sender', async () => {
    const files = {
      ...proposals(4, { matters: 2 }),
      ...{ 'signal/b.md': weak({ pattern: 'ben@x.example', raw_quote: 'b' }) },
    };
    const { vault, bench } = await waiting(files);
    await bench.answerAll({ kind: 'confirm', filter: ALL });
    expect(vault.fields(ANNA)).toMatchObject({ observations: 1 });
    expect(vault.fields('instinct/mail/ben@x.example.md')).toMatchObject({ observations: 1 });
  });

  test('that undoes several actions is wrong once', async () => {
    const { vault, bench } = await waiting(proposals(3, { strong: true }));
    expect(vault.events('signal-action-2')).toHaveLength(3);
    await bench.undoLast(3);
    expect(vault.fields(ANNA)).toMatchObject({ wrong: 1, reversals: 1, confidence: 0.8 });
  });
});

describe('in one day', () => {
  test('five confirmations on one matter count once; the next day counts again', async () => {
    const { vault, bench, clock, events } = await waiting(proposals(6));
    for (const event of events.slice(0, 5)) await bench.confirm(event);
    expect(vault.fields(ANNA)).toMatchObject({ observations: 1, confidence: 0.91 });
    clock.move(DAY);
    await bench.confirm(events[5] ?? '');
    expect(vault.fields(ANNA).observations).toBe(2);
  });

  test('five changes made by hand on one matter count once, and each event note says so', async () => {
    const { vault, bench, events } = await waiting(proposals(5));
    for (let nth = 0; nth < 5; nth += 1) vault.edit(`task/t${nth}.md`, 'state: open', 'state: done');
    await bench.tick();
    expect(vault.fields(ANNA)).toMatchObject({ observations: 1, confidence: 0.91 });
    expect(events.map((event) => vault.fields(event).taught).toSorted()).toEqual([
      ...['nothing', 'nothing', 'nothing', 'nothing', 'right'],
    ]);
  });

  test('on two matters each counts', async () => {
    const { vault, bench, events } = await waiting(proposals(4, { matters: 2 }));
    for (const event of events) await bench.confirm(event);
    expect(vault.fields(ANNA).observations).toBe(2);
  });

  test('one that was undone makes room for another', async () => {
    const { vault, bench, events } = await waiting(proposals(2));
    await bench.confirm(events[0] ?? '');
    await bench.undo(only(vault.events('steward-action-confirmed-')));
    await bench.confirm(events[1] ?? '');
    expect(vault.fields(ANNA)).toMatchObject({ observations: 1, confidence: 0.91 });
  });
});

describe('boxes', () => {
  const tick = (vault: TempVault, event: string, box: string) => vault.edit(event, `${box}: false`, `${box}: true`);

  test('ticked within three minutes of each other are one gesture, also through a restart', async () => {
    const { vault, bench, events, clock } = await waiting(proposals(6));
    bench.close();
    let running = await Running.start(vault, { clock });
    for (const event of events.slice(0, 3)) tick(vault, event, 'dismiss');
    await running.sync();
    expect(vault.fields(ANNA)).toMatchObject({ wrong: 1, confidence: 0.85 });
    await running.stop();
    running = await Running.start(vault, { clock });
    tick(vault, events[3] ?? '', 'dismiss');
    await running.sync();
    expect(vault.fields(ANNA)).toMatchObject({ wrong: 1, confidence: 0.85 });
    clock.move(4 * MINUTE);
    tick(vault, events[4] ?? '', 'dismiss');
    await running.sync();
    expect(vault.fields(ANNA)).toMatchObject({ wrong: 2, confidence: 0.8 });
    expect(running.count('learned')).toBe(1);
    const notes = vault.events('steward-action-dismissed-').map((note) => vault.fields(note).lesson);
    expect(notes).toEqual(expect.arrayContaining([expect.objectContaining(ONCE)]));
    expect(notes).toHaveLength(5);
  });

  test('later closes a proposal and teaches nothing; the same signals do not bring it back, a new one does', async () => {
    const { vault, bench, events, clock } = await waiting(proposals(1));
    bench.close();
    const running = await Running.start(vault, { clock });
    const [event = ''] = events;
    tick(vault, event, 'later');
    await running.sync();
    const answer = only(vault.events('steward-action-dismissed-'));
    expect(vault.fields(answer)).toMatchObject({ later: true, calibration: {} });
    expect(vault.fields(event)).toMatchObject({ outcome: 'dismissed', waiting: false });
    expect(vault.read(event)).toContain('You said “not now” to this');
    expect(vault.has(ANNA)).toBe(false);
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(running.daemon.status().waiting).toEqual([]);
    const said = weak({ pattern: 'anna@notary.example', target_path: 'task/t0.md', raw_quote: 'again' });
    vault.write('signal/again.md', said);
    await running.sync();
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(running.daemon.status().waiting).toMatchObject([
      { kind: 'proposal', target: 'task/t0.md', answers: ['confirm', 'always', 'dismiss', 'later', 'choose'] },
    ]);
  });

  test('two that contradict each other answer nothing, and the note says so', async () => {
    const { vault, bench, events, clock } = await waiting(proposals(1));
    bench.close();
    const running = await Running.start(vault, { clock });
    const [event = ''] = events;
    tick(vault, event, 'dismiss');
    tick(vault, event, 'later');
    await running.sync();
    expect(vault.events('steward-action-dismissed-')).toEqual([]);
    expect(vault.fields(event).remark).toContain('keep one of them');
  });
});

test('a dropped file says later, too', async () => {
  const { vault, bench, events, clock } = await waiting(proposals(1));
  bench.close();
  const running = await Running.start(vault, { clock });
  const [event = ''] = events;
  vault.write('event/steward-action-dismissed-x.md', `---\ndismisses: "[[${stem(event)}]]"\nlater: true\n---\n`);
  await running.sync();
  expect(vault.fields('event/steward-action-dismissed-x.md')).toMatchObject({ outcome: 'dismissed', later: true });
  expect(vault.has(ANNA)).toBe(false);
});

test('a lesson is reported in one line when it happens, with the sender and the figures', async () => {
  const { bench, events } = await waiting(proposals(1));
  await bench.confirm(events[0] ?? '');
  expect(bench.happenings.filter(({ what }) => what === 'learned')).toMatchObject([
    { source: SOURCE, outcome: 'right', before: 0.9, after: 0.91, observations: 1 },
  ]);
});
