// Over 5 s: each case runs a daemon on a vault on disk.
import { describe, expect, test } from 'vitest';
import type { WaitingEntry } from '../../src/steward/inbox.ts';
import { stem } from '../../src/vault/layout.ts';
import { EVENT_OUTCOMES } from '../../src/vault/record.ts';
import { Clock, DAY } from '../support/clock.ts';
import { closed, HOUSE, masked, ODD_TASK, settings, signal, task, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only, SHADOW } from '../support/workspace.ts';

const SIGNAL = 'signal/s1.md';
const PAY = 'task/pay.md';
const ASKS = { effect: 'action', mutation_proposal: null };
const AMBIGUOUS = { target_ambiguous: true, target_candidates: ['task/pay.md', 'task/call.md'] };
const TWO = { ...HOUSE, 'task/call.md': task({}, 'Call them.') };
const DONE = ODD_TASK.replace("'open'", "'done'");

interface Scene {
  readonly vault: TempVault;
  readonly bench: Bench;
  readonly event: string;
}

/** A vault in which one thing waits for a person. */
async function waiting(text: string, more = {}, setting = {}): Promise<Scene> {
  const vault = new TempVault({ ...TWO, [SIGNAL]: text, ...more });
  const bench = await Bench.open(vault, setting);
  await bench.tick();
  return { vault, bench, event: only(vault.events()) };
}

function nameOf(event: string): string {
  return stem(event);
}

function flagsOf(vault: TempVault, event: string) {
  const { waiting: waits, pending_confirmation: pending, outcome } = vault.fields(event);
  return { waits, pending, outcome };
}

/** Lets time pass, as far as the settle window sees it. */
function quiet(vault: TempVault): void {
  for (const [file, text] of Object.entries(vault.snapshot())) vault.write(file, text);
}

describe('the list', () => {
  test('a proposal, with what would be changed, the quote, and the answers that are possible', async () => {
    const { bench, event } = await waiting(weak({ from: 'Anna Example <anna@northgate-notary.example>' }));
    expect(bench.waiting()).toEqual([
      {
        kind: 'proposal',
        event: nameOf(event),
        target: PAY,
        change: 'state open → done',
        from: 'anna@northgate-notary.example (Anna Example)',
        quote: 'your invoice is paid',
        mail: 'stream/paid.eml',
        warning: null,
        told: expect.stringMatching(/^\d{4}-\d\d-\d\d Invoice paid$/),
        since: expect.stringMatching(/^\d{4}-.*Z$/),
        answers: ['confirm', 'dismiss', 'later', 'choose'],
        candidates: [],
        likelihood: null,
        matter: 'matter/house.md',
        trust: { source: 'mail', sender: 'mail', right: 0, wrong: 0, reached: 0.75, needed: 0.8 },
        why: ['mail scored 0.75, 0.80 needed.'],
        isStale: false,
      },
    ]);
  });

  test('a question, which proposes nothing', async () => {
    const { vault, bench, event } = await waiting(weak(ASKS));
    expect(bench.waiting()).toMatchObject([
      { kind: 'question', event: nameOf(event), target: PAY, change: 'Invoice paid', answers: ['dismiss'] },
    ]);
    expect(flagsOf(vault, event)).toEqual({ waits: true, pending: true, outcome: 'recorded' });
    expect(vault.fields(PAY)).not.toHaveProperty('pending_confirmation');
  });

  test('a choice between notes, as soon as its signal is there, once', async () => {
    const { vault, bench, event } = await waiting(signal(AMBIGUOUS));
    expect(bench.waiting()).toMatchObject([
      {
        kind: 'choice',
        event: nameOf(event),
        target: null,
        change: 'state → done',
        answers: ['choose', 'dismiss'],
        candidates: ['[[pay]]', '[[call]]'],
      },
    ]);
    await bench.tick();
    expect(vault.events()).toEqual([event]);
  });

  test('an undo that found the field changed, for a week or until it is forced', async () => {
    const clock = new Clock();
    const { vault, bench, event } = await waiting(signal({ effect_confidence: 1 }), {}, { clock });
    vault.edit(PAY, "'done'", "'archived'");
    expect(await bench.undo(nameOf(event))).toMatchObject({ outcome: 'conflict' });
    expect(bench.waiting()).toMatchObject([
      { kind: 'conflict', event: nameOf(event), target: PAY, answers: ['force'] },
    ]);
    expect(await bench.undo(nameOf(event), { force: true })).toMatchObject({ outcome: 'reversed' });
    expect(bench.waiting()).toEqual([]);
  });

  test('a conflict is ended by ticking force in its reversal note, once', async () => {
    const { vault, bench, event } = await waiting(signal({ effect_confidence: 1 }));
    vault.edit(PAY, "'done'", "'archived'");
    await bench.undo(nameOf(event));
    bench.close();
    const conflict = only(vault.events('signal-action-reversed-'));
    const running = await Running.start(vault);
    expect(running.daemon.status().waiting).toMatchObject([{ kind: 'conflict', event: nameOf(event) }]);
    vault.edit(conflict, 'force: false', 'force: true');
    await running.heard('reversed');
    await running.sync();
    expect(vault.read(PAY)).toBe(ODD_TASK);
    expect(running.daemon.status().waiting).toEqual([]);
    expect(vault.events('signal-action-reversed-')).toHaveLength(2);
  });

  test('a conflict that nobody cared about is gone after a week', async () => {
    const clock = new Clock();
    const { vault, bench, event } = await waiting(signal({ effect_confidence: 1 }), {}, { clock });
    vault.edit(PAY, "'done'", "'archived'");
    await bench.undo(nameOf(event));
    clock.move(7 * DAY);
    expect(bench.waiting()).toEqual([]);
  });

  test('is in the status, and what is wrong in a list of its own', async () => {
    const { bench } = await waiting(weak(), { 'task/broken.md': '---\nstate: [open\n---\n' });
    const { waiting: decisions, trouble } = bench.status();
    expect(decisions.map(({ kind }) => kind)).toEqual(['proposal']);
    expect(trouble.map(({ file }) => file)).toEqual(['task/broken.md']);
  });
});

