import { describe, expect, test } from 'vitest';
import { Clock, DAY, HOUR, MINUTE } from '../../support/clock.ts';
import { HOUSE, instinct, matter, ODD_TASK, settings, signal, task, weak } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, HIGH_ONLY, only } from '../../support/workspace.ts';

describe('weak signals weighed together', () => {
  test('that agree raise each other over the gate: one action, all of them stamped', async () => {
    const vault = new TempVault({
      ...HOUSE,
      'instinct/mail.md': instinct('mail', { observations: 20 }),
      'signal/a.md': signal({ effect_confidence: 0.82, headline: 'Receipt' }),
      'signal/b.md': signal({
        effect_confidence: 0.7,
        target_confidence: 0.95,
        source_type: 'bank',
        headline: 'Debit',
      }),
    });
    // Neither is enough for this mode by itself, and both together are.
    const bench = await Bench.open(vault, { env: HIGH_ONLY });
    const result = only(await bench.tick());
    const event = only(vault.events('steward-action-'));
    expect(result).toMatchObject({ matter: 'matter/house.md', events: [event], heard: true });
    expect(vault.fields('task/pay.md').state).toBe('done');
    const fields = vault.fields(event);
    expect(fields).toMatchObject({ decision: 'likely_done', evaluator: expect.stringMatching(/^rules/) });
    expect(fields.confidence).toBeGreaterThan(0.85);
    expect(Object.keys(fields.source_contributions as object).sort()).toEqual(['bank', 'mail']);
    for (const name of ['a', 'b']) {
      expect(fields.signals).toContain(`[[${name}]]`);
      expect(vault.fields(`signal/${name}.md`)).toMatchObject({ status: 'applied', audit_record_path: event });
    }
    expect(vault.read(event)).toMatch(/say “Receipt” .*“Debit”/);
  });

  test('that contradict each other lead to needs_input: one event, nothing is changed', async () => {
    const archived = { class: 'state_change', set: { state: 'archived' } };
    const vault = new TempVault({
      ...HOUSE,
      'signal/a.md': weak(),
      'signal/b.md': weak({ source_type: 'bank', mutation_proposal: archived, headline: 'Refunded' }),
    });
    const bench = await Bench.open(vault);
    await bench.tick();
    const fields = vault.fields(only(vault.events()));
    expect(fields).toMatchObject({ decision: 'needs_input', changes: {}, undo_recipe: null });
    expect(fields.confidence).toBeLessThan(0.6);
    expect(vault.read('task/pay.md')).toBe(ODD_TASK);
  });

  test('by a matter itself', async () => {
    const set = { class: 'context_edit', set: { summary: 'Sold' } };
    const about = { target_kind: 'matter', target_path: 'matter/house.md', mutation_proposal: set };
    const vault = new TempVault({
      ...HOUSE,
      'signal/a.md': signal(about),
      'signal/b.md': weak({ ...about, raw_quote: 'b' }),
    });
    const bench = await Bench.open(vault);
    await bench.tick();
    expect(vault.fields('matter/house.md').summary).toBe('Sold');
  });

  test('dropped by hand, naming no source and with a name of their own, count, and at most propose', async () => {
    const text =
      '---\ntarget_path: pay\neffect: mutation\neffect_confidence: 0.99\nmutation_proposal:\n  class: state_change\n  set: {state: done}\n---\n';
    const vault = new TempVault({ ...HOUSE, 'signal/by hand.md': text });
    const bench = await Bench.open(vault);
    await bench.tick();
    const event = vault.fields(only(vault.events()));
    expect(event).toMatchObject({ changes: { state: { after: 'done' } }, pending_confirmation: true });
    expect(event.source_contributions).toHaveProperty('other');
    expect(vault.fields('task/pay.md').state).toBe('open');
  });
});

test('a tick without signals leaves no event, and asks nobody', async () => {
  const vault = new TempVault({ ...HOUSE, 'matter/house.md': matter({ surface_class: 'normal' }) });
  const before = vault.snapshot();
  const bench = await Bench.open(vault);
  expect(await bench.tick()).toMatchObject([{ targets: 2, events: [], heard: false }]);
  bench.close();
  expect(vault.snapshot()).toEqual(before);
  expect(vault.state('rate-guard')).toBeNull();
  expect(vault.state('cursors')).toMatchObject({ 'task/pay.md': { streak: 1 }, 'matter/house.md': { streak: 1 } });
});

/** A day later: what the former process wrote has been quiet. */
function later(): Clock {
  const clock = new Clock();
  clock.move(DAY);
  return clock;
}

