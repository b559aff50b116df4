import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { learningOutcomes } from '../../src/steward/outcomes.ts';
import type { Intent } from '../../src/vault/edit.ts';
import { Journal } from '../../src/vault/journal.ts';
import { stem } from '../../src/vault/layout.ts';
import { readHistory } from '../../src/vault/note-text.ts';
import { partName } from '../../src/vault/publish.ts';
import { Clock, DAY, HOUR } from '../support/clock.ts';
import { HOUSE, instinct, settings, signal, task, weak } from '../support/notes.ts';
import { testSeal } from '../support/own-signal.ts';
import { Running } from '../support/running.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE, only, SHADOW } from '../support/workspace.ts';

describe('by hand', () => {
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

  test.each([
    ['another machine asked about later', 1000, UNTOUCHED],
    ['another machine asked about before', -1000, [0.85, 0, 1, 0]],
  ])('a change that %s, and that is gone from the note', async (_, ms, expected) => {
    const { vault, bench, event } = await decided(signal(due('2035-12-24')));
    const at = new Date(Date.parse(String(vault.fields(event).timestamp)) + ms).toISOString().replace(/\.\d+/, '');
    const asked = vault.read(event).replace(/^undo_recipe:\n(?: .*\n)+/m, '');
    vault.write(`event/steward-action-${at.replaceAll(':', '-')}-pay.md`, asked.replace(/(?<=^timestamp: ).*$/m, at));
    vault.edit(PAY, '2035-12-24', '2035-12-01');
    await bench.tick();
    expect(figures(vault)).toEqual(expected);
  });

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
      expect(readHistory(MAIL, vault.read(MAIL))).toMatchObject([
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

    test('replaced by a later decision about the same field is not judged by what the note says then', async () => {
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

    test('changed by hand within its week is wrong, by as much as one that is dismissed', async () => {
      const { vault, bench, event } = await acted();
      expect(vault.fields(PAY).due).toBe('2035-12-24');
      vault.edit(PAY, '2035-12-24', '2035-12-31');
      await bench.tick();
      expect(figures(vault)).toEqual([0.85, 0, 1, 0]);
      expect(vault.fields(event)).toMatchObject({ taught: 'wrong', taught_by: 'set otherwise by hand' });
      await bench.tick();
      expect(figures(vault)).toEqual([0.85, 0, 1, 0]);
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
      expect(vault.fields('instinct/bank.md')).toMatchObject({ confidence: 0.85, wrong: 1 });
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
      expect(figures(vault)).toEqual([0.85, 0, 1, 0]);
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
      vault.write(
        'signal/other.md',
        signal({ ...due('2035-12-24'), target_path: 'task/other.md', raw_quote: 'other' }),
      );
      await running.until(() => vault.fields('task/other.md').due === '2035-12-24');
      vault.edit('task/other.md', '2035-12-24', '2035-12-31', 0);
      await running.until(() => vault.fields(MAIL).wrong === 1);
      expect(figures(vault)).toEqual([0.85, 0, 1, 0]);
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
});

describe('teaching', () => {
  const ANNA = 'instinct/mail/anna@notary.example.md';
  const MAIL = 'instinct/mail.md';

  /** A vault where a person has made what Anna's mail proposed, as it was right before that taught anything. */
  async function prepare() {
    const proposal = { class: 'context_edit', set: { due: '2035-12-24' } };
    const said = weak({ pattern: 'anna@notary.example', mutation_proposal: proposal });
    const vault = new TempVault({ ...HOUSE, 'task/pay.md': task({ due: '2035-12-01' }), 'signal/w.md': said });
    const bench = await Bench.open(vault);
    await bench.tick();
    bench.close();
    vault.edit('task/pay.md', '2035-12-01', '2035-12-24');
    return { vault, event: only(vault.events()) };
  }

  /** The one intent by which the outcome is learnt, as it is journalled, on a copy of the vault. */
  async function lessonOf(vault: TempVault): Promise<Intent> {
    const spied = vi.spyOn(Journal.prototype, 'open');
    await (await Bench.open(new TempVault(vault.snapshot()), { clock: new Clock() })).tick();
    const lessons = spied.mock.calls.flatMap(([work]) => (work.steps[0]?.path.startsWith('event/') ? [work] : []));
    const intent = structuredClone(lessons.at(-1));
    spied.mockRestore();
    if (intent === undefined) throw new Error('nothing was learnt');
    return intent;
  }

  test('what an event has taught, and the lesson itself, are one transaction', async () => {
    const { vault, event } = await prepare();
    const intent = await lessonOf(vault);
    expect(intent.steps.map(({ path }) => path)).toEqual([event, ANNA, MAIL]);
  });

  test.each([0, 1, 2, 3])('killed after %i of its steps, it is done wholly, and once', async (done) => {
    const { vault, event } = await prepare();
    const intent = await lessonOf(vault);
    new Journal(vault.places.journal, testSeal()).open(intent);
    for (const step of intent.steps.slice(0, done)) {
      // An edit is an exchange: what the note was lies in the part file.
      const part = path.join(vault.places.tmp, partName(intent.id, step.path));
      if (step.do === 'edit') fs.renameSync(vault.at(step.path), part);
      vault.write(step.path, step.text, 0);
    }
    const bench = await Bench.open(vault);
    const isDecided = done > 0;
    expect(vault.has(ANNA)).toBe(isDecided);
    expect(vault.fields(event).taught).toBe(isDecided ? 'right' : undefined);
    await bench.tick();
    bench.close();
    await (await Bench.open(vault)).tick();
    expect(vault.fields(event).taught).toBe('right');
    expect(vault.fields(ANNA)).toMatchObject({ confidence: 0.91, observations: 1 });
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.902 });
  });

  test('the mark holds through the lesson: what the event has taught can be believed later', async () => {
    const { vault, event } = await prepare();
    const bench = await Bench.open(vault);
    await bench.tick();
    const seal = vault.fields(event).seal;
    vault.edit(event, '"taught":"right"', '"taught":"wrong"');
    await bench.tick();
    expect(vault.fields(event).seal).toBe(seal);
    expect(vault.fields(ANNA)).toMatchObject({ observations: 1 });
  });

  test('two that learn side by side, a step each in turn, teach an outcome once', async () => {
    const { vault, event } = await prepare();
    const bench = await Bench.open(vault);
    await bench.sweep();
    const both = [learningOutcomes(bench.ports, 0), learningOutcomes(bench.ports, 0)];
    while (both.map((one) => one.next().done === true).includes(false));
    expect(vault.fields(event).taught).toBe('right');
    expect(vault.fields(ANNA)).toMatchObject({ confidence: 0.91, observations: 1 });
  });

  test('an event note that a sync brings back as it was before teaches nothing again', async () => {
    const { vault, event } = await prepare();
    const former = vault.read(event);
    const bench = await Bench.open(vault);
    for (let times = 0; times < 3; times += 1) {
      vault.write(event, former);
      await bench.learn();
      expect(vault.fields(event).taught).toBe('right');
    }
    expect(vault.fields(ANNA)).toMatchObject({ confidence: 0.91, observations: 1 });
  });
});
