import { describe, expect, test } from 'vitest';
import { historyOf } from '../../../src/vault/history-block.ts';
import { stem } from '../../../src/vault/note-names.ts';
import { Clock, DAY, HOUR } from '../../support/clock.ts';
import { HOUSE, instinct, settings, signal, task, weak } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { type Files, TempVault } from '../../support/temp-vault.ts';
import { Bench, LIVE, only, SHADOW } from '../../support/workspace.ts';

const MAIL = 'instinct/mail.md';
const PAY = 'task/pay.md';
const WEEK = 7 * DAY;

/** A signal that moves the due date of the task. */
const due = (day: string, parts = {}) => ({
  raw_quote: `moved to ${day}`,
  mutation_proposal: { class: 'context_edit', set: { due: day } },
  ...parts,
});
const START = { ...HOUSE, [PAY]: task({ due: '2035-12-01' }), [MAIL]: instinct('mail') };

/** A vault with one decision about the due date of the task. */
async function decided(signalText: string, env = LIVE, files: Files = {}) {
  const vault = new TempVault({ ...START, 'signal/s.md': signalText, ...files });
  const clock = new Clock();
  const bench = await Bench.open(vault, { env, clock });
  await bench.tick();
  return { vault, clock, bench, event: only(vault.events()) };
}

function figures(vault: TempVault): unknown[] {
  const { confidence, observations, wrong, reversals } = vault.fields(MAIL);
  return [confidence, observations, wrong ?? 0, reversals];
}

const UNTOUCHED = [0.9, 0, 0, 0];

describe('a proposal', () => {
  test.each([
    ['live', LIVE],
    ['shadow', SHADOW],
  ])('made by the person’s own hand, as proposed, is right, in %s', async (_, env) => {
    const { vault, bench, event } = await decided(weak(due('2035-12-24')), env);
    vault.edit(PAY, '2035-12-01', '2035-12-24');
    await bench.tick();
    expect(figures(vault)).toEqual([0.91, 1, 0, 0]);
    expect(vault.fields(event)).toMatchObject({ taught: 'right', taught_by: 'made by hand' });
    const name = stem(event);
    expect(historyOf(MAIL, vault.read(MAIL))).toMatchObject([
      { what: `made by hand: [[${name}]]`, before: 0.9, after: 0.91, observations: 1 },
    ]);
    await bench.tick();
    vault.edit(PAY, '2035-12-24', '2035-12-31');
    await bench.tick();
    expect(figures(vault)).toEqual([0.91, 1, 0, 0]);
  });

  test('set otherwise within seven days is wrong', async () => {
    const { vault, clock, bench, event } = await decided(weak(due('2035-12-24')));
    clock.move(WEEK - HOUR);
    vault.edit(PAY, '2035-12-01', '2035-12-31');
    await bench.tick();
    expect(figures(vault)).toEqual([0.85, 0, 1, 0]);
    expect(vault.fields(event)).toMatchObject({ taught: 'wrong', taught_by: 'set otherwise by hand' });
  });

  test('set otherwise after seven days says nothing; made as proposed after them is right', async () => {
    for (const [day, expected] of [
      ['2035-12-31', UNTOUCHED],
      ['2035-12-24', [0.91, 1, 0, 0]],
    ] as const) {
      const { vault, clock, bench } = await decided(weak(due('2035-12-24')));
      clock.move(WEEK + HOUR);
      vault.edit(PAY, '2035-12-01', day);
      await bench.tick();
      expect(figures(vault)).toEqual(expected);
    }
  });

  test('left alone, or beside an edit of another field, says nothing', async () => {
    const { vault, clock, bench, event } = await decided(weak(due('2035-12-24')));
    vault.edit(PAY, 'A task.', 'Ask Anna.');
    vault.edit(PAY, 'state: open', 'state: open\nowner: Robin');
    await bench.tick();
    clock.move(3 * WEEK);
    await bench.tick();
    expect(figures(vault)).toEqual(UNTOUCHED);
    expect(vault.fields(event).taught).toBeUndefined();
  });

  test('that the task be done: done by hand is right, archived is wrong', async () => {
    for (const [state, expected] of [
      ['done', [0.91, 1, 0, 0]],
      ['archived', [0.85, 0, 1, 0]],
    ] as const) {
      const { vault, bench } = await decided(weak());
      vault.edit(PAY, 'state: open', `state: ${state}`);
      await bench.tick();
      expect(figures(vault)).toEqual(expected);
    }
  });

  test('that was confirmed or dismissed has taught already, whatever the hand does then', async () => {
    for (const [answer, expected] of [
      ['confirm', [0.91, 1, 0, 0]],
      ['dismiss', [0.85, 0, 1, 0]],
    ] as const) {
      const { vault, bench, event } = await decided(weak(due('2035-12-24')));
      await bench[answer](event);
      vault.edit(PAY, answer === 'confirm' ? '2035-12-24' : '2035-12-01', '2035-12-31');
      await bench.tick();
      expect(figures(vault)).toEqual(expected);
    }
  });

  test('overtaken by a later decision about the same field is not judged by what the note says then', async () => {
    const { vault, clock, bench, event } = await decided(weak(due('2035-12-24')));
    clock.move(HOUR);
    vault.write('signal/later.md', signal({ source_type: 'bank', ...due('2035-12-31') }));
    await bench.tick();
    expect(vault.fields(PAY).due).toBe('2035-12-31');
    await bench.tick();
    expect(figures(vault)).toEqual(UNTOUCHED);
    expect(vault.fields(event).taught).toBeUndefined();
    expect(vault.has('instinct/bank.md')).toBe(false);
  });

  test('that the program did not write itself says nothing', async () => {
    const { vault, bench, event } = await decided(weak(due('2035-12-24')));
    vault.edit(event, 'mail:', 'gmail:');
    vault.edit(PAY, '2035-12-01', '2035-12-24');
    await bench.tick();
    expect(vault.names('instinct')).toEqual(['mail.md']);
    expect(figures(vault)).toEqual(UNTOUCHED);
  });
});