describe('a signal weighed once', () => {
  test('leaves no second event, in this process or the next', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/a.md': weak() });
    const bench = await Bench.open(vault);
    await bench.tick();
    await bench.tick();
    expect(vault.events()).toHaveLength(1);
    bench.close();
    await (await Bench.open(vault, { clock: later() })).tick();
    expect(vault.events()).toHaveLength(1);
  });

  test('also where what was remembered is lost: the event note tells', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/a.md': weak() });
    await (await Bench.open(vault)).tick();
    vault.remove('.steward/state');
    vault.remove('.steward/cache');
    const again = await Bench.open(vault, { clock: later() });
    await again.tick();
    expect(vault.events()).toHaveLength(1);
  });

  test('also where the event note is lost: it is remembered', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/a.md': weak() });
    const bench = await Bench.open(vault);
    await bench.tick();
    bench.close();
    vault.remove(only(vault.events()));
    await (await Bench.open(vault, { clock: later() })).tick();
    expect(vault.events()).toHaveLength(0);
  });

  test('a new one beside it is weighed alone', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/a.md': weak() });
    const bench = await Bench.open(vault);
    await bench.tick();
    const first = only(vault.events());
    vault.write('signal/b.md', weak({ raw_quote: 'again' }), 30 * DAY);
    await bench.tick();
    const second = only(vault.events().filter((event) => event !== first));
    expect(vault.fields(second).signals).toEqual(['[[b]]']);
  });
});

describe('the rate guard', () => {
  const sendSeven = async (bench: Bench, vault: TempVault) => {
    for (let count = 1; count <= 7; count += 1) {
      vault.write(
        `signal/${count}.md`,
        weak({ raw_quote: `${count}`, mutation_proposal: { class: 'context_edit', set: { owner: `Nr. ${count}` } } }),
      );
      await bench.tick();
    }
  };
  const guardedNotes = (vault: TempVault) =>
    vault.events().filter((event) => vault.fields(event).decision === 'rate_guarded');

  test('the seventh evaluation of a task in a day is refused: one note, not one a tick', async () => {
    const vault = new TempVault(HOUSE);
    const clock = new Clock();
    const bench = await Bench.open(vault, { clock });
    await sendSeven(bench, vault);
    expect(vault.events()).toHaveLength(7);
    const note = only(guardedNotes(vault));
    expect(vault.fields(note)).toMatchObject({
      changes: {},
      signals: [],
      pending_confirmation: false,
      undo_recipe: null,
    });
    expect(vault.read(note)).toContain('6 of 6 used by this task in a day');
    await bench.tick();
    vault.write('signal/8.md', weak({ raw_quote: '8' }));
    await bench.tick();
    expect(vault.events()).toHaveLength(7);
    // The signals wait for a later tick, and are weighed when there is room again.
    clock.move(DAY + MINUTE);
    await bench.tick();
    const last = only(vault.events().filter((event) => (vault.fields(event).signals as string[]).includes('[[8]]')));
    expect(vault.fields(last).signals).toEqual(expect.arrayContaining(['[[7]]', '[[8]]']));
    expect(guardedNotes(vault)).toHaveLength(1);
  });

  test('survives a restart, and a crash', async () => {
    const vault = new TempVault(HOUSE);
    await sendSeven(await Bench.open(vault), vault); // never closed: nothing but what was written at once is left
    expect(guardedNotes(vault)).toHaveLength(1);
    vault.write('signal/8.md', signal({ raw_quote: '8' }));
    const again = await Bench.open(vault);
    expect(await again.route('signal/8.md')).toMatchObject({ kind: 'guarded' });
    expect(vault.fields('task/pay.md').state).toBe('open');
    expect(vault.fields('signal/8.md').status).toBe('unrouted');
  });

  test('leaves the streak alone, where a tick without signals raises it', async () => {
    const vault = new TempVault(HOUSE);
    const bench = await Bench.open(vault);
    await bench.tick();
    const streak = () => bench.remembered('cursors')['task/pay.md']?.streak;
    expect(streak()).toBe(1);
    await sendSeven(bench, vault);
    expect(streak()).toBe(0);
    vault.remove('signal/7.md');
    await bench.tick();
    await bench.tick();
    vault.write('signal/9.md', weak({ raw_quote: '9' }));
    const before = streak();
    await bench.tick();
    expect(streak()).toBe(before);
  });

  test('a note that is being edited gives its place back', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/1.md': signal() });
    vault.write('task/pay.md', ODD_TASK, 0);
    const bench = await Bench.open(vault);
    for (let count = 0; count < 8; count += 1)
      expect(await bench.route('signal/1.md')).toMatchObject({ kind: 'settling' });
    expect(bench.remembered('rate-guard').entries).toEqual([]);
  });
});

describe('hands off', () => {
  test.each([
    ['on the task', { 'task/pay.md': task({ steward: false }) }],
    ['on its matter', { 'matter/house.md': matter({ steward: false }) }],
    ['on the signal', { 'signal/a.md': signal({ steward: false }) }],
  ])('steward: false %s', async (_, more) => {
    const vault = new TempVault({
      ...HOUSE,
      'signal/a.md': signal(),
      'signal/b.md': weak({ raw_quote: 'b', steward: false }),
      ...more,
    });
    const before = vault.snapshot();
    const running = await Running.start(vault);
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    await running.sync();
    expect(vault.snapshot()).toEqual(before);
  });

  test('done and archived are left alone at a tick', async () => {
    const vault = new TempVault({ ...HOUSE, 'task/pay.md': task({ state: 'archived' }), 'signal/a.md': weak() });
    const bench = await Bench.open(vault);
    await bench.tick();
    expect(vault.events()).toEqual([]);
  });
});

