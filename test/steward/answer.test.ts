// Over 5 s: each case answers a proposal in a vault on disk.
import { describe, expect, test } from 'vitest';
import { stem } from '../../src/vault/layout.ts';
import { Clock } from '../support/clock.ts';
import { DISCRETION_EDGES } from '../support/gates.ts';
import { closed, HOUSE, instinct, masked, ODD_TASK, settings, signal, task, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, HIGH_ONLY, LIVE, only, SHADOW } from '../support/workspace.ts';

const SIGNAL = 'signal/s1.md';
const MAIL = 'instinct/mail.md';
const DONE = ODD_TASK.replace("'open'", "'done'");
const FLAGGED = ODD_TASK.replace('keep  \r\n', 'keep  \r\npending_confirmation: true\r\n');

function vaultWith(text: string, more = {}): TempVault {
  return new TempVault({ ...HOUSE, [SIGNAL]: text, [MAIL]: instinct('mail', { confidence: 0.83 }), ...more });
}

/** A vault in which a weak signal has led to a proposal at a tick in a live mode. */
async function proposed(more = {}, setting = {}): Promise<{ vault: TempVault; bench: Bench; event: string }> {
  const vault = vaultWith(weak(), more);
  const bench = await Bench.open(vault, setting);
  await bench.tick();
  return { vault, bench, event: only(vault.events()) };
}

describe('shadow', () => {
  test('note, signal and instinct stay as they are; the event note says what would have been', async () => {
    const vault = vaultWith(signal());
    const before = vault.snapshot();
    const running = await Running.start(vault, { env: SHADOW });
    const { event } = await running.heard('recorded');
    const after = vault.snapshot();
    const { [event]: note, ...rest } = after;
    expect(rest).toEqual(before);
    expect(note).toBeDefined();
    expect(vault.fields(event)).toMatchObject({
      mode: 'shadow',
      changes: { state: { before: 'open', after: 'done' } },
      undo_recipe: null,
    });
  });

  test('a tick in shadow records too, and touches nothing', async () => {
    const vault = vaultWith(weak());
    const before = vault.snapshot();
    const bench = await Bench.open(vault, { env: SHADOW });
    await bench.tick();
    const event = only(vault.events('steward-action-'));
    const { [event]: _, ...rest } = vault.snapshot();
    expect(rest).toEqual(before);
  });

  test('a person confirms in shadow: the change is made', async () => {
    const vault = vaultWith(signal());
    const running = await Running.start(vault, { env: SHADOW });
    const { event } = await running.heard('recorded');
    vault.edit(event, 'confirm: false', 'confirm: true');
    await running.heard('confirmed');
    expect(vault.read('task/pay.md')).toBe(DONE);
    const answer = only(vault.events('signal-action-confirmed-'));
    expect(answer).toMatch(/-pay\.md$/);
    expect(vault.fields(answer).mode).toBe('shadow');
  });

  test('a person undoes in shadow what was done live', async () => {
    const vault = vaultWith(signal());
    const live = await Bench.open(vault);
    await live.tick();
    live.close();
    const shadow = await Bench.open(vault, { env: SHADOW });
    expect(await shadow.undo(only(vault.events()))).toMatchObject({ outcome: 'reversed' });
    expect(vault.read('task/pay.md')).toBe(ODD_TASK);
    expect(vault.fields(MAIL).confidence).toBe(0.73);
  });
});

