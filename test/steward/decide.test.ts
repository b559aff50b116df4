import fs from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { rules } from '../../src/providers/substitutes.ts';
import type { Evaluator } from '../../src/steward/types.ts';
import { ACTS_FROM } from '../support/gates.ts';
import { HOUSE, instinct, matter, settings, signal, task, weak } from '../support/notes.ts';
import { ANNA, ownSignal } from '../support/own-signal.ts';
import { Running } from '../support/running.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, HIGH_ONLY, LIVE, only, SHADOW } from '../support/workspace.ts';
import { acted, SIGNAL, vaultWithAction } from '../undo/acted.ts';

describe('checks', () => {
  const FILES = {
    'steward.md': settings({ editable_fields: ['stage'], protected_fields: ['iban'] }),
    'matter/house.md': matter({ summary: 'Buying', related_to: ['[[anna]]'] }),
    'matter/boat.md': matter(),
    'task/pay.md': task({ due: '2035-12-01', related_orgs: ['[[bank]]'], blocked_on: 'the bank' }),
    'person/anna.md': 'A person.\n',
    'person/bank.md': 'A bank.\n',
  } as const;

  type Proposal = { class: string; set?: object; add?: object; remove?: object };
  const TASK = { target_kind: 'task', target_path: 'task/pay.md' };
  const MATTER = { target_kind: 'matter', target_path: 'matter/house.md' };

  /** Routes one strong signal with this proposal; gives the vault, what came of it and the event note. */
  async function routed(target: typeof TASK | typeof MATTER, proposal: Proposal, env = LIVE) {
    const vault = new TempVault({ ...FILES, 'signal/a.md': signal({ ...target, mutation_proposal: proposal }) });
    const before = vault.read(target.target_path);
    const bench = await Bench.open(vault, { env });
    const settled = await bench.route('signal/a.md');
    const event = vault.fields(only(vault.events()));
    return { vault, bench, before, kind: settled?.kind, event, fields: vault.fields(target.target_path) };
  }

  describe('each class, for tasks and for matters, writes what it may, and is taken back to the byte', () => {
    test.each<[string, typeof TASK | typeof MATTER, Proposal, object]>([
      ['state of a task', TASK, { class: 'state_change', set: { state: 'done' } }, { state: 'done' }],
      ['state of a matter', MATTER, { class: 'state_change', set: { state: 'snoozed' } }, { state: 'snoozed' }],
      ['a snooze', TASK, { class: 'state_change', set: { state: 'snoozed' } }, { state: 'snoozed' }],
      ['due', TASK, { class: 'context_edit', set: { due: '2035-12-12' } }, { due: '2035-12-12' }],
      ['current_state', TASK, { class: 'context_edit', set: { current_state: 'Sent' } }, { current_state: 'Sent' }],
      ['blocked_on', TASK, { class: 'context_edit', set: { blocked_on: '[[anna]]' } }, { blocked_on: '[[anna]]' }],
      ['summary of a matter', MATTER, { class: 'context_edit', set: { summary: 'Sold' } }, { summary: 'Sold' }],
      ['owner of a matter', MATTER, { class: 'context_edit', set: { owner: '[[anna]]' } }, { owner: '[[anna]]' }],
      ['a field of the settings', TASK, { class: 'context_edit', set: { stage: 'offer' } }, { stage: 'offer' }],
      [
        'the parent',
        TASK,
        { class: 'parent_matter', set: { parent_matter: '[[boat]]' } },
        { parent_matter: '[[boat]]' },
      ],
      [
        'the parent by its name',
        TASK,
        { class: 'parent_matter', set: { parent_matter: 'boat' } },
        { parent_matter: '[[boat]]' },
      ],
      [
        'related of a task',
        TASK,
        { class: 'related', add: { related_to: ['[[anna]]'] }, remove: { related_orgs: ['[[bank]]'] } },
        { related_to: ['[[anna]]'], related_orgs: [] },
      ],
      [
        'related of a matter',
        MATTER,
        { class: 'related', add: { related_orgs: ['[[bank]]'] } },
        { related_orgs: ['[[bank]]'], related_to: ['[[anna]]'] },
      ],
    ])('%s', async (_, target, proposal, after) => {
      const { vault, bench, before, kind, event, fields } = await routed(target, proposal);
      expect(kind).toBe('acted');
      expect(event.decision).toBe(proposal.class);
      expect(fields).toMatchObject(after);
      await bench.undo(only(vault.events()));
      expect(vault.read(target.target_path)).toBe(before);
    });
  });

  test.each([
    ['2035-12-12', 'changed'],
    ['2035-12-01', 'still_active'],
  ])('a date that a tick moves to %s, from 2035-12-01, is %s', async (due, decision) => {
    const proposal = { class: 'context_edit', set: { due } };
    const vault = new TempVault({
      ...FILES,
      'signal/a.md': weak({ source_type: 'bank', mutation_proposal: proposal }),
    });
    await (await Bench.open(vault)).tick();
    const event = vault.fields(only(vault.events()));
    expect(event).toMatchObject({ type: 'steward-action', decision });
    expect(Object.keys(event.changes as object)).toEqual(decision === 'changed' ? ['due'] : []);
  });

  describe('a proposal that goes too far is recorded with its reason, and changes nothing', () => {
    test.each<[string, typeof TASK | typeof MATTER, Proposal, string]>([
      [
        'another class’s field',
        TASK,
        { class: 'context_edit', set: { state: 'done' } },
        "A context_edit can't write state",
      ],
      ['one good part, one bad', TASK, { class: 'context_edit', set: { due: '2035-12-12', tags: 'x' } }, 'tags'],
      ['a protected field', TASK, { class: 'context_edit', set: { iban: 'x' } }, 'iban is protected'],
      ['a protected field in capitals', TASK, { class: 'context_edit', set: { TAGS: 'x' } }, 'protected'],
      ['steward', TASK, { class: 'context_edit', set: { steward: true } }, 'protected'],
      ['a field of nobody', TASK, { class: 'context_edit', set: { next_check_after: '2099-01-01' } }, 'may be written'],
      ['a forbidden move', MATTER, { class: 'state_change', set: { state: 'deleted' } }, 'must be open'],
      ['completedDate alone', TASK, { class: 'state_change', set: { completedDate: '2026-01-01' } }, 'completedDate'],
      [
        'a parent for a matter',
        MATTER,
        { class: 'parent_matter', set: { parent_matter: '[[boat]]' } },
        'parent_matter',
      ],
      ['a parent that is a task', TASK, { class: 'parent_matter', set: { parent_matter: '[[pay]]' } }, 'no matter'],
      ['a parent outside', TASK, { class: 'parent_matter', set: { parent_matter: '../../etc' } }, 'parent_matter'],
      ['a replaced list', TASK, { class: 'related', set: { related_to: ['[[anna]]'] } }, 'not replaced'],
      ['a ghost', MATTER, { class: 'related', add: { related_to: ['[[ghost]]'] } }, 'ghost'],
      ['a long current_state', TASK, { class: 'context_edit', set: { current_state: 'x'.repeat(201) } }, '200'],
      ['a date that is none', TASK, { class: 'context_edit', set: { due: '2026-02-30' } }, 'due'],
    ])('%s', async (_, target, proposal, reason) => {
      const { vault, before, kind, event } = await routed(target, proposal);
      expect(kind).toBe('recorded');
      expect(vault.read(target.target_path)).toBe(before);
      expect(event).toMatchObject({ changes: {}, undo_recipe: null, pending_confirmation: false });
      expect(event.gates).toContainEqual(expect.objectContaining({ gate: 'writing', held: false }));
      expect(JSON.stringify(event.gates)).toContain(reason);
      expect(vault.read(only(vault.events()))).toContain('This change is not allowed: ');
      expect(vault.fields('signal/a.md').status).toBe('unrouted');
    });
  });

  describe('a matter is closed by itself', () => {
    const ended = { ...MATTER, mutation_proposal: { class: 'state_change', set: { state: 'done' } } };
    const closed = async (files: Files) => {
      const vault = new TempVault({ ...FILES, ...files });
      const bench = await Bench.open(vault);
      await bench.tick();
      const { state, pending_confirmation: waits } = vault.fields('matter/house.md');
      return {
        state,
        waits: waits ?? false,
        said: vault
          .events()
          .map((event) => vault.read(event))
          .join('\n'),
      };
    };

    test('where it has no open task, and a trusted source says that the affair has ended', async () => {
      const files = { 'task/pay.md': task({ state: 'done' }), 'signal/a.md': signal(ended) };
      expect(await closed(files)).toMatchObject({ state: 'done', waits: false });
    });

    test('else that is proposed: a task is open', async () => {
      const { said, ...rest } = await closed({ 'signal/a.md': signal(ended) });
      expect(rest).toEqual({ state: 'open', waits: true });
      expect(said).toContain('failed: closing: the matter has 1 open part.');
    });

    test.each(['open', 'snoozed'])('else that is proposed: a matter under it is %s', async (state) => {
      const under = {
        'task/pay.md': task({ state: 'done' }),
        'matter/loft.md': matter({ state, parent_matter: 'house' }),
      };
      const { said, ...rest } = await closed({ ...under, 'signal/a.md': signal(ended) });
      expect(rest).toEqual({ state: 'open', waits: true });
      expect(said).toContain('failed: closing: the matter has 1 open part.');
    });

    test('where all matters under it are done', async () => {
      const under = { 'matter/loft.md': matter({ state: 'done', parent_matter: '[[house]]' }) };
      const files = { 'task/pay.md': task({ state: 'done' }), ...under, 'signal/a.md': signal(ended) };
      expect(await closed(files)).toMatchObject({ state: 'done', waits: false });
    });

    test('else that is proposed: a mail of a named sender tells of a payment, or has no licence', async () => {
      const named = { 'matter/house.md': matter({ senders: [ANNA] }), 'task/pay.md': task({ state: 'done' }) };
      for (const [ends, why] of [
        [false, 'it does not say that the whole affair has ended'],
        [true, 'has no licence on house'],
      ] as const) {
        const mail = ownSignal('signal/a.md', { ...ended, ...(ends ? { ends_matter: true } : {}) });
        const { said, ...rest } = await closed({ ...named, 'signal/a.md': mail });
        expect(rest).toEqual({ state: 'open', waits: true });
        expect(said).toContain(why);
      }
    });
  });

  describe('modes by confidence, end to end', () => {
    const rows = [LIVE, HIGH_ONLY, SHADOW].flatMap((env) => {
      const kind = env === SHADOW ? 'recorded' : 'acted';
      const least = ACTS_FROM[env.ceiling];
      return [
        [env.ceiling, 0.96, kind, env] as const,
        [env.ceiling, least, kind, env] as const,
        [env.ceiling, least - 0.01, undefined, env] as const,
      ];
    });
    // The note asks for little, so that the mode alone decides.
    const pay = { 'task/pay.md': task({ discretion_threshold: 0.5 }) };
    test.each(rows)('%s at %f: %s', async (_, effect_confidence, kind, env) => {
      const vault = new TempVault({ ...FILES, ...pay, 'signal/a.md': signal({ effect_confidence }) });
      const before = vault.read('task/pay.md');
      const bench = await Bench.open(vault, { env });
      const settled = await bench.route('signal/a.md');
      expect(settled?.kind).toBe(kind);
      if (kind === 'acted') expect(vault.fields('task/pay.md').state).toBe('done');
      else expect(vault.read('task/pay.md')).toBe(before);
      if (kind !== undefined) expect(vault.fields(only(vault.events())).confidence).toBe(effect_confidence);
    });
  });

  test('an ambiguous signal acts on nothing, however sure it is: a person is asked which note is meant', async () => {
    const sure = { target_ambiguous: true, target_candidates: ['[[pay]]', '[[house]]'], effect_confidence: 1 };
    const vault = new TempVault({ ...FILES, 'signal/a.md': signal({ ...sure, target_confidence: 1 }) });
    const before = vault.snapshot();
    const bench = await Bench.open(vault);
    expect(await bench.route('signal/a.md')).toBeNull();
    await bench.tick();
    const asked = only(vault.events());
    const { [asked]: _, ...rest } = vault.snapshot();
    expect(rest).toEqual(before);
    expect(vault.fields(asked)).toMatchObject({ candidates: ['[[pay]]', '[[house]]'], changes: {}, undo_recipe: null });
  });

  test('a strong signal is acted upon within two seconds of its file being complete', async () => {
    const names = ['a', 'b', 'c'];
    const vault = new TempVault({ ...FILES, ...Object.fromEntries(names.map((name) => [`task/${name}.md`, task()])) });
    const running = await Running.start(vault);
    let least = Number.POSITIVE_INFINITY; // other programs on the machine only ever add
    for (const name of names) {
      const start = performance.now();
      vault.write(`signal/${name}.md`, signal({ target_path: `task/${name}.md`, raw_quote: name }));
      await running.heard('acted', ({ target }) => target === `task/${name}.md`);
      least = Math.min(least, performance.now() - start);
    }
    expect(least).toBeLessThan(2000);
  });

  test('steward: false in a signal keeps it from being stamped', async () => {
    const vault = new TempVault({ ...FILES, 'signal/a.md': weak() });
    const bench = await Bench.open(vault);
    await bench.tick();
    vault.write('signal/a.md', weak({ steward: false }));
    await bench.confirm(only(vault.events()));
    expect(vault.read('signal/a.md')).toBe(weak({ steward: false }));
  });
});

