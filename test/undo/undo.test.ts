import { describe, expect, test } from 'vitest';
import { Clock, DAY, SECOND } from '../support/clock.ts';
import { HOUSE, instinct, matter, ODD_TASK, reversal, settings, signal, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only, SHADOW } from '../support/workspace.ts';

const SIGNAL = 'signal/s1.md';
const MAIL = 'instinct/mail.md';
const REVERSAL = 'event/steward-action-reversed-please.md';

function vaultWithAction(more = {}): TempVault {
  return new TempVault({ ...HOUSE, [SIGNAL]: signal(), [MAIL]: instinct('mail', { confidence: 0.83 }), ...more });
}

/** A vault in which the task was just set to done, and the name of the event note. */
async function acted(vault: TempVault, setting = {}): Promise<{ bench: Bench; event: string; name: string }> {
  const bench = await Bench.open(vault, setting);
  await bench.tick();
  const event = only(vault.events());
  expect(vault.read('task/pay.md')).not.toBe(ODD_TASK);
  return { bench, event, name: event.slice('event/'.length, -'.md'.length) };
}

/** A minute from now: what the former process wrote has been quiet. */
function later(): Clock {
  const clock = new Clock();
  clock.move(60 * SECOND);
  return clock;
}

describe('three doors to the same thing', () => {
  test('a dropped reversal: the note is byte for byte what it was, and mail has learnt', async () => {
    const vault = vaultWithAction();
    const running = await Running.start(vault);
    const { event } = await running.heard('acted');
    const name = event.slice('event/'.length, -'.md'.length);
    vault.write(REVERSAL, reversal(`[[${name}]]`, { reason: 'It was the other invoice' }));
    const heard = await running.heard('reversed');
    expect(heard).toMatchObject({ outcome: 'reversed', target: 'task/pay.md', calibration: { mail: '0.83 → 0.73' } });
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.73, reversals: 1, last_negative_at: expect.any(String) });
    expect(vault.fields(REVERSAL)).toMatchObject({
      type: 'steward-action-reversed',
      reverses: `[[${name}]]`,
      reason: 'It was the other invoice',
      reversed_by: 'file',
      outcome: 'reversed',
      vault_patch_applied: true,
      plane_revert_applied: false,
      calibration: { mail: '0.83 → 0.73' },
      settled_at: expect.stringMatching(/Z$/),
      undo_recipe: { vault_patch: { target: 'task/pay.md' } },
    });
    expect(vault.read(REVERSAL)).toContain('Please take it back.');
  });

  test('a ticked box: one reversal note beside the event, the tick stays, and it is done once', async () => {
    const vault = vaultWithAction();
    const running = await Running.start(vault);
    const { event } = await running.heard('acted');
    vault.edit(event, 'undo: false', 'undo: true');
    await running.heard('reversed');
    await running.sync();
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
    const note = only(vault.events('signal-action-reversed-'));
    expect(vault.fields(note)).toMatchObject({ type: 'signal-action-reversed', reversed_by: 'checkbox' });
    expect(vault.fields(event).undo).toBe(true);
    // Looked at again, touched again, started again: the same tick asks nothing more.
    vault.edit(event, 'Invoice paid', 'Invoice  paid');
    await running.sync();
    await running.stop();
    await (await Running.start(vault)).sync();
    expect(vault.events('signal-action-reversed-')).toEqual([note]);
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.73, reversals: 1 });
  });

  test('the command', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    const answer = await bench.undo(name, { reason: 'wrong house' });
    expect(answer).toMatchObject({
      outcome: 'reversed',
      target: 'task/pay.md',
      changes: { state: { before: 'done', after: 'open' } },
      calibration: { mail: '0.83 → 0.73' },
    });
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
    const note = only(vault.events('signal-action-reversed-'));
    expect(answer.note).toBe(note);
    expect(vault.fields(note)).toMatchObject({
      reverses: `[[${name}]]`,
      reason: 'wrong house',
      reversed_by: 'command',
      outcome: 'reversed',
    });
  });

  test('the command handed to a running daemon', async () => {
    const vault = vaultWithAction();
    const running = await Running.start(vault);
    await running.heard('acted');
    const result = await running.ask({ op: 'undo', events: [], last: 1, reason: null, force: false, dryRun: false });
    expect(result).toMatchObject([{ outcome: 'reversed', target: 'task/pay.md' }]);
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
  });

  test('a dry run says what it would do and does nothing', async () => {
    const vault = vaultWithAction();
    const running = await Running.start(vault);
    const { event } = await running.heard('acted');
    await running.sync();
    const before = vault.snapshot();
    const dry = { last: null, reason: null, force: false, dryRun: true };
    expect(await running.ask({ op: 'undo', events: [event], ...dry })).toMatchObject([
      { outcome: 'reversed', note: null },
    ]);
    await running.sync();
    expect(vault.snapshot()).toEqual(before);
  });
});

