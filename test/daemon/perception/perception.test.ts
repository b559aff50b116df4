import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { shownNow } from '../../../src/daemon/perception-shown.ts';
import { Selection } from '../../../src/daemon/remembered.ts';
import { MOST_A_DAY } from '../../../src/steward/perception.ts';
import { localDate } from '../../../src/vault/time.ts';
import { Clock, DAY, HOUR, MINUTE, quietHoursAround } from '../../support/clock.ts';
import { matter, SELDOM, settings, task, weak } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { type Files, TempVault } from '../../support/temp-vault.ts';
import { Bench, LIVE, only, SHADOW } from '../../support/workspace.ts';

const PAY = 'task/pay.md';
const WEEK = 7 * DAY;
/** The local day so many days from now. */
const ago = (days: number) => localDate(Clock.atNoon().now() - days * DAY);
const SENDERS = { senders: ['anna@northgate-notary.example'] };
const PLAIN = { 'steward.md': settings({ default_schedule: SELDOM }), 'matter/house.md': matter(SENDERS) };
const late = (days = 3, more = {}) => task({ due: ago(days), ...more });

async function opened(files: Files, env = LIVE) {
  const vault = new TempVault({ ...PLAIN, ...files });
  const clock = Clock.atNoon();
  const bench = await Bench.open(vault, { clock, env });
  return { vault, clock, bench };
}

/** The event notes with what they say, in the order of time. */
function said(vault: TempVault) {
  return vault.events('steward-action-2').map((path) => vault.fields(path));
}

const waits = (bench: Bench) => bench.waiting().map(({ kind, target, change }) => ({ kind, target, change }));

describe('without a signal', () => {
  test.each([LIVE, SHADOW])('an overdue task is put to the person; the note stays as it is ($ceiling)', async (env) => {
    const { vault, bench } = await opened({ [PAY]: late() }, env);
    const before = vault.read(PAY);
    const [result] = await bench.tick();
    expect(said(vault)).toMatchObject([
      {
        decision: 'needs_input',
        waiting: true,
        changes: {},
        source_contributions: {},
        signals: [],
        perceived: `overdue 3 ${ago(3)}`,
        evaluator: 'rules (embedded, no model was asked)',
        undo_recipe: null,
      },
    ]);
    expect(result?.events).toHaveLength(1);
    expect(vault.read(PAY)).toBe(before);
    expect(waits(bench)).toEqual([
      {
        kind: 'found',
        target: PAY,
        change: `Overdue for 3 days (due ${ago(3)}). Nothing was heard from anna@northgate-notary.example so far. Is it done, or does it need a new date?`,
      },
    ]);
    expect(bench.remembered('rate-guard').entries).toEqual([]);
    const explained = await bench.explain('pay');
    expect(explained.sentence).toMatch(/^A question about pay waits for you: Overdue for 3 days/);
    expect(explained.sections).toContainEqual({
      title: 'Waiting for you',
      lines: [expect.stringMatching(/^\[\[steward-action-.*\]\] Overdue for 3 days/)],
    });
    expect(vault.read(vault.events()[0] ?? '')).not.toContain('\n\n\n');
    expect(explained.sections).toContainEqual({
      title: 'Without a signal',
      lines: [expect.stringContaining('Overdue for 3 days'), 'you were told', expect.stringContaining('next day')],
    });
  });

  test('it is said who was last heard, and when', async () => {
    const then = new Date(Date.now() - 5 * DAY).toISOString();
    const heard = weak({
      origin_at: then,
      status: 'skipped',
      pattern: 'anna@northgate-notary.example',
      effect: 'none',
    });
    const { bench } = await opened({ [PAY]: late(), 'signal/a.md': heard });
    await bench.tick();
    expect(waits(bench)[0]?.change).toMatch(/Nothing was heard from \S+ since \d+ [A-Z][a-z]+/);
  });

  test.each<[string, Files]>([
    ['that is done', { [PAY]: late(3, { state: 'done' }) }],
    ['with surface_class: none', { [PAY]: late(3, { surface_class: 'none' }) }],
    ['that says hands off', { [PAY]: late(3, { steward: false }) }],
    ['of a matter that says so', { [PAY]: late(), 'matter/house.md': matter({ steward: false }) }],
    ['that is snoozed', { [PAY]: late(3, { state: 'snoozed', snoozed_until: ago(-9) }) }],
    ['that is put off', { [PAY]: late(3, { next_check_after: ago(-9) }) }],
    [
      'in the quiet hours',
      { [PAY]: late(), 'steward.md': settings({ quiet_hours: quietHoursAround(Clock.atNoon().now()) }) },
    ],
    ['that somebody is typing', { 'task/other.md': task() }],
  ])('nothing is said of a task %s', async (what, files) => {
    const { vault, bench, clock } = await opened(files);
    if (what.endsWith('typing')) vault.write(PAY, late(), -(clock.now() - Date.now()));
    await bench.tick();
    expect(vault.events()).toEqual([]);
  });

  test.each<[string, Files, string]>([
    ['a snooze is over', { [PAY]: task({ state: 'snoozed', snoozed_until: ago(1) }) }, 'Its snooze ended'],
    [
      'what blocked it is done',
      { [PAY]: task({ blocked_on: '[[deed]]' }), 'task/deed.md': task({ state: 'done' }) },
      'done: “deed”',
    ],
  ])('%s', async (_, files, sentence) => {
    const { bench } = await opened(files);
    await bench.tick();
    expect(only(waits(bench))).toMatchObject({ kind: 'found', target: PAY, change: expect.stringContaining(sentence) });
  });

  test('a matter all of whose tasks are done, once that has rested', async () => {
    const { bench, clock } = await opened({ [PAY]: task({ state: 'done' }) });
    await bench.tick();
    expect(waits(bench)).toEqual([]);
    clock.move(4 * DAY);
    await bench.tick();
    expect(only(waits(bench))).toMatchObject({
      target: 'matter/house.md',
      change: 'Its only task is done. Is the matter over?',
    });
  });
});