describe('a proposal', () => {
  test('flags the note and the event, and nothing more', async () => {
    const { vault, event } = await proposed();
    expect(vault.read('task/pay.md')).toBe(FLAGGED);
    expect(vault.fields(event)).toMatchObject({
      type: 'steward-action',
      decision: 'likely_done',
      pending_confirmation: true,
      changes: { state: { before: 'open', after: 'done' } },
      undo_recipe: null,
    });
    expect(vault.read(SIGNAL)).toBe(weak());
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.83, observations: 0 });
  });

  test('names the gate that held it back', async () => {
    const { vault, event } = await proposed();
    expect(vault.read(event)).toMatch(/failed: discretion: .*mail scored 0\.75, 0\.80 needed/);
    expect(vault.fields(event).gates).toMatchObject([
      ...['forged', 'authenticated', 'licence', 'target', 'reading'].map((gate) => ({ gate, held: true })),
      { gate: 'discretion', figure: 0.75, threshold: 0.8, held: false },
      { gate: 'freshness', held: true },
      { gate: 'mode', figure: 0.75, threshold: 0.6, held: true },
      { gate: 'rate_guard', held: true },
    ]);
  });

  test('confirmed: the change is made, the flag is gone to the byte, a sibling says so, the source gains', async () => {
    const { vault, bench, event } = await proposed();
    const proposal = vault.read(event);
    const answer = await bench.confirm(event);
    expect(answer).toMatchObject({ outcome: 'confirmed', target: 'task/pay.md' });
    expect(vault.read('task/pay.md')).toBe(DONE);
    const sibling = only(vault.events('steward-action-confirmed-'));
    expect(answer.note).toBe(sibling);
    expect(vault.fields(sibling)).toMatchObject({
      type: 'steward-action-confirmed',
      confirms: `[[${stem(event)}]]`,
      changes: { state: { before: 'open', after: 'done' } },
      undo_recipe: { vault_patch: { target: 'task/pay.md' } },
    });
    expect(masked(vault.read(event))).toBe(closed(proposal, 'confirmed'));
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.847, observations: 1 });
    expect(vault.fields(SIGNAL)).toMatchObject({ status: 'applied', audit_record_path: sibling });
  });

  test('confirmed by its box, of which alone the proposal is rewritten', async () => {
    const vault = vaultWith(weak());
    const running = await Running.start(vault);
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    const { event } = await running.heard('proposed');
    vault.edit(event, 'confirm: false', 'confirm: true');
    const ticked = vault.read(event);
    await running.heard('confirmed');
    await running.sync();
    expect(vault.read('task/pay.md')).toBe(DONE);
    expect(masked(vault.read(event))).toBe(closed(ticked, 'confirmed'));
    expect(vault.events('steward-action-confirmed-')).toHaveLength(1);
  });

  test('confirmed and undone, by the proposal or by the sibling: the note is as it was before the proposal', async () => {
    for (const which of ['event', 'sibling'] as const) {
      const { vault, bench, event } = await proposed();
      await bench.confirm(event);
      const sibling = only(vault.events('steward-action-confirmed-'));
      const answer = await bench.undo(which === 'event' ? event : sibling);
      expect(answer, which).toMatchObject({ outcome: 'reversed' });
      expect(vault.read('task/pay.md')).toBe(ODD_TASK);
      expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.83, observations: 0, reversals: 0 });
    }
  });

  test('dismissed: the flag is gone to the byte, −0.05, and it is closed', async () => {
    const { vault, bench, event } = await proposed();
    const answer = await bench.dismiss(event);
    expect(answer).toMatchObject({ outcome: 'dismissed', calibration: { mail: '0.83 → 0.78' } });
    expect(vault.read('task/pay.md')).toBe(ODD_TASK);
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.78, reversals: 0, observations: 0 });
    const sibling = only(vault.events('steward-action-dismissed-'));
    expect(vault.fields(sibling)).toMatchObject({ dismisses: `[[${stem(event)}]]`, changes: {} });
    expect(await bench.confirm(event)).toMatchObject({ outcome: 'not-a-proposal' });
    expect(await bench.dismiss(event)).toMatchObject({ outcome: 'not-a-proposal' });
    expect(vault.fields(MAIL).confidence).toBe(0.78);
    await bench.tick();
    expect(vault.events()).toHaveLength(2);
    expect(vault.read('task/pay.md')).toBe(ODD_TASK);
  });

  test('dismissed by its box, once', async () => {
    const vault = vaultWith(weak());
    const running = await Running.start(vault);
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    const { event } = await running.heard('proposed');
    vault.edit(event, 'dismiss: false', 'dismiss: true');
    await running.heard('dismissed');
    await running.sync();
    await running.stop();
    await (await Running.start(vault)).sync();
    expect(vault.fields(MAIL).confidence).toBe(0.78);
    expect(vault.read('task/pay.md')).toBe(ODD_TASK);
  });

  test('both boxes ticked says nothing clear: nothing is done', async () => {
    const vault = vaultWith(weak());
    const running = await Running.start(vault);
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    const { event } = await running.heard('proposed');
    vault.edit(event, 'confirm: false\ndismiss: false', 'confirm: true\ndismiss: true');
    await running.sync();
    expect(vault.events()).toEqual([event]);
    expect(vault.read('task/pay.md')).toBe(FLAGGED);
  });

  test('about a note whose field has changed since: a conflict, and nothing is changed', async () => {
    const { vault, bench, event } = await proposed();
    vault.edit('task/pay.md', "'open'", 'snoozed');
    const before = vault.snapshot();
    expect(await bench.confirm(event)).toMatchObject({ outcome: 'conflict', note: null });
    expect(vault.snapshot()).toEqual(before);
  });

  test('about a note that belongs to another matter since: a conflict', async () => {
    const { vault, bench, event } = await proposed({ 'matter/boat.md': '---\ntype: matter\n---\n' });
    vault.edit('task/pay.md', '[[house]]"', '[[boat]]"');
    expect(await bench.confirm(event)).toMatchObject({ outcome: 'conflict' });
  });

  test('is still made where a person wrote elsewhere in the note', async () => {
    const { vault, bench, event } = await proposed();
    vault.edit('task/pay.md', 'the end', 'the end, nearly');
    expect(await bench.confirm(event)).toMatchObject({ outcome: 'confirmed' });
    expect(vault.read('task/pay.md')).toBe(DONE.replace('the end', 'the end, nearly'));
  });

  test('written by hand may propose no more than a decision may', async () => {
    const { vault, bench, event } = await proposed();
    const before = vault.read('task/pay.md');
    vault.write(
      event,
      vault.read(event).replace(/changes:\n {2}state:\n {4}before: open/, 'changes:\n  tags:\n    before: open'),
    );
    expect((await bench.confirm(event)).outcome).toMatch(/conflict|not-a-proposal/);
    expect(vault.read('task/pay.md')).toBe(before);
  });

  test('overtaken by a later one about the same field is closed, also within one second', async () => {
    const now = Date.UTC(2026, 10, 21, 20, 19, 54, 300);
    const clock = Object.assign(new Clock(), { now: () => now });
    const { vault, bench, event } = await proposed({}, { clock });
    vault.write('signal/s2.md', weak({ raw_quote: 'really paid' }));
    await bench.tick();
    const later = only(vault.events().filter((one) => one !== event));
    expect(await bench.confirm(event)).toMatchObject({ outcome: 'not-a-proposal' });
    expect(await bench.confirm(later)).toMatchObject({ outcome: 'confirmed' });
    expect(vault.read('task/pay.md')).toBe(DONE);
  });

  test('that is overtaken by an action loses its flag', async () => {
    const { vault, bench } = await proposed();
    vault.write('signal/s2.md', signal({ raw_quote: 'really paid' }));
    await bench.route('signal/s2.md');
    expect(vault.read('task/pay.md')).toBe(DONE);
    expect(bench.catalogue.count('event')).toBe(2);
  });

  test('beside another open one: the flag stays until the last is answered', async () => {
    const { vault, bench, event } = await proposed();
    const due = { class: 'context_edit', set: { due: '2035-12-24' } };
    vault.write('signal/s2.md', weak({ mutation_proposal: due, raw_quote: 'by Christmas' }));
    await bench.tick();
    const other = only(vault.events().filter((one) => one !== event));
    await bench.confirm(other);
    expect(vault.fields('task/pay.md')).toMatchObject({ due: '2035-12-24', pending_confirmation: true });
    await bench.confirm(event);
    expect(vault.read('task/pay.md')).toBe(DONE.replace('due: 2035-12-01', 'due: 2035-12-24'));
  });

  test('a flag that a person set is theirs, and stays', async () => {
    const own = ODD_TASK.replace('type: task', 'type: task\r\npending_confirmation: true');
    const { vault, bench, event } = await proposed({ 'task/pay.md': own });
    expect(vault.read('task/pay.md')).toBe(own);
    await bench.confirm(event);
    expect(vault.read('task/pay.md')).toBe(own.replace("'open'", "'done'"));
  });

  test('reopening is only ever proposed', async () => {
    const done = task({ state: 'done' });
    const reopen = { class: 'state_change', set: { state: 'open' } };
    const vault = vaultWith(signal({ mutation_proposal: reopen }), { 'task/pay.md': done });
    const bench = await Bench.open(vault);
    await bench.route(SIGNAL);
    expect(vault.fields('task/pay.md')).toMatchObject({ state: 'done', pending_confirmation: true });
    const { gates } = vault.fields(only(vault.events()));
    expect(gates).toContainEqual(expect.objectContaining({ gate: 'person', held: false }));
    await bench.confirm(only(vault.events()));
    expect(vault.read('task/pay.md')).toBe(task());
  });
});

