import { describe, expect, test } from 'vitest';
import { ACTS_FROM } from '../../support/gates.ts';
import { matter, settings, signal, task, weak } from '../../support/notes.ts';
import { ANNA, ownSignal } from '../../support/own-signal.ts';
import { Running } from '../../support/running.ts';
import { type Files, TempVault } from '../../support/temp-vault.ts';
import { Bench, HIGH_ONLY, LIVE, only, SHADOW } from '../../support/workspace.ts';

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
    ['the parent', TASK, { class: 'parent_matter', set: { parent_matter: '[[boat]]' } }, { parent_matter: '[[boat]]' }],
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
  const vault = new TempVault({ ...FILES, 'signal/a.md': weak({ source_type: 'bank', mutation_proposal: proposal }) });
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
      'state is not for a context_edit',
    ],
    ['one good part, one bad', TASK, { class: 'context_edit', set: { due: '2035-12-12', tags: 'x' } }, 'tags'],
    ['a protected field', TASK, { class: 'context_edit', set: { iban: 'x' } }, 'iban is protected'],
    ['a protected field in capitals', TASK, { class: 'context_edit', set: { TAGS: 'x' } }, 'protected'],
    ['steward', TASK, { class: 'context_edit', set: { steward: true } }, 'protected'],
    ['a field of nobody', TASK, { class: 'context_edit', set: { next_check_after: '2099-01-01' } }, 'may be written'],
    ['a forbidden move', MATTER, { class: 'state_change', set: { state: 'deleted' } }, 'must be open'],
    ['completedDate alone', TASK, { class: 'state_change', set: { completedDate: '2026-01-01' } }, 'completedDate'],
    ['a parent for a matter', MATTER, { class: 'parent_matter', set: { parent_matter: '[[boat]]' } }, 'parent_matter'],
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
    expect(said).toContain('refuses: closing: the matter has 1 open task.');
  });

  test('else that is proposed: a mail of a named sender tells of a payment, or has not been right ten times', async () => {
    const named = { 'matter/house.md': matter({ senders: [ANNA] }), 'task/pay.md': task({ state: 'done' }) };
    for (const [ends, why] of [
      [false, 'says that the whole affair has ended'],
      [true, 'was right 0 times on this matter; closing it needs 10'],
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