describe('a reversal file as people drop it', () => {
  test('empty, with a name whose tail is the event: enough', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    bench.close();
    const file = `event/${name.replace('signal-action-', 'signal-action-reversed-')}.md`;
    vault.write(file, '');
    const running = await Running.start(vault, { clock: later() });
    await running.heard('reversed', (one) => one.outcome === 'reversed');
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
    expect(vault.fields(file)).toMatchObject({
      type: 'signal-action-reversed',
      reverses: `[[${name}]]`,
      outcome: 'reversed',
    });
  });

  test('text without frontmatter keeps its text', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    bench.close();
    const file = `event/${name.replace('signal-action-', 'signal-action-reversed-')}.md`;
    vault.write(file, 'No, that was the other one.\n');
    const running = await Running.start(vault, { clock: later() });
    await running.heard('reversed', (one) => one.outcome === 'reversed');
    expect(vault.read(file)).toMatch(/---\nNo, that was the other one\.\n$/);
  });

  test.each(['event/NAME.md', 'NAME', '[[event/NAME|that one]]', '[[NAME]]'])('reverses: %s', async (written) => {
    const vault = vaultWithAction();
    const running = await Running.start(vault);
    const { event } = await running.heard('acted');
    vault.write(REVERSAL, reversal(written.replace('NAME', event.slice('event/'.length, -'.md'.length))));
    expect(await running.heard('reversed')).toMatchObject({ outcome: 'reversed' });
  });

  test('while the daemon was away: read at the next start', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    bench.close();
    vault.write(REVERSAL, reversal(`[[${name}]]`));
    const running = await Running.start(vault, { clock: later() });
    await running.heard('reversed', (one) => one.outcome === 'reversed');
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
  });

  test('naming nothing: refused, completed, and shown until somebody looks', async () => {
    const vault = vaultWithAction();
    const running = await Running.start(vault);
    await running.heard('acted');
    vault.write(REVERSAL, reversal('[[steward-action-2020-01-01T00-00-00Z-never]]'));
    expect(await running.heard('reversed')).toMatchObject({ outcome: 'refused', calibration: {} });
    expect(vault.fields(REVERSAL)).toMatchObject({ outcome: 'refused', vault_patch_applied: false });
    expect(vault.fields('task/pay.md').state).toBe('done');
    expect(vault.fields(MAIL).confidence).toBe(0.83);
    expect(running.daemon.status().trouble).toContainEqual(
      expect.objectContaining({ code: 'reverses-nothing', file: REVERSAL }),
    );
  });

  test('two at once: one takes it back, the other finds it taken back, and mail learns once', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    bench.close();
    const [one, other] = ['event/steward-action-reversed-a.md', 'event/steward-action-reversed-b.md'];
    vault.write(one, reversal(`[[${name}]]`));
    vault.write(other, reversal(`[[${name}]]`));
    const running = await Running.start(vault, { clock: later() });
    await running.until(() => running.count('reversed') === 2);
    await running.sync();
    const outcomes = [one, other].map((file) => vault.fields(file).outcome).sort();
    expect(outcomes).toEqual(['already-reversed', 'reversed']);
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.73, reversals: 1 });
  });

  test('one that was settled is never settled again, whatever is done to it', async () => {
    const vault = vaultWithAction();
    const running = await Running.start(vault);
    const { event } = await running.heard('acted');
    vault.write(REVERSAL, reversal(event));
    await running.heard('reversed');
    vault.edit(REVERSAL, 'Please take it back.', 'Thank you.');
    await running.sync();
    await running.stop();
    await (await Running.start(vault)).sync();
    expect(running.count('reversed')).toBe(1);
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.73, reversals: 1 });
  });
});