describe('decision', () => {
  // Strong together, not alone: weighed at the tick, and acted upon.
  const TOGETHER = (target: string) => ({
    'instinct/mail.md': instinct('mail', { observations: 20 }),
    'signal/b1.md': signal({ target_path: target, effect_confidence: 0.82, target_confidence: 0.59 }),
    'signal/b2.md': signal({
      target_path: target,
      effect_confidence: 0.7,
      target_confidence: 0.95,
      source_type: 'bank',
    }),
  });

  test('needs_input is never acted upon', async () => {
    const vault = new TempVault({
      ...HOUSE,
      ...TOGETHER('task/pay.md'),
      'signal/c.md': signal({
        effect: 'action',
        mutation_proposal: null,
        raw_quote: 'c',
        headline: 'Is it paid? Call me',
      }),
    });
    const bench = await Bench.open(vault);
    await bench.tick();
    const event = only(vault.events());
    expect(vault.fields(event)).toMatchObject({
      decision: 'needs_input',
      pending_confirmation: true,
      undo_recipe: null,
    });
    expect(vault.read(event)).toContain('\n- it needs your decision.\n');
    expect(vault.fields('task/pay.md').state).toBe('open');
  });

  test('a signal that bears nothing of the conclusion opens no gate for one that does', async () => {
    const vault = new TempVault({
      ...HOUSE,
      'signal/a.md': signal({ source_type: 'slack_channel', effect_confidence: 0.62, target_confidence: 0.9 }),
      'signal/b.md': signal({ raw_quote: 'b', mutation_proposal: null, headline: 'Newsletter' }),
    });
    const bench = await Bench.open(vault);
    await bench.tick();
    expect(vault.fields(only(vault.events())).source_contributions).toEqual({ slack_channel: 1 });
    expect(vault.fields('task/pay.md').state).toBe('open');
  });

  test('a source that an evaluator credits opens no gate for what another proposes', async () => {
    const evaluator: Evaluator = {
      name: 'weigher',
      asksModel: false,
      evaluate: async () => ({
        decision: 'likely_done',
        confidence: 0.9,
        reasoning: 'The channel says so.',
        evidence: [],
        source_contributions: { slack_channel: 1, mail: 1 },
        changes: [{ field: 'state', op: 'set', value: 'done' }],
      }),
    };
    const vault = new TempVault({
      ...HOUSE,
      'instinct/mail.md': instinct('mail', { observations: 60 }),
      'signal/a.md': signal({ source_type: 'slack_channel', effect_confidence: 0.62, target_confidence: 0.9 }),
      'signal/b.md': signal({ raw_quote: 'b', mutation_proposal: null, headline: 'Newsletter' }),
    });
    const bench = await Bench.open(vault, { evaluator });
    await bench.tick();
    expect(vault.fields(only(vault.events())).source_contributions).toEqual({ slack_channel: 1 });
    expect(vault.fields('task/pay.md').state).toBe('open');
  });

  test('a source whose note says nonsense waits, whatever the note is called', async () => {
    const pruned = instinct('mail', { calibration_status: 'pruned', confidence: 0.1 });
    const vault = new TempVault({ ...HOUSE, 'instinct/my mail.md': pruned, 'signal/a.md': signal() });
    const bench = await Bench.open(vault);
    expect(await bench.route('signal/a.md')).toBeNull();
    vault.edit('instinct/my mail.md', 'confidence: 0.1', 'confidence: 7');
    expect(await bench.route('signal/a.md')).toBeNull();
  });
});