/** Each door through which a person answers, and what it does to a vault whose event waits. */
const DOORS: readonly (readonly [string, (scene: Scene, kind: WaitingEntry['answers'][number]) => unknown])[] = [
  [
    'the box',
    ({ vault, event }, kind) =>
      kind === 'choose'
        ? vault.edit(event, 'choose: ""', 'choose: "[[call]]"')
        : vault.edit(event, `${kind}: false`, `${kind}: true`),
  ],
  [
    'one tick, in the list where there is one',
    ({ vault, event }, kind) =>
      kind === 'choose'
        ? vault.edit(event, '- [ ] [[call]]', '- [x] [[call]]')
        : vault.edit(event, `${kind}: false`, `${kind}: true`),
  ],
  [
    'a file',
    ({ vault, event }, kind) => {
      const verb = kind === 'dismiss' ? 'dismissed' : 'confirmed';
      const link = `${kind === 'dismiss' ? 'dismisses' : 'confirms'}: "[[${nameOf(event)}]]"\n`;
      const chosen = kind === 'choose' ? 'choose: "[[call]]"\n' : '';
      vault.write(`event/signal-action-${verb}-mine.md`, `---\n${link}${chosen}---\n`);
    },
  ],
  [
    'a command',
    ({ bench, event }, kind) =>
      kind === 'choose'
        ? bench.choose(nameOf(event), 'call')
        : kind === 'confirm'
          ? bench.confirm(nameOf(event))
          : bench.dismiss(nameOf(event)),
  ],
];

const ANSWERS = [
  ['a proposal', 'confirm', 'confirmed', weak()],
  ['a proposal', 'dismiss', 'dismissed', weak()],
  ['a question', 'dismiss', 'dismissed', weak(ASKS)],
  ['a choice', 'choose', 'confirmed', signal(AMBIGUOUS)],
  ['a choice', 'dismiss', 'dismissed', signal(AMBIGUOUS)],
] as const;

describe.each(DOORS)('LAW: what is answered through %s is gone from every list', (_, enter) => {
  test.each(ANSWERS)('%s: %s', async (_, kind, outcome, text) => {
    const scene = await waiting(text);
    quiet(scene.vault);
    await enter(scene, kind);
    scene.bench.close();
    const running = await Running.start(scene.vault);
    await running.sync();
    expect(running.daemon.status().waiting).toEqual([]);
    expect(EVENT_OUTCOMES).toContain(outcome);
    expect(flagsOf(scene.vault, scene.event)).toEqual({ waits: false, pending: false, outcome });
    const before = scene.vault.snapshot();
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    await running.sync();
    expect(scene.vault.snapshot()).toEqual(before);
  });
});