describe('the gates', () => {
  const outcomeOf = async (text: string, more: object, env = LIVE): Promise<string> => {
    const vault = vaultWith(text, more);
    const bench = await Bench.open(vault, { env });
    await bench.tick();
    const { state, pending_confirmation } = vault.fields('task/pay.md');
    return state === 'done' ? 'acted' : pending_confirmation === true ? 'proposed' : 'nothing';
  };

  // A source that the settings trust counts as licensed, and so as having twenty observations.
  test.each(DISCRETION_EDGES)(
    '%i observations in the instinct note: acts from %f, 0.8 at most',
    async (observations, table) => {
      const known = { [MAIL]: instinct('mail', { observations }) };
      const threshold = Math.min(table, 0.8);
      expect(await outcomeOf(signal({ effect_confidence: threshold - 0.01 }), known)).toBe('proposed');
      expect(await outcomeOf(signal({ effect_confidence: threshold }), known)).toBe('acted');
    },
  );

  test("a note's own threshold wins over the table, up and down", async () => {
    const own = (threshold: number) => ({ 'task/pay.md': task({ discretion_threshold: threshold }) });
    expect(await outcomeOf(signal({ effect_confidence: 0.7 }), own(0.65))).toBe('acted');
    expect(await outcomeOf(signal({ effect_confidence: 0.98 }), own(0.99))).toBe('proposed');
  });

  test('live_high_confidence_only acts from 0.85 and proposes below', async () => {
    const old = { [MAIL]: instinct('mail', { observations: 60 }) };
    expect(await outcomeOf(signal({ effect_confidence: 0.84 }), old, HIGH_ONLY)).toBe('proposed');
    expect(await outcomeOf(signal({ effect_confidence: 0.85 }), old, HIGH_ONLY)).toBe('acted');
  });

  test('the thresholds of the environment and of the vault: the stricter one holds', async () => {
    const old = { [MAIL]: instinct('mail', { observations: 60 }) };
    const at = signal({ effect_confidence: 0.8 });
    expect(await outcomeOf(at, old, { ...LIVE, confidenceThreshold: 0.81 })).toBe('proposed');
    expect(await outcomeOf(at, { ...old, 'steward.md': settings({ confidence_threshold: 0.81 }) })).toBe('proposed');
    expect(await outcomeOf(at, old, { ...LIVE, confidenceThreshold: 0.8 })).toBe('acted');
    const loose = settings({ confidence_threshold: 0.5, high_confidence_threshold: 0.5 });
    const strict = { ...HIGH_ONLY, highConfidenceThreshold: 0.85 };
    expect(await outcomeOf(at, { ...old, 'steward.md': loose }, strict)).toBe('proposed');
  });

  test('a target that is not certain enough holds back a certain effect', async () => {
    const old = { [MAIL]: instinct('mail', { observations: 60 }) };
    expect(await outcomeOf(signal({ target_confidence: 0.55 }), old)).toBe('proposed');
  });

  test('the vault lowers what the environment allows, and never raises it', async () => {
    const vault = (mode: string) => ({ 'steward.md': settings({ mode }) });
    expect(await outcomeOf(signal(), vault('shadow'))).toBe('nothing');
    expect(
      await outcomeOf(signal({ effect_confidence: 0.96, target_confidence: 0.8 }), vault('live_high_confidence_only')),
    ).toBe('proposed');
    expect(await outcomeOf(signal(), vault('live'), SHADOW)).toBe('nothing');
  });
});