describe('what undo answers', () => {
  test('twice: already-reversed, nothing is changed, nobody learns', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    await bench.undo(name);
    expect(await bench.undo(name)).toMatchObject({ outcome: 'already-reversed', changes: {}, calibration: {} });
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.73, reversals: 1 });
  });

  test('an undo of the undo restores the change to the byte, and the exact former confidence', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    const changed = vault.read('task/pay.md');
    const first = await bench.undo(name);
    const second = await bench.undo(String(first.note));
    expect(second).toMatchObject({ outcome: 'reversed', calibration: { mail: '0.73 → 0.83' } });
    expect(vault.read('task/pay.md')).toBe(changed);
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.83, reversals: 0 });
    // And once more, by the second reversal: the first one stands again, and counts.
    expect(await bench.undo(String(second.note))).toMatchObject({ outcome: 'reversed' });
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.73, reversals: 1 });
  });

  test('an action whose undo was undone can be taken back again', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    await bench.undo(String((await bench.undo(name)).note));
    expect(await bench.undo(name)).toMatchObject({ outcome: 'reversed' });
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.73, reversals: 1 });
  });

  test('an undo of the undo by ticking the box of the reversal note', async () => {
    const vault = vaultWithAction();
    const running = await Running.start(vault);
    const { event } = await running.heard('acted');
    const changed = vault.read('task/pay.md');
    vault.edit(event, 'undo: false', 'undo: true');
    await running.heard('reversed');
    vault.edit(only(vault.events('signal-action-reversed-')), 'undo: false', 'undo: true');
    await running.until(() => running.count('reversed') === 2);
    expect(vault.read('task/pay.md')).toBe(changed);
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.83, reversals: 0 });
  });

  test('within seven days it is done, after them it is expired', async () => {
    const vault = vaultWithAction();
    const clock = new Clock();
    const { bench, name } = await acted(vault, { clock });
    clock.move(7 * DAY + 5 * SECOND);
    expect(await bench.undo(name)).toMatchObject({ outcome: 'expired', changes: {} });
    expect(vault.fields('task/pay.md').state).toBe('done');
    expect(vault.fields(MAIL).confidence).toBe(0.83);
    clock.move(-10 * SECOND);
    expect(await bench.undo(name)).toMatchObject({ outcome: 'reversed' });
  });

  test('a field that a person decided since is a conflict that names both values, unless forced', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    vault.edit('task/pay.md', "'done'", 'archived');
    const before = vault.read('task/pay.md');
    const answer = await bench.undo(name);
    expect(answer.outcome).toBe('conflict');
    expect(answer.message).toMatch(/state now holds archived.*had written done/);
    expect(vault.read('task/pay.md')).toBe(before);
    expect(vault.fields(MAIL).confidence).toBe(0.83);
    const note = vault.fields(String(answer.note));
    expect(note).toMatchObject({
      outcome: 'conflict',
      conflicts: [{ field: 'state', wrote: 'done', found: 'archived' }],
    });
    expect(vault.read(String(answer.note))).toContain('archived');
    expect(await bench.undo(name, { force: true })).toMatchObject({ outcome: 'reversed' });
    expect(vault.bytes('task/pay.md')).toEqual(Buffer.from(ODD_TASK));
    expect(vault.fields(MAIL).confidence).toBe(0.73);
  });

  test('what a person wrote elsewhere in the note stays', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    vault.edit('task/pay.md', 'the end', 'the end\r\nasked them twice');
    vault.edit('task/pay.md', 'due: 2026-12-01', 'due: 2027-01-15');
    expect(await bench.undo(name)).toMatchObject({ outcome: 'reversed' });
    expect(vault.read('task/pay.md')).toBe(
      ODD_TASK.replace('the end', 'the end\r\nasked them twice').replace('due: 2026-12-01', 'due: 2027-01-15'),
    );
  });

  test('a field that was absent is absent again, in a note without a final newline', async () => {
    const note = '---\nparent_matter: house\n---';
    const set = { class: 'context_edit', set: { current_state: 'Paid in full', due: '2026-12-24' } };
    const vault = vaultWithAction({ 'task/pay.md': note, [SIGNAL]: signal({ mutation_proposal: set }) });
    const { bench, name } = await acted(vault);
    expect(vault.fields('task/pay.md')).toMatchObject({ current_state: 'Paid in full', due: '2026-12-24' });
    expect(await bench.undo(name)).toMatchObject({ outcome: 'reversed' });
    expect(vault.read('task/pay.md')).toBe(note);
  });

  test('what was only recorded cannot be undone', async () => {
    const vault = vaultWithAction();
    const bench = await Bench.open(vault, { env: SHADOW });
    await bench.tick();
    expect(await bench.undo(only(vault.events()))).toMatchObject({ outcome: 'not-applied' });
    expect(vault.read('task/pay.md')).toBe(ODD_TASK);
    expect(vault.fields(MAIL).confidence).toBe(0.83);
  });

  test('a note that is gone is a conflict', async () => {
    const vault = vaultWithAction({ 'task/other.md': task() });
    const { bench, name } = await acted(vault);
    vault.remove('task/pay.md');
    expect(await bench.undo(name)).toMatchObject({ outcome: 'conflict', changes: {} });
    expect(vault.has('task/pay.md')).toBe(false);
  });

  test('a note that says steward: false since is not touched', async () => {
    const vault = vaultWithAction();
    const { bench, name } = await acted(vault);
    vault.edit('task/pay.md', 'type: task', 'type: task\r\nsteward: false');
    const before = vault.read('task/pay.md');
    expect(await bench.undo(name)).toMatchObject({ outcome: 'refused' });
    expect(vault.read('task/pay.md')).toBe(before);
  });

  test('a recipe that somebody wrote by hand may do no more than a decision may', async () => {
    const vault = vaultWithAction({ 'elsewhere/diary.md': '---\nstate: done\n---\n' });
    const { bench, event, name } = await acted(vault);
    const before = vault.snapshot();
    for (const target of ['elsewhere/diary.md', '../outside.md', '/etc/passwd', 'steward.md']) {
      vault.write(event, String(before[event]).replace('target: task/pay.md', `target: ${target}`));
      expect((await bench.undo(name)).outcome, target).toMatch(/^(refused|conflict)$/);
    }
    vault.write(event, String(before[event]).replace(/^( +)state:\n( +)before: open/gm, '$1tags:\n$2before: open'));
    expect((await bench.undo(name)).outcome).toBe('refused');
    expect(vault.read('elsewhere/diary.md')).toBe(before['elsewhere/diary.md']);
    expect(vault.read('task/pay.md')).toBe(before['task/pay.md']);
  });
});