describe('a choice', () => {
  test('makes the change in the chosen note, with a recipe; undone, the note is what it was', async () => {
    const { vault, bench, event } = await waiting(signal(AMBIGUOUS), {}, { env: SHADOW });
    quiet(vault);
    const before = vault.read(PAY);
    expect(await bench.choose(nameOf(event), '[[pay]]')).toMatchObject({ outcome: 'confirmed', target: PAY });
    expect(vault.read(PAY)).toBe(DONE);
    const sibling = only(vault.events('signal-action-confirmed-'));
    expect(vault.fields(sibling)).toMatchObject({
      confirms: `[[${nameOf(event)}]]`,
      target_path: PAY,
      changes: { state: { before: 'open', after: 'done' } },
      source_contributions: { mail: 1 },
      undo_recipe: { vault_patch: { target: PAY } },
    });
    expect(vault.fields(SIGNAL)).toMatchObject({ status: 'applied', audit_record_path: sibling });
    expect(await bench.undo(nameOf(sibling))).toMatchObject({ outcome: 'reversed' });
    expect(vault.read(PAY)).toBe(before);
    await bench.follow();
    expect(flagsOf(vault, event)).toEqual({ waits: false, pending: false, outcome: 'reversed' });
    // To choose was to confirm, and that was taken back: no right outcome is left.
    expect(vault.fields('instinct/mail.md')).toMatchObject({ observations: 0, wrong: 0, reversals: 0 });
  });

  test('of a note that was not offered is taken, where it is a matter or task', async () => {
    const { vault, bench, event } = await waiting(signal(AMBIGUOUS), { 'task/other.md': task() });
    quiet(vault);
    expect(await bench.choose(nameOf(event), 'other')).toMatchObject({ outcome: 'confirmed', target: 'task/other.md' });
    expect(vault.fields('task/other.md').state).toBe('done');
  });

  test('of what is no matter and no task says so in the note, and waits', async () => {
    const { vault, bench, event } = await waiting(signal(AMBIGUOUS));
    expect(await bench.choose(nameOf(event), 'nowhere')).toMatchObject({ outcome: 'not-a-proposal', note: null });
    vault.edit(event, 'choose: ""', 'choose: "[[nowhere]]"');
    await bench.follow();
    expect(vault.fields(event)).toMatchObject({
      waiting: true,
      choose: '[[nowhere]]',
      remark: 'The link in choose leads to no task and no matter of this vault.',
    });
    vault.edit(event, '[[nowhere]]', '[[call]]');
    await bench.follow();
    expect(vault.fields(event)).not.toHaveProperty('remark');
  });

  test('is held to what may be written: a chosen note may refuse it, and nothing is changed', async () => {
    const moves = { class: 'parent_matter', set: { parent_matter: '[[house]]' } };
    const { vault, bench, event } = await waiting(signal({ ...AMBIGUOUS, mutation_proposal: moves }));
    quiet(vault);
    const before = vault.snapshot();
    expect(await bench.choose(nameOf(event), '[[house]]')).toMatchObject({ outcome: 'conflict', note: null });
    expect(vault.snapshot()).toEqual(before);
    expect(bench.waiting()).toHaveLength(1);
  });

  describe('by ticks in its own list', () => {
    const asked = () => waiting(signal(AMBIGUOUS), {}, { env: SHADOW });

    test('has each candidate once, not ticked', async () => {
      const { vault, event } = await asked();
      expect(vault.read(event).match(/^- \[.\] .*$/gm)).toEqual(['- [ ] [[pay]]', '- [ ] [[call]]']);
    });

    test.each([
      ['as Obsidian ticks it', '- [x] [[call]]'],
      ['with the day that a plugin adds', '- [x] [[call]] ✅ 2026-11-23'],
      ['in capitals, in a list of another kind', '  * [X] [[call]]'],
    ])('one tick makes the change in that note, %s, and in no other', async (_, line) => {
      const { vault, bench, event } = await asked();
      bench.close();
      const running = await Running.start(vault, { env: SHADOW });
      vault.edit(event, '- [ ] [[call]]', line);
      await running.until(() => flagsOf(vault, event).outcome === 'confirmed');
      expect(vault.fields('task/call.md').state).toBe('done');
      expect(vault.read(PAY)).toBe(ODD_TASK);
      expect(vault.fields(only(vault.events('signal-action-confirmed-')))).toMatchObject({
        target_path: 'task/call.md',
        change: 'state open → done',
        matter: '[[house]]',
      });
    });

    test.each([
      ['two ticks', '- [x] [[pay]]\n- [x] [[call]]', 'Several notes are chosen', ''],
      ['a tick, and another note in choose', '- [ ] [[pay]]\n- [x] [[call]]', 'Several notes', 'choose: "[[pay]]"'],
      ['a tick, and dismiss', '- [ ] [[pay]]\n- [x] [[call]]', 'You chose a note and ticked dismiss', 'dismiss: true'],
    ])('%s change nothing: the note says why, and waits', async (_, list, remark, field) => {
      const { vault, bench, event } = await asked();
      bench.close();
      const text = vault.read(event).replace('- [ ] [[pay]]\n- [ ] [[call]]', list);
      const [name = ''] = field.split(':');
      vault.write(event, field === '' ? text : text.replace(new RegExp(`^${name}: .*$`, 'm'), field));
      const running = await Running.start(vault, { env: SHADOW });
      await running.until(() => vault.fields(event).remark !== undefined);
      await running.sync();
      expect(vault.fields(event)).toMatchObject({ waiting: true, remark: expect.stringContaining(remark) });
      expect(vault.read(PAY)).toBe(ODD_TASK);
      vault.edit(event, '- [x] [[call]]', '- [ ] [[call]]');
      if (field.startsWith('choose')) vault.edit(event, field, 'choose: ""');
      if (field.startsWith('dismiss')) vault.edit(event, field, 'dismiss: false');
      await running.until(() => vault.fields(event).remark === undefined);
      expect(vault.events('signal-action-')).toHaveLength(list.includes('[x] [[pay]]') ? 2 : 1);
    });

    test.each([
      ['a note that was not offered', '- [x] [[other]]'],
      ['words that are not in double brackets', '- [x] call'],
      ['a line of somebody’s own', '- [x] asked [[call]] about it'],
      ['a candidate with more behind it', '- [x] [[call]] is the other one'],
      ['a link that shows another name', '- [x] [[call|pay]]'],
      ['a box that is crossed out', '- [-] [[call]]'],
      ['a box in a block of code', '```\n- [x] [[call]]\n```'],
    ])('%s is no answer', async (_, line) => {
      const { vault, bench, event } = await waiting(signal(AMBIGUOUS), { 'task/other.md': task() }, { env: SHADOW });
      bench.close();
      vault.write(event, `${vault.read(event)}\n${line}\n`);
      const running = await Running.start(vault, { env: SHADOW });
      await running.sync();
      await running.ask({ op: 'tick', matters: [], force: true, mode: null });
      await running.sync();
      expect(vault.fields(event)).toMatchObject({ waiting: true });
      expect(vault.fields(event)).not.toHaveProperty('remark');
      expect(vault.events()).toEqual([event]);
    });

    test('a field that claims ticks is none', async () => {
      const { vault, bench, event } = await asked();
      bench.close();
      vault.edit(event, 'choose: ""', 'choose: ""\nticked:\n  - "[[call]]"');
      const running = await Running.start(vault, { env: SHADOW });
      await running.sync();
      expect(vault.fields(event)).toMatchObject({ waiting: true });
      expect(vault.events()).toEqual([event]);
    });
  });

  test('where nothing is proposed settles it and changes no note', async () => {
    const { vault, bench, event } = await waiting(signal({ ...AMBIGUOUS, ...ASKS }));
    quiet(vault);
    expect(await bench.choose(nameOf(event), 'pay')).toMatchObject({ outcome: 'confirmed' });
    expect(vault.read(PAY)).toBe(ODD_TASK);
    expect(bench.waiting()).toEqual([]);
  });

  test('is settled by mending the signal by hand, which is then weighed like any other', async () => {
    const { vault, bench, event } = await waiting(weak(AMBIGUOUS));
    quiet(vault);
    vault.edit(SIGNAL, 'target_ambiguous: true', 'target_ambiguous: false');
    await bench.tick();
    await bench.follow();
    expect(flagsOf(vault, event)).toMatchObject({ waits: false, outcome: 'expired' });
    expect(bench.waiting()).toMatchObject([{ kind: 'proposal', target: PAY }]);
  });
});