describe('what is silent for weeks', () => {
  const OLD = {
    'matter/old.md': matter(),
    'task/a.md': task({ parent_matter: '[[old]]' }),
    'task/b.md': task({ parent_matter: '[[old]]' }),
  };
  async function silent(more: Files = {}) {
    const vault = new TempVault({ ...PLAIN, ...more });
    for (const [file, text] of Object.entries(OLD)) vault.write(file, text, 7 * WEEK);
    const clock = Clock.atNoon();
    return { vault, clock, bench: await Bench.open(vault, { clock }) };
  }

  test('can be archived by the person, by every door the same, and that can be taken back', async () => {
    const { vault, bench, clock } = await silent();
    const before = vault.read('matter/old.md');
    await bench.tick();
    const event = only(vault.events());
    expect(vault.fields(event)).toMatchObject({
      decision: 'stale_archive_candidate',
      changes: { state: { before: 'open', after: 'archived' } },
      waiting: true,
    });
    expect(only(bench.waiting())).toMatchObject({
      kind: 'found',
      target: 'matter/old.md',
      answers: ['confirm', 'dismiss'],
    });
    clock.move(HOUR);
    expect(await bench.confirm(event)).toMatchObject({ outcome: 'confirmed' });
    expect(vault.fields('matter/old.md').state).toBe('archived');
    expect(vault.events('instinct')).toEqual([]);
    expect(bench.waiting()).toEqual([]);
    clock.move(HOUR);
    expect(await bench.undo(only(vault.events('steward-action-confirmed')))).toMatchObject({ outcome: 'reversed' });
    expect(vault.read('matter/old.md')).toBe(before);
  });

  test('a matter speaks for its tasks; one task that somebody touched leaves the other to speak for itself', async () => {
    const { vault, bench } = await silent();
    vault.write('task/b.md', OLD['task/b.md']);
    await bench.tick();
    expect(waits(bench)).toMatchObject([{ target: 'task/a.md' }]);
  });

  test('an affair with a task that is overdue, or has a day ahead, is not offered for archiving', async () => {
    for (const [days, found] of [
      [-3, []],
      [3, [{ target: 'task/b.md', change: expect.stringContaining('Overdue for 3 days') }]],
    ] as const) {
      const { vault, bench } = await silent();
      vault.write('task/b.md', late(days, { parent_matter: '[[old]]' }), 7 * WEEK);
      await bench.sweep();
      await bench.tick();
      expect(waits(bench)).toMatchObject(found);
    }
  });

  test('a signal counts as a touch, and so does an answer', async () => {
    const { vault, bench, clock } = await silent({
      'signal/a.md': weak({ target_path: 'task/a.md', effect: 'none', status: 'skipped' }),
    });
    await bench.tick();
    expect(waits(bench)).toMatchObject([{ target: 'task/b.md' }]);
    await bench.dismiss(only(vault.events()));
    for (let week = 1; week <= 5; week += 1) {
      clock.move(WEEK);
      await bench.tick();
    }
    expect(waits(bench)).toEqual([]);
  });

  test('an edit takes it off the list', async () => {
    const { vault, bench, clock } = await silent();
    await bench.tick();
    clock.move(HOUR);
    vault.edit('matter/old.md', 'A matter.', 'A matter of note.');
    await bench.follow();
    expect(bench.waiting()).toEqual([]);
    expect(vault.fields(only(vault.events()))).toMatchObject({ waiting: false, outcome: 'superseded' });
  });
});