test('a note being edited just now is taken back as soon as it has been quiet', async () => {
  const vault = vaultWithAction({ 'steward.md': settings({ settle_seconds: 1 }) });
  const running = await Running.start(vault);
  const { event } = await running.heard('acted');
  vault.edit('task/pay.md', 'the end', 'the end, I think', 0);
  vault.edit(event, 'undo: false', 'undo: true');
  await running.sync();
  expect(running.count('reversed')).toBe(0);
  expect(vault.fields('task/pay.md').state).toBe('done');
  await running.heard('reversed');
  expect(vault.read('task/pay.md')).toBe(ODD_TASK.replace('the end', 'the end, I think'));
});

test('every contributing source learns, each once, and one without a note gets one', async () => {
  const vault = new TempVault({
    'matter/house.md': matter(),
    'task/pay.md': ODD_TASK,
    [MAIL]: instinct('mail', { confidence: 0.9, observations: 60 }),
    'signal/a.md': signal({ source_type: 'mail', effect_confidence: 0.78, target_confidence: 0.5 }),
    'signal/b.md': signal({ source_type: 'bank', effect_confidence: 0.8, target_confidence: 0.9, raw_quote: 'x' }),
  });
  const bench = await Bench.open(vault);
  await bench.tick();
  const event = only(vault.events('steward-action-'));
  expect(Object.keys(vault.fields(event).source_contributions as object).sort()).toEqual(['bank', 'mail']);
  expect(vault.fields(event).calibration).toEqual({ mail: '0.9 → 0.8916', bank: '0.9 → 0.8937' });
  await bench.undo(event);
  expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.7916, reversals: 1 });
  expect(vault.fields('instinct/bank.md')).toMatchObject({
    type: 'instinct',
    source_type: 'bank',
    prior: 0.9,
    confidence: 0.7937,
    reversals: 1,
  });
});