describe('the flags of an event note', () => {
  const follow = async ({ vault, bench }: Scene) => {
    quiet(vault);
    await bench.follow();
  };

  test('an acted event that is taken back says so, and again where that is taken back', async () => {
    const scene = await waiting(signal({ effect_confidence: 1 }));
    const { vault, bench, event } = scene;
    quiet(vault);
    await bench.undo(nameOf(event));
    expect(flagsOf(vault, event)).toEqual({ waits: false, pending: false, outcome: 'reversed' });
    await bench.undo(nameOf(only(vault.events('signal-action-reversed-'))));
    expect(flagsOf(vault, event).outcome).toBe('acted');
  });

  test('one that a person has settled by hand waits no more, and waits again where they take that back', async () => {
    const { vault, event } = await waiting(weak(), {}, { env: SHADOW });
    quiet(vault);
    const running = await Running.start(vault, { env: SHADOW });
    vault.edit(PAY, "'open'", "'done'");
    await running.sync();
    expect(flagsOf(vault, event)).toEqual({ waits: false, pending: false, outcome: 'superseded' });
    expect(running.daemon.status().waiting).toEqual([]);
    vault.write(PAY, ODD_TASK);
    await running.sync();
    expect(flagsOf(vault, event)).toEqual({ waits: true, pending: true, outcome: 'proposed' });
    expect(running.daemon.status().waiting).toHaveLength(1);
  });

  test('a question whose task is done has expired', async () => {
    const scene = await waiting(weak(ASKS));
    scene.vault.edit(PAY, "'open'", "'done'");
    await follow(scene);
    expect(flagsOf(scene.vault, scene.event)).toEqual({ waits: false, pending: false, outcome: 'expired' });
    expect(scene.bench.waiting()).toEqual([]);
  });

  test('a note that is being edited is left alone, and closed once it is quiet', async () => {
    const { vault, bench, event } = await waiting(weak(ASKS), { 'steward.md': settings({ settle_seconds: 1 }) });
    bench.close();
    vault.edit(PAY, "'open'", "'done'");
    vault.write(event, vault.read(event), 0);
    const running = await Running.start(vault);
    await running.sync();
    expect(flagsOf(vault, event).waits).toBe(true);
    await running.until(() => flagsOf(vault, event).waits === false);
  });

  test('what was recorded is never rewritten', async () => {
    const { vault, bench, event } = await waiting(weak());
    quiet(vault);
    const before = vault.read(event);
    await bench.dismiss(nameOf(event));
    expect(masked(vault.read(event))).toBe(closed(before, 'dismissed'));
  });

  test('to have seen a question teaches nobody', async () => {
    const { vault, bench, event } = await waiting(weak(ASKS), {}, { env: SHADOW });
    quiet(vault);
    expect(await bench.dismiss(nameOf(event))).toMatchObject({ outcome: 'dismissed', calibration: {} });
    expect(vault.names('instinct')).toEqual([]);
    expect(vault.fields(SIGNAL).status).toBe('skipped');
  });

  test('a crash between the answer and the flag: the next start closes it', async () => {
    const { vault, bench, event } = await waiting(weak());
    quiet(vault);
    const before = vault.read(event);
    await bench.confirm(nameOf(event));
    bench.close();
    vault.write(event, before); // as if the disk had kept only the answer
    const running = await Running.start(vault);
    await running.sync();
    expect(masked(vault.read(event))).toBe(closed(before, 'confirmed'));
  });
});

