import { describe, expect, test } from 'vitest';
import type { DaemonEvent } from '../../src/daemon/environment.ts';
import {
  afterEvent,
  missingWords,
  noSigns,
  SIGNS,
  type Signs,
  signProblems,
  silentParts,
} from '../../src/daemon/signs-of-life.ts';
import { Clock, DAY, HOUR, MINUTE } from '../support/clock.ts';
import { HOUSE, matter, signal, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');

const fetched = (taken: number): DaemonEvent => ({ what: 'fetched', source: 'inbox', seen: 3, taken });
const read: DaemonEvent = { what: 'stream-read', file: 'stream/a.eml', about: null, signals: 0, reason: null };
const written = (signal: string, ...candidates: readonly string[]): DaemonEvent => ({
  ...{ what: 'signal-written', signal, target: 'task/pay.md', headline: '', candidates },
});
const decided = (what: 'acted' | 'proposed' | 'recorded' | 'confirmed', state = 'done'): DaemonEvent => ({
  ...{ what, event: 'event/x.md', target: 'task/pay.md', decision: 'wait', confidence: 0.9, reason: '' },
  changes: { state: { before: 'open', after: state } },
});
const learned: DaemonEvent = {
  ...{ what: 'learned', source: 'mail', outcome: 'confirmed', before: 0.5, after: 0.55, observations: 3, note: '' },
};

/** What the signs are after events, each at its hour. */
function signsAfter(...events: readonly (readonly [hour: number, event: DaemonEvent])[]): Signs {
  return events.reduce((signs, [hour, event]) => afterEvent(signs, event, NOON + hour * HOUR), noSigns());
}

const codesAt = (signs: Signs, hour: number) => silentParts(signs, NOON + hour * HOUR).map(({ code }) => code);

describe('a part that does nothing for a day while there is something to do is named', () => {
  const confirmed = Array.from({ length: 10 }, (_, nth) => [nth * 6, decided('confirmed')] as const);
  test.each<[string, Signs, number, readonly string[]]>([
    ['nothing has happened', signsAfter(), 1000, []],
    ['a file was brought and is not read yet', signsAfter([0, fetched(1)]), 23, []],
    ['a file was not read for a day', signsAfter([0, fetched(1)], [20, fetched(1)]), 24, ['reader-idle']],
    ['a source was polled and brought nothing', signsAfter([0, fetched(0)]), 100, []],
    ['the file was read', signsAfter([0, fetched(1)], [1, read]), 100, []],
    ['files were read hours before it', signsAfter([0, fetched(1)], [1, read], [2, fetched(1)]), 26, ['reader-idle']],
    ['its file was read before the source said so', signsAfter([0, read], [0.1, fetched(1)]), 100, []],
    ['a signal waits for less than a day', signsAfter([0, written('signal/a.md')]), 23, []],
    ['a signal waits for a day', signsAfter([0, written('signal/a.md')]), 24, ['evaluator-idle']],
    ['a signal may mean several notes: a person is asked', signsAfter([0, written('signal/a.md', '[[pay]]')]), 100, []],
    ['a signal was decided upon', signsAfter([0, written('signal/a.md')], [1, decided('recorded')]), 100, []],
    [
      'a signal came after the last decision',
      signsAfter([0, decided('acted')], [1, written('s.md')]),
      25,
      ['evaluator-idle'],
    ],
    ['ten answers over days taught nothing', signsAfter(...confirmed), 54, ['learning-idle']],
    [
      'ten answers in an hour: once a day is a lesson',
      signsAfter(...confirmed.map(([, one]) => [0, one] as const)),
      1,
      [],
    ],
    ['nine answers', signsAfter(...confirmed.slice(1)), 54, []],
    [
      'the answers taught something',
      signsAfter(...confirmed.slice(0, 5), [25, learned], ...confirmed.slice(5)),
      54,
      [],
    ],
    [
      'a change was made without an answer',
      signsAfter(...confirmed.map(([at]) => [at, decided('acted')] as const)),
      54,
      [],
    ],
  ])('%s', (_, signs, hour, codes) => {
    expect(codesAt(signs, hour)).toEqual(codes);
  });

  test('the sentence says since when, and how many wait', () => {
    const signs = signsAfter([0, written('a.md')], [1, written('b.md')]);
    const [problem] = silentParts(signs, NOON + DAY);
    expect(problem?.message).toMatch(/^2 signals have waited since 2026-11-20 \d\d:00, and no decision was made\.$/);
    const many = signsAfter(...Array.from({ length: 150 }, (_, nth) => [nth / 1000, written(`${nth}.md`)] as const));
    expect(many.waiting).toHaveLength(100);
    expect(silentParts(many, NOON + DAY)[0]?.message).toMatch(/^100 signals or more have waited/);
  });
});

describe('a signal that has a reason to wait is not held against the evaluator', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
    ['it waits for no reason', {}, 1],
    ['its note is done', { 'task/pay.md': task({ state: 'done' }) }, 0],
    ['its note says steward: false', { 'task/pay.md': task({ steward: false }) }, 0],
    ['its note is not to be checked yet', { 'task/pay.md': task({ next_check_after: '2099-01-01' }) }, 0],
    ['its matter is done', { 'matter/house.md': matter({ state: 'done' }) }, 0],
    ['its note belongs to no matter', { 'task/pay.md': task({ parent_matter: null }) }, 0],
    ['it was applied', { 'signal/a.md': signal({ target_path: 'task/pay.md', status: 'applied' }) }, 0],
    ['it says nothing to do', { 'signal/a.md': signal({ target_path: 'task/pay.md', effect: 'none' }) }, 0],
    ['it names no note', { 'signal/a.md': signal({ target_path: 'task/gone.md' }) }, 0],
  ];
  test.each(cases)('%s', async (_, notes, many) => {
    const { bench, clock } = await waitingBench(notes);
    clock.move(DAY);
    expect(signProblems(bench.ports).map(({ code }) => code)).toEqual(many === 0 ? [] : ['evaluator-idle']);
  });

  test('its matter is checked once a week, and the week is not over', async () => {
    const { bench, clock } = await waitingBench({});
    clock.move(DAY);
    const due = (at: number) => ({
      path: 'matter/house.md',
      last: null,
      skipped: null,
      streak: 0,
      heard: null,
      fired: null,
      due: at,
    });
    bench.remember('schedules', { 'steward-house': due(clock.now() + HOUR) });
    expect(signProblems(bench.ports)).toEqual([]);
    bench.remember('schedules', { 'steward-house': due(clock.now() - 2 * HOUR) });
    expect(signProblems(bench.ports)).toHaveLength(1);
  });

  test('a check that decides ends the problem, and status shows when each part last did its work', async () => {
    const { bench, clock } = await waitingBench({});
    clock.move(DAY + MINUTE);
    expect(bench.status().trouble.map(({ code }) => code)).toContain('evaluator-idle');
    await bench.tick();
    expect(signProblems(bench.ports)).toEqual([]);
    expect(bench.status().signs.deciding).not.toBeNull();
    expect(bench.status().signs.learning).toBeNull();
  });
});

