import { describe, expect, test } from 'vitest';
import { rules } from '../../../src/providers/substitutes.ts';
import { Clock, DAY, HOUR, MINUTE } from '../../support/clock.ts';
import { HOUSE, instinct, matter, ODD_TASK, settings, signal, task, weak } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, HIGH_ONLY, only } from '../../support/workspace.ts';

describe('weak signals weighed together', () => {
  test('that agree make the verdict surer; the change is based on the one that passes its gates by itself', async () => {
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
    // Neither is enough for this mode by itself, and both together are; of the two, only the first passes its own gates.
    const bench = await Bench.open(vault, { env: HIGH_ONLY });
    const result = only(await bench.tick());
    const event = only(vault.events('steward-action-'));
    expect(result).toMatchObject({ matter: 'matter/house.md', events: [event], heard: true });
    expect(vault.fields('task/pay.md').state).toBe('done');
    const fields = vault.fields(event);
    expect(fields).toMatchObject({ decision: 'likely_done', evaluator: expect.stringMatching(/^rules/) });
    expect(fields.confidence).toBeGreaterThan(0.85);
    expect(Object.keys(fields.source_contributions as object)).toEqual(['mail']);
    expect(fields).toMatchObject({ signals: ['[[a]]'], considered: ['[[a]]', '[[b]]'] });
    expect(vault.fields('signal/a.md')).toMatchObject({ status: 'applied', audit_record_path: event });
    expect(vault.fields('signal/b.md').status).toBe('unrouted');
    expect(vault.read(event)).toMatch(/because of “Receipt” .*“Debit”/);
  });

  test('that contradict each other are both put to the person: nothing is changed', async () => {
    const archived = { class: 'state_change', set: { state: 'archived' } };
    const vault = new TempVault({
      ...HOUSE,
      'signal/a.md': weak(),
      'signal/b.md': weak({ source_type: 'bank', mutation_proposal: archived, headline: 'Refunded' }),
    });
    const bench = await Bench.open(vault);
    await bench.tick();
    const events = vault.events().map((event) => vault.fields(event));
    const signalOf = (decision: string) => only(events.filter((event) => event.decision === decision)).signals;
    expect(signalOf('likely_done')).toEqual(['[[a]]']);
    expect(signalOf('stale_archive_candidate')).toEqual(['[[b]]']);
    for (const event of events) expect(event).toMatchObject({ outcome: 'proposed', waiting: true, undo_recipe: null });
    expect(vault.fields('task/pay.md').state).toBe('open');
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
  /** A model that answers as the rules do. */
  const MODEL = { ...rules, name: 'model-of-the-test', asksModel: true };
  const sendSeven = async (bench: Bench, vault: TempVault) => {
    for (let count = 1; count <= 7; count += 1) {
      vault.write(
        `signal/${count}.md`,
        weak({
          raw_quote: `${count}`,
          source_type: count % 2 === 0 ? 'bank' : 'mail', // one sender alone has half of the slots
          mutation_proposal: { class: 'context_edit', set: { owner: `Nr. ${count}` } },
        }),
      );
      await bench.tick();
    }
  };
  const guardedNotes = (vault: TempVault) =>
    vault.events().filter((event) => vault.fields(event).decision === 'rate_guarded');

  test('the seventh evaluation of a task in a day is refused: one note, not one a tick', async () => {
    const vault = new TempVault(HOUSE);
    const clock = new Clock();
    const bench = await Bench.open(vault, { clock, evaluator: MODEL });
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
    expect(vault.fields(last).considered).toEqual(expect.arrayContaining(['[[7]]', '[[8]]']));
    expect(guardedNotes(vault)).toHaveLength(1);
  });

  test('survives a restart, and a crash', async () => {
    const vault = new TempVault(HOUSE);
    await sendSeven(await Bench.open(vault, { evaluator: MODEL }), vault); // never closed: nothing but what was written at once is left
    expect(guardedNotes(vault)).toHaveLength(1);
    vault.write('signal/8.md', weak({ raw_quote: '8' }));
    const before = vault.events();
    const again = await Bench.open(vault, { evaluator: MODEL });
    const [result] = await again.tick();
    expect(result?.skipped).toContainEqual(expect.objectContaining({ path: 'task/pay.md', code: 'rate-guarded' }));
    expect(vault.events()).toEqual(before);
  });

  test('needs no slot without a model: more evaluations than a day allows, and strong signals', async () => {
    const vault = new TempVault(HOUSE);
    const bench = await Bench.open(vault);
    await sendSeven(bench, vault);
    expect(guardedNotes(vault)).toEqual([]);
    expect(vault.events()).toHaveLength(7);
    vault.write('signal/8.md', signal({ raw_quote: '8' }));
    expect(await bench.route('signal/8.md')).toMatchObject({ kind: 'acted' });
    expect(bench.remembered('rate-guard').entries).toEqual([]);
  });

  test("one sender's thirty mails don't use up a task's slots: another sender is evaluated at once", async () => {
    const vault = new TempVault(HOUSE);
    const asked: string[][] = [];
    const evaluate: typeof rules.evaluate = (question, abort) => {
      asked.push(question.signals.map(({ source }) => source));
      return rules.evaluate(question, abort);
    };
    const bench = await Bench.open(vault, { evaluator: { ...MODEL, evaluate } });
    for (let count = 1; count <= 30; count += 1) {
      vault.write(`signal/flood-${count}.md`, weak({ raw_quote: `${count}`, pattern: 'stranger@flood.example' }));
      await bench.tick();
    }
    expect(asked).toHaveLength(3);
    expect(vault.read(only(guardedNotes(vault)))).toContain('3 of 3 used by this sender on this task in a day');
    vault.write('signal/anna.md', weak({ raw_quote: 'It is paid.', pattern: 'anna@notary.example' }));
    await bench.tick();
    expect(asked).toHaveLength(4);
    expect(asked.at(-1)).toContain('mail:anna@notary.example');
  });

  test('a state that cannot be read counts as full for a minute, and is said; then questions go on', async () => {
    const vault = new TempVault({
      ...HOUSE,
      'signal/1.md': weak(),
      '.steward/state/rate-guard.json': '{"nextId":6,"entries":[{"id":0,',
    });
    const clock = new Clock();
    const bench = await Bench.open(vault, { clock, evaluator: MODEL });
    const [result] = await bench.tick();
    expect(result?.skipped).toContainEqual(
      expect.objectContaining({ code: 'rate-guarded', reason: expect.stringContaining('could not be read') }),
    );
    expect(bench.status().trouble).toContainEqual(
      expect.objectContaining({ code: 'state-unreadable', hint: expect.stringContaining('full for a minute') }),
    );
    bench.close();
    // A restart within the minute doesn't make it empty.
    const again = await Bench.open(vault, { clock, evaluator: MODEL });
    expect(again.remembered('rate-guard').fullUntil).not.toBeNull();
    clock.move(MINUTE);
    await again.tick();
    expect(guardedNotes(vault)).toHaveLength(1);
    expect(vault.events()).toHaveLength(2);
  });

  test('leaves the streak alone, where a tick without signals raises it', async () => {
    const vault = new TempVault(HOUSE);
    const bench = await Bench.open(vault, { evaluator: MODEL });
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
    const vault = new TempVault({ ...HOUSE, 'signal/1.md': weak() });
    vault.write('task/pay.md', ODD_TASK, 0);
    const bench = await Bench.open(vault, { evaluator: MODEL });
    for (let count = 0; count < 8; count += 1) expect((await bench.tick())[0]?.retryAt).not.toBeNull();
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
      'signal/a.md': weak(),
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

describe('why a note is skipped', () => {
  test('a note off by its matter names the matter; a closed one its state; one that is not due the moment', async () => {
    const vault = new TempVault({
      ...HOUSE,
      'matter/house.md': matter({ steward: false }),
      'matter/trip.md': matter(),
      'task/done.md': task({ state: 'done', parent_matter: '[[trip]]' }),
      'task/later.md': task({ parent_matter: '[[trip]]', next_check_after: '2099-01-01' }),
    });
    const bench = await Bench.open(vault);
    const skips = async (name: string) =>
      (await bench.tickAs({ matters: [name], force: false, mode: null }))[0]?.skipped;
    expect(await skips('house')).toEqual([
      { path: 'task/pay.md', code: 'hands-off', reason: 'its matter house says steward: false' },
      { path: 'matter/house.md', code: 'hands-off', reason: 'steward: false' },
    ]);
    expect(await skips('trip')).toEqual([
      { path: 'task/done.md', code: 'finished', reason: 'it is done' },
      { path: 'task/later.md', code: 'not-due', reason: expect.any(String), until: new Date(2099, 0, 1).getTime() },
      { path: 'matter/trip.md', code: 'no-signals', reason: 'no signals' },
    ]);
  });

  test('a note that a strong signal has just changed was not skipped', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/a.md': signal() });
    const bench = await Bench.open(vault);
    const [result] = await bench.tickAs({ matters: ['house'], force: false, mode: null });
    expect(result?.events).toHaveLength(1);
    expect(result?.skipped.map(({ path }) => path)).toEqual(['matter/house.md']);
  });
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