describe('an answer that cannot mean anything is said in the note, once, and nothing is unticked', () => {
  test.each([
    [
      'confirm on what was done',
      signal({ effect_confidence: 1 }),
      ['confirm'],
      'This change is already made: tick undo',
    ],
    ['undo on a proposal', weak(), ['undo'], 'This changed no note, so no undo is needed. Tick dismiss'],
    ['both boxes', weak(), ['confirm', 'dismiss'], 'Both confirm and dismiss are ticked: untick one'],
    ['confirm on a question', weak(ASKS), ['confirm'], 'No change is proposed: tick dismiss'],
    ['confirm on a choice', signal(AMBIGUOUS), ['confirm'], 'Several notes could be meant'],
  ])('%s', async (_, text, boxes, remark) => {
    const { vault, bench, event } = await waiting(text);
    bench.close();
    for (const box of boxes) {
      const bare = vault.read(event).replace(new RegExp(`^${box}: false\n`, 'm'), '');
      vault.write(event, bare.replace('---\n', `---\n${box}: true\n`));
    }
    const ticked = vault.fields(event);
    const running = await Running.start(vault);
    await running.until(() => vault.fields(event).remark !== undefined);
    await running.sync();
    expect(vault.fields(event)).toEqual({ ...ticked, remark: expect.stringContaining(remark) });
    expect(vault.events()).toEqual([event]);
    const said = vault.read(event);
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    await running.sync();
    expect(vault.read(event)).toBe(said);
  });
});