async function waitingBench(notes: Readonly<Record<string, string>>) {
  const clock = new Clock();
  const vault = new TempVault({
    ...HOUSE,
    'task/pay.md': task(),
    'signal/a.md': signal({ target_path: 'task/pay.md' }),
    ...notes,
  });
  const bench = await Bench.open(vault, { clock });
  bench.remember(SIGNS, { ...noSigns(), waiting: [{ signal: 'signal/a.md', at: clock.now() }] });
  return { bench, clock };
}

describe('what is missing for anything to happen is said instead of "All is well"', () => {
  const full = {
    matters: 1,
    tasks: 3,
    signals: 0,
    sources: ['imap'],
    hasFiles: false,
    hasMail: false,
    namesSender: true,
  };
  test.each([
    ['nothing', full, null],
    ['a note', { ...full, matters: 0, tasks: 0 }, 'steward demo'],
    ['a source', { ...full, sources: [] }, 'steward source add'],
    ['nothing: files are dropped by hand', { ...full, sources: [], hasFiles: true }, null],
    ['nothing: other programs write signals', { ...full, sources: [], signals: 1 }, null],
    ['a sender', { ...full, namesSender: false }, 'senders:'],
    [
      'a sender, of mails dropped by hand',
      { ...full, sources: [], hasFiles: true, hasMail: true, namesSender: false },
      'senders:',
    ],
    ['nothing: a calendar has no senders', { ...full, sources: ['ics'], namesSender: false }, null],
  ])('%s', (_, inputs, words) => {
    if (words === null) expect(missingWords(inputs)).toBeNull();
    else expect(missingWords(inputs)).toContain(words);
  });

  test('a new vault is told what to connect', async () => {
    expect((await Bench.open(new TempVault({ ...HOUSE, 'task/pay.md': task() }))).status().missing).toContain(
      'No events can arrive',
    );
    expect((await Bench.open(new TempVault({}))).status().missing).toContain('no matter or task');
  });
});

test('files that a source brought and nobody read are a problem of the vault', async () => {
  const clock = new Clock();
  const bench = await Bench.open(new TempVault({ ...HOUSE, 'task/pay.md': task() }), { clock });
  bench.remember(SIGNS, { ...noSigns(), fed: clock.now() });
  clock.move(DAY);
  expect(bench.status().trouble.map(({ code, severity }) => `${code} ${severity}`)).toEqual(['reader-idle stops']);
});