describe('an act', () => {
  const acted = (files: Files = {}) => decided(signal(due('2035-12-24')), LIVE, files);

  test('changed by hand within its week is wrong, by as much as one that is taken back', async () => {
    const { vault, bench, event } = await acted();
    expect(vault.fields(PAY).due).toBe('2035-12-24');
    vault.edit(PAY, '2035-12-24', '2035-12-31');
    await bench.tick();
    expect(figures(vault)).toEqual([0.8, 0, 1, 0]);
    expect(vault.fields(event)).toMatchObject({ taught: 'wrong', taught_by: 'set otherwise by hand' });
    await bench.tick();
    expect(figures(vault)).toEqual([0.8, 0, 1, 0]);
  });

  test('changed after its week says nothing, and so does a change of another field', async () => {
    const { vault, clock, bench } = await acted();
    vault.edit(PAY, 'state: open', 'state: snoozed');
    await bench.tick();
    clock.move(WEEK + HOUR);
    vault.edit(PAY, '2035-12-24', '2035-12-31');
    await bench.tick();
    expect(figures(vault)).toEqual(UNTOUCHED);
  });

  test('taken back by the program is no hand of the person’s: only the reversal teaches', async () => {
    const { vault, bench, event } = await acted();
    await bench.undo(event);
    await bench.tick();
    expect(figures(vault)).toEqual([0.8, 0, 1, 1]);
    await bench.undo(only(vault.events('signal-action-reversed-')));
    await bench.tick();
    expect(figures(vault)).toEqual(UNTOUCHED);
  });

  test('overtaken by the program’s own later act is not wrong; the later one is what a hand then judges', async () => {
    const { vault, clock, bench, event } = await acted();
    clock.move(HOUR);
    vault.write('signal/later.md', signal({ source_type: 'bank', ...due('2035-12-31') }));
    await bench.tick();
    await bench.tick();
    expect(figures(vault)).toEqual(UNTOUCHED);
    vault.edit(PAY, '2035-12-31', '2036-01-15');
    await bench.tick();
    expect(figures(vault)).toEqual(UNTOUCHED);
    expect(vault.fields('instinct/bank.md')).toMatchObject({ confidence: 0.8, wrong: 1 });
    expect(vault.fields(event).taught).toBeUndefined();
  });

  test('on a note that says steward: false since is not looked at', async () => {
    const { vault, bench } = await acted();
    vault.edit(PAY, 'due: 2035-12-24', 'due: 2035-12-31\nsteward: false');
    await bench.tick();
    expect(figures(vault)).toEqual(UNTOUCHED);
  });
});

describe('while a daemon runs', () => {
  const QUICK = { 'steward.md': settings({ settle_seconds: 1, default_schedule: '17 4 1 1 *' }) };

  test('what a hand does is learnt at once, without a tick', async () => {
    const vault = new TempVault({ ...START, 'signal/s.md': signal(due('2035-12-24')) });
    const running = await Running.start(vault);
    await running.heard('acted');
    vault.edit(PAY, '2035-12-24', '2035-12-31');
    await running.sync();
    expect(figures(vault)).toEqual([0.8, 0, 1, 0]);
  });

  test('a note that is being typed in is judged when it has been quiet, by what it says then', async () => {
    const vault = new TempVault({ ...START, ...QUICK, 'signal/s.md': signal(due('2035-12-24')) });
    const running = await Running.start(vault);
    await running.heard('acted');
    vault.edit(PAY, '2035-12-24', '2035-12-2', 0);
    await running.sync();
    expect(figures(vault)).toEqual(UNTOUCHED);
    vault.edit(PAY, '2035-12-2\n', '2035-12-24\n', 0);
    await running.sync();
    vault.edit(PAY, 'A task.', 'Ask Anna.', 0);
    vault.write('task/other.md', task({ due: '2035-12-01' }));
    vault.write('signal/other.md', signal({ ...due('2035-12-24'), target_path: 'task/other.md', raw_quote: 'other' }));
    await running.until(() => vault.fields('task/other.md').due === '2035-12-24');
    vault.edit('task/other.md', '2035-12-24', '2035-12-31', 0);
    await running.until(() => vault.fields(MAIL).wrong === 1);
    expect(figures(vault)).toEqual([0.8, 0, 1, 0]);
  });

  test('what a hand did while it was away is learnt at the start', async () => {
    const { vault, event } = await decided(weak(due('2035-12-24')));
    vault.edit(PAY, '2035-12-01', '2035-12-24');
    const running = await Running.start(vault);
    await running.sync();
    expect(figures(vault)).toEqual([0.91, 1, 0, 0]);
    expect(vault.fields(event).taught).toBe('right');
    await running.stop();
    const again = await Running.start(vault);
    await again.sync();
    expect(figures(vault)).toEqual([0.91, 1, 0, 0]);
  });
});