describe('it does not nag', () => {
  test('LAW: in thirty days in which nothing changes, only milestones are told, and one entry waits', async () => {
    const { vault, bench, clock } = await opened({ [PAY]: late(0) });
    for (let day = 0; day <= 30 * 4; day += 1) {
      await bench.tick();
      expect(waits(bench).length).toBeLessThanOrEqual(1);
      clock.move(DAY / 4);
    }
    expect(said(vault).map(({ perceived }) => perceived)).toEqual(
      [1, 3, 7, 14, 30].map((step) => `overdue ${step} ${ago(0)}`),
    );
    await bench.follow();
    expect(said(vault).map(({ outcome }) => outcome)).toEqual([...Array(4).fill('superseded'), 'recorded']);
  });

  test('what was seen is quiet until the next day that matters', async () => {
    const { vault, bench, clock } = await opened({ [PAY]: late(1) });
    await bench.tick();
    await bench.dismiss(only(vault.events()));
    vault.edit(PAY, 'A task.', 'A task, still.');
    clock.move(DAY);
    await bench.tick();
    expect(waits(bench)).toEqual([]);
    clock.move(DAY);
    await bench.tick();
    expect(only(waits(bench)).change).toContain('Overdue for 3 days');
  });

  test.each([
    ['a new date', (vault: TempVault) => vault.edit(PAY, ago(3), ago(-9))],
    ['done', (vault: TempVault) => vault.edit(PAY, 'state: open', 'state: done')],
    ['gone', (vault: TempVault) => vault.remove(PAY)],
  ])('mended by hand (%s), it is closed everywhere by itself', async (_, mend) => {
    const { vault, bench, clock } = await opened({ [PAY]: late() });
    await bench.tick();
    const event = only(vault.events());
    clock.move(HOUR);
    mend(vault);
    await bench.follow();
    expect(bench.waiting()).toEqual([]);
    expect(vault.fields(event)).toMatchObject({ waiting: false, pending_confirmation: false, outcome: 'expired' });
    await bench.tick();
    expect(vault.events()).toEqual([event]);
  });

  test('nor twice where what was remembered is lost: the notes tell', async () => {
    const { vault, bench, clock } = await opened({ [PAY]: late() });
    await bench.tick();
    vault.remove('.steward/state');
    const again = await Bench.open(vault, { clock });
    await again.tick();
    expect(vault.events()).toHaveLength(1);
  });

  test('nor where something else about the note waits for the person', async () => {
    const { vault, bench } = await opened({ [PAY]: late(), 'signal/a.md': weak() });
    await bench.tick();
    await bench.tick();
    expect(waits(bench)).toMatchObject([{ kind: 'proposal' }]);
    expect(vault.events()).toHaveLength(1);
  });

  test('an old vault: a day brings so many entries, the high ones first, then the longest overdue', async () => {
    const many = Array.from({ length: 40 }, (_, at) => [`task/t${at}.md`, late(at + 1)] as const);
    const { vault, bench, clock } = await opened({
      ...Object.fromEntries(many),
      'task/now.md': late(1, { surface_class: 'high' }),
    });
    await bench.tick();
    await bench.tick();
    const first = said(vault).map((fields) => fields.target_path);
    expect(first).toHaveLength(MOST_A_DAY.entries);
    expect(first).toContain('task/now.md');
    expect(first).toContain('task/t39.md');
    expect(first).not.toContain('task/t20.md');
    clock.move(DAY);
    await bench.tick();
    expect(vault.events()).toHaveLength(2 * MOST_A_DAY.entries);
  });
});