describe('several signals', () => {
  // Strong together, not alone: weighed at the tick, and acted upon.
  const TOGETHER = (target: string) => ({
    'instinct/mail.md': instinct('mail', { observations: 20 }),
    'signal/b1.md': signal({ target_path: target, effect_confidence: 0.82, target_confidence: 0.59 }),
    'signal/b2.md': signal({
      target_path: target,
      effect_confidence: 0.7,
      target_confidence: 0.95,
      source_type: 'bank',
    }),
  });

  // A tick judges a.md, then b.md. While `during` is judged, the person writes.
  async function whileJudging(during: string, edit: (vault: TempVault) => void) {
    const vault = new TempVault({
      'steward.md': HOUSE['steward.md'],
      'matter/house.md': matter(),
      'task/a.md': task(),
      'task/b.md': task(),
      ...TOGETHER('task/b.md'),
      'signal/a.md': weak({ target_path: 'task/a.md', raw_quote: 'a', effect_confidence: 0.7 }),
    });
    let edited = false;
    const evaluate: typeof rules.evaluate = async (question, abort) => {
      if (!edited && question.target.path === during) {
        edited = true;
        edit(vault);
        await bench.sweep();
      }
      return rules.evaluate(question, abort);
    };
    const bench = await Bench.open(vault, { evaluator: { ...rules, evaluate } });
    await bench.tick();
    expect(edited).toBe(true);
    return vault;
  }

  describe('what a person writes while a tick is under way is heeded', () => {
    test('steward: false, in a note that comes later in the tick', async () => {
      const vault = await whileJudging('task/a.md', (v) => v.write('task/b.md', task({ steward: false })));
      expect(vault.read('task/b.md')).toBe(task({ steward: false }));
    });
    test('state: archived, in a note that comes later in the tick', async () => {
      const vault = await whileJudging('task/a.md', (v) => v.write('task/b.md', task({ state: 'archived' })));
      expect(vault.read('task/b.md')).toBe(task({ state: 'archived' }));
    });
    test('discretion_threshold: 1, in a note that comes later in the tick', async () => {
      const vault = await whileJudging('task/a.md', (v) => v.write('task/b.md', task({ discretion_threshold: 1 })));
      expect(vault.fields('task/b.md').state).toBe('open');
    });
    test('steward: false, in the matter of the task under judgement', async () => {
      const vault = await whileJudging('task/b.md', (v) => v.write('matter/house.md', matter({ steward: false })));
      expect(vault.read('task/b.md')).toBe(task());
    });
  });

  test('a note that changed while it was judged is judged again, also where nothing was to be changed', async () => {
    const due = { class: 'context_edit', set: { due: '2036-02-02' } };
    const files = { 'task/pay.md': task({ due: '2036-02-02' }), 'signal/a.md': weak({ mutation_proposal: due }) };
    const vault = new TempVault({ ...HOUSE, ...files });
    let asked = 0;
    const evaluate: typeof rules.evaluate = async (question, abort) => {
      asked += 1;
      if (asked === 1) vault.write('task/pay.md', task({ due: '2036-01-01' }));
      return rules.evaluate(question, abort);
    };
    const bench = await Bench.open(vault, { evaluator: { ...rules, evaluate } });
    await bench.tick();
    expect(vault.fields(only(vault.events())).changes).toEqual({ due: { before: '2036-01-01', after: '2036-02-02' } });
  });

  test('an evaluation that is made again counts with the rate guard', async () => {
    const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), 'signal/a.md': weak() });
    let asked = 0;
    const evaluate: typeof rules.evaluate = async (question, abort) => {
      asked += 1;
      if (asked < 3) vault.write('task/pay.md', task({ due: `2036-01-0${asked}` }));
      return rules.evaluate(question, abort);
    };
    const bench = await Bench.open(vault, { evaluator: { ...rules, asksModel: true, evaluate } });
    await bench.tick();
    expect(bench.remembered('rate-guard').entries).toHaveLength(asked);
  });
});