describe('what TaskNotes users have', () => {
  const TASKNOTES =
    '---\ntitle: Pay\nstatus: open\npriority: high\nprojects:\n  - "[[house]]"\ncompletedDate:\ntags:\n  - task\n---\nbody\n';

  test('`projects` and `status` are read, and `status` is what is written, with the day', async () => {
    const vault = new TempVault({
      ...HOUSE,
      'task/pay.md': TASKNOTES,
      'signal/a.md': weak({ effect_confidence: 0.94 }),
      'steward.md': settings(),
    });
    const clock = new Clock();
    const bench = await Bench.open(vault, { clock });
    expect(await bench.tick('house')).toMatchObject([{ targets: 2 }]);
    const event = only(vault.events());
    expect(vault.fields(event).changes).toMatchObject({
      status: { before: 'open', after: 'done' },
      completedDate: { before: null },
    });
    await bench.confirm(event);
    const date = /completedDate: (\d{4}-\d\d-\d\d)/.exec(vault.read('task/pay.md'))?.[1];
    expect(date).toBeDefined();
    expect(vault.read('task/pay.md')).toBe(
      TASKNOTES.replace('status: open', 'status: done').replace('completedDate:', `completedDate: ${date}`),
    );
    expect(await bench.undo(event)).toMatchObject({ outcome: 'reversed' });
    expect(vault.read('task/pay.md')).toBe(TASKNOTES);
  });

  test('other names, by the settings', async () => {
    const vault = new TempVault({
      ...HOUSE,
      'task/pay.md': '---\nzustand: open\nvorgang: house\n---\n',
      'steward.md': settings({ field_mapping: ['vorgang = parent_matter'] }),
    });
    const bench = await Bench.open(vault);
    expect(await bench.tick('house')).toMatchObject([{ targets: 2 }]);
  });
});

test.each([
  '"[[house]]"',
  '"[[matter/house]]"',
  '"[[matter/house|our house]]"',
  '"[[House#Costs]]"',
  'house',
  'matter/house.md',
  './matter/house.md',
  '"[[The Old Mill]]"',
  'the old mill',
  '["[[house]]"]',
  '"[our house](matter/house.md)"',
])('parent_matter: %s', async (written) => {
  const vault = new TempVault({
    ...HOUSE,
    'matter/house.md': matter({ aliases: ['The Old Mill'] }),
    'task/pay.md': `---\ntype: task\nparent_matter: ${written}\n---\n`,
  });
  const bench = await Bench.open(vault);
  expect(await bench.tick('house')).toMatchObject([{ targets: 2 }]);
});

describe('what is due', () => {
  const round = { matters: [], force: false, mode: null };

  /** Whether the task is looked at in a first round, or so much later in a second one. */
  const lookedAt = async (
    fields: Readonly<Record<string, unknown>>,
    more: object = {},
    ahead: number | null = null,
  ): Promise<boolean> => {
    const clock = new Clock();
    const vault = new TempVault({ 'matter/house.md': matter(), 'task/pay.md': task(fields), ...more });
    const bench = await Bench.open(vault, { clock });
    const look = async () => only(await bench.tickAs(round));
    const first = await look();
    clock.move(ahead ?? 0);
    const { skipped } = ahead === null ? first : await look();
    return !skipped.some(({ path, code }) => path === 'task/pay.md' && code !== 'no-signals');
  };

  test('a note never looked at is due; after a quiet look, after four hours, or half an hour where it is high', async () => {
    expect(await lookedAt({})).toBe(true);
    expect(await lookedAt({}, {}, 4 * HOUR - MINUTE)).toBe(false);
    expect(await lookedAt({}, {}, 4 * HOUR + MINUTE)).toBe(true);
    expect(await lookedAt({ surface_class: 'high' }, {}, 29 * MINUTE)).toBe(false);
    expect(await lookedAt({ surface_class: 'high' }, {}, 31 * MINUTE)).toBe(true);
    expect(await lookedAt({ due: '2020-01-01' }, {}, 61 * MINUTE)).toBe(true);
  });

  test('what is put off by the note waits, with a signal too', async () => {
    expect(await lookedAt({ next_check_after: '2099-01-01' })).toBe(false);
    expect(await lookedAt({ state: 'snoozed', snoozed_until: '2099-01-01' })).toBe(false);
    expect(await lookedAt({ next_check_after: '2099-01-01' }, { 'signal/a.md': weak() })).toBe(false);
    expect(await lookedAt({ next_check_after: '2020-01-01' })).toBe(true);
  });

  test('a late signal makes a note due that was just looked at', async () => {
    const vault = new TempVault(HOUSE);
    const bench = await Bench.open(vault);
    await bench.tick();
    vault.write(
      'signal/late.md',
      weak({ created: '2020-01-01T00:00:00Z', origin_at: '2020-01-01T00:00:00Z' }),
      300 * DAY,
    );
    await bench.tickAs(round);
    expect(vault.events()).toHaveLength(1);
  });
});