describe('the daemon', () => {
  const PAGE = settings({ default_schedule: 'every 30m' }).replace(
    'Settings.',
    '<!-- steward:seen -->\n<!-- /steward:seen -->\n\nMine.',
  );

  test('looks around first, then tells, and keeps the digest on the front page', async () => {
    const vault = new TempVault({ ...PLAIN, 'steward.md': PAGE, [PAY]: late(), 'task/b.md': late(9) });
    const clock = Clock.atNoon();
    const running = await Running.start(vault, { clock });
    const lives = async (ms: number) => {
      clock.move(ms);
      await running.daemon.wake();
      await running.daemon.idle();
    };
    await expect.poll(() => vault.read('steward.md')).toContain('The steward has not looked at your notes yet.');
    await lives(35 * MINUTE);
    expect(vault.events()).toEqual([]);
    await lives(65 * MINUTE);
    await running.heard('perceived', ({ target }) => target === PAY);
    const lines = `overdue: 2\n\n- [[b]] · overdue since ${ago(8)}\n- [[pay]] · overdue since ${ago(2)}\n`;
    await lives(10 * MINUTE);
    await expect.poll(() => vault.read('steward.md')).toContain(lines);
    const page = vault.read('steward.md');
    for (let day = 0; day < 10; day += 1) await lives(DAY / 5);
    expect(vault.read('steward.md')).toBe(page);
    vault.edit(PAY, 'state: open', 'state: done');
    vault.edit('task/b.md', ago(9), ago(-90));
    await lives(HOUR);
    await expect
      .poll(() => vault.read('steward.md'))
      .toContain('Nothing is overdue, and no note has been silent for weeks.');
    expect(vault.read('steward.md')).toContain('Mine.');
  });
});

test.each<[string, Files]>([
  ['surface_class: none', { [PAY]: late(3, { surface_class: 'none' }) }],
  ['hands off', { [PAY]: late(3, { steward: false }) }],
  ['snoozed', { [PAY]: late(3, { state: 'snoozed', snoozed_until: ago(-30) }) }],
  ['put off', { [PAY]: late(3, { next_check_after: ago(-30) }) }],
  ['hands off its matter', { 'matter/house.md': matter({ steward: false }) }],
  ['its matter is done', { 'matter/house.md': matter({ state: 'done' }) }],
])('what was put to a person is closed where they then say: %s', async (_, files) => {
  const { vault, clock, bench } = await opened({ [PAY]: late() });
  await bench.tick();
  expect([bench.waiting().length, shownNow(bench.ports)?.length]).toEqual([1, 1]);
  clock.move(HOUR);
  for (const [file, text] of Object.entries(files)) vault.write(file, text);
  await bench.follow();
  expect([bench.waiting(), shownNow(bench.ports)]).toEqual([[], []]);
  expect(vault.fields(only(vault.events()))).toMatchObject({ waiting: false, outcome: 'expired' });
});

test('LAW: a tick goes over what earlier looks found only where it has changed', async () => {
  const tasks = Array.from({ length: 50 }, (_, nth) => [`task/t${nth}.md`, late()]);
  const { vault, clock, bench } = await opened(Object.fromEntries(tasks));
  await bench.tick();
  clock.move(DAY); // there is room again
  await bench.tick();
  const followed = vi.spyOn(Selection.prototype, 'follow');
  onTestFinished(() => followed.mockRestore());
  clock.move(MINUTE);
  vault.write('task/t7.md', late(4));
  clock.move(DAY);
  await bench.tick('house');
  expect(followed.mock.calls.length).toBeLessThan(50 + 2 * MOST_A_DAY.entries);
  followed.mockClear();
  clock.move(MINUTE);
  await bench.tick('house');
  expect(followed).not.toHaveBeenCalled();
});

test('a running daemon closes it as soon as the matter says so', async () => {
  const { vault, clock, bench } = await opened({ [PAY]: late() });
  await bench.tick();
  bench.close();
  const running = await Running.start(vault, { clock });
  clock.move(HOUR);
  vault.write('matter/house.md', matter({ state: 'done' }));
  await running.sync();
  await expect.poll(() => vault.fields(only(vault.events())).waiting).toBe(false);
});

test('a clock that was years ahead, and is set right, does not silence the years between', async () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, nth) => [`task/t${nth}.md`, late(nth + 2)]));
  const { vault, clock, bench } = await opened(many);
  clock.move(900 * DAY);
  await bench.tick();
  expect(vault.events()).toHaveLength(MOST_A_DAY.entries);
  clock.move(-900 * DAY);
  await bench.tick();
  expect(vault.events()).toHaveLength(2 * MOST_A_DAY.entries);
  expect(bench.remembered('perception').since).toBeLessThanOrEqual(clock.now());
  clock.move(-DAY);
  await bench.tick();
  expect(vault.events()).toHaveLength(2 * MOST_A_DAY.entries);
});