describe('only by hand', () => {
  const FLOW = '---\n{type: task, state: open, parent_matter: "[[house]]"}\n---\nA task.\n';

  test('a change that cannot be written into a note to the byte is put to a person', async () => {
    const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ settle_seconds: 0 }), 'task/pay.md': FLOW });
    const running = await Running.start(vault);
    vault.write('signal/s1.md', signal());
    await running.heard('recorded');
    await running.sync();
    expect(vault.read('task/pay.md')).toBe(FLOW);
    expect(running.daemon.status().waiting).toMatchObject([
      { kind: 'question', target: 'task/pay.md', change: 'Invoice paid', answers: ['dismiss'] },
    ]);
    const [event = ''] = vault.events();
    expect(vault.read(event)).toContain('not written as one field a line');
  });
});

describe('work on the disk', () => {
  afterEach(() => vi.restoreAllMocks());

  /** How often the disk is asked for what takes long: to write something down for good, to open, to follow links. */
  interface DiskWork {
    readonly synced: number;
    readonly opened: number;
    readonly resolved: number;
  }

  async function workOf(vault: TempVault, act: () => Promise<unknown>): Promise<DiskWork> {
    const inVault = (file: unknown) => String(file).startsWith(vault.root);
    const synced = vi.spyOn(fs, 'fsyncSync');
    const opened = vi.spyOn(fs, 'openSync');
    const resolved = vi.spyOn(fs.realpathSync, 'native');
    await act();
    return {
      synced: synced.mock.calls.length,
      // Timers look into the history whenever they come round.
      opened: opened.mock.calls.filter(([file]) => inVault(file) && !String(file).startsWith(vault.places.history))
        .length,
      resolved: resolved.mock.calls.filter(([file]) => inVault(file)).length,
    };
  }

  function expectAtMost(work: DiskWork, most: DiskWork): void {
    expect(work.synced).toBeGreaterThan(0);
    expect({
      synced: Math.max(work.synced, most.synced),
      opened: Math.max(work.opened, most.opened),
      resolved: Math.max(work.resolved, most.resolved),
    }).toEqual(most);
  }

  // docs/decisions/0032 says of each what it is for. Who adds one says so there, and which promise asks for it.
  test('a strong signal: what it writes for good, opens and resolves', async () => {
    const vault = vaultWithAction();
    const bench = await Bench.open(vault);
    expectAtMost(await workOf(vault, () => bench.route(SIGNAL)), { synced: 10, opened: 24, resolved: 11 });
    expect(vault.fields(SIGNAL).status).toBe('applied');
  });

  test('an undo: what it writes for good, opens and resolves', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    expectAtMost(await workOf(vault, () => bench.undo(name)), { synced: 8, opened: 24, resolved: 12 });
  });
});