test('the newest action is the last one, also of several on one note within one second', async () => {
  const now = Date.UTC(2026, 10, 21, 20, 19, 54, 300);
  const clock = Object.assign(new Clock(), { now: () => now });
  const vault = vaultWithAction();
  const owner = (name: string) => signal({ mutation_proposal: { class: 'context_edit', set: { owner: name } } });
  vault.write('signal/s2.md', owner('Robin'));
  vault.write('signal/s3.md', owner('Kim'));
  const bench = await Bench.open(vault, { clock });
  for (const name of ['s1', 's2', 's3']) await bench.route(`signal/${name}.md`);
  expect(vault.fields('task/pay.md').owner).toBe('Kim');
  expect(await bench.undoLast(1)).toMatchObject([{ changes: { owner: { before: 'Kim', after: 'Robin' } } }]);
});

describe('twin reversals, as two machines leave them', () => {
  const twins = async () => {
    const vault = vaultWithAction();
    const { bench, event, name } = await acted(vault);
    const done = vault.read('task/pay.md');
    const { note } = await bench.undo(name);
    const twin = 'event/steward-action-reversed-on-the-other-machine.md';
    vault.write(twin, vault.read(note ?? ''));
    return { vault, bench, event, name, done, one: note ?? '', twin };
  };

  test('are one: undoing either makes the change stand again, and it can be taken back anew', async () => {
    for (const which of ['one', 'twin'] as const) {
      const { vault, bench, name, done, ...reversals } = await twins();
      expect(await bench.undo(reversals[which])).toMatchObject({ outcome: 'reversed' });
      expect(vault.read('task/pay.md')).toBe(done);
      expect(vault.fields(MAIL).confidence).toBe(0.83);
      const other = which === 'one' ? reversals.twin : reversals.one;
      expect(await bench.undo(other)).toMatchObject({ outcome: 'already-reversed', calibration: {} });
      expect(await bench.undo(name)).toMatchObject({ outcome: 'reversed' });
      expect(vault.read('task/pay.md')).toBe(ODD_TASK);
      expect(await bench.undo(name)).toMatchObject({ outcome: 'already-reversed' });
      expect(vault.fields(MAIL).confidence).toBe(0.73);
    }
  });

  test('that reverse each other in a circle take nothing back, and end', async () => {
    const { vault, bench, name } = await twins();
    const circle = (reverses: string) =>
      reversal(reverses, { outcome: 'reversed', settled_at: '2026-11-21T20:00:00Z' });
    vault.write('event/steward-action-reversed-a.md', circle('[[steward-action-reversed-b]]'));
    vault.write('event/steward-action-reversed-b.md', circle('[[steward-action-reversed-a]]'));
    expect(await bench.undo('steward-action-reversed-a')).toMatchObject({ outcome: 'not-applied' });
    expect(await bench.undo(name)).toMatchObject({ outcome: 'already-reversed' });
  });
});

describe('the newest', () => {
  test('within one second are known by their names, across notes', async () => {
    const now = Date.UTC(2026, 10, 21, 20, 19, 54, 300);
    const clock = Object.assign(new Clock(), { now: () => now });
    const targets = ['zeta', 'alpha', 'mid'];
    const vault = new TempVault({ ...HOUSE, [MAIL]: instinct('mail', { confidence: 0.83 }) });
    for (const name of targets) vault.write(`task/${name}.md`, task());
    const bench = await Bench.open(vault, { clock });
    for (const name of targets) {
      vault.write(`signal/${name}.md`, signal({ target_path: `task/${name}.md`, raw_quote: name }));
      await bench.route(`signal/${name}.md`);
    }
    for (const name of targets.toReversed()) {
      expect(await bench.undoLast(1)).toMatchObject([{ outcome: 'reversed', target: `task/${name}.md` }]);
    }
  });
});
