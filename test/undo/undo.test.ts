// Over 5 s: it undoes each kind of change in real files.
import { describe, expect, test } from 'vitest';
import { noteText } from '../../src/vault/note-text.ts';
import { sealReversal } from '../../src/vault/seal.ts';
import { utc } from '../../src/vault/time.ts';
import { Clock, DAY, SECOND } from '../support/clock.ts';
import { HOUSE, instinct, ODD_TASK, reversal, signal, task } from '../support/notes.ts';
import { testSeal } from '../support/own-signal.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only, SHADOW } from '../support/workspace.ts';
import { acted, MAIL, SIGNAL, vaultWithAction } from './acted.ts';

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
    expect(answer.message).toMatch(/state is now archived.*had written done/);
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
    vault.edit('task/pay.md', 'due: 2035-12-01', 'due: 2036-01-15');
    expect(await bench.undo(name)).toMatchObject({ outcome: 'reversed' });
    expect(vault.read('task/pay.md')).toBe(
      ODD_TASK.replace('the end', 'the end\r\nasked them twice').replace('due: 2035-12-01', 'due: 2036-01-15'),
    );
  });

  test('a field that was absent is absent again, in a note without a final newline', async () => {
    const note = '---\nparent_matter: house\n---';
    const set = { class: 'context_edit', set: { current_state: 'Paid in full', due: '2035-12-24' } };
    const vault = vaultWithAction({ 'task/pay.md': note, [SIGNAL]: signal({ mutation_proposal: set }) });
    const { bench, name } = await acted(vault);
    expect(vault.fields('task/pay.md')).toMatchObject({ current_state: 'Paid in full', due: '2035-12-24' });
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

  test.each([
    ['empty', ''],
    ['half written', '---\nstate: do'],
  ])('a note that an editor has made %s for a moment is waited for', async (_, text) => {
    const vault = vaultWithAction({ 'task/other.md': task() });
    const { bench, name } = await acted(vault);
    const whole = vault.read('task/pay.md');
    vault.write('task/pay.md', text, 0);
    expect(await bench.undo(name)).toMatchObject({ outcome: 'settling', note: null });
    vault.write('task/pay.md', whole);
    expect(await bench.undo(name)).toMatchObject({ outcome: 'reversed' });
    expect(vault.read('task/pay.md')).toBe(ODD_TASK);
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

test('the newest action is the last one, also of several on one note within one second', async () => {
  const now = Date.UTC(2026, 10, 21, 20, 19, 54, 300);
  const clock = Object.assign(new Clock(), { now: () => now });
  const vault = vaultWithAction();
  const owner = (name: string) =>
    signal({ raw_quote: `ask ${name}`, mutation_proposal: { class: 'context_edit', set: { owner: name } } });
  vault.write('signal/s2.md', owner('Robin'));
  vault.write('signal/s3.md', owner('Kim'));
  const bench = await Bench.open(vault, { clock });
  for (const name of ['s1', 's2', 's3']) await bench.route(`signal/${name}.md`);
  expect(vault.fields('task/pay.md').owner).toBe('Kim');
  expect(await bench.undoLast(1)).toMatchObject([{ changes: { owner: { before: 'Kim', after: 'Robin' } } }]);
});

describe('twin reversals, as two machines with one key leave them', () => {
  const twins = async (setting = {}) => {
    const vault = vaultWithAction();
    const { bench, event, name } = await acted(vault, setting);
    const done = vault.read('task/pay.md');
    const { note } = await bench.undo(name);
    const twin = 'event/steward-action-reversed-on-the-other-machine.md';
    const written = vault.fields(note ?? '');
    vault.write(twin, noteText(sealReversal(testSeal(), twin, written), ''));
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

  test('are one, also if the other was made in the second in which the first is undone', async () => {
    let now = Math.ceil(Date.now() / SECOND) * SECOND + 60 * SECOND;
    const { vault, bench, name, one, twin } = await twins({ clock: Object.assign(new Clock(), { now: () => now }) });
    now += SECOND;
    const written = { ...vault.fields(twin), settled_at: utc(now) };
    vault.write(twin, noteText(sealReversal(testSeal(), twin, written), ''));
    expect(await bench.undo(one)).toMatchObject({ outcome: 'reversed' });
    expect(await bench.undo(name)).toMatchObject({ outcome: 'reversed' });
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
    const newestFirst = targets.toReversed().map((name) => ({ outcome: 'reversed', target: `task/${name}.md` }));
    expect(await bench.undoLast(3)).toMatchObject(newestFirst);
  });

  test('is the undo after an undo, and the action behind both counts once', async () => {
    const vault = vaultWithAction();
    const { bench } = await acted(vault);
    const done = vault.read('task/pay.md');
    for (const text of [ODD_TASK, done, ODD_TASK]) {
      expect(await bench.undoLast(1)).toMatchObject([{ outcome: 'reversed', target: 'task/pay.md' }]);
      expect(vault.read('task/pay.md')).toBe(text);
    }
    expect(await bench.undoLast(5)).toHaveLength(1);
    expect(vault.read('task/pay.md')).toBe(done);
    expect(vault.fields(MAIL).confidence).toBe(0.83);
  });
});
